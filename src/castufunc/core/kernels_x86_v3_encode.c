/*
 * Overrides in AVX2 intrinsics: float32, float16 and bfloat16 to the floats of a byte, 32 elements
 * at a time. Compilers vectorise codec_float.h too, but in lanes of 32 bits throughout, and spend
 * as much again on narrowing them. Here only what needs the precision has 32-bit lanes, which hold
 * the even and the odd elements; the rest is done in lanes of 16 bits, and signs in lanes of 8.
 */
#include "codec_float.h"
#include "kernels_x86_v3.h"

CUF_INLINE __m256i words(uint32_t x) { return _mm256_set1_epi16((short)x); }
CUF_INLINE __m256i lanes(uint32_t x) { return _mm256_set1_epi32((int)x); }

/* The lower halves of 32-bit lanes, those of `even` in the even words. */
CUF_INLINE __m256i weave(__m256i even, __m256i odd)
{
    return _mm256_blend_epi16(even, _mm256_slli_epi32(odd, 16), 0xaa);
}

/* Words as the upper halves of 32-bit lanes. */
CUF_INLINE __m256i even_of(__m256i x) { return _mm256_slli_epi32(x, 16); }
CUF_INLINE __m256i odd_of(__m256i x) { return and_(x, lanes(0xffff0000)); }

/* The code at which magnitudes are clamped, and then what NaN's code has more. */
CUF_INLINE uint32_t top_of(cuf_row r, int saturate) { return cuf_row_max(r) + (saturate ? 0 : 1); }

CUF_INLINE __m256i add_nan(__m256i code, __m256i is_nan, cuf_row r, int saturate)
{
    const uint32_t more = cuf_row_nan(r) - top_of(r, saturate);
    return more == 0   ? code
           : more == 1 ? _mm256_sub_epi16(code, is_nan)
                       : _mm256_add_epi16(code, and_(is_nan, words(more)));
}

/* --- the codes of 16 magnitudes, in words ---------------------------------------------------- */

CUF_INLINE __m256i sum(__m256i a, __m256i b)
{
    return _mm256_castps_si256(_mm256_add_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b)));
}

/*
 * cf. cuf_encode_sum: of clamped float32 patterns, whose upper halves are `upper` in this order.
 * The exponent field is added to the words, not by the sum.
 */
CUF_INLINE __m256i encode_sum(__m256i even, __m256i odd, __m256i upper, cuf_row r)
{
    const uint32_t smallest = (uint32_t)(128 - r.bias), drop = 23 - (uint32_t)r.man;
    __m256i above = _mm256_subs_epu16(and_(upper, words(0x7f80)), words(smallest << 7));
    __m256i m = _mm256_add_epi16(above, words((smallest + drop) << 7));
    __m256i rounded = weave(sum(even, even_of(m)), sum(odd, odd_of(m)));
    return _mm256_add_epi16(rounded, _mm256_srli_epi16(above, 7 - r.man));
}

CUF_INLINE __m256i encode_bfloat16(__m256i x, cuf_row r, int saturate)
{
    const uint32_t limit = cuf_row_float32(r, top_of(r, saturate)) >> 16;
    __m256i a = and_(x, words(0x7fff));
    __m256i b = _mm256_min_epi16(a, words(limit));
    __m256i code = encode_sum(even_of(b), odd_of(b), b, r);
    return add_nan(code, _mm256_cmpgt_epi16(a, words(0x7f80)), r, saturate);
}

/* x / 2^drop + more, rounded to even; the average does not overflow. */
CUF_INLINE __m256i round_words(__m256i x, int drop, uint32_t more)
{
    __m256i odd = and_(_mm256_srli_epi16(x, drop), words(1));
    __m256i half = _mm256_add_epi16(odd, words((1u << (drop - 1)) - 2 + (more << drop)));
    return _mm256_srli_epi16(_mm256_avg_epu16(x, half), drop - 1);
}

