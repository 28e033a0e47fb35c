/*
 * Encode and decode a narrow float format from and to float32, as bit patterns.
 *
 * Every function is always inlined and is called with a constant row, so that nothing of the row
 * is left at run time; with a row read from memory the same code is ten times slower.
 * All are branch-free and vectorise with gcc and clang. They need round-to-nearest-even and no
 * flushing of subnormals (see fpenv.h).
 */
#ifndef CUF_CODEC_FLOAT_H
#define CUF_CODEC_FLOAT_H

#include "bits.h"
#include "formats.h"

typedef struct {
    int bits, exp, man, bias;
    cuf_special special;
} cuf_row;

/* cuf_row_FLOAT8E5M2 and so on. */
#if defined(__GNUC__) || defined(__clang__)
#define CUF_UNUSED __attribute__((unused))
#else
#define CUF_UNUSED
#endif
#define CUF_FLOAT(ID, name, owner, onnx, storage, BITS, sign, EXP, MAN, BIAS, SPECIAL, modes, twin) \
    CUF_UNUSED static const cuf_row cuf_row_##ID = {BITS, EXP, MAN, BIAS, CUF_##SPECIAL};
#include "formats.def"

/* Codes of the magnitude (sign bit clear). */
CUF_INLINE uint32_t cuf_row_max(cuf_row r)
{
    switch (r.special) {
    case CUF_IEEE: return (((UINT32_C(1) << r.exp) - 1) << r.man) - 1;
    case CUF_FN: return (UINT32_C(1) << (r.exp + r.man)) - 2;
    default: return (UINT32_C(1) << (r.exp + r.man)) - 1;
    }
}

/* The NaN's code; for a finite format the code where a NaN goes: zero with the sign flipped. */
CUF_INLINE uint32_t cuf_row_nan(cuf_row r)
{
    uint32_t next = cuf_row_max(r) + 1;
    return r.special == CUF_IEEE ? next + (UINT32_C(1) << (r.man - 1)) : next;
}

/* The float32 pattern of a normal code; also right for the code one past the largest. */
CUF_INLINE uint32_t cuf_row_float32(cuf_row r, uint32_t code)
{
    uint32_t field = (code >> r.man) + (uint32_t)(127 - r.bias);
    return field << 23 | (code & ((UINT32_C(1) << r.man) - 1)) << (23 - r.man);
}

/*
 * float32 to a format whose exponent range lies inside float32's with `man` bits to spare.
 *
 * One float addition does the rounding: `m` is a power of two so large that one ULP of the sum is
 * one ULP of the target at this magnitude, and the low bits of `m` already hold the exponent
 * field and the sign; the sum's low bits are the finished code. A tie goes to the even code.
 *
 * `scale` says that x is 2^-scale times the number, and infinity 2^-scale times 2^(128 - scale):
 * a float16 that was only shifted into place (cuf_encode_float16). Else it is 0.
 */
CUF_INLINE uint32_t cuf_encode_sum(uint32_t x, cuf_row r, int saturate, int scale)
{
    const int drop = 23 - r.man;
    const uint32_t top = cuf_row_max(r) + (saturate ? 0 : 1);
    const uint32_t limit = cuf_row_float32(r, top) - ((uint32_t)scale << 23);
    const uint32_t emin = (uint32_t)(128 - r.bias - scale) << 23;
    const uint32_t infinite = CUF_F32_INF - ((uint32_t)scale << 24);
    const uint32_t offset = ((uint32_t)drop << 23) - (emin >> drop);
    const uint32_t sign_bit = UINT32_C(1) << (r.bits - 1);

    uint32_t a = x & CUF_F32_MAGNITUDE;
    uint32_t b = cuf_min32(a, limit);
    uint32_t e = cuf_max32(b & CUF_F32_INF, emin);
    uint32_t sign = x >> (32 - r.bits) & sign_bit;
    uint32_t low = (int32_t)a > (int32_t)infinite ? cuf_row_nan(r) - top : 0;
    if (r.special == CUF_FNUZ) {
        /* No -0: the sign only above half the smallest subnormal. NaN and -NaN are one code. */
        const uint32_t half = (uint32_t)(127 - r.bias - r.man - scale) << 23;
        sign = (int32_t)b > (int32_t)half ? sign : 0;
        uint32_t m = e + (e >> drop) + offset + low;
        return (cuf_bits_of_float(cuf_float_of(b) + cuf_float_of(m)) | sign) & (2 * sign_bit - 1);
    }
    uint32_t m = e + (e >> drop) + offset + (low + sign);
    return cuf_bits_of_float(cuf_float_of(b) + cuf_float_of(m)) & (2 * sign_bit - 1);
}

