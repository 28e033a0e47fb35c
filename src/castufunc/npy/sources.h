/* Every DType that we can cast from or to, as NumPy has them. */
#ifndef CUF_SOURCES_H
#define CUF_SOURCES_H

#include "npy_api.h"

typedef struct {
    cuf_type type;
    PyArray_DTypeMeta *dtype; /* borrowed; lives as long as the process */
} cuf_source;

/* NumPy's numbers (C's integers under all their names), and at most two dtypes a type. */
enum { CUF_NUMPY_SOURCES = 18, CUF_MAX_SOURCES = CUF_NUMPY_SOURCES + 2 * CUF_TYPES };

/* Fills in those that the registry knows so far. How many; -1 with an exception. */
int cuf_sources(cuf_source sources[CUF_MAX_SOURCES]);

#endif
