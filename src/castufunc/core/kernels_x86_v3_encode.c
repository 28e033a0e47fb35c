/*
 * Overrides in AVX2 intrinsics: float32, float16 and bfloat16 to the floats of a byte, 32 elements
 * at a time. Compilers vectorise codec_float.h too, but in lanes of 32 bits throughout, and spend
 * as much again on narrowing them.
 *
 * Here only the addition that rounds is done in 32-bit lanes, of the even and of the odd elements.
 * Clamping, exponents and NaN take lanes of 16 bits, and signs lanes of 8.
 *
 * What follows in the source is prefetched, and so are the lines to be written: the hardware's
 * own prefetching leaves a quarter of the memory's speed unused where so much is done in between.
 */
#include <immintrin.h>
#include <string.h>

#include "codec_float.h"
#include "kernels.h"

#define INLINE static inline __attribute__((always_inline))

INLINE __m256i words(uint32_t x) { return _mm256_set1_epi16((short)x); }
INLINE __m256i lanes(uint32_t x) { return _mm256_set1_epi32((int)x); }
INLINE __m256i and_(__m256i a, __m256i b) { return _mm256_and_si256(a, b); }
INLINE __m256i load(const unsigned char *src) { return _mm256_loadu_si256((const __m256i *)src); }

/* The lower words of lanes of 32 bits: of `even` in the even words, of `odd` in the odd ones. */
INLINE __m256i weave(__m256i even, __m256i odd)
{
    return _mm256_blend_epi16(even, _mm256_slli_epi32(odd, 16), 0xaa);
}

/* The code one past the largest finite one, or that itself; and what a NaN lies above it. */
INLINE uint32_t top_of(cuf_row r, int saturate) { return cuf_row_max(r) + (saturate ? 0 : 1); }

INLINE __m256i add_nan(__m256i code, __m256i is_nan, cuf_row r, int saturate)
{
    const uint32_t step = cuf_row_nan(r) - top_of(r, saturate);
    return step == 0   ? code
           : step == 1 ? _mm256_sub_epi16(code, is_nan)
                       : _mm256_add_epi16(code, and_(is_nan, words(step)));
}

/* --- 16 magnitudes' codes in 16-bit lanes, NaN aside ---------------------------------------- */

INLINE __m256i sum(__m256i a, __m256i b)
{
    return _mm256_castps_si256(_mm256_add_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)));
}

/*
 * Cf. cuf_encode_sum. The exponent field is added after the sum instead of by it: `above` is the
 * exponent above that of the smallest normal, at bit 7; `smallest` that one.
 */
INLINE __m256i sum_words(__m256i even, __m256i odd, __m256i above, uint32_t smallest, cuf_row r)
{
    const uint32_t drop = 23 - (uint32_t)r.man;
    __m256i m = _mm256_add_epi16(above, words((smallest + drop) << 7));
    __m256i field = _mm256_srli_epi16(above, 7 - r.man);
    even = sum(even, _mm256_slli_epi32(m, 16));
    odd = sum(odd, and_(m, lanes(0xffff0000)));
    return _mm256_add_epi16(weave(even, odd), field);
}

/* From the magnitudes' float32 patterns, and their upper words. */
INLINE __m256i sum_float32(__m256i even, __m256i odd, __m256i upper, cuf_row r)
{
    const uint32_t smallest = (uint32_t)(128 - r.bias);
    __m256i above = _mm256_subs_epu16(and_(upper, words(0x7f80)), words(smallest << 7));
    return sum_words(even, odd, above, smallest, r);
}

INLINE __m256i encode_bfloat16(__m256i x, cuf_row r, int saturate)
{
    const uint32_t limit = cuf_row_float32(r, top_of(r, saturate)) >> 16;
    __m256i a = and_(x, words(0x7fff));
    __m256i b = _mm256_min_epi16(a, words(limit));
    __m256i code = sum_float32(_mm256_slli_epi32(b, 16), and_(b, lanes(0xffff0000)), b, r);
    return add_nan(code, _mm256_cmpgt_epi16(a, words(0x7f80)), r, saturate);
}

/* Rounded to even, `drop` bits less. */
INLINE __m256i shift_words(__m256i x, int drop, uint32_t more)
{
    __m256i even = and_(_mm256_srli_epi16(x, drop), words(1));
    x = _mm256_add_epi16(x, words((1u << (drop - 1)) - 1 + (more << drop)));
    return _mm256_srli_epi16(_mm256_add_epi16(x, even), drop);
}