/*
 * From float16 in words throughout. Its significands, multiplied by a power of two that falls with
 * the exponent below that of the smallest normal, are fixed-point numbers of 11 fractional bits.
 */
CUF_INLINE __m256i encode_fixed(__m256i b, cuf_row r)
{
    const int smallest = 16 - r.bias;
#define CUF_FACTOR(e) (char)((e) > smallest ? 0 : (2 << r.man) >> (smallest - (e)))
    const __m256i factors = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        CUF_FACTOR(0), CUF_FACTOR(1), CUF_FACTOR(2), CUF_FACTOR(3), CUF_FACTOR(4), CUF_FACTOR(5),
        CUF_FACTOR(6), CUF_FACTOR(7), CUF_FACTOR(8), CUF_FACTOR(9), CUF_FACTOR(10), CUF_FACTOR(11),
        CUF_FACTOR(12), CUF_FACTOR(13), CUF_FACTOR(14), CUF_FACTOR(15)));
    __m256i e = _mm256_srli_epi16(b, 10);
    __m256i factor = _mm256_shuffle_epi8(factors, _mm256_min_epi16(e, words((uint32_t)smallest)));
    __m256i significand = _mm256_or_si256(and_(b, words(0x3ff)), words(0x400));
    __m256i above = _mm256_subs_epu16(e, words((uint32_t)smallest));
    return _mm256_add_epi16(round_words(_mm256_mullo_epi16(significand, factor), 11, 0),
                            _mm256_slli_epi16(above, r.man));
}

CUF_INLINE __m256i encode_float16(__m256i x, cuf_row r, int saturate)
{
    const uint32_t top = top_of(r, saturate);
    __m256i a = and_(x, words(0x7fff)), code;
    if (r.exp == 5) {
        /* float16's own exponent, or one more: then the codes up to float16's smallest normal are
           as evenly spaced as those of the next octave, on a line that is the lower one there */
        const int drop = 10 - r.man;
        const uint32_t more = r.bias == 15 ? 0 : UINT32_C(1) << r.man;
        __m256i b = _mm256_min_epi16(a, words((top - more) << drop));
        code = round_words(b, drop, more);
        code = more ? _mm256_min_epi16(code, round_words(b, drop - 1, 0)) : code;
    }
    else {
        const uint32_t limit = (cuf_row_float32(r, top) - (UINT32_C(112) << 23)) >> 13;
        code = encode_fixed(_mm256_min_epi16(a, words(limit)), r);
    }
    return add_nan(code, _mm256_cmpgt_epi16(a, words(0x7c00)), r, saturate);
}

/* Of two vectors, the first's elements to the even words. */
CUF_INLINE __m256i encode_float32(__m256i x0, __m256i x1, cuf_row r, int saturate)
{
    const __m256i limit = lanes(cuf_row_float32(r, top_of(r, saturate)));
    __m256i a0 = and_(x0, lanes(CUF_F32_MAGNITUDE)), b0 = _mm256_min_epi32(a0, limit);
    __m256i a1 = and_(x1, lanes(CUF_F32_MAGNITUDE)), b1 = _mm256_min_epi32(a1, limit);
    __m256i upper = _mm256_blend_epi16(_mm256_srli_epi32(b0, 16), b1, 0xaa);
    __m256i code = encode_sum(b0, b1, upper, r);
    __m256i nan0 = _mm256_cmpgt_epi32(a0, lanes(CUF_F32_INF));
    __m256i nan1 = _mm256_cmpgt_epi32(a1, lanes(CUF_F32_INF));
    return add_nan(code, _mm256_blend_epi16(nan0, nan1, 0xaa), r, saturate);
}

