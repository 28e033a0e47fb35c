/*
 * Overrides in AVX-512 intrinsics: from wide floats to integers, and from integers to integers.
 *
 * Compilers narrow lanes by one vector after the other, see kernels_x86_vbmi_encode.c, and have
 * not enough to do for what a loop costs when an element is a byte.
 *
 * Independent of the floating-point environment, as all of kernels_x86_vbmi.h.
 */
#include "kernels_x86_vbmi.h"

/* --- floats: the low bits of the integer part, 0 for NaN and infinities --------------------- */

/*
 * Floats of so many bits, MAN of them the mantissa's, by shifting the significand: cf.
 * cuf_low64_of_float64. Of counts out of range, as unsigned, a shift gives 0: so do those of NaN
 * and infinities.
 */
#define CUF_LOW(BITS, MAN, BIAS)                                                                 \
    CUF_INLINE __m512i low##BITS(__m512i x)                                                      \
    {                                                                                            \
        const int##BITS##_t one = (int##BITS##_t)(INT64_C(1) << (MAN));                          \
        const __m512i leading = _mm512_set1_epi##BITS(one);                                      \
        const __m512i fraction = _mm512_set1_epi##BITS((int##BITS##_t)(one - 1));                \
        const __m512i fields = _mm512_set1_epi##BITS((1 << (BITS - 1 - (MAN))) - 1);             \
        const __m512i whole = _mm512_set1_epi##BITS((BIAS) + (MAN));                             \
        __m512i field = and_(_mm512_srli_epi##BITS(x, MAN), fields);                             \
        __m512i m = or_(and_(x, fraction), leading);                                             \
        __m512i left = _mm512_sllv_epi##BITS(m, _mm512_sub_epi##BITS(field, whole));             \
        __m512i right = _mm512_srlv_epi##BITS(m, _mm512_sub_epi##BITS(whole, field));            \
        __m512i u = or_(left, right);                                                            \
        return _mm512_mask_sub_epi##BITS(u, _mm512_movepi##BITS##_mask(x),                       \
                                         _mm512_setzero_si512(), u);                             \
    }
CUF_LOW(16, 7, 127) /* bfloat16 */
CUF_LOW(32, 23, 127)
CUF_LOW(64, 52, 1023)

/* float16, as float32; its infinity is not far enough for a shift to leave nothing. */
CUF_INLINE __m512i low32_of_half(__m512i x)
{
    __m512i a = and_(x, lanes(CUF_F32_MAGNITUDE));
    __mmask16 is_finite = _mm512_cmplt_epi32_mask(a, lanes(CUF_F32_INF));
    __m512 finite = _mm512_castsi512_ps(_mm512_maskz_mov_epi32(is_finite, x));
    return _mm512_cvtt_roundps_epi32(finite, QUIETLY);
}

/* Sixteen float64 to what their low 32 bits are. */
CUF_INLINE __m512i low32_of_float64(const unsigned char *at)
{
    return halves_of(low64(load(at)), low64(load(at + 64)), 0);
}

/* Sixteen float32. */
CUF_INLINE void store_low64(unsigned char *dst, __m512i x)
{
    for (int j = 0; j < 2; j++) {
        __m512d wide = _mm512_cvt_roundps_pd(_mm256_castsi256_ps(half_of(x, j)), QUIETLY);
        _mm512_storeu_si512(dst + 64 * j, low64(_mm512_castpd_si512(wide)));
    }
}

