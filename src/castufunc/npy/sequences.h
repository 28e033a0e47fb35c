/* Nested lists and tuples, before NumPy makes an array of them. */
#ifndef CUF_SEQUENCES_H
#define CUF_SEQUENCES_H

#include "npy_api.h"

/*
 * Whether np.asarray of a list or tuple may lose digits if it makes an array of float64: 0 if its
 * leaves are floats, texts, and Python integers that a float64 holds; else 1. -1 with a TypeError
 * that tells the index if a leaf is a masked array with a masked element.
 */
int cuf_needs_objects(PyObject *sequence);

#endif
