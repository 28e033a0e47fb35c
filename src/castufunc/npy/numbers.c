/* What number an object is, and its code: every value is rounded, or truncated and wrapped, once. */
#include "numbers.h"

#include <float.h>
#include <math.h>

#include "core/fpenv.h"
#include "core/text.h"
#include "native.h"
#include "registry.h"
#include "scalars.h"
#include "texts.h"

static void run_one(cuf_type from, const void *number, cuf_column column, void *code)
{
    cuf_run(cuf_plan_of(from, column), number, 0, code, 0, 1);
}

static cuf_kind kind_of(cuf_column column)
{
    return cuf_formats[cuf_column_infos[column].type].kind;
}

static int refuse(cuf_column column, PyObject *object)
{
    PyErr_Format(PyExc_TypeError, "cannot make a number of type %s of %.200s",
                 cuf_formats[cuf_column_infos[column].type].name, Py_TYPE(object)->tp_name);
    return -1;
}

static int code_from_double(cuf_column column, double number, void *code)
{
    run_one(CUF_FLOAT64, &number, column, code);
    return 0;
}

/* --- integers and ratios of any size -------------------------------------------------------- */

/* How many bits the magnitude of an exact int has, or -1. */
static long long bit_length(PyObject *number)
{
    PyObject *length = PyObject_CallMethod(number, "bit_length", NULL);
    const long long bits = length ? PyLong_AsLongLong(length) : -1;
    Py_XDECREF(length);
    return bits;
}

/* number << count of an exact int, to the right for a negative count. New reference. */
static PyObject *shifted(PyObject *number, long long count)
{
    PyObject *distance = PyLong_FromLongLong(count < 0 ? -count : count);
    PyObject *result = !distance   ? NULL
                       : count < 0 ? PyNumber_Rshift(number, distance)
                                   : PyNumber_Lshift(number, distance);
    Py_XDECREF(distance);
    return result;
}

/*
 * (significand + a bit more, if `sticky`) x 2^exponent as a float64 rounded to odd: what does not
 * fit is dropped, and the last bit that is kept is set if any of it was not zero. Of at most 63
 * bits, and not 0; results below 2^1024.
 */
static double odd_float64(unsigned long long significand, int sticky, long long exponent)
{
    const int widest = DBL_MANT_DIG;
    const long long least = DBL_MIN_EXP - DBL_MANT_DIG; /* of the last bit of a subnormal */
    while (significand >> widest || (exponent < least && significand > 1)) {
        sticky |= (int)(significand & 1);
        significand >>= 1;
        exponent++;
    }
    significand |= sticky || exponent < least;
    const cuf_fpenv env = cuf_fpenv_enter(); /* a caller that flushes subnormals */
    const double result = ldexp((double)significand, (int)(exponent < least ? least : exponent));
    cuf_fpenv_leave(env);
    return result;
}

/*
 * The quotient of two exact ints above 0 as a float64 rounded to odd. From 2^1024 on every format
 * overflows, as it does from DBL_MAX. -1 with an exception.
 *
 *    numerator << 60 - (bits of the numerator - bits of the denominator)
 *    -------------------------------------------------------------------  = 60 or 61 bits, and a
 *                               denominator                                 remainder
 */
static int odd_float64_of_ratio(PyObject *numerator, PyObject *denominator, double *result)
{
    const long long above = bit_length(numerator);
    const long long below = above < 0 ? -1 : bit_length(denominator);
    if (below < 0) {
        return -1;
    }
    if (above - below > DBL_MAX_EXP || below - above > DBL_MANT_DIG - DBL_MIN_EXP + 1) {
        *result = above > below ? DBL_MAX : odd_float64(1, 1, DBL_MIN_EXP - DBL_MANT_DIG - 1);
        return 0;
    }
    const long long shift = 60 - (above - below);
    PyObject *dividend = shifted(numerator, shift > 0 ? shift : 0);
    PyObject *divisor = dividend ? shifted(denominator, shift < 0 ? -shift : 0) : NULL;
    PyObject *pair = divisor ? PyNumber_Divmod(dividend, divisor) : NULL;
    int status = -1;
    if (pair) {
        const unsigned long long quotient =
            PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(pair, 0));
        const int sticky = PyObject_IsTrue(PyTuple_GET_ITEM(pair, 1));
        if (sticky >= 0) {
            *result = odd_float64(quotient, sticky, -shift);
            *result = *result > DBL_MAX ? DBL_MAX : *result;
            status = 0;
        }
    }
    Py_XDECREF(pair);
    Py_XDECREF(divisor);
    Py_XDECREF(dividend);
    return status;
}

