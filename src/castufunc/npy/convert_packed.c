#include "convert_packed.h"

#include "core/pack.h"
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
    NpyIter_IterNextFunc *next = iter ? NpyIter_GetIterNext(iter, NULL) : NULL;
    if (next == NULL) {
        if (iter) {
            NpyIter_Deallocate(iter);
        }
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

PyObject *cuf_pack_array(PyArrayObject *x, cuf_column column, int casts, PyArrayObject *packed)
{
    cuf_packer packer;
    const cuf_plan *plan = casts ? cuf_plan_of(cuf_type_of(PyArray_DESCR(x)), column) : NULL;
    cuf_pack_start(&packer, plan, cuf_formats[cuf_column_infos[column].type].bits,
                   PyArray_DATA(packed));
    if (for_each_run(x, NPY_ITER_READONLY, feed, &packer) < 0) {
        return NULL;
    }
    cuf_pack_finish(&packer);
    Py_RETURN_NONE;
}

PyObject *cuf_unpack_array(PyArrayObject *packed, cuf_type from, cuf_column column, int casts,
                           PyArrayObject *out)
{
    cuf_packer packer;
    cuf_unpack_start(&packer, casts ? cuf_plan_of(from, column) : NULL, cuf_formats[from].bits,
                     PyArray_DATA(packed), (size_t)PyArray_SIZE(out));
    if (for_each_run(out, NPY_ITER_READWRITE, take, &packer) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}
