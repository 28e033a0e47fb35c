#include "dtypes.h"


#include <math.h>

#include "arrfuncs.h"
#include "casting.h"
#include "core/limits.h"
#include "legacy_proto.h"
#include "numbers.h"
#include "promotion.h"
#include "registry.h"
#include "scalars.h"

/* Letters that NumPy does not use, dealt to the own types in order. */
static const char characters[] = "ACEJKRWXYZjkorstuvwxyz";

enum { IS_BIG_ENDIAN = NPY_BYTE_ORDER == NPY_BIG_ENDIAN };

/* As Python's sys.byteorder. */
static const char *const byte_order = IS_BIG_ENDIAN ? "big" : "little";

static PyArray_DTypeMeta *class_of(PyObject *descr) { return (PyArray_DTypeMeta *)Py_TYPE(descr); }

static const cuf_format *format_of(PyObject *descr)
{
    return &cuf_formats[cuf_type_of_class(class_of(descr))];
}

/*
 * np.dtype() of this text gives the dtype back, and np.save writes it into its header. Elements of
 * several bytes are always in the machine's own order, and the text tells of it where that is the
 * rarer one: so np.load refuses a file of the other kind of machine, whose text it does not know.
 */
static PyObject *descr_str(PyObject *self, void *unused)
{
    (void)unused;
    const cuf_format *format = format_of(self);
    return PyUnicode_FromFormat("castufunc.%s%s", format->name,
                                format->storage > 1 && IS_BIG_ENDIAN ? " (big-endian)" : "");
}

static PyObject *descr_name(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(format_of(self)->twin);
}

static PyObject *descr_repr(PyObject *self)
{
    return PyUnicode_FromFormat("castufunc.%s", format_of(self)->name);
}

/* Refuses what a machine of the other byte order pickled: the elements would be other numbers. */
static PyObject *dtype_in_byte_order(PyObject *unused, PyObject *args)
{
    (void)unused;
    PyTypeObject *scalar;
    PyObject *order;
    if (!PyArg_ParseTuple(args, "O!U:_dtype_in_byte_order", &PyType_Type, &scalar, &order)) {
        return NULL;
    }
    const cuf_type type = cuf_type_of_scalar(scalar);
    if (type == CUF_NO_TYPE) {
        return PyErr_Format(PyExc_TypeError, "%.200s is not a scalar type of castufunc",
                            scalar->tp_name);
    }
    if (PyUnicode_CompareWithASCIIString(order, byte_order) != 0) {
        return PyErr_Format(PyExc_ValueError,
                            "these are %s elements of a machine whose byte order is '%.20U', and "
                            "here it is '%s'; pickle a.view(np.uint16) there and view it here",
                            scalar->tp_name, order, byte_order);
    }
    Py_INCREF(cuf_descrs[type]);
    return (PyObject *)cuf_descrs[type];
}

static PyObject *dtype_reader;

PyObject *cuf_dtype_reader(void)
{
    Py_INCREF(dtype_reader);
    return dtype_reader;
}

/* By the scalar type, whose pickle imports this package where it is read. */
static PyObject *descr_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *scalar = (PyObject *)((PyArray_Descr *)self)->typeobj;
    if (format_of(self)->storage == 1) {
        return Py_BuildValue("(O(O))", (PyObject *)&PyArrayDescr_Type, scalar);
    }
    return Py_BuildValue("(O(Os))", dtype_reader, scalar, byte_order);
}

/* NumPy's would return the same dtype for every order, and a cast to it would swap nothing. */
static PyObject *descr_newbyteorder(PyObject *self, PyObject *args)
{
    char order = NPY_SWAP;
    if (!PyArg_ParseTuple(args, "|O&:newbyteorder", PyArray_ByteorderConverter, &order)) {
        return NULL;
    }
    if (format_of(self)->storage > 1 && (order == NPY_SWAP || order == NPY_OPPBYTE)) {
        return PyErr_Format(PyExc_ValueError,
                            "%R is always in the machine's own byte order, here '%s'; the "
                            "byteswap() of an array swaps its bytes",
                            self, byte_order);
    }
    Py_INCREF(self);
    return self;
}

/* np.dtype's would write into the one instance that there is. */
static PyObject *descr_setstate(PyObject *self, PyObject *state)
{
    (void)self, (void)state;
    Py_RETURN_NONE;
}

