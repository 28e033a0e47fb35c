#include "npy_api.h"

#include <numpy/ufuncobject.h>

#include "comparing.h"
#include "registry.h"

/* As objects: then Python compares, and finds a number never equal to a text. */
static int promote_to_objects(PyObject *ufunc, PyArray_DTypeMeta *const given[],
                              PyArray_DTypeMeta *const signature[], PyArray_DTypeMeta *promoted[])
{
    (void)ufunc, (void)given, (void)signature;
    for (int i = 0; i < 3; i++) {
        promoted[i] = i < 2 ? &PyArray_ObjectDType : &PyArray_BoolDType;
        Py_INCREF(promoted[i]);
    }
    return 0;
}

static int add_promoter(PyObject *ufunc, PyArray_DTypeMeta *first, PyArray_DTypeMeta *second)
{
    PyObject *dtypes = PyTuple_Pack(3, (PyObject *)first, (PyObject *)second,
                                    (PyObject *)&PyArray_BoolDType);
    PyObject *promoter = PyCapsule_New((void *)promote_to_objects, "numpy._ufunc_promoter", NULL);
    int status = dtypes && promoter ? PyUFunc_AddPromoter(ufunc, dtypes, promoter) : -1;
    Py_XDECREF(dtypes);
    Py_XDECREF(promoter);
    return status;
}

static int teach(PyObject *ufunc)
{
    PyArray_DTypeMeta *const texts[] = {&PyArray_UnicodeDType, &PyArray_BytesDType,
                                        &PyArray_StringDType};
    for (int t = 0; t < CUF_TYPES; t++) {
        if (cuf_formats[t].owner != CUF_OWNER_OWN) {
            continue;
        }
        PyArray_DTypeMeta *own = NPY_DTYPE(cuf_descrs[t]);
        for (int i = 0; i < 3; i++) {
            if (add_promoter(ufunc, own, texts[i]) < 0 || add_promoter(ufunc, texts[i], own) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

int cuf_comparing_init(void)
{
    static const char *const names[] = {"equal", "not_equal"};
    PyObject *numpy = PyImport_ImportModule("numpy");
    int status = numpy ? 0 : -1;
    for (int i = 0; i < 2 && status == 0; i++) {
        PyObject *ufunc = PyObject_GetAttrString(numpy, names[i]);
        status = ufunc ? teach(ufunc) : -1;
        Py_XDECREF(ufunc);
    }
    Py_XDECREF(numpy);
    return status;
}
