/* Arrays of texts, for `cast`: U, S, StringDType, and objects as results. */
#ifndef CUF_CONVERT_TEXT_H
#define CUF_CONVERT_TEXT_H

#include "npy_api.h"

/*
 * The texts of x (U, S or StringDType) as numbers, in a new array in C order. The first text that
 * is no number, or is missing, is a ValueError that tells its index.
 */
PyObject *cuf_parse_array(PyArrayObject *x, PyArray_Descr *descr, cuf_column column);

/*
 * The numbers of x as texts of `descr`: object (of str), StringDType, or U and S, without a width
 * with one that fits any number of x's type. Too narrow a width is a ValueError with the index.
 */
PyObject *cuf_print_array(PyArrayObject *x, PyArray_Descr *descr);

/* 0, or -1 with a ValueError that tells the index of the first missing value of a StringDType. */
int cuf_refuse_missing(PyArrayObject *x);

#endif
