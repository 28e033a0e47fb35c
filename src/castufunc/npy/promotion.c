#include "promotion.h"

#include "registry.h"
#include "texts.h"

static const cuf_format *format(cuf_type type) { return &cuf_formats[type]; }
static int is_kind(cuf_type type, cuf_kind kind) { return format(type)->kind == kind; }

/* Floats of NumPy that hold every number of an own or a foreign type. */
static int is_wide_float(cuf_type type)
{
    return is_kind(type, CUF_KIND_EXTENDED) ||
           (is_kind(type, CUF_KIND_FLOAT) && format(type)->storage >= 4);
}

static int is_wide_complex(cuf_type type)
{
    return is_kind(type, CUF_KIND_COMPLEX) && is_wide_float(format(type)->part);
}

NPY_CASTING cuf_casting_level(cuf_type from, cuf_type to)
{
    const cuf_format *source = format(from), *target = format(to);
    if (from == to) {
        return NPY_NO_CASTING;
    }
    if (target->kind == CUF_KIND_BOOL) {
        return NPY_UNSAFE_CASTING;
    }
    if (source->kind == CUF_KIND_BOOL) {
        return NPY_SAME_KIND_CASTING;
    }
    if (source->owner == CUF_OWNER_OWN && (is_wide_float(to) || is_wide_complex(to))) {
        return NPY_SAFE_CASTING;
    }
    if (target->kind == CUF_KIND_INT) {
        if (source->kind != CUF_KIND_INT) {
            return NPY_UNSAFE_CASTING;
        }
        int wide = source->owner == CUF_OWNER_OWN && target->bits == 64;
        return wide && (target->is_signed || !source->is_signed) ? NPY_SAFE_CASTING
                                                                 : NPY_SAME_KIND_CASTING;
    }
    if (source->kind == CUF_KIND_COMPLEX && target->kind != CUF_KIND_COMPLEX) {
        return NPY_UNSAFE_CASTING;
    }
    return NPY_SAME_KIND_CASTING;
}

/* What an own float meets another number in. */
static cuf_type common_with_float(cuf_type own, cuf_type other)
{
    const cuf_format *o = format(other);
    switch (o->kind) {
    case CUF_KIND_BOOL: return own;
    case CUF_KIND_INT: return o->bits <= 16 ? CUF_FLOAT32 : CUF_FLOAT64;
    case CUF_KIND_FLOAT: return o->storage >= 4 ? other : CUF_FLOAT32;
    case CUF_KIND_EXTENDED: return other;
    default: return is_wide_complex(other) ? other : CUF_COMPLEX64;
    }
}

/* What an own integer meets another number in: with NumPy's it counts as int8 or uint8. */
static cuf_type common_with_int(cuf_type own, cuf_type other)
{
    const cuf_format *o = format(other);
    const int all_unsigned = !format(own)->is_signed && !o->is_signed;
    switch (o->kind) {
    case CUF_KIND_BOOL: return own;
    case CUF_KIND_INT:
        if (o->bits < 8) {
            return all_unsigned ? CUF_UINT8 : CUF_INT8;
        }
        if (all_unsigned || (o->is_signed && (format(own)->is_signed || o->bits > 8))) {
            return other;
        }
        switch (o->bits) { /* of two kinds: the next wider signed type */
        case 8: return CUF_INT16;
        case 16: return CUF_INT32;
        case 32: return CUF_INT64;
        default: return CUF_FLOAT64;
        }
    case CUF_KIND_FLOAT: return o->storage >= 4 ? other : CUF_FLOAT32;
    case CUF_KIND_EXTENDED: return other;
    default: return is_wide_complex(other) ? other : CUF_COMPLEX64;
    }
}

/* Python's own numbers, whose DTypes have no type number. */
static cuf_type common_with_python(cuf_type own, PyArray_DTypeMeta *other)
{
    const int is_float = is_kind(own, CUF_KIND_FLOAT);
    if (other == &PyArray_PyLongDType) {
        return own;
    }
    if (other == &PyArray_PyFloatDType) {
        return is_float ? own : CUF_FLOAT64;
    }
    if (other == &PyArray_PyComplexDType) {
        return is_float ? CUF_COMPLEX64 : CUF_COMPLEX128;
    }
    return CUF_NO_TYPE;
}

PyArray_DTypeMeta *cuf_common_dtype(PyArray_DTypeMeta *own, PyArray_DTypeMeta *other)
{
    cuf_type type = cuf_type_of_class(own);
    PyArray_DTypeMeta *result = (PyArray_DTypeMeta *)Py_NotImplemented;
    if (type == CUF_NO_TYPE) { /* a class that is not ours: NumPy passes none */
        return (PyArray_DTypeMeta *)Py_NewRef(result);
    }
    cuf_type common = common_with_python(type, other);
    if (common == CUF_NO_TYPE && other->type_num >= 0) {
        cuf_type partner = cuf_type_of_class(other);
        if (partner == type) {
            common = type;
        }
        else if (partner != CUF_NO_TYPE) {
            common = is_kind(type, CUF_KIND_FLOAT) ? common_with_float(type, partner)
                                                   : common_with_int(type, partner);
        }
    }
    if (common != CUF_NO_TYPE) {
        result = NPY_DTYPE(cuf_descrs[common]);
    }
    else if (other->type_num == NPY_OBJECT || cuf_container_of(other->type_num) != CUF_NO_TEXT) {
        result = other;
    }
    Py_INCREF(result);
    return result;
}
