/* The ArrayMethods that cast between our own DTypes and all others. */
#ifndef CUF_CASTING_H
#define CUF_CASTING_H

#include "npy_api.h"

/*
 * The cast specs of an own DType about to be made, NULL-terminated: within itself, and both ways
 * with every dtype that the registry knows so far. New memory; free with cuf_casts_free.
 */
PyArrayMethod_Spec **cuf_casts_new(cuf_type type);
void cuf_casts_free(PyArrayMethod_Spec **casts);

int cuf_casting_init(void);

#endif