/* The low bits of what 16 LANES hold. */
#define CUF_UP_TO_16(FROM, SIZE, LANES)              \
    CUF_KERNEL_64(FROM##_to_1, SIZE, 1, 1, LANES)    \
    CUF_KERNEL_64(FROM##_to_2, SIZE, 1, 2, LANES)    \
    CUF_KERNEL_64(FROM##_to_4, SIZE, 1, 4, LANES)    \
    CUF_KERNEL_64(FROM##_to_8, SIZE, 1, 8, LANES)    \
    CUF_KERNEL_64(FROM##_to_16, SIZE, 2, 16, LANES)
#define CUF_UP_TO_32(FROM, SIZE, LANES)   \
    CUF_UP_TO_16(FROM, SIZE, LANES)       \
    CUF_KERNEL_64(FROM##_to_32, SIZE, 4, 32, LANES)

/* The same of the 32 words that WORDS makes of a vector. */
#define CUF_WORDS_TO(FROM, BITS, WORDS)                                                  \
    CUF_LOOP_64(FROM##_to_##BITS, 2, 1, {                                                \
        const __m512i low = WORDS(load(src)), high = WORDS(load(src + 64));              \
        store_codes(dst, bytes_of_words(low, high, 0), BITS);                            \
    })
#define CUF_WORDS_UP_TO_8(FROM, WORDS)  \
    CUF_WORDS_TO(FROM, 1, WORDS)        \
    CUF_WORDS_TO(FROM, 2, WORDS)        \
    CUF_WORDS_TO(FROM, 4, WORDS)        \
    CUF_WORDS_TO(FROM, 8, WORDS)

CUF_UP_TO_32(FLOAT64, 8, low32_of_float64(at))
CUF_UP_TO_32(FLOAT32, 4, low32(load_float32(at)))
CUF_UP_TO_32(FLOAT16, 2, low32_of_half(load_float16(at)))
CUF_WORDS_UP_TO_8(BFLOAT16, low16)
CUF_LOOP_64(BFLOAT16_to_16, 2, 2, {
    _mm512_storeu_si512(dst, low16(load(src)));
    _mm512_storeu_si512(dst + 64, low16(load(src + 64)));
})
CUF_KERNEL_64(BFLOAT16_to_32, 2, 4, 32, low32(load_bfloat16(at)))

CUF_LOOP_64(FLOAT64_to_64, 8, 8, {
    for (int j = 0; j < 8; j++) {
        _mm512_storeu_si512(dst + 64 * j, low64(load(src + 64 * j)));
    }
})

#define CUF_FLOAT_TO_64(FROM, SIZE, LOAD)                       \
    CUF_LOOP_64(FROM##_to_64, SIZE, 8, {                        \
        for (int j = 0; j < 4; j++) {                           \
            const unsigned char *at = src + 16 * j * (SIZE);    \
            store_low64(dst + 128 * j, LOAD);                   \
        }                                                       \
    })
CUF_FLOAT_TO_64(FLOAT32, 4, load_float32(at))
CUF_FLOAT_TO_64(BFLOAT16, 2, load_bfloat16(at))
CUF_FLOAT_TO_64(FLOAT16, 2, load_float16(at))

/* --- integers of a byte ----------------------------------------------------------------------- */

/* 64 codes of so many bits as numbers of 8 bits. */
CUF_INLINE __m512i extend(__m512i codes, int bits, int is_signed)
{
    if (bits == 8) {
        return codes;
    }
    const __m512i sign = _mm512_set1_epi8((char)(1 << (bits - 1)));
    codes = and_(codes, _mm512_set1_epi8((char)((1 << bits) - 1)));
    return is_signed ? _mm512_sub_epi8(_mm512_xor_si512(codes, sign), sign) : codes;
}

CUF_INLINE __m512i is_not_zero(__m512i numbers)
{
    return _mm512_maskz_mov_epi8(_mm512_test_epi8_mask(numbers, numbers), _mm512_set1_epi8(1));
}

CUF_INLINE void widen_2(unsigned char *dst, __m512i numbers, int is_signed)
{
    for (int j = 0; j < 2; j++) {
        const __m256i part = half_of(numbers, j);
        _mm512_storeu_si512(dst + 64 * j, is_signed ? _mm512_cvtepi8_epi16(part)
                                                    : _mm512_cvtepu8_epi16(part));
    }
}

CUF_INLINE void quarters_of(__m128i part[4], __m512i numbers)
{
    part[0] = _mm512_castsi512_si128(numbers);
    part[1] = _mm512_extracti32x4_epi32(numbers, 1);
    part[2] = _mm512_extracti32x4_epi32(numbers, 2);
    part[3] = _mm512_extracti32x4_epi32(numbers, 3);
}

CUF_INLINE void widen_4(unsigned char *dst, __m512i numbers, int is_signed)
{
    __m128i part[4];
    quarters_of(part, numbers);
    for (int j = 0; j < 4; j++) {
        _mm512_storeu_si512(dst + 64 * j, is_signed ? _mm512_cvtepi8_epi32(part[j])
                                                    : _mm512_cvtepu8_epi32(part[j]));
    }
}

CUF_INLINE void widen_8(unsigned char *dst, __m512i numbers, int is_signed)
{
    __m128i part[4];
    quarters_of(part, numbers);
    for (int j = 0; j < 8; j++) {
        const __m128i eight = j % 2 ? _mm_unpackhi_epi64(part[j / 2], part[j / 2]) : part[j / 2];
        _mm512_storeu_si512(dst + 64 * j, is_signed ? _mm512_cvtepi8_epi64(eight)
                                                    : _mm512_cvtepu8_epi64(eight));
    }
}

#define CUF_FROM_BYTES(ID, NUMBERS, SIGN)                                  \
    CUF_LOOP_64(ID##_to_1, 1, 1, store_codes(dst, NUMBERS, 1);)            \
    CUF_LOOP_64(ID##_to_2, 1, 1, store_codes(dst, NUMBERS, 2);)            \
    CUF_LOOP_64(ID##_to_4, 1, 1, store_codes(dst, NUMBERS, 4);)            \
    CUF_LOOP_64(ID##_to_8, 1, 1, store_codes(dst, NUMBERS, 8);)            \
    CUF_LOOP_64(ID##_to_16, 1, 2, widen_2(dst, NUMBERS, SIGN);)            \
    CUF_LOOP_64(ID##_to_32, 1, 4, widen_4(dst, NUMBERS, SIGN);)            \
    CUF_LOOP_64(ID##_to_64, 1, 8, widen_8(dst, NUMBERS, SIGN);)
#define CUF_STAMP_1(ID, bits, sign)                                                                \
    CUF_LOOP_64(ID##_to_bool, 1, 1, store_codes(dst, is_not_zero(extend(load(src), bits, 0)), 8);) \
    CUF_FROM_BYTES(ID, extend(load(src), bits, sign), sign)
#define CUF_STAMP_2(ID, bits, sign)
#define CUF_STAMP_4(ID, bits, sign)
#define CUF_STAMP_8(ID, bits, sign)
#define CUF_BOOL(ID, ...) CUF_FROM_BYTES(ID, is_not_zero(load(src)), 0)
#define CUF_INT(ID, name, owner, onnx, storage, bits, sign, twin) \
    CUF_STAMP_##storage(ID, bits, sign)
#include "formats.def"

/* --- wider integers: the low bits (what makes more of them compilers do well) ----------------- */

#define AS_THEY_ARE(words) words
CUF_WORDS_UP_TO_8(words, AS_THEY_ARE)
CUF_UP_TO_16(dwords, 4, load(at))
CUF_UP_TO_32(qwords, 8, halves_of(load(at), load(at + 64), 0))

/* --- the table -------------------------------------------------------------------------------- */

/* By the bits of a target: 1, 2, 4, ... 64. NULL where the plain kernel stays. */
typedef cuf_kernel *kernels_by_bits[7];

static void fill(cuf_kernels *kernels, cuf_type from, const kernels_by_bits to)
{
    for (int column = 0; column < CUF_PUBLIC_COLUMNS; column++) {
        const cuf_type type = cuf_column_infos[column].type;
        const int power = __builtin_ctz((unsigned)cuf_formats[type].bits);
        if (cuf_formats[type].kind == CUF_KIND_INT && type != from && to[power]) {
            kernels->at[from][column] = to[power];
            kernels->independent[from][column] = 1;
        }
    }
}

#define CUF_NAMES_TO_8(FROM) FROM##_to_1, FROM##_to_2, FROM##_to_4, FROM##_to_8
#define CUF_NAMES_TO_64(FROM) CUF_NAMES_TO_8(FROM), FROM##_to_16, FROM##_to_32, FROM##_to_64

void cuf_override_integer_x86_vbmi(cuf_kernels *kernels)
{
    fill(kernels, CUF_FLOAT64, (kernels_by_bits){CUF_NAMES_TO_64(FLOAT64)});
    fill(kernels, CUF_FLOAT32, (kernels_by_bits){CUF_NAMES_TO_64(FLOAT32)});
    fill(kernels, CUF_FLOAT16, (kernels_by_bits){CUF_NAMES_TO_64(FLOAT16)});
    fill(kernels, CUF_BFLOAT16, (kernels_by_bits){CUF_NAMES_TO_64(BFLOAT16)});
#define CUF_FILL_1(ID)                                                   \
    fill(kernels, CUF_##ID, (kernels_by_bits){CUF_NAMES_TO_64(ID)});        \
    kernels->at[CUF_##ID][CUF_TO_BOOL] = ID##_to_bool;
#define CUF_FILL_2(ID) fill(kernels, CUF_##ID, (kernels_by_bits){CUF_NAMES_TO_8(words)});
#define CUF_FILL_4(ID) \
    fill(kernels, CUF_##ID, (kernels_by_bits){CUF_NAMES_TO_8(dwords), dwords_to_16});
#define CUF_FILL_8(ID) \
    fill(kernels, CUF_##ID, (kernels_by_bits){CUF_NAMES_TO_8(qwords), qwords_to_16, qwords_to_32});
#define CUF_BOOL(ID, ...) fill(kernels, CUF_##ID, (kernels_by_bits){CUF_NAMES_TO_64(ID)});
#define CUF_INT(ID, name, owner, onnx, storage, ...) CUF_FILL_##storage(ID)
#include "formats.def"
}