INLINE __m256i encode_float16(__m256i x, cuf_row r, int saturate)
{
    const uint32_t top = top_of(r, saturate);
    __m256i a = and_(x, words(0x7fff)), b, code;
    if (r.exp == 5) {
        /* Bias 15: float16's own exponent. One more: so are the codes above float16's subnormals,
           and those up to there are as evenly spaced as these; the lines cross there. */
        const int drop = 10 - r.man;
        const uint32_t more = r.bias == 15 ? 0 : 1u << r.man;
        b = _mm256_min_epi16(a, words((top - more) << drop));
        code = shift_words(b, drop, more);
        if (more) {
            code = _mm256_min_epi16(code, shift_words(b, drop - 1, 0));
        }
    }
    else {
        /* The exponents stay; cf. cuf_encode_float16. */
        const uint32_t smallest = (uint32_t)(16 - r.bias);
        const uint32_t limit = (cuf_row_float32(r, top) - (UINT32_C(112) << 23)) >> 13;
        b = _mm256_min_epi16(a, words(limit));
        __m256i above = _mm256_subs_epu16(and_(b, words(0x7c00)), words(smallest << 10));
        __m256i even = _mm256_srli_epi32(_mm256_slli_epi32(b, 16), 3);
        __m256i odd = and_(_mm256_srli_epi32(b, 3), lanes(0x0fffe000));
        code = sum_words(even, odd, _mm256_srli_epi16(above, 3), smallest, r);
    }
    return add_nan(code, _mm256_cmpgt_epi16(a, words(0x7c00)), r, saturate);
}

/* Of two vectors: the first's elements in the even lanes, the second's in the odd ones. */
INLINE __m256i encode_float32(__m256i x0, __m256i x1, cuf_row r, int saturate)
{
    const __m256i limit = lanes(cuf_row_float32(r, top_of(r, saturate)));
    __m256i a0 = and_(x0, lanes(CUF_F32_MAGNITUDE)), b0 = _mm256_min_epi32(a0, limit);
    __m256i a1 = and_(x1, lanes(CUF_F32_MAGNITUDE)), b1 = _mm256_min_epi32(a1, limit);
    __m256i upper = _mm256_blend_epi16(_mm256_srli_epi32(b0, 16), b1, 0xaa);
    __m256i code = sum_float32(b0, b1, upper, r);
    __m256i nan0 = _mm256_cmpgt_epi32(a0, lanes(CUF_F32_INF));
    __m256i nan1 = _mm256_cmpgt_epi32(a1, lanes(CUF_F32_INF));
    return add_nan(code, _mm256_blend_epi16(nan0, nan1, 0xaa), r, saturate);
}

/* --- 32 codes in 8-bit lanes ---------------------------------------------------------------- */

/* The signs are the topmost bits of `x`; cf. cuf_encode_sum and cuf_encode_float16. */
INLINE __m256i add_sign(__m256i code, __m256i x, cuf_row r)
{
    __m256i sign = and_(x, _mm256_set1_epi8((char)0x80));
    if (r.special == CUF_FNUZ) {
        __m256i is_zero = _mm256_cmpeq_epi8(code, _mm256_setzero_si256());
        return _mm256_or_si256(code, _mm256_andnot_si256(is_zero, sign));
    }
    return _mm256_xor_si256(code, r.bits < 8 ? _mm256_srli_epi16(sign, 8 - r.bits) : sign);
}

/* Packing with signed saturation keeps the signs. */
INLINE __m256i join_words(__m256i code0, __m256i code1, __m256i x0, __m256i x1, cuf_row r)
{
    __m256i codes = _mm256_packus_epi16(code0, code1);
    return _mm256_permute4x64_epi64(add_sign(codes, _mm256_packs_epi16(x0, x1), r), 0xd8);
}

INLINE __m256i float16_32(const unsigned char *src, cuf_row r, int saturate)
{
    __m256i x0 = load(src), x1 = load(src + 32);
    return join_words(encode_float16(x0, r, saturate), encode_float16(x1, r, saturate), x0, x1, r);
}

INLINE __m256i bfloat16_32(const unsigned char *src, cuf_row r, int saturate)
{
    __m256i x0 = load(src), x1 = load(src + 32);
    return join_words(encode_bfloat16(x0, r, saturate), encode_bfloat16(x1, r, saturate), x0, x1,
                      r);
}

