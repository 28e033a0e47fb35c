#include "native.h"

PyArray_Descr *cuf_native_descr(PyArray_Descr *descr)
{
    if (PyDataType_ISNOTSWAPPED(descr)) {
        Py_INCREF(descr);
        return descr;
    }
    return PyArray_DescrNewByteorder(descr, NPY_NATIVE);
}

PyArrayObject *cuf_native_array(PyArrayObject *array, int flags)
{
    if (PyArray_ISNOTSWAPPED(array) && PyArray_CHKFLAGS(array, flags)) {
        Py_INCREF(array); /* as PyArray_FromArray would, which asks more first */
        return array;
    }
    PyArray_Descr *descr = cuf_native_descr(PyArray_DESCR(array));
    return descr ? (PyArrayObject *)PyArray_FromArray(array, descr, flags) : NULL;
}

PyArrayObject *cuf_native_array_of(PyObject *object)
{
    PyArrayObject *array = (PyArrayObject *)PyArray_FROM_O(object);
    PyArrayObject *result = array ? cuf_native_array(array, 0) : NULL;
    Py_XDECREF(array);
    return result;
}

void *cuf_no_iterator(void)
{
    if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    return NULL;
}
