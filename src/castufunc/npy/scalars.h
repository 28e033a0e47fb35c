/* The scalar types, and Python numbers in and out of codes. */
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

/*
 * The code of a Python or NumPy number, or of a str or bytes that spell one, as `cast` gives it.
 * -1 with ValueError for another text, with TypeError for anything else.
 */
int cuf_code_from_object(cuf_column column, PyObject *object, void *code);

/* The code's number as a Python float or int. New reference. */
PyObject *cuf_object_from_code(cuf_type type, const void *code);

#endif