/* The float64 nearest to the quotient of two exact ints, infinity if it is too large. */
static int nearest_float64_of_ratio(PyObject *numerator, PyObject *denominator, double *result)
{
    PyObject *quotient = PyNumber_TrueDivide(numerator, denominator);
    if (quotient == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) {
            return -1;
        }
        PyErr_Clear();
        *result = INFINITY;
        return 0;
    }
    *result = PyFloat_AS_DOUBLE(quotient);
    Py_DECREF(quotient);
    return 0;
}

/* An exact int whose low bits count, as those of all casts to integers do. */
static int code_from_low_bits(cuf_column column, PyObject *number, void *code)
{
    const unsigned long long low = PyLong_AsUnsignedLongLongMask(number);
    if (low == (unsigned long long)-1 && PyErr_Occurred()) {
        return -1;
    }
    run_one(CUF_UINT64, &low, column, code);
    return 0;
}

/* From magnitudes, exact ints, the denominator not 0. */
static int code_from_ratio(cuf_column column, int negative, PyObject *numerator,
                           PyObject *denominator, void *code)
{
    if (kind_of(column) == CUF_KIND_INT) {
        PyObject *whole = PyNumber_FloorDivide(numerator, denominator);
        PyObject *number = whole && negative ? PyNumber_Negative(whole) : Py_XNewRef(whole);
        const int status = number ? code_from_low_bits(column, number, code) : -1;
        Py_XDECREF(number);
        Py_XDECREF(whole);
        return status;
    }
    double magnitude = 0;
    const int some = PyObject_IsTrue(numerator);
    if (some < 0 || (some && (column == CUF_TO_FLOAT64
                                  ? nearest_float64_of_ratio(numerator, denominator, &magnitude)
                                  : odd_float64_of_ratio(numerator, denominator, &magnitude)) < 0)) {
        return -1;
    }
    return code_from_double(column, negative ? -magnitude : magnitude, code);
}

static int code_from_long(cuf_column column, PyObject *object, void *code)
{
    int overflow;
    const long long small = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (small == -1 && !overflow && PyErr_Occurred()) {
        return -1;
    }
    if (!overflow) {
        run_one(CUF_INT64, &small, column, code);
        return 0;
    }
    if (kind_of(column) == CUF_KIND_INT) {
        return code_from_low_bits(column, object, code);
    }
    /* Exact ints: the operations of a subclass may do anything. */
    PyObject *number = PyNumber_Index(object), *one = PyLong_FromLong(1);
    PyObject *magnitude = number ? PyNumber_Absolute(number) : NULL;
    const int status = magnitude && one
                           ? code_from_ratio(column, overflow < 0, magnitude, one, code)
                           : -1;
    Py_XDECREF(magnitude);
    Py_XDECREF(one);
    Py_XDECREF(number);
    return status;
}

/* --- texts, and what NumPy knows ------------------------------------------------------------ */

/* A str or ASCII bytes; anything that is not ASCII does not spell a number. */
static int code_from_text(cuf_column column, PyObject *object, void *code)
{
    const cuf_type type = cuf_column_infos[column].type;
    const char *chars;
    size_t length;
    uint64_t number;
    const cuf_fpenv env = cuf_fpenv_enter();
    const int status = cuf_ascii_of(object, &chars, &length)
                           ? cuf_text_parse(chars, length, type, &number)
                           : CUF_TEXT_NO_NUMBER;
    cuf_fpenv_leave(env);
    if (status < 0) {
        return cuf_refuse_text(object, status, type);
    }
    run_one(cuf_text_parsed_as(type), &number, column, code);
    return 0;
}

