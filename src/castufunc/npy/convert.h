/* Whole arrays through a plan: what stands behind `cast`. */
#ifndef CUF_CONVERT_H
#define CUF_CONVERT_H

#include "npy_api.h"

/*
 * x in the given column. `descr` is the result's dtype (of the column's type); with `out` (an
 * array of that very type, else None) the result goes there, x broadcast to its shape. Otherwise
 * the result is a new array of x's shape and memory order. New reference.
 *
 * Byte-swapped sources are copied to native order first. Where x and out share memory the result
 * is as if they did not.
 */
PyObject *cuf_convert(PyArrayObject *x, PyArray_Descr *descr, cuf_column column,
                      PyArrayObject *out);

/*
 * Called once, before anything else of this layer. The index of the target in use, at most the one
 * named `cap` (NULL: the best); -1 with an exception.
 */
int cuf_npy_init(const char *cap);

#endif
