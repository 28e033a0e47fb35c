/*
 * Two DTypes that no array has: float32 and int64 under another name. Operands are cast to them
 * for the loops behind `dtype=` of an own type. (Loops from float32 itself to own types would make
 * NumPy's choice for `a + b` of float32 ambiguous.)
 */
#ifndef CUF_WIDE_DTYPES_H
#define CUF_WIDE_DTYPES_H

#include "npy_api.h"

typedef enum { CUF_WIDE_FLOAT, CUF_WIDE_INT, CUF_WIDE_COUNT } cuf_wide;

/* Borrowed; made by cuf_wide_dtypes_init, after all own DTypes. */
extern PyArray_DTypeMeta *cuf_wide_dtypes[CUF_WIDE_COUNT];

int cuf_wide_dtypes_init(void);

#endif
