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
 * Blocks are computed in float32 or int64 and cast to T, so that every result is rounded or
 * wrapped once; a reduction keeps its float32 from step to step. Reductions are for bfloat16 alone.
 * (NumPy's accumulate and reduceat want three types alike: they take what fits in T.)
 */
#include "npy_api.h"

#include <numpy/ufuncobject.h>

#include "arithmetic.h"
#include "core/arithmetic.h"
#include "core/fpenv.h"
#include "partials.h"
#include "registry.h"
#include "wide_dtypes.h"

enum { BLOCK = 256 };

/* The one type in which sums are kept. */
static const cuf_type accumulates = CUF_BFLOAT16;

static cuf_wide wide_for(cuf_type type)
{
    return cuf_formats[type].kind == CUF_KIND_FLOAT ? CUF_WIDE_FLOAT : CUF_WIDE_INT;
}

static cuf_type type_for(cuf_wide wide) { return wide == CUF_WIDE_FLOAT ? CUF_FLOAT32 : CUF_INT64; }

/* A block of numbers in the type that is computed in. */
typedef union {
    float floats[BLOCK];
    int64_t ints[BLOCK];
} numbers;

typedef struct {
    cuf_operation op;
    cuf_type to;
    cuf_wide wide;
    const cuf_plan *in[2], *out;
} operation;

static operation operation_of(cuf_operation op, int nin, PyArrayMethod_Context *context)
{
    const cuf_type to = cuf_type_of(context->descriptors[nin]);
    operation o = {.op = op, .to = to, .wide = wide_for(to)};
    const cuf_type computed = type_for(o.wide);
    for (int i = 0; i < 2; i++) {
        /* A wide operand has no type of ours. */
        const cuf_type from = cuf_type_of(context->descriptors[i < nin ? i : 0]);
        o.in[i] = cuf_plan_of(from == CUF_NO_TYPE ? computed : from, cuf_default_column(computed));
    }
    o.out = cuf_plan_of(computed, cuf_default_column(to));
    return o;
}

static void operate(const operation *o, const numbers *a, const numbers *b, numbers *r, size_t n)
{
    if (o->wide == CUF_WIDE_FLOAT) {
        cuf_operate_float32(o->op, a->floats, b->floats, r->floats, n);
    }
    else {
        cuf_operate_int64(o->op, a->ints, b->ints, r->ints, n);
    }
}

/* start op x[0] op x[1] ...: sums pairwise, as rounding errors then grow with log n only. */
static float reduced(const operation *o, float start, const char *x, npy_intp stride, npy_intp n)
{
    if (n <= BLOCK) {
        numbers block;
        cuf_run(o->in[1], x, stride, &block, sizeof block.floats[0], (size_t)n);
        return cuf_reduce_float32(o->op, start, block.floats, (size_t)n);
    }
    const npy_intp blocks = (n + BLOCK - 1) / BLOCK, half = (blocks + 1) / 2 * BLOCK;
    if (o->op != CUF_ADD) {
        start = reduced(o, start, x, stride, half);
        return reduced(o, start, x + half * stride, stride, n - half);
    }
    const float first = reduced(o, start, x, stride, half);
    return first + reduced(o, -0.0F, x + half * stride, stride, n - half);
}

static unsigned code_at(const operation *o, const char *result)
{
    uint16_t code;
    if (o->out->to_size == 1) {
        return *(const unsigned char *)result;
    }
    memcpy(&code, result, sizeof code);
    return code;
}

/* All elements into one result, a float. -1 without memory. */
static int reduce(const operation *o, NpyAuxData *partials, char *result, const char *x,
                  npy_intp stride, npy_intp n)
{
    cuf_partial number;
    cuf_run(o->in[0], result, 0, &number.real, 0, 1);
    cuf_partial *so_far =
        cuf_partial_of(partials, result, o->out->to_size, code_at(o, result), number);
    if (so_far == NULL) {
        return -1;
    }
    so_far->real = reduced(o, so_far->real, x, stride, n);
    cuf_run(o->out, &so_far->real, 0, result, 0, 1);
    cuf_partial_was_written(so_far, code_at(o, result));
    return 0;
}

/* Each element into a result of its own, by a block of them. -1 without memory. */
static int reduce_each(const operation *o, NpyAuxData *partials, char *results,
                       npy_intp result_stride, const char *x, npy_intp stride, size_t n)
{
    const int is_float = o->wide == CUF_WIDE_FLOAT;
    const npy_intp size = is_float ? sizeof(float) : sizeof(int64_t);
    numbers so_far, block;
    cuf_partial *kept[BLOCK];
    cuf_run(o->in[0], results, result_stride, &so_far, size, n);
    cuf_run(o->in[1], x, stride, &block, size, n);
    for (size_t i = 0; i < n; i++) {
        const char *result = results + (npy_intp)i * result_stride;
        const cuf_partial number = is_float ? (cuf_partial){.real = so_far.floats[i]}
                                            : (cuf_partial){.integer = so_far.ints[i]};
        kept[i] = cuf_partial_of(partials, result, o->out->to_size, code_at(o, result), number);
        if (kept[i] == NULL) {
            return -1;
        }
        if (is_float) {
            so_far.floats[i] = kept[i]->real;
        }
        else {
            so_far.ints[i] = kept[i]->integer;
        }
    }
    operate(o, &so_far, &block, &so_far, n);
    cuf_run(o->out, &so_far, size, results, result_stride, n);
    for (size_t i = 0; i < n; i++) {
        *kept[i] = is_float ? (cuf_partial){.real = so_far.floats[i]}
                            : (cuf_partial){.integer = so_far.ints[i]};
        cuf_partial_was_written(kept[i], code_at(o, results + (npy_intp)i * result_stride));
    }
    return 0;
}

/* Each result is the one before and one more element: kept in float32, rounded where stored. */
static void accumulate(const operation *o, char *const data[], const npy_intp strides[], npy_intp n)
{
    float total;
    cuf_run(o->in[0], data[0], 0, &total, 0, 1);
    for (npy_intp done = 0; done < n; done += BLOCK) {
        const npy_intp m = n - done < BLOCK ? n - done : BLOCK;
        numbers block;
        cuf_run(o->in[1], data[1] + done * strides[1], strides[1], &block, sizeof total, (size_t)m);
        for (npy_intp i = 0; i < m; i++) {
            total = cuf_reduce_float32(o->op, total, &block.floats[i], 1);
            block.floats[i] = total;
        }
        cuf_run(o->out, &block, sizeof total, data[2] + done * strides[2], strides[2], (size_t)m);
    }
}

static void elementwise(const operation *o, int nin, char *const data[], const npy_intp strides[],
                        npy_intp n)
{
    const npy_intp size = o->wide == CUF_WIDE_FLOAT ? sizeof(float) : sizeof(int64_t);
    for (npy_intp done = 0; done < n; done += BLOCK) {
        const size_t m = (size_t)(n - done < BLOCK ? n - done : BLOCK);
        numbers in[2];
        for (int i = 0; i < nin; i++) {
            cuf_run(o->in[i], data[i] + done * strides[i], strides[i], &in[i], size, m);
        }
        operate(o, &in[0], nin > 1 ? &in[1] : &in[0], &in[0], m);
        cuf_run(o->out, &in[0], size, data[nin] + done * strides[nin], strides[nin], m);
    }
}

static int run(cuf_operation op, int nin, PyArrayMethod_Context *context, char *const data[],
               const npy_intp dimensions[], const npy_intp strides[])
{
    const operation o = operation_of(op, nin, context);
    const cuf_fpenv env = cuf_fpenv_enter();
    elementwise(&o, nin, data, strides, dimensions[0]);
    cuf_fpenv_leave(env);
    return 0;
}

/* Pandas and others would divide a saturated or wrapped sum, and call it a mean. Always -1. */
static int refuse_reduction(cuf_type to)
{
    const cuf_format *format = &cuf_formats[to];
    const int is_float = format->kind == CUF_KIND_FLOAT;
    PyErr_Format(PyExc_TypeError,
                 "ufuncs do not reduce or accumulate in %s, where results soon %s: leave out "
                 "dtype=, as in a.sum(), or give dtype=np.%s, and cast the result",
                 format->name, is_float ? "saturate" : "wrap", is_float ? "float32" : "int64");
    return -1;
}

/* In a loop, which runs without the GIL. */
static int fail(int (*set_exception)(cuf_type to), cuf_type to)
{
    NPY_ALLOW_C_API_DEF;
    NPY_ALLOW_C_API;
    set_exception(to);
    NPY_DISABLE_C_API;
    return -1;
}

static int no_memory(cuf_type to)
{
    (void)to;
    PyErr_NoMemory();
    return -1;
}

/*
 * The first operand is of the result's type, or this is a step of a reduction, which shows in the
 * addresses:
 *
 *   reduce, reduceat   the first operand is the result, with stride 0; over an outer axis one of
 *                      the results for each element, in the same place each time
 *   accumulate         the first operand is the result before
 *
 * Of one element, and with strides, elementwise calls may look the same: they give the same too.
 */
static int run_reducing(cuf_operation op, PyArrayMethod_Context *context, char *const data[],
                        const npy_intp dimensions[], const npy_intp strides[],
                        NpyAuxData *partials)
{
    const operation o = operation_of(op, 2, context);
    const npy_intp n = dimensions[0];
    const int same = data[0] == data[2] && strides[0] == strides[2];
    const int reduces = same && strides[0] == 0 && n > 1;
    const int continues = data[0] + strides[0] == data[2] && strides[0] == strides[2] && n > 1;
    if ((reduces || continues) && o.to != accumulates) {
        return fail(refuse_reduction, o.to);
    }
    int status = 0;
    const cuf_fpenv env = cuf_fpenv_enter();
    if (reduces) {
        status = reduce(&o, partials, data[2], data[1], strides[1], n);
    }
    else if (continues && !same) {
        accumulate(&o, data, strides, n);
    }
    else if (same) {
        for (npy_intp done = 0; done < n && status == 0; done += BLOCK) {
            status = reduce_each(&o, partials, data[2] + done * strides[2], strides[2],
                                 data[1] + done * strides[1], strides[1],
                                 (size_t)(n - done < BLOCK ? n - done : BLOCK));
        }
    }
    else {
        elementwise(&o, 2, data, strides, n);
    }
    cuf_fpenv_leave(env);
    return status < 0 ? fail(no_memory, o.to) : 0;
}

/* NumPy hands a loop nothing of ours, so there is one function for each operation. */
#define CUF_OPERATION(ID, name, operands)                                                     \
    static int loop_##name(PyArrayMethod_Context *context, char *const data[],                \
                           const npy_intp dimensions[], const npy_intp strides[],             \
                           NpyAuxData *unused)                                                \
    {                                                                                         \
        (void)unused;                                                                         \
        return run(CUF_##ID, operands, context, data, dimensions, strides);                   \
    }                                                                                         \
    static int reducing_##name(PyArrayMethod_Context *context, char *const data[],            \
                            const npy_intp dimensions[], const npy_intp strides[],            \
                            NpyAuxData *partials)                                             \
    {                                                                                         \
        return run_reducing(CUF_##ID, context, data, dimensions, strides, partials);          \
    }                                                                                         \
    static int get_reducing_##name(PyArrayMethod_Context *context, int aligned,               \
                                int move_references, const npy_intp *strides,                 \
                                PyArrayMethod_StridedLoop **loop, NpyAuxData **partials,      \
                                NPY_ARRAYMETHOD_FLAGS *flags)                                 \
    {                                                                                         \
        (void)context, (void)aligned, (void)move_references, (void)strides;                   \
        *loop = reducing_##name;                                                              \
        *flags = NPY_METH_NO_FLOATINGPOINT_ERRORS;                                            \
        *partials = cuf_partials_new();                                                       \
        return *partials ? 0 : no_memory(CUF_NO_TYPE);                                        \
    }
