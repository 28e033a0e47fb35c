#include "convert.h"

#include "native.h"
#include "registry.h"

/* A thousand elements take little longer than releasing the GIL, let alone waiting for it. */
static PyThreadState *release_gil(npy_intp n) { return n < 8192 ? NULL : PyEval_SaveThread(); }

static void take_gil(PyThreadState *released)
{
    if (released) {
        PyEval_RestoreThread(released);
    }
}

/* Where the result goes: `out`, or a new array in the order of x. New reference. */
static PyArrayObject *destination(PyArrayObject *x, PyArray_Descr *descr, PyArrayObject *out)
{
    if (out == NULL) {
        Py_INCREF(descr);
        return (PyArrayObject *)PyArray_NewLikeArray(x, NPY_KEEPORDER, descr, 0);
    }
    if (PyArray_FailUnlessWriteable(out, "out") < 0) {
        return NULL;
    }
    Py_INCREF(out);
    return out;
}

static PyObject *convert_contiguous(PyArrayObject *x, PyArray_Descr *descr, const cuf_plan *plan,
                                    PyArrayObject *out)
{
    PyArrayObject *result = destination(x, descr, out);
    if (result == NULL) {
        return NULL;
    }
    const npy_intp n = PyArray_SIZE(x);
    PyThreadState *released = release_gil(n);
    cuf_run(plan, PyArray_DATA(x), (ptrdiff_t)plan->from_size, PyArray_DATA(result),
            (ptrdiff_t)plan->to_size, (size_t)n);
    take_gil(released);
    return (PyObject *)result;
}

/* Whether the elements of both lie one behind the other, in the same order. */
static int in_same_order(PyArrayObject *x, PyArrayObject *out)
{
    return PyArray_SAMESHAPE(x, out) &&
           ((PyArray_IS_C_CONTIGUOUS(x) && PyArray_IS_C_CONTIGUOUS(out)) ||
            (PyArray_IS_F_CONTIGUOUS(x) && PyArray_IS_F_CONTIGUOUS(out)));
}

static int is_simple(PyArrayObject *x, const cuf_plan *plan, PyArrayObject *out)
{
    if (out == NULL) {
        return PyArray_IS_C_CONTIGUOUS(x) || PyArray_IS_F_CONTIGUOUS(x);
    }
    return in_same_order(x, out) &&
           !cuf_overlap(plan, PyArray_DATA(x), (ptrdiff_t)plan->from_size, PyArray_DATA(out),
                        (ptrdiff_t)plan->to_size, (size_t)PyArray_SIZE(x));
}

static PyObject *convert_any(PyArrayObject *x, PyArray_Descr *descr, const cuf_plan *plan,
                             PyArrayObject *out)
{
    PyArrayObject *operands[2] = {x, out};
    PyArray_Descr *dtypes[2] = {PyArray_DESCR(x), out ? PyArray_DESCR(out) : descr};
    npy_uint32 operand_flags[2] = {
        NPY_ITER_READONLY | NPY_ITER_OVERLAP_ASSUME_ELEMENTWISE,
        NPY_ITER_WRITEONLY | NPY_ITER_ALLOCATE | NPY_ITER_NO_BROADCAST | NPY_ITER_NO_SUBTYPE |
            NPY_ITER_OVERLAP_ASSUME_ELEMENTWISE,
    };
    NpyIter *iter = NpyIter_MultiNew(
        2, operands,
        NPY_ITER_EXTERNAL_LOOP | NPY_ITER_ZEROSIZE_OK | NPY_ITER_COPY_IF_OVERLAP, NPY_KEEPORDER,
        NPY_NO_CASTING, operand_flags, dtypes);
    if (iter == NULL) {
        return cuf_no_iterator();
    }
    PyObject *result = (PyObject *)(out ? out : NpyIter_GetOperandArray(iter)[1]);
    Py_INCREF(result);
    if (NpyIter_GetIterSize(iter)) {
        NpyIter_IterNextFunc *next = NpyIter_GetIterNext(iter, NULL);
        if (next == NULL) {
            NpyIter_Deallocate(iter);
            Py_DECREF(result);
            return NULL;
        }
        char **data = NpyIter_GetDataPtrArray(iter);
        npy_intp *strides = NpyIter_GetInnerStrideArray(iter);
        npy_intp *count = NpyIter_GetInnerLoopSizePtr(iter);
        PyThreadState *released = release_gil(NpyIter_GetIterSize(iter));
        do {
            cuf_run(plan, data[0], strides[0], data[1], strides[1], (size_t)*count);
        } while (next(iter));
        take_gil(released);
    }
    if (NpyIter_Deallocate(iter) != NPY_SUCCEED) {
        Py_DECREF(result);
        return NULL;
    }
    return result;
}

PyObject *cuf_convert(PyArrayObject *x, PyArray_Descr *descr, cuf_column column,
                      PyArrayObject *out)
{
    out = (PyObject *)out == Py_None ? NULL : out;
    const cuf_plan *plan = cuf_plan_of(cuf_type_of(PyArray_DESCR(x)), column);
    if (plan == NULL) {
        PyErr_SetString(PyExc_SystemError, "castufunc: no plan for this cast");
        return NULL;
    }
    /* Its attributes in Python may say otherwise, if it is of a subclass. */
    if (out && (cuf_type_of(PyArray_DESCR(out)) != cuf_column_infos[column].type ||
                PyArray_ISBYTESWAPPED(out))) {
        return PyErr_Format(PyExc_TypeError, "out has dtype %S, the result has %S",
                            PyArray_DESCR(out), descr);
    }
    PyArrayObject *native = cuf_native_array(x, 0);
    if (native == NULL) {
        return NULL;
    }
    PyObject *result = is_simple(native, plan, out) ? convert_contiguous(native, descr, plan, out)
                                                    : convert_any(native, descr, plan, out);
    Py_DECREF(native);
    return result;
}
