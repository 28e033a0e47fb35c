/* The loops of NumPy's ufuncs whose results are of an own type; arithmetic.c says which is when. */
#ifndef CUF_ARITHMETIC_LOOPS_H
#define CUF_ARITHMETIC_LOOPS_H

#include "npy_api.h"

#include "core/arithmetic.h"
#include "wide_dtypes.h"

typedef struct {
    const char *name; /* NumPy's, of the ufunc */
    int nin;
    PyArrayMethod_StridedLoop *loop; /* wide operands */
    /* The first operand of the result's type: a call, or a step of a reduction. */
    PyArrayMethod_GetLoop *get_reducing;
    PyArrayMethod_GetReductionInitial *initial;
} cuf_arithmetic_loops;

extern const cuf_arithmetic_loops cuf_arithmetic[CUF_OPERATION_COUNT];

/* What an own type is computed in. */
cuf_wide cuf_wide_for(cuf_type type);

/* Whether sums are kept in it: all others refuse to reduce. */
int cuf_accumulates(cuf_type type);

#endif
