#include "convert_text.h"

#include "convert_objects.h"
#include "core/fpenv.h"
#include "core/text.h"
#include "native.h"
#include "registry.h"
#include "texts.h"

PyObject *cuf_parse_array(PyArrayObject *x, PyArray_Descr *descr, cuf_column column)
{
    PyArrayObject *source = cuf_native_array(x, NPY_ARRAY_CARRAY_RO);
    if (source == NULL) {
        return NULL;
    }
    Py_INCREF(descr);
    PyArrayObject *result = (PyArrayObject *)PyArray_NewLikeArray(x, NPY_CORDER, descr, 0);
    if (result) {
        cuf_text_status status;
        npy_intp at;
        const cuf_type type = cuf_column_infos[column].type;
        const npy_intp stride = PyArray_ITEMSIZE(source);
        Py_BEGIN_ALLOW_THREADS;
        status = cuf_texts_parse(PyArray_DESCR(source), PyArray_BYTES(source), stride, column,
                                 PyArray_BYTES(result), PyArray_ITEMSIZE(result),
                                 PyArray_SIZE(source), &at);
        Py_END_ALLOW_THREADS;
        if (status != CUF_TEXT_FINE) {
            cuf_texts_refuse(PyArray_DESCR(source), status, type,
                             PyArray_BYTES(source) + at * stride);
            cuf_tell_index(source, at);
            Py_CLEAR(result);
        }
    }
    Py_DECREF(source);
    return (PyObject *)result;
}

static int print_objects(cuf_type type, PyArrayObject *source, PyObject **objects)
{
    enum { BLOCK = 256 };
    uint64_t numbers[BLOCK];
    const cuf_plan *plan = cuf_plan_of(type, cuf_default_column(cuf_text_printed_as(type)));
    const npy_intp stride = PyArray_ITEMSIZE(source), n = PyArray_SIZE(source);
    const cuf_fpenv env = cuf_fpenv_enter();
    int status = 0;
    for (npy_intp start = 0; start < n && status == 0; start += BLOCK) {
        const npy_intp m = n - start < BLOCK ? n - start : BLOCK;
        cuf_run(plan, PyArray_BYTES(source) + start * stride, stride, numbers, sizeof numbers[0],
                (size_t)m);
        for (npy_intp i = 0; i < m; i++) {
            char text[CUF_TEXT_MAX];
            const size_t length = cuf_text_print(type, &numbers[i], text);
            PyObject *object = length ? PyUnicode_New((Py_ssize_t)length, 127) : PyErr_NoMemory();
            if (object == NULL) {
                status = -1;
                break;
            }
            memcpy(PyUnicode_1BYTE_DATA(object), text, length);
            Py_XSETREF(objects[start + i], object);
        }
    }
    cuf_fpenv_leave(env);
    return status;
}

static int print_texts(cuf_type type, PyArrayObject *source, PyArrayObject *result)
{
    cuf_text_status status;
    npy_intp at;
    const npy_intp stride = PyArray_ITEMSIZE(source);
    Py_BEGIN_ALLOW_THREADS;
    status = cuf_texts_print(PyArray_DESCR(result), type, PyArray_BYTES(source), stride,
                             PyArray_BYTES(result), PyArray_ITEMSIZE(result),
                             PyArray_SIZE(source), &at);
    Py_END_ALLOW_THREADS;
    if (status != CUF_TEXT_FINE) {
        cuf_texts_refuse(PyArray_DESCR(result), status, type,
                         PyArray_BYTES(source) + at * stride);
        cuf_tell_index(source, at);
    }
    return status == CUF_TEXT_FINE ? 0 : -1;
}

PyObject *cuf_print_array(PyArrayObject *x, PyArray_Descr *descr)
{
    const cuf_type type = cuf_type_of(PyArray_DESCR(x));
    const cuf_container container = cuf_container_of(descr->type_num);
    PyArrayObject *source = cuf_native_array(x, NPY_ARRAY_CARRAY_RO);
    if (source == NULL) {
        return NULL;
    }
    if (container != CUF_NO_TEXT && container != CUF_STRING && PyDataType_ELSIZE(descr) == 0) {
        descr = cuf_text_descr_for(container, type);
    }
    else {
        Py_INCREF(descr);
    }
    PyArrayObject *result =
        descr ? (PyArrayObject *)PyArray_NewLikeArray(x, NPY_CORDER, descr, 0) : NULL;
    if (result) {
        int status = container == CUF_NO_TEXT ? print_objects(type, source, PyArray_DATA(result))
                                              : print_texts(type, source, result);
        if (status < 0) {
            Py_CLEAR(result);
        }
    }
    Py_DECREF(source);
    return (PyObject *)result;
}

int cuf_refuse_missing(PyArrayObject *x)
{
    PyArrayObject *source = (PyArrayObject *)PyArray_FROM_OF((PyObject *)x, NPY_ARRAY_CARRAY_RO);
    if (source == NULL) {
        return -1;
    }
    const npy_intp n = PyArray_SIZE(source);
    const npy_intp at = cuf_texts_first_missing(PyArray_DESCR(source), PyArray_BYTES(source),
                                                PyArray_ITEMSIZE(source), n);
    if (at < n) {
        PyErr_SetString(PyExc_ValueError, "a missing value is no text");
        cuf_tell_index(source, at);
    }
    Py_DECREF(source);
    return at < n ? -1 : 0;
}
