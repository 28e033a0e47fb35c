/*
 * Without `dtype=` nothing of this file is used: NumPy finds float32 or int64 for `a + b`. With it
 * a promoter chooses the loop.
 *
 *   np.add(x, y, dtype=T)   x, y                  -> loop
 *                           T, T                     (T, T) -> T
 *                           T, any other             (T, wide) -> T
 *                           any other, any           (wide, wide) -> T
 *   np.sum(x, dtype=T)      as of T, x: NumPy remembers one loop for both calls
 *
 * (NumPy's accumulate and reduceat want three types alike: they take what fits in T.)
 */
#include "npy_api.h"

#include <numpy/ufuncobject.h>

#include "arithmetic.h"
#include "arithmetic_loops.h"
#include "registry.h"

/* The own type of a DType that may be NULL, or CUF_NO_TYPE. */
static cuf_type own_type_of(const PyArray_DTypeMeta *dtype)
{
    const cuf_type type = dtype ? cuf_type_of_class(dtype) : CUF_NO_TYPE;
    return type != CUF_NO_TYPE && NPY_DTYPE(cuf_descrs[type]) == dtype ? type : CUF_NO_TYPE;
}

/* Whether every number of a type is one of bfloat16 too, so that a cast to it loses nothing. */
static int fits_bfloat16(const PyArray_DTypeMeta *dtype)
{
    const cuf_type type = cuf_type_of_class(dtype);
    return type != CUF_NO_TYPE && (cuf_formats[type].kind == CUF_KIND_BOOL ||
                                   cuf_formats[type].kind == CUF_KIND_INT ||
                                   cuf_formats[type].kind == CUF_KIND_FLOAT) &&
           cuf_formats[type].bits <= 8;
}

/* What an operand is cast to. The first one of a reduction is the result, and may be NULL. */
static PyArray_DTypeMeta *operand_for(cuf_type to, int i, PyArray_DTypeMeta *const given[],
                                      int is_binary)
{
    PyArray_DTypeMeta *own = NPY_DTYPE(cuf_descrs[to]), *wide = cuf_wide_dtypes[cuf_wide_for(to)];
    const int first_is_own = is_binary && (given[0] == NULL || given[0] == own);
    if (!first_is_own) {
        return wide;
    }
    return i == 0 || given[1] == own || (cuf_accumulates(to) && fits_bfloat16(given[1])) ? own : wide;
}

/* If nothing is changed, NumPy goes on by its own rules. */
static int promote(PyObject *ufunc, PyArray_DTypeMeta *const given[],
                   PyArray_DTypeMeta *const signature[], PyArray_DTypeMeta *promoted[])
{
    const int nin = ((PyUFuncObject *)ufunc)->nin;
    const cuf_type to = own_type_of(signature[nin]);
    const int is_ours = to != CUF_NO_TYPE && cuf_formats[to].owner == CUF_OWNER_OWN;
    for (int i = 0; i <= nin; i++) {
        promoted[i] = given[i];
        if (is_ours) {
            promoted[i] = i == nin ? signature[nin] : operand_for(to, i, given, nin == 2);
        }
        else if (i == 0 && given[0] == NULL) {
            promoted[0] = given[1]; /* of a reduction: what NumPy does itself if nothing matches */
        }
        if (i < nin && is_ours && signature[i] && signature[i] != promoted[i]) {
            return -1; /* the caller wants another loop, which there is not */
        }
    }
    for (int i = 0; i <= nin; i++) {
        Py_XINCREF(promoted[i]);
    }
    return 0;
}

/* NULL among the DTypes stands for any. */
static int add_promoter(PyObject *ufunc, int nargs, PyArray_DTypeMeta *const dtypes[])
{
    PyObject *tuple = PyTuple_New(nargs);
    PyObject *promoter = PyCapsule_New((void *)promote, "numpy._ufunc_promoter", NULL);
    for (int i = 0; tuple && i < nargs; i++) {
        PyTuple_SET_ITEM(tuple, i, Py_NewRef(dtypes[i] ? (PyObject *)dtypes[i] : Py_None));
    }
    const int status = tuple && promoter ? PyUFunc_AddPromoter(ufunc, tuple, promoter) : -1;
    Py_XDECREF(promoter);
    Py_XDECREF(tuple);
    return status;
}

