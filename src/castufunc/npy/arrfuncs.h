/* The functions that NumPy finds in a legacy dtype: items, copies, comparison, search. */
#ifndef CUF_ARRFUNCS_H
#define CUF_ARRFUNCS_H

#include "npy_api.h"

/* For an own type; lives as long as the process. */
PyArray_ArrFuncs *cuf_arrfuncs_of(cuf_type type);

#endif