/* 1 if the object is an instance of the class, 0 if not, -1 with an exception. */
static int is_a(PyObject *object, const char *module_name, const char *class_name)
{
    PyObject *module = PyImport_ImportModule(module_name);
    PyObject *cls = module ? PyObject_GetAttrString(module, class_name) : NULL;
    const int result = cls ? PyObject_IsInstance(object, cls) : -1;
    Py_XDECREF(cls);
    Py_XDECREF(module);
    return result;
}

int cuf_refuse_masked(PyObject *object)
{
    if (!PyArray_Check(object) || PyArray_CheckExact(object)) {
        return 0;
    }
    int masked = is_a(object, "numpy.ma", "MaskedArray");
    if (masked > 0) {
        PyObject *mask = PyObject_GetAttrString(object, "mask");
        PyObject *array = mask ? PyArray_FROM_O(mask) : NULL; /* it may be a scalar */
        PyObject *any = array ? PyArray_Any((PyArrayObject *)array, NPY_RAVEL_AXIS, NULL) : NULL;
        masked = any ? PyObject_IsTrue(any) : -1;
        Py_XDECREF(any);
        Py_XDECREF(array);
        Py_XDECREF(mask);
    }
    if (masked > 0) {
        PyErr_SetString(PyExc_TypeError, "a masked element has no value");
    }
    return masked ? -1 : 0;
}

/* A NumPy scalar or a 0-d array, of any dtype that has a plan. */
static int code_from_array(cuf_column column, PyObject *object, void *code)
{
    PyArrayObject *array = cuf_native_array_of(object);
    if (array == NULL) {
        return -1;
    }
    const cuf_type from = cuf_type_of(PyArray_DESCR(array));
    int status = -1;
    if (PyArray_NDIM(array) != 0 || from == CUF_NO_TYPE || !cuf_plan_of(from, column)) {
        refuse(column, object);
    }
    else if (cuf_refuse_masked(object) == 0) {
        run_one(from, PyArray_DATA(array), column, code);
        status = 0;
    }
    Py_DECREF(array);
    return status;
}

/* --- objects that stand for a number -------------------------------------------------------- */

/* By the text of its digits, which is exact, however many there are and whatever the exponent. */
static int code_from_decimal(cuf_column column, PyObject *object, void *code)
{
    PyObject *module = PyImport_ImportModule("decimal");
    PyObject *cls = module ? PyObject_GetAttrString(module, "Decimal") : NULL;
    /* The method of Decimal itself: that of a subclass may do anything. */
    PyObject *text = cls ? PyObject_CallMethod(cls, "__str__", "O", object) : NULL;
    Py_XDECREF(cls);
    Py_XDECREF(module);
    if (text && PyUnicode_FindChar(text, 'N', 0, PyUnicode_GET_LENGTH(text), 1) >= 0) {
        /* NaN and sNaN, perhaps with digits that say why. */
        const int negative = PyUnicode_READ_CHAR(text, 0) == '-';
        Py_SETREF(text, PyUnicode_FromString(negative ? "-nan" : "nan"));
    }
    const int status = text ? code_from_text(column, text, code) : -1;
    Py_XDECREF(text);
    return status;
}

/* The magnitude of an attribute that is an integer, as an exact int; flips `negative` if it is
 * below 0. New reference. */
