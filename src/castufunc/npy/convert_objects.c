#include "convert_objects.h"

#include "core/fpenv.h"
#include "core/text.h"
#include "native.h"
#include "numbers.h"
#include "registry.h"
#include "texts.h"

/* An int for an array of one dimension, else a tuple. New reference. */
static PyObject *index_at(PyArrayObject *x, npy_intp flat)
{
    PyObject *index = PyTuple_New(PyArray_NDIM(x));
    for (int d = PyArray_NDIM(x) - 1; index && d >= 0; d--) {
        PyObject *i = PyLong_FromSsize_t(flat % PyArray_DIM(x, d));
        flat /= PyArray_DIM(x, d);
        if (i == NULL) {
            Py_CLEAR(index);
        }
        else {
            PyTuple_SET_ITEM(index, d, i);
        }
    }
    if (index && PyArray_NDIM(x) == 1) {
        Py_SETREF(index, Py_NewRef(PyTuple_GET_ITEM(index, 0)));
    }
    return index;
}

int cuf_add_index(PyObject *index)
{
    PyObject *type, *value, *traceback;
    if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError)) {
        return -1;
    }
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    /* A UnicodeError cannot be made of a message alone; it is a ValueError. */
    const int is_unicode = PyErr_GivenExceptionMatches(type, PyExc_UnicodeError);
    if (type == PyExc_TypeError || type == PyExc_ValueError || is_unicode) {
        PyErr_Format(is_unicode ? PyExc_ValueError : type, "%S, at index %R", value, index);
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
        return -1;
    }
    /* A method of the object raised it, with arguments of its own. */
    PyObject *note = PyUnicode_FromFormat("at index %R", index);
    PyObject *none = note ? PyObject_CallMethod(value, "add_note", "O", note) : NULL;
    PyErr_Clear();
    Py_XDECREF(note);
    Py_XDECREF(none);
    PyErr_Restore(type, value, traceback);
    return -1;
}

int cuf_tell_index(PyArrayObject *x, npy_intp flat)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *index = index_at(x, flat);
    PyErr_Clear();
    PyErr_Restore(type, value, traceback);
    if (index) {
        cuf_add_index(index);
        Py_DECREF(index);
    }
    return -1;
}

/* The flat objects of an array in C order, each a new reference while `each` looks at it. */
static int for_each_object(PyArrayObject *x, int (*each)(void *context, npy_intp i, PyObject *item),
                           void *context)
{
    PyArrayObject *objects = (PyArrayObject *)PyArray_FROM_OF((PyObject *)x, NPY_ARRAY_CARRAY_RO);
    if (objects == NULL) {
        return -1;
    }
    const npy_intp n = PyArray_SIZE(objects);
    int status = 0;
    for (npy_intp i = 0; i < n && status == 0; i++) {
        if (i >= PyArray_SIZE(objects)) {
            PyErr_SetString(PyExc_RuntimeError, "the array of objects shrank during the cast");
            status = -1;
            break;
        }
        /* NULL where nothing was ever stored: it reads as None. */
        PyObject *item = ((PyObject **)PyArray_DATA(objects))[i];
        item = item ? item : Py_None;
        Py_INCREF(item);
        status = each(context, i, item);
        Py_DECREF(item);
        if (status < 0) {
            cuf_tell_index(objects, i);
        }
    }
    Py_DECREF(objects);
    return status;
}

/* --- numbers out of objects --------------------------------------------------------------- */

/* Texts are gathered and cast a block at a time; `pending` of them are not cast yet. */
enum { BLOCK = 256 };

typedef struct {
    cuf_column column;
    cuf_type type, parsed_as;
    char *codes;
    size_t size;
    npy_intp first;
    int pending;
    uint64_t numbers[BLOCK];
} reading;

static void flush(reading *r)
{
    cuf_run(cuf_plan_of(r->parsed_as, r->column), r->numbers, sizeof r->numbers[0],
            r->codes + (size_t)r->first * r->size, (ptrdiff_t)r->size, (size_t)r->pending);
    r->pending = 0;
}

static int parse(reading *r, npy_intp i, const char *chars, size_t length)
{
    if (r->pending == BLOCK) {
        flush(r);
    }
    if (r->pending == 0) {
        r->first = i;
    }
    int status = cuf_text_parse(chars, length, r->type, &r->numbers[r->pending]);
    r->pending += status == 0;
    return status;
}

static int read_object(void *context, npy_intp i, PyObject *item)
{
    reading *r = context;
    const char *chars;
    size_t length;
    if (cuf_ascii_of(item, &chars, &length)) {
        const int status = parse(r, i, chars, length);
        return status < 0 ? cuf_refuse_text(item, status, r->type) : 0;
    }
    flush(r);
    return cuf_code_from_object(r->column, item, r->codes + (size_t)i * r->size);
}

