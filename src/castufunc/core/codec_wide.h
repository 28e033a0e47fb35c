/*
 * Between the wide types, and from them into float32 so that one more rounding is right.
 *
 * Rounding to odd: what does not fit is cut off, and the last bit is set if anything was lost.
 * A value so rounded to p + 2 bits or more and then rounded to p bits gives what one rounding of
 * the exact value gives (Boldo and Melquiond, "When double rounding is odd", 2005).
 */
#ifndef CUF_CODEC_WIDE_H
#define CUF_CODEC_WIDE_H

#include <math.h>

#include "codec_float.h"

/*
 * float64 to a float32 that rounds to a format of at most 18 mantissa bits as the float64 does,
 * for formats to which everything below 2^-126 is the same as zero. Works in 32-bit lanes: 20
 * bits of the mantissa and a sticky bit are enough. Beyond float32's range is far beyond theirs,
 * and infinity is treated as overflow is.
 */
CUF_INLINE uint32_t cuf_near32_of_float64(uint64_t d)
{
    const uint32_t tiny = UINT32_C(897) << 20, huge = (UINT32_C(1151) << 20) - 1;
    uint32_t high = (uint32_t)(d >> 32), low = (uint32_t)d;
    uint32_t w = (high & CUF_F32_MAGNITUDE) | (low != 0);
    uint32_t c = cuf_min32(cuf_max32(w, tiny), huge);
    uint32_t x = (c - (UINT32_C(896) << 20)) << 3;
    x = (int32_t)w > 0x7ff00000 ? CUF_F32_NAN : x;
    return x | (high & CUF_F32_SIGN);
}

/* float64 to float32, rounded to odd; infinity gives the largest float32, which is odd. */
CUF_INLINE uint32_t cuf_odd32_of_float64(uint64_t d)
{
    const uint64_t magic = UINT64_C(926) << 52; /* 2^-97: its ULP is float32's smallest subnormal */
    uint64_t a = d & CUF_F64_MAGNITUDE;
    double v = cuf_double_of(a);
    double sum = v + cuf_double_of(magic);
    double rounded = sum - cuf_double_of(magic);
    uint64_t subnormal = cuf_bits_of_double(sum) - magic;
    subnormal -= rounded > v ? 1 : 0;
    subnormal |= rounded != v ? 1 : 0;
    uint64_t x = ((a >> 29) - (UINT64_C(896) << 23)) | ((a & 0x1fffffff) != 0);
    x = (int64_t)a < (int64_t)(UINT64_C(897) << 52) ? subnormal : x;
    x = (int64_t)a >= (int64_t)(UINT64_C(1151) << 52) ? CUF_F32_MAX : x;
    x = (int64_t)a > (int64_t)CUF_F64_INF ? CUF_F32_NAN : x;
    return (uint32_t)(x | (d >> 32 & CUF_F32_SIGN));
}

/* float64 to a narrow float, rounded once. */
CUF_INLINE uint32_t cuf_encode_float64(uint64_t d, cuf_row r, int saturate, cuf_round round)
{
    uint32_t x = r.exp == 8 ? cuf_odd32_of_float64(d) : cuf_near32_of_float64(d);
    return cuf_encode(x, r, saturate, round);
}

CUF_INLINE uint32_t cuf_float32_of_float64(uint64_t d)
{
    uint32_t nan = (uint32_t)(d >> 32 & CUF_F32_SIGN) | CUF_F32_NAN;
    uint32_t x = cuf_bits_of_float((float)cuf_double_of(d));
    return (int32_t)(x & CUF_F32_MAGNITUDE) > (int32_t)CUF_F32_INF ? nan : x;
}

/* Payloads of NaN are dropped, so that the result does not depend on the processor. */
CUF_INLINE uint64_t cuf_float64_of_float32(uint32_t x)
{
    uint64_t nan = (uint64_t)(x & CUF_F32_SIGN) << 32 | CUF_F64_NAN;
    uint64_t d = cuf_bits_of_double((double)cuf_float_of(x));
    return (int64_t)(d & CUF_F64_MAGNITUDE) > (int64_t)CUF_F64_INF ? nan : d;
}

/*
 * The same of a float32 that a codec made, whose NaN has no payload. Where the processor is known
 * to keep the sign of a NaN its conversion is all there is to do, in half the time; the one of
 * RISC-V, for example, gives the same NaN for both signs.
 */