static int add_loop(PyObject *ufunc, cuf_operation op, PyArray_DTypeMeta *dtypes[3],
                    PyType_Slot slots[])
{
    PyArrayMethod_Spec spec = {
        .name = "castufunc_arithmetic",
        .nin = cuf_arithmetic[op].nin,
        .nout = 1,
        .casting = NPY_NO_CASTING,
        .flags = NPY_METH_SUPPORTS_UNALIGNED | NPY_METH_NO_FLOATINGPOINT_ERRORS |
                 (op == CUF_SUBTRACT ? 0 : NPY_METH_IS_REORDERABLE),
        .dtypes = dtypes,
        .slots = slots,
    };
    return PyUFunc_AddLoopFromSpec(ufunc, &spec);
}

static int add_elementwise(PyObject *ufunc, cuf_operation op, PyArray_DTypeMeta *wide,
                           PyArray_DTypeMeta *own)
{
    PyType_Slot slots[] = {
        {NPY_METH_strided_loop, cuf_arithmetic[op].loop},
        {NPY_METH_unaligned_strided_loop, cuf_arithmetic[op].loop},
        {0, NULL},
    };
    PyArray_DTypeMeta *dtypes[3] = {wide, cuf_arithmetic[op].nin == 1 ? own : wide, own};
    return add_loop(ufunc, op, dtypes, slots);
}

/* The first operand of the result's type, as that of a reduction is. */
static int add_reducing(PyObject *ufunc, cuf_operation op, PyArray_DTypeMeta *wide,
                        PyArray_DTypeMeta *own)
{
    PyType_Slot slots[] = {
        {NPY_METH_strided_loop, cuf_arithmetic[op].loop},
        {NPY_METH_unaligned_strided_loop, cuf_arithmetic[op].loop},
        {NPY_METH_get_loop, cuf_arithmetic[op].get_reducing},
        {NPY_METH_get_reduction_initial, cuf_arithmetic[op].initial},
        {0, NULL},
    };
    PyArray_DTypeMeta *with_wide[3] = {own, wide, own}, *alike[3] = {own, own, own};
    /*
     * The loop of three alike would be NumPy's choice for `a + b` too, if there were not something
     * equally good: a promoter, which leaves the call to NumPy's own rules.
     */
    PyArray_DTypeMeta *never[3] = {own, own, cuf_wide_dtypes[CUF_WIDE_INT]};
    return add_loop(ufunc, op, with_wide, slots) < 0 || add_loop(ufunc, op, alike, slots) < 0
               ? -1
               : add_promoter(ufunc, 3, never);
}

static int teach(PyObject *ufunc, cuf_operation op)
{
    const int nin = cuf_arithmetic[op].nin;
    PyArray_DTypeMeta *any[3] = {NULL, NULL, NULL};
    if (add_promoter(ufunc, nin + 1, any) < 0) {
        return -1;
    }
    for (int t = 0; t < CUF_TYPES; t++) {
        if (cuf_formats[t].owner != CUF_OWNER_OWN) {
            continue;
        }
        PyArray_DTypeMeta *own = NPY_DTYPE(cuf_descrs[t]);
        PyArray_DTypeMeta *wide = cuf_wide_dtypes[cuf_wide_for((cuf_type)t)];
        if (add_elementwise(ufunc, op, wide, own) < 0 ||
            (nin == 2 && add_reducing(ufunc, op, wide, own) < 0)) {
            return -1;
        }
    }
    return 0;
}

int cuf_arithmetic_init(void)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    int status = numpy ? 0 : -1;
    for (int op = 0; op < CUF_OPERATION_COUNT && status == 0; op++) {
        PyObject *ufunc = PyObject_GetAttrString(numpy, cuf_arithmetic[op].name);
        status = ufunc ? teach(ufunc, (cuf_operation)op) : -1;
        Py_XDECREF(ufunc);
    }
    Py_XDECREF(numpy);
    return status;
}
