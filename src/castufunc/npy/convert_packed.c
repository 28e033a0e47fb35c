#include "convert_packed.h"

#include "core/pack.h"
#include "native.h"
#include "registry.h"

/* Visits the elements of an array in C order, in runs of one stride, without the GIL. */
static int for_each_run(PyArrayObject *array, npy_uint32 access,
                        void (*visit)(cuf_packer *packer, char *data, npy_intp stride, npy_intp n),
                        cuf_packer *packer)
{
    if (PyArray_SIZE(array) == 0) {
        return 0;
    }
    NpyIter *iter = NpyIter_New(array, NPY_ITER_EXTERNAL_LOOP | access, NPY_CORDER,
                                NPY_NO_CASTING, NULL);
    if (iter == NULL) {
        cuf_no_iterator();
        return -1;
    }
    NpyIter_IterNextFunc *next = NpyIter_GetIterNext(iter, NULL);
    if (next == NULL) {
        NpyIter_Deallocate(iter);
        return -1;
    }
    char **data = NpyIter_GetDataPtrArray(iter);
    npy_intp *stride = NpyIter_GetInnerStrideArray(iter);
    npy_intp *count = NpyIter_GetInnerLoopSizePtr(iter);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(PyArray_SIZE(array));
    do {
        visit(packer, data[0], stride[0], *count);
    } while (next(iter));
    NPY_END_THREADS;
    return NpyIter_Deallocate(iter) == NPY_SUCCEED ? 0 : -1;
}

static void feed(cuf_packer *packer, char *data, npy_intp stride, npy_intp n)
{
    cuf_pack_feed(packer, data, stride, (size_t)n);
}

static void take(cuf_packer *packer, char *data, npy_intp stride, npy_intp n)
{
    cuf_unpack_take(packer, data, stride, (size_t)n);
}

/*
 * packing.py checks what the attributes of arrays say, and a subclass of ndarray can say anything.
 * What follows goes by the fields of the arrays, so it compares those itself.
 */

static int refuse(const char *what)
{
    PyErr_Format(PyExc_ValueError, "castufunc: %s", what);
    return -1;
}

/* `packed` must have the bytes of n codes: all of them, or if they are to be read at least. */
static int check_packed(PyArrayObject *packed, int bits, npy_intp n, int is_written)
{
    if (bits >= 8 || cuf_kernels_in_use()->pack[bits] == NULL) {
        return refuse("the type has no packed form");
    }
    if (PyArray_TYPE(packed) != NPY_UINT8 || !PyArray_IS_C_CONTIGUOUS(packed)) {
        return refuse("packed data must be a contiguous array of uint8");
    }
    const size_t size = cuf_packed_size(bits, (size_t)n), found = (size_t)PyArray_SIZE(packed);
    if (is_written ? found != size : found < size) {
        return refuse("the packed data do not have the size of the elements");
    }
    return is_written ? PyArray_FailUnlessWriteable(packed, "out") : 0;
}

/* The array of single elements must be of a type, with bytes in native order. */
static int check_elements(PyArrayObject *array, cuf_type type)
{
    if (type == CUF_NO_TYPE || cuf_type_of(PyArray_DESCR(array)) != type ||
        PyArray_ISBYTESWAPPED(array)) {
        return refuse("the array is not of the type of its elements");
    }
    return 0;
}

/* The plan of a cast, or NULL without one. */
static int find_plan(cuf_type from, cuf_column column, int casts, const cuf_plan **plan)
{
    *plan = casts ? cuf_plan_of(from, column) : NULL;
    return casts && *plan == NULL ? refuse("no plan for this cast") : 0;
}

PyObject *cuf_pack_array(PyArrayObject *x, cuf_column column, int casts, PyArrayObject *packed)
{
    const cuf_type to = cuf_column_infos[column].type;
    const cuf_type from = casts ? cuf_type_of(PyArray_DESCR(x)) : to;
    const int bits = cuf_formats[to].bits;
    const cuf_plan *plan;
    if (check_elements(x, from) < 0 || check_packed(packed, bits, PyArray_SIZE(x), 1) < 0 ||
        find_plan(from, column, casts, &plan) < 0) {
        return NULL;
    }
    cuf_packer packer;
    cuf_pack_start(&packer, plan, bits, PyArray_DATA(packed));
    if (for_each_run(x, NPY_ITER_READONLY, feed, &packer) < 0) {
        return NULL;
    }
    cuf_pack_finish(&packer);
    Py_RETURN_NONE;
}

PyObject *cuf_unpack_array(PyArrayObject *packed, cuf_type from, cuf_column column, int casts,
                           PyArrayObject *out)
{
    const int bits = cuf_formats[from].bits;
    const cuf_plan *plan;
    if (check_elements(out, cuf_column_infos[column].type) < 0 ||
        check_packed(packed, bits, PyArray_SIZE(out), 0) < 0 ||
        PyArray_FailUnlessWriteable(out, "out") < 0 ||
        find_plan(from, column, casts, &plan) < 0) {
        return NULL;
    }
    cuf_packer packer;
    cuf_unpack_start(&packer, plan, bits, PyArray_DATA(packed), (size_t)PyArray_SIZE(out));
    if (for_each_run(out, NPY_ITER_READWRITE, take, &packer) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}