CUF_OPERATIONS(CUF_OPERATION)
#undef CUF_OPERATION

static const struct {
    const char *name;
    int nin;
    PyArrayMethod_StridedLoop *loop;
    PyArrayMethod_GetLoop *get_reducing;
} operations[CUF_OPERATION_COUNT] = {
#define CUF_OPERATION(ID, name, operands) \
    [CUF_##ID] = {#name, operands, loop_##name, get_reducing_##name},
    CUF_OPERATIONS(CUF_OPERATION)
#undef CUF_OPERATION
};

/* --- what a reduction begins with ----------------------------------------------------------- */

/* 1 if there is one, 0 if not. */
static int initial_number(PyArrayMethod_Context *context, double number, int exists, void *initial)
{
    const cuf_type to = cuf_type_of(context->descriptors[0]);
    if (to != accumulates) {
        return refuse_reduction(to);
    }
    if (exists) {
        cuf_run(cuf_plan_of(CUF_FLOAT64, cuf_default_column(to)), &number, 0, initial, 0, 1);
    }
    return exists;
}

static int initial_sum(PyArrayMethod_Context *context, npy_bool is_empty, void *initial)
{
    (void)is_empty;
    return initial_number(context, 0, 1, initial);
}

static int initial_product(PyArrayMethod_Context *context, npy_bool is_empty, void *initial)
{
    (void)is_empty;
    return initial_number(context, 1, 1, initial);
}

static int no_initial(PyArrayMethod_Context *context, npy_bool is_empty, void *initial)
{
    (void)is_empty;
    return initial_number(context, 0, 0, initial);
}

static PyArrayMethod_GetReductionInitial *initial_of(cuf_operation op)
{
    return op == CUF_ADD ? initial_sum : op == CUF_MULTIPLY ? initial_product : no_initial;
}

/* --- which loop ----------------------------------------------------------------------------- */

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
    PyArray_DTypeMeta *own = NPY_DTYPE(cuf_descrs[to]), *wide = cuf_wide_dtypes[wide_for(to)];
    const int first_is_own = is_binary && (given[0] == NULL || given[0] == own);
    if (!first_is_own) {
        return wide;
    }
    return i == 0 || given[1] == own || (to == accumulates && fits_bfloat16(given[1])) ? own : wide;
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
        .nin = operations[op].nin,
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
        {NPY_METH_strided_loop, operations[op].loop},
        {NPY_METH_unaligned_strided_loop, operations[op].loop},
        {0, NULL},
    };
    PyArray_DTypeMeta *dtypes[3] = {wide, operations[op].nin == 1 ? own : wide, own};
    return add_loop(ufunc, op, dtypes, slots);
}