static PyGetSetDef descr_getset[] = {
    {"str", descr_str, NULL, "The text that np.dtype reads back.", NULL},
    {"name", descr_name, NULL, "The name that other libraries know the type by.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef descr_methods[] = {
    {"__reduce__", descr_reduce, METH_NOARGS, "Pickles as the scalar type."},
    {"__setstate__", descr_setstate, METH_O, "Nothing: there is no state to set."},
    {"newbyteorder", descr_newbyteorder, METH_VARARGS, "The dtype, if the order is its own."},
    {NULL, NULL, 0, NULL},
};

static PyArray_Descr *default_descr(PyArray_DTypeMeta *cls)
{
    Py_INCREF(cls->singleton);
    return cls->singleton;
}

static PyArray_Descr *ensure_canonical(PyArray_Descr *descr)
{
    Py_INCREF(descr);
    return descr;
}

static PyObject *descr_new(PyTypeObject *cls, PyObject *args, PyObject *kwargs)
{
    if (PyTuple_GET_SIZE(args) || (kwargs && PyDict_GET_SIZE(kwargs))) {
        return PyErr_Format(PyExc_TypeError, "%s() takes no arguments", cls->tp_name);
    }
    return (PyObject *)default_descr((PyArray_DTypeMeta *)cls);
}

static int descr_setitem(PyArray_Descr *descr, PyObject *object, char *data)
{
    return cuf_code_from_object(cuf_default_column(cuf_type_of(descr)), object, data);
}

static PyObject *descr_getitem(PyArray_Descr *descr, char *data)
{
    return cuf_object_from_code(cuf_type_of(descr), data);
}

/* What np.finfo asks for, from NumPy 2.5 on; the numbers of its headers, spelled out. */
#define CUF_SLOT_GET_CONSTANT 12
enum {
    CONSTANT_ZERO = 1,
    CONSTANT_ONE,
    CONSTANT_MAX = 4,
    CONSTANT_MIN,
    CONSTANT_INF,
    CONSTANT_NEGATIVE_INF,
    CONSTANT_NAN,
    CONSTANT_RADIX,
    CONSTANT_EPS,
    CONSTANT_SMALLEST_NORMAL,
    CONSTANT_SMALLEST_SUBNORMAL,
    CONSTANT_MANTISSA_BITS = 1 << 16,
    CONSTANT_MIN_EXPONENT,
    CONSTANT_MAX_EXPONENT,
    CONSTANT_DIGITS,
};

/* 1 with the constant in `data`, or 0 where the format has no such number. */
static int descr_get_constant(PyArray_Descr *descr, int which, void *data)
{
    const cuf_type type = cuf_type_of(descr);
    const cuf_limits limits = cuf_limits_of(type);
    if (which >= CONSTANT_MANTISSA_BITS) {
        npy_intp integer;
        switch (which) {
        case CONSTANT_MANTISSA_BITS: integer = cuf_formats[type].mantissa_bits; break;
        case CONSTANT_MIN_EXPONENT: integer = ilogb(limits.smallest_normal); break;
        case CONSTANT_MAX_EXPONENT: integer = ilogb(limits.max) + 1; break;
        case CONSTANT_DIGITS: integer = limits.digits; break;
        default: return 0;
        }
        memcpy(data, &integer, sizeof integer);
        return 1;
    }
    double number;
    int exists = 1;
    switch (which) {
    case CONSTANT_ZERO: number = 0, exists = limits.has_zero; break;
    case CONSTANT_ONE: number = 1; break;
    case CONSTANT_MAX: number = limits.max; break;
    case CONSTANT_MIN: number = limits.min; break;
    case CONSTANT_INF: number = INFINITY, exists = limits.inf >= 0; break;
    case CONSTANT_NEGATIVE_INF: number = -INFINITY, exists = limits.inf >= 0; break;
    case CONSTANT_NAN: number = NAN, exists = limits.nan >= 0; break;
    case CONSTANT_RADIX: number = 2; break;
    case CONSTANT_EPS: number = limits.eps; break;
    case CONSTANT_SMALLEST_NORMAL: number = limits.smallest_normal; break;
    case CONSTANT_SMALLEST_SUBNORMAL:
        number = limits.smallest_subnormal ? limits.smallest_subnormal : limits.smallest_normal;
        break;
    default: return 0;
    }
    if (exists) {
        const cuf_column column = cuf_column_of(type, 0, CUF_NEAREST);
        cuf_run(cuf_plan_of(CUF_FLOAT64, column), &number, 0, data, 0, 1);
    }
    return exists;
}

static PyArray_DTypeMeta *dtype_class_new(cuf_type type)
{
    PyArray_DTypeMeta *dtype = PyMem_Calloc(1, sizeof *dtype);
    char *name = PyMem_Malloc(64);
    if (dtype == NULL || name == NULL) {
        PyMem_Free(dtype);
        PyMem_Free(name);
        PyErr_NoMemory();
        return NULL;
    }
    PyOS_snprintf(name, 64, "castufunc.dtype[%s]", cuf_formats[type].name);
    PyTypeObject *base = (PyTypeObject *)dtype;
    Py_SET_REFCNT(dtype, 1);
    Py_SET_TYPE(dtype, &PyArrayDTypeMeta_Type);
    base->tp_name = name;
    base->tp_basicsize = sizeof(_PyArray_LegacyDescr);
    base->tp_flags = Py_TPFLAGS_DEFAULT;
    base->tp_base = &PyArrayDescr_Type;
    base->tp_new = descr_new;
    base->tp_repr = descr_repr;
    base->tp_str = descr_repr;
    base->tp_getset = descr_getset;
    base->tp_methods = descr_methods;
    if (PyType_Ready(base) < 0) {
        return NULL;
    }
    return dtype;
}

static int add_own(cuf_type type, char character)
{
    PyTypeObject *scalar = cuf_scalar_type_new(type);
    PyArray_DTypeMeta *dtype = scalar ? dtype_class_new(type) : NULL;
    PyArrayMethod_Spec **casts = dtype ? cuf_casts_new(type) : NULL;
    PyArray_DescrProto *proto = casts ? PyMem_Calloc(1, sizeof *proto) : NULL;
    if (proto == NULL) {
        return -1;
    }
    Py_SET_REFCNT(proto, 1);
    Py_SET_TYPE(proto, &PyArrayDescr_Type);
    proto->typeobj = scalar;
    proto->kind = 'V';
    proto->type = character;
    proto->byteorder = '|';
    proto->flags = NPY_USE_SETITEM;
    proto->elsize = (int)cuf_formats[type].storage;
    proto->alignment = (int)cuf_formats[type].storage;
    proto->f = cuf_arrfuncs_of(type);
    proto->hash = -1;

    const int get_constant = PyArray_GetNDArrayCFeatureVersion() >= CUF_API_2_5 &&
                                     cuf_formats[type].kind == CUF_KIND_FLOAT
                                 ? CUF_SLOT_GET_CONSTANT
                                 : 0;
    PyType_Slot slots[] = {
        {0, NULL}, /* the proto's, see legacy_proto.h */
        {NPY_DT_default_descr, default_descr},
        {NPY_DT_ensure_canonical, ensure_canonical},
        {NPY_DT_common_dtype, cuf_common_dtype},
        {NPY_DT_setitem, descr_setitem},
        {NPY_DT_getitem, descr_getitem},
        {get_constant, descr_get_constant},
        {0, NULL},
    };
    PyArrayDTypeMeta_Spec spec = {
        .typeobj = scalar,
        .flags = NPY_DT_NUMERIC,
        .casts = casts,
        .slots = slots,
    };
    int status = cuf_init_dtype_with_proto(dtype, &spec, proto);
    cuf_casts_free(casts);
    if (status < 0 || cuf_registry_add_own(type, dtype->singleton, scalar) < 0) {
        return -1;
    }
    return PyObject_SetAttrString((PyObject *)scalar, "dtype", (PyObject *)dtype->singleton);
}

int cuf_dtypes_init(void)
{
    static PyMethodDef reader = {"_dtype_in_byte_order", dtype_in_byte_order, METH_VARARGS,
                                 "The dtype of a scalar type, if this machine has that byte order."};
    PyObject *module = PyUnicode_FromString("castufunc._core");
    dtype_reader = module ? PyCFunction_NewEx(&reader, NULL, module) : NULL;
    Py_XDECREF(module);
    if (dtype_reader == NULL) {
        return -1;
    }
    const char *character = characters;
    for (int type = 0; type < CUF_TYPES; type++) {
        if (cuf_formats[type].owner == CUF_OWNER_OWN) {
            if (*character == '\0') {
                PyErr_SetString(PyExc_SystemError, "no type character left for a dtype");
                return -1;
            }
            if (add_own((cuf_type)type, *character++) < 0) {
                return -1;
            }
        }
    }
    return 0;
}
