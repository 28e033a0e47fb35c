/* Python numbers, and objects that stand for one, in and out of codes. */
#ifndef CUF_NUMBERS_H
#define CUF_NUMBERS_H

#include "npy_api.h"

/*
 * The code of an object, as `cast` gives it: of a Python or NumPy number; of a str or bytes that
 * spell one; of a decimal.Decimal or numbers.Rational by its exact value; else of what __index__
 * or __float__ give. -1 with ValueError for another text, with TypeError for anything else, and
 * with whatever a method of the object raises.
 */
int cuf_code_from_object(cuf_column column, PyObject *object, void *code);

/* The code's number as a Python float or int. New reference. */
PyObject *cuf_object_from_code(cuf_type type, const void *code);

/*
 * The int that __index__ gives. New reference. NULL without an exception if there is no such
 * method or if it raises TypeError, as that of a tensor of floats does.
 */
PyObject *cuf_index_of(PyObject *object);

/* 1 if an object stands for a number by its class or by __float__, 0 if not, -1 with an error. */
int cuf_is_real_object(PyObject *object);

/* TypeError if it is a masked array with a masked element: there is no value then. 0 if not. */
int cuf_refuse_masked(PyObject *object);

#endif
