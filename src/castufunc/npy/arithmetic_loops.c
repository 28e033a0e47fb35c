/*
 * Blocks are computed in float32 or int64 and cast to the own type, so that every result is rounded
 * or wrapped once; a reduction keeps its float32 from step to step. Reductions are for bfloat16
 * alone.
 */
#include "arithmetic_loops.h"

#include "core/fpenv.h"
#include "partials.h"
#include "registry.h"

enum { BLOCK = 256 };

/* The one type in which sums are kept. */
static const cuf_type accumulates = CUF_BFLOAT16;

int cuf_accumulates(cuf_type type) { return type == accumulates; }

cuf_wide cuf_wide_for(cuf_type type)
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
    operation o = {.op = op, .to = to, .wide = cuf_wide_for(to)};
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

const cuf_arithmetic_loops cuf_arithmetic[CUF_OPERATION_COUNT] = {
#define CUF_OPERATION(ID, name, operands)                                       \
    [CUF_##ID] = {#name, operands, loop_##name, get_reducing_##name,            \
                  CUF_##ID == CUF_ADD        ? initial_sum                      \
                  : CUF_##ID == CUF_MULTIPLY ? initial_product                  \
                                             : no_initial},
    CUF_OPERATIONS(CUF_OPERATION)
#undef CUF_OPERATION
};
