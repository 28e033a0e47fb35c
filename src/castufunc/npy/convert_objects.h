/* Arrays of Python objects, for `cast`: numbers and texts in them, and texts out. */
#ifndef CUF_CONVERT_OBJECTS_H
#define CUF_CONVERT_OBJECTS_H

#include "npy_api.h"

/*
 * The numbers and texts of x, each cast by value, as a new array in C order. An object that is
 * neither is a TypeError, a text that is no number a ValueError; both tell the index.
 */
PyObject *cuf_convert_objects(PyArrayObject *x, PyArray_Descr *descr, cuf_column column);

/*
 * The objects of x as str: a str itself, bytes as ASCII, a number as it is printed; an object that
 * stands for a number as its integer or its nearest float64.
 */
PyObject *cuf_texts_of_objects(PyArrayObject *x);

/*
 * Adds an index, an int or a tuple, to the exception that is set: to the message of a TypeError or
 * ValueError, to any other as a note. Always -1.
 */
int cuf_add_index(PyObject *index);

/* The same with the index of a flat position in C order. */
int cuf_tell_index(PyArrayObject *x, npy_intp flat);

#endif
