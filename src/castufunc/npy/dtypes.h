/* The DTypes of our own formats. */
#ifndef CUF_DTYPES_H
#define CUF_DTYPES_H

#include "npy_api.h"

/* Makes the scalar types and dtypes of all own rows and registers them. Once per process. */
int cuf_dtypes_init(void);

/*
 * The function by which pickles make a dtype whose elements have several bytes. New reference; the
 * module castufunc._core must have it under its name.
 */
PyObject *cuf_dtype_reader(void);

#endif