/* float32 to a format with float32's exponent field: bfloat16. */
CUF_INLINE uint32_t cuf_encode_shift(uint32_t x, cuf_row r)
{
    const int drop = 23 - r.man;
    uint32_t even = x >> drop & 1;
    uint32_t rounded = x + (UINT32_C(1) << (drop - 1)) - 1 + even;
    uint32_t nan = (x & CUF_F32_SIGN) | CUF_F32_NAN;
    return ((int32_t)(x & CUF_F32_MAGNITUDE) > (int32_t)CUF_F32_INF ? nan : rounded) >> drop;
}

/* float32 to float8e8m0. "Outside" is judged before rounding; -0, negatives and -inf are outside. */
CUF_INLINE uint32_t cuf_encode_power(uint32_t x, int saturate, cuf_round round)
{
    /* 2^-127 is a float32 subnormal: below 2^-126 the exponent field does not tell the power. */
    const uint32_t smallest = 0x00400000, largest = 0x7f000000, middle = 0x00600000;
    uint32_t inside = cuf_min32(cuf_max32(x, smallest), largest);
    uint32_t code;
    switch (round) {
    case CUF_UP: code = ((inside + 0x007fffff) >> 23) - (inside == smallest); break;
    case CUF_DOWN: code = inside >> 23; break;
    default: code = ((inside + 0x00400000) >> 23) - ((int32_t)inside < (int32_t)middle); break;
    }
    if (saturate) {
        int is_nan = (int32_t)(x & CUF_F32_MAGNITUDE) > (int32_t)CUF_F32_INF;
        return is_nan ? 0xff : code;
    }
    return inside == x ? code : 0xff;
}

CUF_INLINE uint32_t cuf_encode(uint32_t x, cuf_row r, int saturate, cuf_round round)
{
    if (r.special == CUF_POWER) {
        return cuf_encode_power(x, saturate, round);
    }
    if (r.exp == 8) {
        return cuf_encode_shift(x, r);
    }
    /* Of the formats with one mode, those with an infinity overflow to it, the others saturate. */
    return cuf_encode_sum(x, r, r.bits == 16 ? 0 : saturate, 0);
}

/* float16's field widths leave no room for the plain line of cuf_decode: three cases, selected. */
CUF_INLINE uint32_t cuf_decode_float16(uint32_t h)
{
    const uint32_t rebias = UINT32_C(112) << 23, infinite = UINT32_C(31) << 23;
    uint32_t a = (h & 0x7fff) << 13;
    uint32_t sign = (h & 0x8000) << 16;
    uint32_t subnormal = cuf_bits_of_float(cuf_float_of(a + (UINT32_C(113) << 23)) -
                                           cuf_float_of(UINT32_C(113) << 23));
    uint32_t r = (int32_t)a < (1 << 23) ? subnormal : a + rebias;
    r = (int32_t)a >= (int32_t)infinite ? CUF_F32_INF : r;
    r = (int32_t)a > (int32_t)infinite ? CUF_F32_NAN : r;
    return r | sign;
}

