#include "arrfuncs.h"

#include <math.h>

#include "numbers.h"

/* Copies, unless there is no source, then swaps the bytes where the destination is. */
static void copy_strided(cuf_type type, char *dst, npy_intp dst_stride, const char *src,
                         npy_intp src_stride, npy_intp n, int swap)
{
    const size_t size = cuf_formats[type].storage;
    for (npy_intp i = 0; src && i < n; i++) {
        memmove(dst + i * dst_stride, src + i * src_stride, size);
    }
    for (npy_intp i = 0; swap && size == 2 && i < n; i++) {
        char *element = dst + i * dst_stride, first = element[0];
        element[0] = element[1];
        element[1] = first;
    }
}

/* Orders as NumPy does: NaN after every number, and -0 equal to 0. */
static int compare(cuf_type type, const void *a, const void *b)
{
    double x = cuf_number_of(type, a), y = cuf_number_of(type, b);
    if (isnan(x) || isnan(y)) {
        return (isnan(x) != 0) - (isnan(y) != 0);
    }
    return (x > y) - (x < y);
}

/* The first NaN, else the first extreme. `sign` is 1 for the largest, -1 for the smallest. */
static int arg_extreme(cuf_type type, const char *data, npy_intp n, npy_intp *index, int sign)
{
    double best = 0;
    *index = 0;
    for (npy_intp i = 0; i < n; i++) {
        double number = cuf_number_of(type, data + i * (npy_intp)cuf_formats[type].storage);
        if (isnan(number)) {
            *index = i;
            break;
        }
        if (i == 0 || sign * number > sign * best) {
            best = number;
            *index = i;
        }
    }
    return 0;
}

/* np.arange: the first two elements are there, the rest go on in equal steps. */
static int fill_sequence(cuf_type type, char *data, npy_intp n)
{
    const size_t size = cuf_formats[type].storage;
    const cuf_plan *plan = cuf_plan_of(CUF_FLOAT64, cuf_default_column(type));
    double start = cuf_number_of(type, data);
    double step = cuf_number_of(type, data + size) - start;
    for (npy_intp i = 2; i < n; i++) {
        double number = start + (double)i * step;
        cuf_run(plan, &number, 0, data + (size_t)i * size, 0, 1);
    }
    return 0;
}

static int fill_with(cuf_type type, char *data, npy_intp n, const void *value)
{
    const npy_intp size = (npy_intp)cuf_formats[type].storage;
    copy_strided(type, data, size, value, 0, n, 0);
    return 0;
}

/* One set of functions per own type: NumPy calls them without telling which type it means. */
#define CUF_DEFINE_OWN(ID)                                                                        \
    static PyObject *ID##_getitem(void *data, void *array)                                        \
    {                                                                                             \
        (void)array;                                                                              \
        return cuf_object_from_code(CUF_##ID, data);                                              \
    }                                                                                             \
    static int ID##_setitem(PyObject *object, void *data, void *array)                            \
    {                                                                                             \
        (void)array;                                                                              \
        return cuf_code_from_object(CUF_TO_##ID, object, data);                                   \
    }                                                                                             \
    static void ID##_copyswapn(void *dst, npy_intp dst_stride, void *src, npy_intp src_stride,    \
                               npy_intp n, int swap, void *array)                                 \
    {                                                                                             \
        (void)array;                                                                              \
        copy_strided(CUF_##ID, dst, dst_stride, src, src_stride, n, swap);                        \
    }                                                                                             \
    static void ID##_copyswap(void *dst, void *src, int swap, void *array)                        \
    {                                                                                             \
        (void)array;                                                                              \
        copy_strided(CUF_##ID, dst, 0, src, 0, 1, swap);                                          \
    }                                                                                             \
    static int ID##_compare(const void *a, const void *b, void *array)                            \
    {                                                                                             \
        (void)array;                                                                              \
        return compare(CUF_##ID, a, b);                                                           \
    }                                                                                             \
    static npy_bool ID##_nonzero(void *data, void *array)                                         \
    {                                                                                             \
        (void)array;                                                                              \
        return cuf_number_of(CUF_##ID, data) != 0;                                                \
    }                                                                                             \
    static int ID##_argmax(void *data, npy_intp n, npy_intp *index, void *array)                  \
    {                                                                                             \
        (void)array;                                                                              \
        return arg_extreme(CUF_##ID, data, n, index, 1);                                          \
    }                                                                                             \
    static int ID##_argmin(void *data, npy_intp n, npy_intp *index, void *array)                  \
    {                                                                                             \
        (void)array;                                                                              \
        return arg_extreme(CUF_##ID, data, n, index, -1);                                         \
    }                                                                                             \
    static int ID##_fill(void *data, npy_intp n, void *array)                                     \
    {                                                                                             \
        (void)array;                                                                              \
        return fill_sequence(CUF_##ID, data, n);                                                  \
    }                                                                                             \
    static int ID##_fillwithscalar(void *data, npy_intp n, void *value, void *array)              \
    {                                                                                             \
        (void)array;                                                                              \
        return fill_with(CUF_##ID, data, n, value);                                               \
    }
#define CUF_DEFINE_NUMPY(ID)
#define CUF_DEFINE_FOREIGN(ID)
#define CUF_INT(ID, name, owner, ...) CUF_DEFINE_##owner(ID)
#define CUF_FLOAT(ID, name, owner, ...) CUF_DEFINE_##owner(ID)
#include "core/formats.def"

static PyArray_ArrFuncs functions[CUF_TYPES] = {
#define CUF_ENTRY_OWN(ID)                                                                \
    [CUF_##ID] = {.getitem = ID##_getitem,                                               \
                  .setitem = ID##_setitem,                                               \
                  .copyswapn = ID##_copyswapn,                                           \
                  .copyswap = ID##_copyswap,                                             \
                  .compare = ID##_compare,                                               \
                  .nonzero = ID##_nonzero,                                               \
                  .argmax = ID##_argmax,                                                 \
                  .argmin = ID##_argmin,                                                 \
                  .fill = ID##_fill,                                                     \
                  .fillwithscalar = ID##_fillwithscalar},
#define CUF_ENTRY_NUMPY(ID)
#define CUF_ENTRY_FOREIGN(ID)
#define CUF_INT(ID, name, owner, ...) CUF_ENTRY_##owner(ID)
#define CUF_FLOAT(ID, name, owner, ...) CUF_ENTRY_##owner(ID)
#include "core/formats.def"
};

PyArray_ArrFuncs *cuf_arrfuncs_of(cuf_type type) { return &functions[type]; }
