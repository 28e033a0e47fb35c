/* One ufunc per column: a target type in one of its modes. */
#ifndef CUF_UFUNCS_H
#define CUF_UFUNCS_H

#include "npy_api.h"

/* Whether the column belongs to a type of ONNX's Cast, and so has a public ufunc. */
int cuf_column_is_public(cuf_column column);

/* "to_float8e8m0_down_nosat". Writes at most 64 bytes. */
void cuf_ufunc_name(cuf_column column, char name[64]);

/* The ufunc of a public column, with a loop for every source. New reference. */
PyObject *cuf_ufunc_new(cuf_column column);

#endif
