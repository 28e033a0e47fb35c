#include "loop.h"

static int loop_over_copy(const cuf_plan *plan, const char *src, npy_intp src_stride, char *dst,
                          npy_intp dst_stride, npy_intp n)
{
    const size_t size = plan->from_size;
    char *copy = PyMem_RawMalloc((size_t)n * size);
    if (copy == NULL) {
        NPY_ALLOW_C_API_DEF;
        NPY_ALLOW_C_API;
        PyErr_NoMemory();
        NPY_DISABLE_C_API;
        return -1;
    }
    for (npy_intp i = 0; i < n; i++) {
        memcpy(copy + (size_t)i * size, src + i * src_stride, size);
    }
    cuf_run(plan, copy, (ptrdiff_t)size, dst, dst_stride, (size_t)n);
    PyMem_RawFree(copy);
    return 0;
}

int cuf_loop(const cuf_plan *plan, const char *src, npy_intp src_stride, char *dst,
             npy_intp dst_stride, npy_intp n)
{
    if (cuf_overlap(plan, src, src_stride, dst, dst_stride, (size_t)n)) {
        return loop_over_copy(plan, src, src_stride, dst, dst_stride, n);
    }
    cuf_run(plan, src, src_stride, dst, dst_stride, (size_t)n);
    return 0;
}
