#include "scalars.h"

#include <float.h>
#include <math.h>

#include "core/fpenv.h"
#include "core/text.h"
#include "native.h"
#include "registry.h"
#include "texts.h"

static int is_float(cuf_type type) { return cuf_formats[type].kind == CUF_KIND_FLOAT; }

static void run_one(cuf_type from, const void *number, cuf_column column, void *code)
{
    cuf_run(cuf_plan_of(from, column), number, 0, code, 0, 1);
}

/*
 * An int of more than 64 bits as a float64 rounded to odd: its 53 leading bits, the last of them
 * set if any bit below is. From 2^1024 on every format overflows, as it does from DBL_MAX.
 */
static int odd_float64_of_long(PyObject *number, double *result)
{
    /* The operations of int itself: those of a subclass may do anything. */
    const PyNumberMethods *exact = PyLong_Type.tp_as_number;
    int status = -1;
    PyObject *zero = PyLong_FromLong(0), *shift = NULL, *leading = NULL, *back = NULL;
    PyObject *magnitude = exact->nb_absolute(number);
    PyObject *length = magnitude ? PyObject_CallMethod(magnitude, "bit_length", NULL) : NULL;
    PyObject *negative = zero ? PyLong_Type.tp_richcompare(number, zero, Py_LT) : NULL;
    if (length == NULL || negative == NULL) {
        goto done;
    }
    const double sign = negative == Py_True ? -1 : 1;
    const long long bits = PyLong_AsLongLong(length);
    if (bits > 1024) {
        *result = sign * DBL_MAX;
        status = 0;
        goto done;
    }
    shift = PyLong_FromLongLong(bits - 53);
    leading = shift ? exact->nb_rshift(magnitude, shift) : NULL;
    back = leading ? exact->nb_lshift(leading, shift) : NULL;
    const int is_all = back ? PyObject_RichCompareBool(back, magnitude, Py_EQ) : -1;
    if (is_all < 0) {
        goto done;
    }
    const unsigned long long top = PyLong_AsUnsignedLongLong(leading);
    *result = ldexp(sign * (double)(top | (is_all ? 0 : 1)), (int)(bits - 53));
    status = 0;
done:
    Py_XDECREF(negative);
    Py_XDECREF(zero);
    Py_XDECREF(back);
    Py_XDECREF(leading);
    Py_XDECREF(shift);
    Py_XDECREF(length);
    Py_XDECREF(magnitude);
    return status;
}

static int code_from_long(cuf_column column, PyObject *object, void *code)
{
    const cuf_kind kind = cuf_formats[cuf_column_infos[column].type].kind;
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (number == -1 && !overflow && PyErr_Occurred()) {
        return -1;
    }
    if (!overflow) {
        run_one(CUF_INT64, &number, column, code);
        return 0;
    }
    if (column == CUF_TO_FLOAT64) {
        double nearest = PyLong_AsDouble(object);
        if (nearest == -1 && PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_Clear();
            nearest = overflow > 0 ? INFINITY : -INFINITY;
        }
        run_one(CUF_FLOAT64, &nearest, column, code);
        return 0;
    }
    if (kind != CUF_KIND_INT) {
        double odd;
        if (odd_float64_of_long(object, &odd) < 0) {
            return -1;
        }
        run_one(CUF_FLOAT64, &odd, column, code);
        return 0;
    }
    unsigned long long low = PyLong_AsUnsignedLongLongMask(object);
    if (low == (unsigned long long)-1 && PyErr_Occurred()) {
        return -1;
    }
    run_one(CUF_UINT64, &low, column, code);
    return 0;
}

static int refuse(cuf_column column, PyObject *object)
{
    PyErr_Format(PyExc_TypeError, "cannot make a number of type %s of %.200s",
                 cuf_formats[cuf_column_infos[column].type].name, Py_TYPE(object)->tp_name);
    return -1;
}

/* A NumPy scalar or a 0-d array, of any dtype that has a plan. */
static int code_from_array(cuf_column column, PyObject *object, void *code)
{
    PyArrayObject *array = cuf_native_array_of(object);
    if (array == NULL) {
        return -1;
    }
    cuf_type from = cuf_type_of(PyArray_DESCR(array));
    int status = -1;
    if (PyArray_NDIM(array) == 0 && from != CUF_NO_TYPE && cuf_plan_of(from, column)) {
        run_one(from, PyArray_DATA(array), column, code);
        status = 0;
    }
    else {
        refuse(column, object);
    }
    Py_DECREF(array);
    return status;
}

/* A str or ASCII bytes; what is not ASCII is no number. */
static int code_from_text(cuf_column column, PyObject *object, void *code)
{
    const cuf_type type = cuf_column_infos[column].type;
    const char *chars;
    size_t length;
    uint64_t number;
    const cuf_fpenv env = cuf_fpenv_enter();
    const int status =
        cuf_ascii_of(object, &chars, &length) ? cuf_text_parse(chars, length, type, &number) : -1;
    cuf_fpenv_leave(env);
    if (status < 0) {
        return cuf_refuse_text(object, type);
    }
    run_one(cuf_text_parsed_as(type), &number, column, code);
    return 0;
}

int cuf_code_from_object(cuf_column column, PyObject *object, void *code)
{
    if (PyBool_Check(object)) {
        unsigned char number = object == Py_True;
        run_one(CUF_BOOL, &number, column, code);
        return 0;
    }
    if (PyFloat_Check(object)) {
        double number = PyFloat_AS_DOUBLE(object);
        run_one(CUF_FLOAT64, &number, column, code);
        return 0;
    }
    if (PyLong_Check(object)) {
        return code_from_long(column, object, code);
    }
    cuf_type own = cuf_type_of_scalar(Py_TYPE(object));
    if (own != CUF_NO_TYPE) {
        run_one(own, &((cuf_scalar *)object)->code, column, code);
        return 0;
    }
    if (PyUnicode_Check(object) || PyBytes_Check(object)) {
        return code_from_text(column, object, code);
    }
    if (PyArray_IsScalar(object, Generic) || PyArray_Check(object)) {
        return code_from_array(column, object, code);
    }
    return refuse(column, object);
}

PyObject *cuf_object_from_code(cuf_type type, const void *code)
{
    double number = cuf_number_of(type, code);
    return is_float(type) ? PyFloat_FromDouble(number) : PyLong_FromLong((long)number);
}

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
    if (value && PyBytes_Check(value)) {
        refuse(cuf_default_column(type), value);
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
    if (PyUnicode_Check(spec) && PyUnicode_GET_LENGTH(spec) == 0) {
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

static const char *doc_of(cuf_type type)
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
        {Py_tp_doc, (void *)doc_of(type)},
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
