#include "scalars.h"

#include <math.h>

#include "core/text.h"
#include "numbers.h"
#include "registry.h"
#include "texts.h"

static int is_float(cuf_type type) { return cuf_formats[type].kind == CUF_KIND_FLOAT; }

static cuf_type type_of(PyObject *self) { return cuf_type_of_scalar(Py_TYPE(self)); }
static void *code_of(PyObject *self) { return &((cuf_scalar *)self)->code; }

static PyObject *scalar_new(PyTypeObject *cls, PyObject *args, PyObject *kwargs)
{
    cuf_type type = cuf_type_of_scalar(cls);
    PyObject *value = NULL;
    if (type == CUF_NO_TYPE) {
        return PyErr_Format(PyExc_TypeError, "cannot make a %s", cls->tp_name);
    }
    if (kwargs && PyDict_GET_SIZE(kwargs)) {
        return PyErr_Format(PyExc_TypeError, "%s() takes no keyword arguments", cls->tp_name);
    }
    if (!PyArg_UnpackTuple(args, cuf_formats[type].name, 0, 1, &value)) {
        return NULL;
    }
    cuf_scalar *self = (cuf_scalar *)cls->tp_alloc(cls, 0);
    if (self == NULL) {
        return NULL;
    }
    if (value && cuf_code_from_object(cuf_default_column(type), value, &self->code) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static void scalar_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *scalar_number(PyObject *self)
{
    return cuf_object_from_code(type_of(self), code_of(self));
}

/* Floats as Python prints the shortest decimal that gives the same float32: "2.0", "inf". */
static PyObject *scalar_repr(PyObject *self)
{
    char text[CUF_TEXT_MAX + 2];
    const cuf_type type = type_of(self);
    const double number = cuf_number_of(type, code_of(self));
    size_t length = cuf_print_code(type, code_of(self), text);
    if (length == 0) {
        return PyErr_NoMemory();
    }
    if (is_float(type) && !isfinite(number)) {
        return PyUnicode_FromString(isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    }
    if (is_float(type) && !memchr(text, '.', length) && !memchr(text, 'e', length)) {
        text[length++] = '.';
        text[length++] = '0';
    }
    return PyUnicode_DecodeASCII(text, (Py_ssize_t)length, NULL);
}

static Py_hash_t scalar_hash(PyObject *self)
{
    if (isnan(cuf_number_of(type_of(self), code_of(self)))) {
        return PyBaseObject_Type.tp_hash(self); /* as Python's float: NaNs are different objects */
    }
    PyObject *number = scalar_number(self);
    Py_hash_t hash = number ? PyObject_Hash(number) : -1;
    Py_XDECREF(number);
    return hash;
}

static PyObject *scalar_float(PyObject *self)
{
    return PyFloat_FromDouble(cuf_number_of(type_of(self), code_of(self)));
}

static PyObject *scalar_int(PyObject *self)
{
    PyObject *number = scalar_number(self);
    PyObject *result = number ? PyNumber_Long(number) : NULL;
    Py_XDECREF(number);
    return result;
}

static int scalar_bool(PyObject *self) { return cuf_number_of(type_of(self), code_of(self)) != 0; }

static PyObject *scalar_format(PyObject *self, PyObject *spec)
{
    if (!PyUnicode_Check(spec)) {
        return PyErr_Format(PyExc_TypeError, "__format__() argument must be str, not %.200s",
                            Py_TYPE(spec)->tp_name);
    }
    if (PyUnicode_GET_LENGTH(spec) == 0) {
        return PyObject_Str(self);
    }
    PyObject *number = scalar_number(self);
    PyObject *text = number ? PyObject_Format(number, spec) : NULL;
    Py_XDECREF(number);
    return text;
}

/* What NumPy's abstract classes lack and Python's own numbers have. */
static PyObject *scalar_round(PyObject *self, PyObject *args)
{
    PyObject *number = scalar_number(self), *digits = NULL, *result = NULL;
    if (number && PyArg_UnpackTuple(args, "__round__", 0, 1, &digits)) {
        result = digits ? PyObject_CallMethod(number, "__round__", "O", digits)
                        : PyObject_CallMethod(number, "__round__", NULL);
    }
    Py_XDECREF(number);
    return result;
}

static PyObject *scalar_is_integer(PyObject *self, PyObject *unused)
{
    (void)unused;
    double number = cuf_number_of(type_of(self), code_of(self));
    return PyBool_FromLong(isfinite(number) && number == trunc(number));
}

static PyObject *scalar_as_integer_ratio(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *number = scalar_number(self);
    PyObject *result = number ? PyObject_CallMethod(number, "as_integer_ratio", NULL) : NULL;
    Py_XDECREF(number);
    return result;
}

static PyObject *scalar_bit_count(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *number = scalar_number(self);
    PyObject *result = number ? PyObject_CallMethod(number, "bit_count", NULL) : NULL;
    Py_XDECREF(number);
    return result;
}

#define COMMON_METHODS                                                                          \
    {"__round__", scalar_round, METH_VARARGS, "Round the Python number of the same value."},    \
    {"__format__", scalar_format, METH_O, "Format as the Python number of the same value."},    \
    {"is_integer", scalar_is_integer, METH_NOARGS, "Whether the number is a whole one."},       \
    {"as_integer_ratio", scalar_as_integer_ratio, METH_NOARGS,                                  \
     "A pair of ints whose quotient is exactly the number."}

static PyMethodDef float_methods[] = {COMMON_METHODS, {NULL, NULL, 0, NULL}};

static PyMethodDef integer_methods[] = {
    COMMON_METHODS,
    {"bit_count", scalar_bit_count, METH_NOARGS, "How many bits of the magnitude are 1."},
    {NULL, NULL, 0, NULL},
};

/* NumPy chooses algorithms by the abstract class: a mean, a median, a print format. */
static PyObject *base_of(cuf_type type)
{
    if (is_float(type)) {
        return (PyObject *)&PyInexactArrType_Type;
    }
    return cuf_formats[type].is_signed ? (PyObject *)&PySignedIntegerArrType_Type
                                       : (PyObject *)&PyUnsignedIntegerArrType_Type;
}

/* A slot takes no pointer to const. */
static char *doc_of(cuf_type type)
{
    return is_float(type)
               ? "A number of this format, rounded once from any Python or NumPy number.\n\n"
                 "Without an argument the element whose code is zero. See castufunc.FORMATS."
               : "A number of this format, the low bits of any Python or NumPy number.\n\n"
                 "Without an argument zero. See castufunc.FORMATS.";
}

PyTypeObject *cuf_scalar_type_new(cuf_type type)
{
    char name[64];
    PyType_Slot slots[] = {
        {Py_tp_new, scalar_new},
        {Py_tp_dealloc, scalar_dealloc},
        {Py_tp_repr, scalar_repr},
        {Py_tp_str, scalar_repr},
        {Py_tp_hash, scalar_hash},
        /* A type with a hash of its own does not inherit comparison. */
        {Py_tp_richcompare, PyGenericArrType_Type.tp_richcompare},
        {Py_tp_methods, is_float(type) ? float_methods : integer_methods},
        {Py_tp_doc, doc_of(type)},
        {Py_nb_float, scalar_float},
        {Py_nb_int, scalar_int},
        {Py_nb_bool, scalar_bool},
        {is_float(type) ? 0 : Py_nb_index, scalar_int},
        {0, NULL},
    };
    PyType_Spec spec = {
        .basicsize = sizeof(cuf_scalar),
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = slots,
    };
    PyOS_snprintf(name, sizeof name, "castufunc.%s", cuf_formats[type].name);
    spec.name = name;
    PyObject *bases = PyTuple_Pack(1, base_of(type));
    if (bases == NULL) {
        return NULL;
    }
    PyTypeObject *result = (PyTypeObject *)PyType_FromSpecWithBases(&spec, bases);
    Py_DECREF(bases);
    return result;
}
