/* The scalar types of the own dtypes. */
#ifndef CUF_SCALARS_H
#define CUF_SCALARS_H

#include "npy_api.h"

/* A scalar: NumPy expects the element right behind the object's head. */
typedef struct {
    PyObject_HEAD
    union {
        uint8_t one;
        uint16_t two;
    } code;
} cuf_scalar;

/* A new heap type `castufunc.<name>`, without its dtype attribute. New reference. */
PyTypeObject *cuf_scalar_type_new(cuf_type type);

#endif