INLINE __m256i float32_32(const unsigned char *src, cuf_row r, int saturate)
{
    /* the woven words of two vectors, to fours of each */
    const __m256i fours = _mm256_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15,
                                           0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15);
    __m256i x0 = load(src), x1 = load(src + 32), x2 = load(src + 64), x3 = load(src + 96);
    __m256i codes = _mm256_packus_epi16(encode_float32(x0, x1, r, saturate),
                                        encode_float32(x2, x3, r, saturate));
    __m256i signs = _mm256_packs_epi16(_mm256_packs_epi32(x0, x1), _mm256_packs_epi32(x2, x3));
    codes = add_sign(_mm256_shuffle_epi8(codes, fours), signs, r);
    return _mm256_permutevar8x32_epi32(codes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/* --- kernels -------------------------------------------------------------------------------- */

#ifndef AHEAD_SRC
#define AHEAD_SRC 4096
#define AHEAD_DST 1024
#endif

INLINE const void *ahead(const void *p, size_t bytes)
{
    return (const void *)((uintptr_t)p + bytes);
}

/* The contract of kernel_loop.h; CODES is the results of 32 elements at `src`, of FROM bytes. */
#define CUF_KERNEL_32(NAME, FROM, CODES)                                           \
    INLINE void NAME##_32(const unsigned char *src, unsigned char *dst)            \
    {                                                                              \
        _mm256_storeu_si256((__m256i *)dst, (CODES));                              \
    }                                                                              \
    static void NAME(const void *source, void *destination, size_t n)              \
    {                                                                              \
        const unsigned char *src = source;                                         \
        unsigned char *dst = destination;                                          \
        if (n < 32) {                                                              \
            unsigned char in[32 * (FROM)] = {0}, out[32];                          \
            memcpy(in, src, n * (FROM));                                           \
            NAME##_32(in, out);                                                    \
            memcpy(dst, out, n);                                                   \
            return;                                                                \
        }                                                                          \
        size_t i = 0;                                                              \
        for (; i + 32 <= n; i += 32) {                                             \
            for (int line = 0; line < 32 * (FROM); line += 64) {                   \
                __builtin_prefetch(ahead(src + i * (FROM) + line, AHEAD_SRC));     \
            }                                                                      \
            __builtin_prefetch(ahead(dst + i, AHEAD_DST), 1);                      \
            NAME##_32(src + i * (FROM), dst + i);                                  \
        }                                                                          \
        if (i < n) {                                                               \
            NAME##_32(src + (n - 32) * (FROM), dst + (n - 32));                    \
        }                                                                          \
    }

#define CUF_ENCODERS(ID, MODE, SAT, ROUND)                                                   \
    CUF_KERNEL_32(float32_to_##ID##MODE, 4, float32_32(src, cuf_row_##ID, SAT))              \
    CUF_KERNEL_32(float16_to_##ID##MODE, 2, float16_32(src, cuf_row_##ID, SAT))              \
    CUF_KERNEL_32(bfloat16_to_##ID##MODE, 2, bfloat16_32(src, cuf_row_##ID, SAT))

#define CUF_SET(ID, MODE, SAT, ROUND)                                             \
    kernels->at[CUF_FLOAT32][CUF_TO_##ID##MODE] = float32_to_##ID##MODE;          \
    kernels->at[CUF_FLOAT16][CUF_TO_##ID##MODE] = float16_to_##ID##MODE;          \
    kernels->at[CUF_BFLOAT16][CUF_TO_##ID##MODE] = bfloat16_to_##ID##MODE;

/* Floats of one byte with a mantissa: storage and special decide. */
#define CUF_FOR_1_IEEE(WHAT, ID, modes) CUF_COLUMNS_##modes(WHAT, ID)
#define CUF_FOR_1_FN CUF_FOR_1_IEEE
#define CUF_FOR_1_FNUZ CUF_FOR_1_IEEE
#define CUF_FOR_1_FINITE CUF_FOR_1_IEEE
#define CUF_FOR_1_POWER(WHAT, ID, modes)
#define CUF_FOR_2_IEEE(WHAT, ID, modes)
#define CUF_FOR_4_IEEE(WHAT, ID, modes)
#define CUF_FOR_8_IEEE(WHAT, ID, modes)

#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_FOR_##storage##_##special(CUF_ENCODERS, ID, modes)
#include "formats.def"

void cuf_fill_encode_overrides_x86_v3(cuf_kernels *kernels)
{
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_FOR_##storage##_##special(CUF_SET, ID, modes)
#include "formats.def"
}
