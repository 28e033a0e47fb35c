/* Nested lists and tuples, before NumPy makes an array of them. */
#ifndef CUF_SEQUENCES_H
#define CUF_SEQUENCES_H

#include "npy_api.h"

/* What is among the leaves of a list or tuple; the bits of a sum. */
enum {
    CUF_LEAF_NUMBER = 1,
    CUF_LEAF_TEXT = 2,
    /* Anything but floats, texts, and Python integers that a float64 holds: an array of float64 may
     * lose digits. */
    CUF_LEAF_OTHER = 4,
};

/* -1 with a TypeError that tells the index if a leaf is a masked array with a masked element. */
int cuf_leaves_of(PyObject *sequence);

#endif
