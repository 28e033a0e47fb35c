/* The loops behind `dtype=` of an own type: plain C, which compilers vectorise. */
#include "arithmetic.h"

#include <math.h>

/* Which NaN a processor gives of two depends on it, and compilers may exchange the operands. */
static float first_nan(float a, float b, float r) { return a != a ? a : b != b ? b : r; }

static float add(float a, float b) { return first_nan(a, b, a + b); }
static float subtract(float a, float b) { return first_nan(a, b, a - b); }
static float multiply(float a, float b) { return first_nan(a, b, a * b); }
/* The second of two that are equal, such as zeros: so NumPy's vectors have it. */
static float maximum(float a, float b) { return first_nan(a, b, a > b ? a : b); }
static float minimum(float a, float b) { return first_nan(a, b, a < b ? a : b); }
/* The number if one is NaN. */
static float fmaximum(float a, float b) { return a > b || b != b ? a : b; }
static float fminimum(float a, float b) { return a < b || b != b ? a : b; }

#define CUF_EACH(TYPE, EXPR)                \
    for (size_t i = 0; i < n; i++) {        \
        const TYPE x = a[i], y = b[i];      \
        (void)y;                            \
        r[i] = (EXPR);                      \
    }                                       \
    break;

void cuf_operate_float32(cuf_operation op, const float *a, const float *b, float *r, size_t n)
{
    switch (op) {
    case CUF_ADD: CUF_EACH(float, add(x, y))
    case CUF_SUBTRACT: CUF_EACH(float, subtract(x, y))
    case CUF_MULTIPLY: CUF_EACH(float, multiply(x, y))
    case CUF_MAXIMUM: CUF_EACH(float, maximum(x, y))
    case CUF_MINIMUM: CUF_EACH(float, minimum(x, y))
    case CUF_FMAX: CUF_EACH(float, fmaximum(x, y))
    case CUF_FMIN: CUF_EACH(float, fminimum(x, y))
    case CUF_NEGATIVE: CUF_EACH(float, -x)
    case CUF_ABSOLUTE: CUF_EACH(float, fabsf(x))
    case CUF_OPERATION_COUNT: break;
    }
}

/* Unsigned: signed integers must not overflow in C. */
static int64_t wrapped(uint64_t x) { return (int64_t)x; }

void cuf_operate_int64(cuf_operation op, const int64_t *a, const int64_t *b, int64_t *r, size_t n)
{
    switch (op) {
    case CUF_ADD: CUF_EACH(int64_t, wrapped((uint64_t)x + (uint64_t)y))
    case CUF_SUBTRACT: CUF_EACH(int64_t, wrapped((uint64_t)x - (uint64_t)y))
    case CUF_MULTIPLY: CUF_EACH(int64_t, wrapped((uint64_t)x * (uint64_t)y))
    case CUF_MAXIMUM:
    case CUF_FMAX: CUF_EACH(int64_t, x > y ? x : y)
    case CUF_MINIMUM:
    case CUF_FMIN: CUF_EACH(int64_t, x < y ? x : y)
    case CUF_NEGATIVE: CUF_EACH(int64_t, wrapped(0 - (uint64_t)x))
    case CUF_ABSOLUTE: CUF_EACH(int64_t, x < 0 ? wrapped(0 - (uint64_t)x) : x)
    case CUF_OPERATION_COUNT: break;
    }
}

static float sum(float start, const float *x, size_t n)
{
    enum { PARTS = 8 };
    float parts[PARTS] = {0};
    size_t i = 0;
    for (; i + PARTS <= n; i += PARTS) {
        for (int p = 0; p < PARTS; p++) {
            parts[p] += x[i + (size_t)p];
        }
    }
    float total = start + (((parts[0] + parts[1]) + (parts[2] + parts[3])) +
                           ((parts[4] + parts[5]) + (parts[6] + parts[7])));
    for (; i < n; i++) {
        total += x[i];
    }
    return total;
}

float cuf_reduce_float32(cuf_operation op, float start, const float *x, size_t n)
{
    if (op == CUF_ADD && n >= 8) {
        return sum(start, x, n);
    }
    for (size_t i = 0; i < n; i++) {
        cuf_operate_float32(op, &start, &x[i], &start, 1);
    }
    return start;
}
