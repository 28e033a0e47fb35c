/*
 * Kernels from and to long double: x87's 80 bits, IEEE binary128, a pair of doubles, or float64.
 * Scalar C, right for each of them.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "codec_wide.h"
#include "kernels.h"

/*
 * x87 has settings and flags of its own, which fpenv.h leaves alone: here they are put to round to
 * nearest at full width with all exceptions masked, and back. Elsewhere there is nothing to do.
 */
#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
typedef struct {
    uint32_t words[7];
} x87_state;

static x87_state enter_x87(void)
{
    x87_state state;
    const uint16_t control = 0x037f;
    __asm__ volatile("fnstenv %0" : "=m"(state));
    __asm__ volatile("fldcw %0" : : "m"(control));
    return state;
}

static void leave_x87(x87_state state) { __asm__ volatile("fldenv %0" : : "m"(state)); }
#else
typedef int x87_state;
static x87_state enter_x87(void) { return 0; }
static void leave_x87(x87_state state) { (void)state; }
#endif

/* Which byte has the sign: the highest; of a pair of doubles the first one's. */
enum {
    SIGN_BYTE = CUF_BIG_ENDIAN          ? 0
                : LDBL_MANT_DIG == 64   ? 9
                : LDBL_MANT_DIG == 113  ? 15
                                        : 7
};

/* By memory: signbit of 128 bits, inlined by gcc 12 for aarch64, reads the wrong half. */
static int is_negative(long double x)
{
    unsigned char bytes[sizeof x];
    memcpy(bytes, &x, sizeof x);
    return bytes[SIGN_BYTE] >> 7;
}

/* NaN not by the conversion: that of some processors gives the same one for both signs. */
static uint64_t near64_of(long double x)
{
    return x != x ? CUF_F64_NAN | (uint64_t)is_negative(x) << 63 : cuf_bits_of_double((double)x);
}

static long double extended_of(double x)
{
    const long double nan = (long double)NAN;
    return x == x ? (long double)x : cuf_bits_of_double(x) >> 63 ? -nan : nan;
}

/* Rounded to odd: infinity only for infinity, and the last bit tells that something was lost. */
static uint64_t odd64_of(long double x)
{
    double near = (double)x;
    uint64_t bits = near64_of(x);
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
    if (LDBL_MANT_DIG == DBL_MANT_DIG) {
        return cuf_low64_of_float64(near64_of(x)); /* they are the same numbers */
    }
    if (!(fabsl(x) <= LDBL_MAX)) {
        return 0;
    }
    long double whole = fmodl(truncl(fabsl(x)), 0x1p64L);
    uint64_t low = (uint64_t)whole;
    return x < 0 ? 0 - low : low;
}

#define CUF_FROM_EXTENDED(NAME, CODE, EXPR)                          \
    static void NAME(const void *source, void *dst, size_t n)        \
    {                                                                \
        const char *src = source;                                    \
        const x87_state x87 = enter_x87();                           \
        for (size_t i = 0; i < n; i++) {                             \
            long double x;                                           \
            memcpy(&x, src + i * sizeof x, sizeof x);                \
            CODE y = (EXPR);                                         \
            memcpy((char *)dst + i * sizeof y, &y, sizeof y);        \
        }                                                            \
        leave_x87(x87);                                              \
    }

CUF_FROM_EXTENDED(extended_to_odd64, uint64_t, odd64_of(x))
CUF_FROM_EXTENDED(extended_to_float64, uint64_t, near64_of(x))
CUF_FROM_EXTENDED(extended_to_int64, uint64_t, low64_of(x))

/* Not by assignment, which need not keep the bytes of its storage that are not part of the number. */
static void extended_copy(const void *src, void *dst, size_t n)
{
    memmove(dst, src, n * sizeof(long double));
}

static void float64_to_extended(const void *src, void *dst, size_t n)
{
    const x87_state x87 = enter_x87();
    for (size_t i = 0; i < n; i++) {
        double x;
        memcpy(&x, (const char *)src + i * sizeof x, sizeof x);
        long double y;
        memset(&y, 0, sizeof y); /* an 80-bit number leaves bytes of its storage untouched */
        y = extended_of(x);
        memcpy((char *)dst + i * sizeof y, &y, sizeof y);
    }
    leave_x87(x87);
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
