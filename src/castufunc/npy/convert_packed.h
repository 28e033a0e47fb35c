/* Arrays to packed bytes and back, through a cast or not. */
#ifndef CUF_CONVERT_PACKED_H
#define CUF_CONVERT_PACKED_H

#include "npy_api.h"

/*
 * Packs x in C order into `packed`, a contiguous uint8 array of the right size. With `casts` x is
 * cast to the column first; else it holds codes of the column's type. None.
 *
 * Both functions compare sizes, types and layouts themselves, by the fields of the arrays, and
 * raise ValueError before a byte is read or written.
 */
PyObject *cuf_pack_array(PyArrayObject *x, cuf_column column, int casts, PyArrayObject *packed);

/*
 * Unpacks codes of `from` into `out` in C order, from `packed`, a contiguous uint8 array that has
 * enough of them. With `casts` they are cast to the column; else out holds codes. None.
 */
PyObject *cuf_unpack_array(PyArrayObject *packed, cuf_type from, cuf_column column, int casts,
                           PyArrayObject *out);

#endif