/* cf. cuf_encode_power: the low bytes of 32-bit lanes. */
CUF_INLINE __m256i power_lanes(__m256i x, int saturate, cuf_round round)
{
    const __m256i smallest = lanes(0x00400000), largest = lanes(0x7f000000);
    __m256i inside = _mm256_min_epi32(_mm256_max_epi32(x, smallest), largest);
    __m256i code;
    if (round == CUF_UP) {
        code = _mm256_srli_epi32(_mm256_add_epi32(inside, lanes(0x007fffff)), 23);
        code = _mm256_add_epi32(code, _mm256_cmpeq_epi32(inside, smallest));
    }
    else if (round == CUF_DOWN) {
        code = _mm256_srli_epi32(inside, 23);
    }
    else {
        code = _mm256_srli_epi32(_mm256_add_epi32(inside, lanes(0x00400000)), 23);
        code = _mm256_add_epi32(code, _mm256_cmpgt_epi32(lanes(0x00600000), inside));
    }
    if (saturate) {
        __m256i a = and_(x, lanes(CUF_F32_MAGNITUDE));
        return _mm256_or_si256(code, _mm256_cmpgt_epi32(a, lanes(CUF_F32_INF)));
    }
    return _mm256_blendv_epi8(lanes(0xff), code, _mm256_cmpeq_epi32(inside, x));
}

CUF_INLINE __m256i encode_power(__m256i even, __m256i odd, int saturate, cuf_round round)
{
    __m256i codes = weave(power_lanes(even, saturate, round), power_lanes(odd, saturate, round));
    return and_(codes, words(0xff));
}

/* --- 32 codes in order ----------------------------------------------------------------------- */

/* The sign is the topmost bit; cf. cuf_encode_sum and cuf_encode_float16. */
CUF_INLINE __m256i add_sign(__m256i code, __m256i signs, cuf_row r)
{
    __m256i sign = and_(signs, _mm256_set1_epi8((char)0x80));
    if (r.special == CUF_FNUZ) {
        __m256i is_zero = _mm256_cmpeq_epi8(code, _mm256_setzero_si256());
        return _mm256_or_si256(code, _mm256_andnot_si256(is_zero, sign));
    }
    return _mm256_xor_si256(code, _mm256_srli_epi16(sign, 8 - r.bits));
}

/* Packing works within halves; with signed saturation it keeps the signs of `x0` and `x1`. */
CUF_INLINE __m256i join(__m256i code0, __m256i code1, __m256i x0, __m256i x1, cuf_row r)
{
    __m256i codes = _mm256_packus_epi16(code0, code1);
    if (r.special != CUF_POWER) {
        codes = add_sign(codes, _mm256_packs_epi16(x0, x1), r);
    }
    return _mm256_permute4x64_epi64(codes, 0xd8);
}

CUF_INLINE __m256i float16_32(const unsigned char *src, cuf_row r, int saturate, cuf_round round)
{
    __m256i x0 = load(src), x1 = load(src + 32);
    (void)round;
    return join(encode_float16(x0, r, saturate), encode_float16(x1, r, saturate), x0, x1, r);
}

CUF_INLINE __m256i bfloat16_32(const unsigned char *src, cuf_row r, int saturate, cuf_round round)
{
    __m256i x0 = load(src), x1 = load(src + 32);
    if (r.special == CUF_POWER) {
        return join(encode_power(even_of(x0), odd_of(x0), saturate, round),
                    encode_power(even_of(x1), odd_of(x1), saturate, round), x0, x1, r);
    }
    return join(encode_bfloat16(x0, r, saturate), encode_bfloat16(x1, r, saturate), x0, x1, r);
}

CUF_INLINE __m256i float32_32(const unsigned char *src, cuf_row r, int saturate, cuf_round round)
{
    /* within halves the codes of two vectors, and then those of two more, alternate */
    const __m256i fours = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15));
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    __m256i x0 = load(src), x1 = load(src + 32), x2 = load(src + 64), x3 = load(src + 96);
    __m256i codes;
    if (r.special == CUF_POWER) {
        codes = _mm256_packus_epi16(encode_power(x0, x1, saturate, round),
                                    encode_power(x2, x3, saturate, round));
        codes = _mm256_shuffle_epi8(codes, fours);
    }
    else {
        codes = _mm256_packus_epi16(encode_float32(x0, x1, r, saturate),
                                    encode_float32(x2, x3, r, saturate));
        __m256i signs = _mm256_packs_epi16(_mm256_packs_epi32(x0, x1), _mm256_packs_epi32(x2, x3));
        codes = add_sign(_mm256_shuffle_epi8(codes, fours), signs, r);
    }
    return _mm256_permutevar8x32_epi32(codes, order);
}