/* float16 to a format with its exponent field, float8e5m2, in 16-bit lanes. */
CUF_INLINE uint16_t cuf_encode_halves(uint16_t h, cuf_row r, int saturate)
{
    const int drop = 10 - r.man;
    const int16_t largest = (int16_t)(cuf_row_max(r) << drop), infinite = 0x7c00;
    const uint16_t nan = (uint16_t)(cuf_row_nan(r) << drop);
    int16_t a = (int16_t)(h & 0x7fff);
    int16_t b = saturate && a > largest ? largest : a;
    uint16_t even = (uint16_t)(b >> drop & 1);
    uint16_t rounded = (uint16_t)(b + (1 << (drop - 1)) - 1 + even);
    rounded = a > infinite ? nan : rounded;
    return (uint16_t)((rounded | (h & 0x8000)) >> drop);
}

/* float16 to a narrow float, without making a float32 of it where the exponents allow that. */
CUF_INLINE uint32_t cuf_encode_float16(uint16_t h, cuf_row r, int saturate, cuf_round round)
{
    if (r.exp == 5 && r.special == CUF_IEEE && r.bits == 8) {
        return cuf_encode_halves(h, r, saturate);
    }
    if (r.exp <= 5 && r.bias <= 15) {
        uint32_t x = (uint32_t)(h & 0x7fff) << 13;
        if (r.special == CUF_FNUZ) {
            return cuf_encode_sum(x | (uint32_t)(h & 0x8000) << 16, r, saturate, 112);
        }
        /* The sign comes last, in narrower lanes; of a NaN that went to zero it is flipped. */
        uint8_t code = (uint8_t)cuf_encode_sum(x, r, saturate, 112);
        return code ^ (uint8_t)(h >> (16 - r.bits) & (1 << (r.bits - 1)));
    }
    return cuf_encode(cuf_decode_float16(h), r, saturate, round);
}

CUF_INLINE uint32_t cuf_decode_shift(uint32_t c, cuf_row r)
{
    uint32_t x = c << (23 - r.man);
    uint32_t nan = (x & CUF_F32_SIGN) | CUF_F32_NAN;
    return (int32_t)(x & CUF_F32_MAGNITUDE) > (int32_t)CUF_F32_INF ? nan : x;
}

CUF_INLINE uint32_t cuf_decode_power(uint32_t c)
{
    c &= 0xff;
    uint32_t x = c == 0 ? 0x00400000 : c << 23;
    return c == 0xff ? CUF_F32_NAN : x;
}

/*
 * A narrow code to float32, exactly. `n` reads the code as if it were normal; `u` lifts it one
 * octave and takes the leading one away, which is right for subnormals. Each is too large where
 * the other is right, and positive floats order as integers: the smaller is the value.
 */
CUF_INLINE uint32_t cuf_decode(uint32_t c, cuf_row r)
{
    if (r.special == CUF_POWER) {
        return cuf_decode_power(c);
    }
    if (r.exp == 8) {
        return cuf_decode_shift(c, r);
    }
    if (r.bits == 16) {
        return cuf_decode_float16(c);
    }
    const uint32_t sign_bit = UINT32_C(1) << (r.bits - 1);
    const uint32_t one = UINT32_C(1) << 23;
    uint32_t a = c & (sign_bit - 1);
    uint32_t n = (a << (23 - r.man)) + ((uint32_t)(127 - r.bias) << 23);
    uint32_t u = cuf_bits_of_float(cuf_float_of(n + one) -
                                   cuf_float_of((uint32_t)(128 - r.bias) << 23));
    uint32_t x = cuf_min32(n, u);
    if (r.special == CUF_IEEE) {
        x = a > cuf_row_max(r) ? CUF_F32_INF : x;
        x = a > cuf_row_max(r) + 1 ? CUF_F32_NAN : x;
    }
    if (r.special == CUF_FN) {
        x = a > cuf_row_max(r) ? CUF_F32_NAN : x;
    }
    x |= (c & sign_bit) << (32 - r.bits);
    if (r.special == CUF_FNUZ) {
        x = x == CUF_F32_SIGN ? CUF_F32_SIGN | CUF_F32_NAN : x;
    }
    return x;
}

#endif
