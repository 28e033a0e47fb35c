/* The ArrayMethods between our own DTypes and texts, for `astype`. */
#ifndef CUF_TEXT_CASTS_H
#define CUF_TEXT_CASTS_H

#include "npy_api.h"

enum { CUF_TEXT_CASTS = 6 };

/*
 * Specs for an own DType about to be made: both ways with U, S and StringDType. Static; good
 * until the next call.
 */
void cuf_text_casts(PyArrayMethod_Spec *casts[CUF_TEXT_CASTS]);

#endif