/* --- kernels -------------------------------------------------------------------------------- */

/*
 * Hints to fetch what follows in the source: worth 3 to 5 % where it comes from memory, and free
 * elsewhere. Measured on Zen 4: a little further ahead, from 640 bytes on, they cost 20 %.
 */
enum { AHEAD = 512 };

CUF_INLINE void fetch_ahead(const unsigned char *src, int size)
{
    for (int line = 0; line < size; line += 64) {
        __builtin_prefetch((const void *)((uintptr_t)src + (uintptr_t)(AHEAD + line)));
    }
}

/* CODES is the results of 32 elements at `src`, of FROM bytes. */
#define CUF_KERNEL_32(NAME, FROM, CODES)    \
    CUF_LOOP_32(NAME, FROM, 1, {            \
        fetch_ahead(src, 32 * (FROM));      \
        store(dst, CODES);                  \
    })

#define CUF_ENCODERS(ID, MODE, SAT, ROUND)                                                    \
    CUF_KERNEL_32(float32_to_##ID##MODE, 4, float32_32(src, cuf_row_##ID, SAT, ROUND))        \
    CUF_KERNEL_32(float16_to_##ID##MODE, 2, float16_32(src, cuf_row_##ID, SAT, ROUND))        \
    CUF_KERNEL_32(bfloat16_to_##ID##MODE, 2, bfloat16_32(src, cuf_row_##ID, SAT, ROUND))
#define CUF_ENCODERS_1 CUF_ENCODERS
#define CUF_ENCODERS_2(ID, MODE, SAT, ROUND)
#define CUF_ENCODERS_4(ID, MODE, SAT, ROUND)
#define CUF_ENCODERS_8(ID, MODE, SAT, ROUND)

#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_COLUMNS_##modes(CUF_ENCODERS_##storage, ID)
#include "formats.def"

/* The ways from float16 need exponents well inside its own, or the same, or one lower. */
static int near_float16(cuf_row r)
{
    return r.exp == 5 ? r.bias == 15 || r.bias == 16
                      : r.exp < 5 && r.bias >= 1 && 16 - r.bias > r.man + 1;
}

static void put(cuf_kernels *kernels, cuf_type from, cuf_column to, cuf_kernel *kernel,
                int independent)
{
    kernels->at[from][to] = kernel;
    kernels->independent[from][to] = (unsigned char)independent;
}

/* The encoders that round by an addition in float32 depend on how that rounds. */
#define CUF_SET_1(ID, MODE, SAT, ROUND)                                           \
    put(kernels, CUF_FLOAT32, CUF_TO_##ID##MODE, float32_to_##ID##MODE,           \
        cuf_row_##ID.special == CUF_POWER);                                       \
    put(kernels, CUF_BFLOAT16, CUF_TO_##ID##MODE, bfloat16_to_##ID##MODE,         \
        cuf_row_##ID.special == CUF_POWER);                                       \
    if (near_float16(cuf_row_##ID)) {                                             \
        put(kernels, CUF_FLOAT16, CUF_TO_##ID##MODE, float16_to_##ID##MODE, 1);   \
    }
#define CUF_SET_2(ID, MODE, SAT, ROUND)
#define CUF_SET_4(ID, MODE, SAT, ROUND)
#define CUF_SET_8(ID, MODE, SAT, ROUND)

void cuf_override_encode_x86_v3(cuf_kernels *kernels)
{
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_COLUMNS_##modes(CUF_SET_##storage, ID)
#include "formats.def"
}