static PyObject *magnitude_of(PyObject *object, const char *attribute, int *negative)
{
    PyObject *value = PyObject_GetAttrString(object, attribute);
    PyObject *number = value ? PyNumber_Index(value) : NULL;
    PyObject *zero = PyLong_FromLong(0);
    const int below = number && zero ? PyObject_RichCompareBool(number, zero, Py_LT) : -1;
    PyObject *magnitude = below >= 0 ? PyNumber_Absolute(number) : NULL;
    *negative ^= below > 0;
    Py_XDECREF(zero);
    Py_XDECREF(number);
    Py_XDECREF(value);
    return magnitude;
}

static int code_from_rational(cuf_column column, PyObject *object, void *code)
{
    int negative = 0, status = -1;
    PyObject *numerator = magnitude_of(object, "numerator", &negative);
    PyObject *denominator = numerator ? magnitude_of(object, "denominator", &negative) : NULL;
    const int divides = denominator ? PyObject_IsTrue(denominator) : -1;
    if (divides > 0) {
        status = code_from_ratio(column, negative, numerator, denominator, code);
    }
    else if (divides == 0) {
        PyErr_Format(PyExc_ValueError, "a %.200s has the denominator 0",
                     Py_TYPE(object)->tp_name);
    }
    Py_XDECREF(denominator);
    Py_XDECREF(numerator);
    return status;
}

PyObject *cuf_index_of(PyObject *object)
{
    if (!PyIndex_Check(object)) {
        return NULL;
    }
    PyObject *number = PyNumber_Index(object);
    if (number == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
    }
    return number;
}

static int has_float(PyObject *object)
{
    const PyNumberMethods *methods = Py_TYPE(object)->tp_as_number;
    return methods && methods->nb_float;
}

int cuf_is_real_object(PyObject *object)
{
    if (has_float(object)) {
        return 1;
    }
    const int is_decimal = is_a(object, "decimal", "Decimal");
    return is_decimal ? is_decimal : is_a(object, "numbers", "Rational");
}

static int code_from_float(cuf_column column, PyObject *object, void *code)
{
    PyObject *number = PyNumber_Float(object);
    if (number == NULL) {
        return -1;
    }
    code_from_double(column, PyFloat_AS_DOUBLE(number), code);
    Py_DECREF(number);
    return 0;
}

static int code_from_number_object(cuf_column column, PyObject *object, void *code)
{
    const int is_decimal = is_a(object, "decimal", "Decimal");
    if (is_decimal) {
        return is_decimal < 0 ? -1 : code_from_decimal(column, object, code);
    }
    const int is_rational = is_a(object, "numbers", "Rational");
    if (is_rational < 0) {
        return -1;
    }
    if (is_rational) {
        if (code_from_rational(column, object, code) == 0) {
            return 0;
        }
        /* Who registers a class of integers may leave the numerator out: there is __index__ then. */
        if (!PyErr_ExceptionMatches(PyExc_AttributeError) || !PyIndex_Check(object)) {
            return -1;
        }
        PyErr_Clear();
    }
    PyObject *index = cuf_index_of(object);
    if (index) {
        const int status = code_from_long(column, index, code);
        Py_DECREF(index);
        return status;
    }
    if (PyErr_Occurred()) {
        return -1;
    }
    return has_float(object) ? code_from_float(column, object, code) : refuse(column, object);
}

int cuf_code_from_object(cuf_column column, PyObject *object, void *code)
{
    if (PyBool_Check(object)) {
        const unsigned char number = object == Py_True;
        run_one(CUF_BOOL, &number, column, code);
        return 0;
    }
    if (PyFloat_Check(object)) {
        return code_from_double(column, PyFloat_AS_DOUBLE(object), code);
    }
    if (PyLong_Check(object)) {
        return code_from_long(column, object, code);
    }
    const cuf_type own = cuf_type_of_scalar(Py_TYPE(object));
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
    return code_from_number_object(column, object, code);
}

PyObject *cuf_object_from_code(cuf_type type, const void *code)
{
    const double number = cuf_number_of(type, code);
    return cuf_formats[type].kind == CUF_KIND_FLOAT ? PyFloat_FromDouble(number)
                                                    : PyLong_FromLong((long)number);
}