CUF_INLINE uint64_t cuf_float64_of_decoded(uint32_t x)
{
#if defined(__x86_64__) || defined(_M_X64) || defined(__i386__) || defined(__aarch64__) || \
    defined(_M_ARM64) || defined(__arm__) || defined(__powerpc64__) || defined(__s390x__)
    return cuf_bits_of_double((double)cuf_float_of(x));
#else
    uint64_t magnitude = cuf_bits_of_double((double)cuf_float_of(x & CUF_F32_MAGNITUDE));
    return magnitude | (uint64_t)(x & CUF_F32_SIGN) << 32;
#endif
}

/* 32-bit integers to float32, rounded to odd: the bits below 24 are folded into one. */
CUF_INLINE uint32_t cuf_odd32_of_int32(int32_t i)
{
    uint32_t sign = (uint32_t)(i >> 31);
    uint32_t u = ((uint32_t)i ^ sign) - sign;
    uint32_t folded = (u & ~UINT32_C(0xff)) | (uint32_t)((u & 0xff) != 0) << 8;
    uint32_t exact = u >> 24 ? folded : u;
    return cuf_bits_of_float((float)(int32_t)((exact ^ sign) - sign));
}

CUF_INLINE uint32_t cuf_odd32_of_uint64(uint64_t u)
{
    uint64_t folded = (u & ~UINT64_C(0x7ff)) | (uint64_t)((u & 0x7ff) != 0) << 11;
    uint64_t d = cuf_bits_of_double((double)(u >> 53 ? folded : u));
    uint64_t x = ((d >> 29) - (UINT64_C(896) << 23)) | ((d & 0x1fffffff) != 0);
    return d == 0 ? 0 : (uint32_t)x;
}

CUF_INLINE uint32_t cuf_odd32_of_uint32(uint32_t u) { return cuf_odd32_of_uint64(u); }

CUF_INLINE uint32_t cuf_odd32_of_int64(int64_t i)
{
    uint64_t sign = (uint64_t)(i >> 63);
    return cuf_odd32_of_uint64(((uint64_t)i ^ sign) - sign) | ((uint32_t)sign & CUF_F32_SIGN);
}

/*
 * The low 32 bits of the integer part, two's complement; 0 for NaN and infinities.
 * Every step is exact: the quotient by 2^32 is a shift of the exponent, and the remainder's bits
 * are some of the number's own. (Not so with a floor in float32: -1 modulo 2^32 has 32 bits.)
 */
CUF_INLINE uint32_t cuf_low32_of_float32(uint32_t x)
{
    float f = cuf_float_of((int32_t)(x & CUF_F32_MAGNITUDE) >= (int32_t)CUF_F32_INF ? 0 : x);
    float whole = truncf(f);
    float r = whole - truncf(whole * 0x1p-32f) * 0x1p32f;
    r = r >= 0x1p31f ? r - 0x1p32f : r;
    r = r < -0x1p31f ? r + 0x1p32f : r;
    return (uint32_t)(int32_t)r;
}

CUF_INLINE uint32_t cuf_low32_of_float64(uint64_t x)
{
    double f = cuf_double_of((int64_t)(x & CUF_F64_MAGNITUDE) >= (int64_t)CUF_F64_INF ? 0 : x);
    double whole = trunc(f);
    double r = whole - floor(whole * 0x1p-32) * 0x1p32;
    return (uint32_t)cuf_bits_of_double(r + 0x1p52);
}

/* The same to 64 bits, by shifting the significand. */
CUF_INLINE uint64_t cuf_low64_of_float64(uint64_t x)
{
    int shift = (int)(x >> 52 & 0x7ff) - 1075;
    uint64_t m = (x & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
    uint64_t left = shift < 64 ? m << (shift & 63) : 0;
    uint64_t right = shift > -64 ? m >> (-shift & 63) : 0;
    uint64_t u = shift >= 0 ? left : right;
    uint64_t sign = (uint64_t)((int64_t)x >> 63);
    return (u ^ sign) - sign;
}

CUF_INLINE uint64_t cuf_low64_of_float32(uint32_t x)
{
    return cuf_low64_of_float64(cuf_bits_of_double((double)cuf_float_of(x)));
}

#endif