/* The first operand of the result's type, as that of a reduction is. */
static int add_reducing(PyObject *ufunc, cuf_operation op, PyArray_DTypeMeta *wide,
                        PyArray_DTypeMeta *own)
{
    PyType_Slot slots[] = {
        {NPY_METH_strided_loop, operations[op].loop},
        {NPY_METH_unaligned_strided_loop, operations[op].loop},
        {NPY_METH_get_loop, operations[op].get_reducing},
        {NPY_METH_get_reduction_initial, initial_of(op)},
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
    const int nin = operations[op].nin;
    PyArray_DTypeMeta *any[3] = {NULL, NULL, NULL};
    if (add_promoter(ufunc, nin + 1, any) < 0) {
        return -1;
    }
    for (int t = 0; t < CUF_TYPES; t++) {
        if (cuf_formats[t].owner != CUF_OWNER_OWN) {
            continue;
        }
        PyArray_DTypeMeta *own = NPY_DTYPE(cuf_descrs[t]);
        PyArray_DTypeMeta *wide = cuf_wide_dtypes[wide_for((cuf_type)t)];
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
        PyObject *ufunc = PyObject_GetAttrString(numpy, operations[op].name);
        status = ufunc ? teach(ufunc, (cuf_operation)op) : -1;
        Py_XDECREF(ufunc);
    }
    Py_XDECREF(numpy);
    return status;
}