PyObject *cuf_convert_objects(PyArrayObject *x, PyArray_Descr *descr, cuf_column column)
{
    Py_INCREF(descr);
    PyArrayObject *result = (PyArrayObject *)PyArray_NewLikeArray(x, NPY_CORDER, descr, 0);
    if (result == NULL) {
        return NULL;
    }
    const cuf_type type = cuf_column_infos[column].type;
    reading r = {
        .column = column,
        .type = type,
        .parsed_as = cuf_text_parsed_as(type),
        .codes = PyArray_BYTES(result),
        .size = cuf_formats[type].storage,
    };
    const cuf_fpenv env = cuf_fpenv_enter();
    int status = for_each_object(x, read_object, &r);
    flush(&r);
    cuf_fpenv_leave(env);
    if (status < 0) {
        Py_DECREF(result);
        return NULL;
    }
    return (PyObject *)result;
}

/* --- texts out of objects ----------------------------------------------------------------- */

static PyObject *printed(cuf_type type, const void *code)
{
    char text[CUF_TEXT_MAX];
    const size_t length = cuf_print_code(type, code, text);
    return length ? PyUnicode_DecodeASCII(text, (Py_ssize_t)length, NULL) : PyErr_NoMemory();
}

/* All digits of an int, of which Python prints only so many since 3.11. */
static PyObject *digits_of(PyObject *number)
{
    PyObject *module = PyImport_ImportModule("decimal");
    PyObject *decimal = module ? PyObject_CallMethod(module, "Decimal", "O", number) : NULL;
    PyObject *text = decimal ? PyObject_CallMethod(decimal, "__format__", "s", "f") : NULL;
    Py_XDECREF(decimal);
    Py_XDECREF(module);
    return text;
}

static PyObject *text_of_long(PyObject *item)
{
    int overflow;
    const long long number = PyLong_AsLongLongAndOverflow(item, &overflow);
    if (number == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return overflow ? digits_of(item) : printed(CUF_INT64, &number);
}

static PyObject *refuse(PyObject *item)
{
    return PyErr_Format(PyExc_TypeError, "cannot make a text of %.200s", Py_TYPE(item)->tp_name);
}

/* An integer by its digits; any other as the float64 nearest to it. */
static PyObject *text_of_number_object(PyObject *item)
{
    PyObject *index = cuf_index_of(item);
    if (index) {
        Py_SETREF(index, text_of_long(index));
        return index;
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    double number;
    const int is_real = cuf_is_real_object(item);
    if (is_real <= 0) {
        return is_real < 0 ? NULL : refuse(item);
    }
    return cuf_code_from_object(CUF_TO_FLOAT64, item, &number) < 0 ? NULL
                                                                   : printed(CUF_FLOAT64, &number);
}

static PyObject *text_of(PyObject *item)
{
    if (PyUnicode_CheckExact(item)) {
        Py_INCREF(item);
        return item;
    }
    if (PyUnicode_Check(item)) {
        return PyUnicode_FromObject(item); /* np.str_ as a plain str */
    }
    if (PyBytes_Check(item)) {
        return PyUnicode_DecodeASCII(PyBytes_AS_STRING(item), PyBytes_GET_SIZE(item), NULL);
    }
    if (PyBool_Check(item)) {
        return PyUnicode_FromString(item == Py_True ? "1" : "0");
    }
    if (PyLong_Check(item)) {
        return text_of_long(item);
    }
    if (PyFloat_Check(item)) {
        const double number = PyFloat_AS_DOUBLE(item);
        return printed(CUF_FLOAT64, &number);
    }
    if (!PyArray_IsScalar(item, Generic) && !PyArray_Check(item)) {
        return text_of_number_object(item);
    }
    PyArrayObject *array = cuf_refuse_masked(item) == 0 ? cuf_native_array_of(item) : NULL;
    if (array == NULL) {
        return NULL;
    }
    const cuf_type type = cuf_type_of(PyArray_DESCR(array));
    PyObject *text = PyArray_NDIM(array) == 0 && type != CUF_NO_TYPE &&
                             cuf_formats[type].kind != CUF_KIND_COMPLEX
                         ? printed(type, PyArray_DATA(array))
                         : refuse(item);
    Py_DECREF(array);
    return text;
}

static int write_object(void *context, npy_intp i, PyObject *item)
{
    PyObject *text = text_of(item);
    if (text == NULL) {
        return -1;
    }
    Py_XSETREF(((PyObject **)context)[i], text);
    return 0;
}

PyObject *cuf_texts_of_objects(PyArrayObject *x)
{
    PyArrayObject *result = (PyArrayObject *)PyArray_NewLikeArray(
        x, NPY_CORDER, PyArray_DescrFromType(NPY_OBJECT), 0);
    const cuf_fpenv env = cuf_fpenv_enter();
    if (result && for_each_object(x, write_object, PyArray_DATA(result)) < 0) {
        Py_CLEAR(result);
    }
    cuf_fpenv_leave(env);
    return (PyObject *)result;
}
