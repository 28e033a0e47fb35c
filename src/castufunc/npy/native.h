/* Arrays in native byte order. */
#ifndef CUF_NATIVE_H
#define CUF_NATIVE_H

#include "npy_api.h"

/* A dtype in native byte order: itself, if it is. New reference. */
PyArray_Descr *cuf_native_descr(PyArray_Descr *descr);

/*
 * The array itself if it is in native byte order and has the flags (such as
 * NPY_ARRAY_C_CONTIGUOUS), else a copy that is so. New reference. (NPY_ARRAY_NOTSWAPPED would do
 * it, but loses a reference before NumPy 2.2.)
 */
PyArrayObject *cuf_native_array(PyArrayObject *array, int flags);

/* The same of any object that NumPy can make an array of. */
PyArrayObject *cuf_native_array_of(PyObject *object);

/* After a failed NpyIter_New: where it lacks memory, NumPy may set no exception. Always NULL. */
void *cuf_no_iterator(void);

#endif
