/*
 * Kernels from and to long double: x87's 80 bits, IEEE binary128, a pair of doubles, or float64.
 * Scalar C, right for each of them.
 */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "codec_wide.h"
#include "kernels.h"

/* x87 has a rounding mode of its own, which the caller may have changed. */
static int round_to_nearest(void)
{
    int before = fegetround();
    if (before != FE_TONEAREST) {
        fesetround(FE_TONEAREST);
    }
    return before;
}

static void round_back(int before)
{
    if (before >= 0 && before != FE_TONEAREST) {
        fesetround(before);
    }
}

/* Rounded to odd: infinity only for infinity, and the last bit tells that something was lost. */
static uint64_t odd64_of(long double x)
{
    double near = (double)x;
    uint64_t bits = cuf_bits_of_double(near);
    if (x != x || (long double)near == x) {
        return bits;
    }
    if (isinf(near) || fabsl((long double)near) > fabsl(x)) {
        bits -= 1; /* toward zero */
    }
    return bits | 1;
}

static uint64_t low64_of(long double x)
{
    if (!(fabsl(x) <= LDBL_MAX)) {
        return 0;
    }
    long double whole = fmodl(truncl(fabsl(x)), 0x1p64L);
    uint64_t low = (uint64_t)whole;
    return signbit(x) ? 0 - low : low;
}

#define CUF_FROM_EXTENDED(NAME, CODE, EXPR)                          \
    static void NAME(const void *source, void *dst, size_t n)        \
    {                                                                \
        const char *src = source;                                    \
        const int rounding = round_to_nearest();                     \
        for (size_t i = 0; i < n; i++) {                             \
            long double x;                                           \
            memcpy(&x, src + i * sizeof x, sizeof x);                \
            CODE y = (EXPR);                                         \
            memcpy((char *)dst + i * sizeof y, &y, sizeof y);        \
        }                                                            \
        round_back(rounding);                                        \
    }

CUF_FROM_EXTENDED(extended_to_odd64, uint64_t, odd64_of(x))
CUF_FROM_EXTENDED(extended_to_float64, uint64_t, cuf_bits_of_double((double)x))
CUF_FROM_EXTENDED(extended_to_int64, uint64_t, low64_of(x))
CUF_FROM_EXTENDED(extended_copy, long double, x)

static void float64_to_extended(const void *src, void *dst, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double x;
        memcpy(&x, (const char *)src + i * sizeof x, sizeof x);
        long double y;
        memset(&y, 0, sizeof y); /* an 80-bit number leaves bytes of its storage untouched */
        y = (long double)x;
        memcpy((char *)dst + i * sizeof y, &y, sizeof y);
    }
}

void cuf_fill_extended(cuf_kernels *kernels)
{
    kernels->at[CUF_LONGDOUBLE][CUF_TO_HUB64] = extended_to_odd64;
    kernels->at[CUF_LONGDOUBLE][CUF_TO_FLOAT64] = extended_to_float64;
    kernels->at[CUF_LONGDOUBLE][CUF_TO_INT64] = extended_to_int64;
    kernels->at[CUF_LONGDOUBLE][CUF_TO_UINT64] = extended_to_int64;
    kernels->at[CUF_LONGDOUBLE][CUF_TO_LONGDOUBLE] = extended_copy;
    kernels->at[CUF_FLOAT64][CUF_TO_LONGDOUBLE] = float64_to_extended;
}
