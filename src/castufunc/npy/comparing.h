/* What a number and a text are when they are compared. */
#ifndef CUF_COMPARING_H
#define CUF_COMPARING_H

#include "npy_api.h"

/* Teaches np.equal and np.not_equal that an own number and a text are not equal. */
int cuf_comparing_init(void);

#endif
