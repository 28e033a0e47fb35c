/* Common dtypes and casting levels: which type two meet in, and how safe a cast is. */
#ifndef CUF_PROMOTION_H
#define CUF_PROMOTION_H

#include "npy_api.h"

/* How safe the cast from one type to another is; one of the two is our own. */
NPY_CASTING cuf_casting_level(cuf_type from, cuf_type to);

/* The slot NPY_DT_common_dtype of our own DTypes. */
PyArray_DTypeMeta *cuf_common_dtype(PyArray_DTypeMeta *own, PyArray_DTypeMeta *other);

#endif
