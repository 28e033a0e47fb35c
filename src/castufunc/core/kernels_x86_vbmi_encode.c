/*
 * Overrides in AVX-512 intrinsics: the encoders of codec_float.h and codec_wide.h, 64 elements at
 * a time. Compilers vectorise those too, but spend half the time on narrowing 32-bit lanes to
 * bytes, which VBMI does in one instruction for two vectors.
 *
 * The encoders are independent of the floating-point environment: what rounds says how, and
 * suppresses exceptions; and no result hangs on a float32 subnormal.
 */
#include <immintrin.h>
#include <string.h>

#include "codec_float.h"
#include "kernels.h"

#define INLINE static inline __attribute__((always_inline))

#define QUIETLY _MM_FROUND_NO_EXC
#define CUT (_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)
#define NEAREST (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)

INLINE __m512i lanes(uint32_t x) { return _mm512_set1_epi32((int)x); }
INLINE __m512i and_(__m512i a, __m512i b) { return _mm512_and_si512(a, b); }
INLINE __m512i or_(__m512i a, __m512i b) { return _mm512_or_si512(a, b); }
INLINE __m512i add(__m512i a, __m512i b) { return _mm512_add_epi32(a, b); }

/* --- sources: 16 elements as float32 patterns that one more rounding makes right ----------- */

INLINE __m512i load_float32(const unsigned char *src) { return _mm512_loadu_si512(src); }

INLINE __m512i load_bfloat16(const unsigned char *src)
{
    __m256i half = _mm256_loadu_si256((const __m256i *)src);
    return _mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16);
}

INLINE __m512i load_float16(const unsigned char *src)
{
    __m256i half = _mm256_loadu_si256((const __m256i *)src);
    return _mm512_castps_si512(_mm512_cvt_roundph_ps(half, QUIETLY));
}

/*
 * Sixteen float64 patterns, cf. cuf_near32_of_float64 and cuf_odd32_of_float64. What lies below
 * 2^-126 may become 2^-126 where the target has nothing so small (NO_LOW), else it is kept
 * (LOW_TOO); of an integer there is only zero (ZERO).
 */
typedef enum { NO_LOW, LOW_TOO, ZERO } low_values;

INLINE __m512i near32(__m512i d0, __m512i d1, low_values low_values)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i tiny = lanes(UINT32_C(897) << 20), huge = lanes((UINT32_C(1151) << 20) - 1);
    __m512i high = _mm512_permutex2var_epi32(d0, add(even, lanes(1)), d1);
    __m512i low = _mm512_permutex2var_epi32(d0, even, d1);
    __m512i w = and_(high, lanes(CUF_F32_MAGNITUDE));
    w = _mm512_mask_or_epi32(w, _mm512_test_epi32_mask(low, low), w, lanes(1));
    __m512i c = _mm512_min_epi32(_mm512_max_epi32(w, tiny), huge);
    __m512i x = _mm512_slli_epi32(_mm512_sub_epi32(c, lanes(UINT32_C(896) << 20)), 3);
    if (low_values == ZERO) {
        x = _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(w, w), x);
    }
    if (low_values == LOW_TOO) {
        /* the significand with its leading bit, shifted right to its place, and a sticky bit */
        __m512i shift = _mm512_sub_epi32(lanes(897), _mm512_srli_epi32(w, 20));
        __m512i m = _mm512_slli_epi32(or_(and_(w, lanes(0xfffff)), lanes(0x100000)), 3);
        __m512i moved = _mm512_srlv_epi32(m, shift);
        __mmask16 lost = _mm512_cmpneq_epi32_mask(_mm512_sllv_epi32(moved, shift), m);
        moved = _mm512_mask_or_epi32(moved, lost, moved, lanes(1));
        /* a float64 subnormal or zero has no leading bit, but is all the same lost or nothing */
        moved = _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(w, w), moved);
        x = _mm512_mask_mov_epi32(x, _mm512_cmplt_epi32_mask(w, tiny), moved);
    }
    x = _mm512_mask_mov_epi32(x, _mm512_cmpgt_epi32_mask(w, lanes(0x7ff00000)), lanes(CUF_F32_NAN));
    return or_(x, and_(high, lanes(CUF_F32_SIGN)));
}

INLINE __m512i load_float64(const unsigned char *src, low_values low_values)
{
    return near32(_mm512_loadu_si512(src), _mm512_loadu_si512(src + 64), low_values);
}

/* 32-bit integers: exact below 2^24, else the low bits folded into one; cf. cuf_odd32_of_int32. */
INLINE __m512i load_int32(const unsigned char *src)
{
    __m512i i = _mm512_loadu_si512(src);
    __m512i u = _mm512_abs_epi32(i);
    __mmask16 large = _mm512_test_epi32_mask(u, lanes(0xff000000));
    __mmask16 lost = _mm512_mask_test_epi32_mask(large, u, lanes(0xff));
    u = _mm512_mask_andnot_epi32(u, large, lanes(0xff), u);
    u = _mm512_mask_or_epi32(u, lost, u, lanes(0x100));
    __m512i f = _mm512_castps_si512(_mm512_cvt_roundepu32_ps(u, NEAREST));
    return or_(f, and_(i, lanes(CUF_F32_SIGN)));
}

INLINE __m512d fold_uint64(__m512i u)
{
    const __m512i low = _mm512_set1_epi64(0x7ff);
    __mmask8 large = _mm512_cmpgt_epu64_mask(u, _mm512_set1_epi64(INT64_C(0x001fffffffffffff)));
    __mmask8 lost = _mm512_mask_test_epi64_mask(large, u, low);
    u = _mm512_mask_andnot_epi64(u, large, low, u);
    u = _mm512_mask_or_epi64(u, lost, u, _mm512_set1_epi64(0x800));
    return _mm512_cvt_roundepu64_pd(u, NEAREST);
}

INLINE __m512i fold_int64(const unsigned char *src)
{
    __m512i i = _mm512_loadu_si512(src);
    __m512i d = _mm512_castpd_si512(fold_uint64(_mm512_abs_epi64(i)));
    return or_(d, and_(i, _mm512_set1_epi64(INT64_MIN)));
}

INLINE __m512i load_int64(const unsigned char *src)
{
    return near32(fold_int64(src), fold_int64(src + 64), ZERO);
}

/* --- targets: 16 codes in 32-bit lanes, the bits above them anything ----------------------- */

/* Cf. cuf_encode_sum. */
INLINE __m512i encode_sum(__m512i x, cuf_row r, int saturate)
{
    const int drop = 23 - r.man;
    const uint32_t top = cuf_row_max(r) + (saturate ? 0 : 1), nan = cuf_row_nan(r) - top;
    const uint32_t emin = (uint32_t)(128 - r.bias) << 23;
    const uint32_t offset = ((uint32_t)drop << 23) - (emin >> drop);
    const __m512i sign_bit = lanes(UINT32_C(1) << (r.bits - 1));

    __m512i a = and_(x, lanes(CUF_F32_MAGNITUDE));
    __m512i b = _mm512_min_epi32(a, lanes(cuf_row_float32(r, top)));
    __m512i e = _mm512_max_epi32(and_(b, lanes(CUF_F32_INF)), lanes(emin));
    __m512i m = add(add(e, _mm512_srli_epi32(e, drop)), lanes(offset));
    __m512i sign = and_(_mm512_srli_epi32(x, 32 - r.bits), sign_bit);
    if (nan) {
        m = _mm512_mask_add_epi32(m, _mm512_cmpgt_epi32_mask(a, lanes(CUF_F32_INF)), m, lanes(nan));
    }
    if (r.special != CUF_FNUZ) {
        m = add(m, sign);
    }
    __m512i t = _mm512_castps_si512(
        _mm512_add_round_ps(_mm512_castsi512_ps(b), _mm512_castsi512_ps(m), NEAREST));
    if (r.special == CUF_FNUZ) {
        const uint32_t half = (uint32_t)(127 - r.bias - r.man) << 23;
        t = _mm512_mask_or_epi32(t, _mm512_cmpgt_epi32_mask(b, lanes(half)), t, sign);
    }
    return t;
}

/* Cf. cuf_encode_shift. */
INLINE __m512i encode_shift(__m512i x, cuf_row r)
{
    const int drop = 23 - r.man;
    __m512i even = and_(_mm512_srli_epi32(x, drop), lanes(1));
    __m512i rounded = add(add(x, lanes((UINT32_C(1) << (drop - 1)) - 1)), even);
    __mmask16 is_nan = _mm512_cmpgt_epi32_mask(and_(x, lanes(CUF_F32_MAGNITUDE)), lanes(CUF_F32_INF));
    __m512i nan = or_(and_(x, lanes(CUF_F32_SIGN)), lanes(CUF_F32_NAN));
    return _mm512_srli_epi32(_mm512_mask_mov_epi32(rounded, is_nan, nan), drop);
}

/* Cf. cuf_encode_power. */
INLINE __m512i encode_power(__m512i x, int saturate, cuf_round round)
{
    const __m512i smallest = lanes(0x00400000), ones = lanes(0xffffffff);
    __m512i inside = _mm512_min_epi32(_mm512_max_epi32(x, smallest), lanes(0x7f000000));
    __m512i code;
    __mmask16 below = 0;
    if (round == CUF_UP) {
        code = _mm512_srli_epi32(add(inside, lanes(0x007fffff)), 23);
        below = _mm512_cmpeq_epi32_mask(inside, smallest);
    }
    else if (round == CUF_DOWN) {
        code = _mm512_srli_epi32(inside, 23);
    }
    else {
        code = _mm512_srli_epi32(add(inside, lanes(0x00400000)), 23);
        below = _mm512_cmplt_epi32_mask(inside, lanes(0x00600000));
    }
    code = _mm512_mask_add_epi32(code, below, code, ones);
    __mmask16 nan = saturate ? _mm512_cmpgt_epi32_mask(and_(x, lanes(CUF_F32_MAGNITUDE)),
                                                       lanes(CUF_F32_INF))
                             : _mm512_cmpneq_epi32_mask(inside, x);
    return _mm512_mask_mov_epi32(code, nan, ones);
}

INLINE __m512i encode(__m512i x, cuf_row r, int saturate, cuf_round round)
{
    if (r.special == CUF_POWER) {
        return encode_power(x, saturate, round);
    }
    return r.exp == 8 ? encode_shift(x, r) : encode_sum(x, r, r.bits == 16 ? 0 : saturate);
}

/* --- 64 results in order ------------------------------------------------------------------- */

#define FOUR(i, step) (i) * (step), ((i) + 1) * (step), ((i) + 2) * (step), ((i) + 3) * (step)
#define SIXTEEN(i, step) FOUR(i, step), FOUR((i) + 4, step), FOUR((i) + 8, step), FOUR((i) + 12, step)

INLINE void store_1(unsigned char *dst, const __m512i t[4], int bits)
{
    /* of two vectors, the lowest byte of each lane */
    static const uint8_t places[64] = {SIXTEEN(0, 4), SIXTEEN(16, 4)};
    const __m512i bytes = _mm512_loadu_si512(places);
    __m512i low = _mm512_permutex2var_epi8(t[0], bytes, t[1]);
    __m512i high = _mm512_permutex2var_epi8(t[2], bytes, t[3]);
    __m512i all = _mm512_inserti64x4(low, _mm512_castsi512_si256(high), 1);
    if (bits < 8) {
        all = and_(all, _mm512_set1_epi8((char)((1 << bits) - 1)));
    }
    _mm512_storeu_si512(dst, all);
}

INLINE void store_2(unsigned char *dst, const __m512i t[4], int bits)
{
    static const uint16_t places[32] = {SIXTEEN(0, 2), SIXTEEN(16, 2)};
    const __m512i words = _mm512_loadu_si512(places);
    (void)bits;
    _mm512_storeu_si512(dst, _mm512_permutex2var_epi16(t[0], words, t[1]));
    _mm512_storeu_si512(dst + 64, _mm512_permutex2var_epi16(t[2], words, t[3]));
}

INLINE void store_4(unsigned char *dst, const __m512i t[4], int bits)
{
    (void)bits;
    for (int j = 0; j < 4; j++) {
        _mm512_storeu_si512(dst + 64 * j, t[j]);
    }
}

/* Bytes [64 * part, 64 * part + 64) of the first `size`, as a mask. */
INLINE __mmask64 bytes_of(size_t size, size_t part)
{
    const size_t from = 64 * part;
    return size <= from        ? 0
           : size - from >= 64 ? ~UINT64_C(0)
                               : ~UINT64_C(0) >> (64 - (size - from));
}

/* Fewer than 64 elements through a whole block, by masks: nothing outside them is touched. */
INLINE void copy_masked(unsigned char *to, const unsigned char *from, size_t size, size_t parts,
                        int into_block)
{
    for (size_t i = 0; i < parts; i++) {
        const __mmask64 mask = bytes_of(size, i);
        if (into_block) {
            _mm512_storeu_si512(to + 64 * i, _mm512_maskz_loadu_epi8(mask, from + 64 * i));
        }
        else {
            _mm512_mask_storeu_epi8(to + 64 * i, mask, _mm512_loadu_si512(from + 64 * i));
        }
    }
}

/* The contract of kernel_loop.h; CODES is 16 results of the elements at `at`. */
#define CUF_KERNEL_64(NAME, FROM, TO, BITS, CODES)                       \
    INLINE void NAME##_64(const unsigned char *src, unsigned char *dst)  \
    {                                                                    \
        __m512i t[4];                                                    \
        for (int j = 0; j < 4; j++) {                                    \
            const unsigned char *at = src + 16 * j * (FROM);             \
            t[j] = (CODES);                                              \
        }                                                                \
        store_##TO(dst, t, BITS);                                        \
    }                                                                    \
    static void NAME(const void *source, void *destination, size_t n)    \
    {                                                                    \
        const unsigned char *src = source;                               \
        unsigned char *dst = destination;                                \
        for (; n >= 64; n -= 64, src += 64 * (FROM), dst += 64 * (TO)) { \
            NAME##_64(src, dst);                                         \
        }                                                                \
        if (n) {                                                         \
            unsigned char in[64 * (FROM)], out[64 * (TO)];               \
            copy_masked(in, src, n * (FROM), FROM, 1);                   \
            NAME##_64(in, out);                                          \
            copy_masked(dst, out, n * (TO), TO, 0);                      \
        }                                                                \
    }

#define CUF_ENCODERS(ID, MODE, SAT, ROUND, TO)                                                    \
    CUF_KERNEL_64(float32_to_##ID##MODE, 4, TO, cuf_row_##ID.bits,                                \
                  encode(load_float32(at), cuf_row_##ID, SAT, ROUND))                             \
    CUF_KERNEL_64(float16_to_##ID##MODE, 2, TO, cuf_row_##ID.bits,                                \
                  encode(load_float16(at), cuf_row_##ID, SAT, ROUND))                             \
    CUF_KERNEL_64(bfloat16_to_##ID##MODE, 2, TO, cuf_row_##ID.bits,                               \
                  encode(load_bfloat16(at), cuf_row_##ID, SAT, ROUND))                            \
    CUF_KERNEL_64(float64_to_##ID##MODE, 8, TO, cuf_row_##ID.bits,                                \
                  encode(load_float64(at, cuf_row_##ID.exp == 8 ? LOW_TOO : NO_LOW), cuf_row_##ID, SAT, ROUND))      \
    CUF_KERNEL_64(int32_to_##ID##MODE, 4, TO, cuf_row_##ID.bits,                                  \
                  encode(load_int32(at), cuf_row_##ID, SAT, ROUND))                               \
    CUF_KERNEL_64(int64_to_##ID##MODE, 8, TO, cuf_row_##ID.bits,                                  \
                  encode(load_int64(at), cuf_row_##ID, SAT, ROUND))
#define CUF_ENCODERS_1(ID, MODE, SAT, ROUND) CUF_ENCODERS(ID, MODE, SAT, ROUND, 1)
#define CUF_ENCODERS_2(ID, MODE, SAT, ROUND) CUF_ENCODERS(ID, MODE, SAT, ROUND, 2)
#define CUF_ENCODERS_4(ID, MODE, SAT, ROUND)
#define CUF_ENCODERS_8(ID, MODE, SAT, ROUND)
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_COLUMNS_##modes(CUF_ENCODERS_##storage, ID)
#include "formats.def"

/* Payloads of NaN are dropped, as everywhere. */
INLINE __m512i canonical(__m512i x)
{
    __mmask16 is_nan = _mm512_cmpgt_epi32_mask(and_(x, lanes(CUF_F32_MAGNITUDE)), lanes(CUF_F32_INF));
    __m512i nan = or_(and_(x, lanes(CUF_F32_SIGN)), lanes(CUF_F32_NAN));
    return _mm512_mask_mov_epi32(x, is_nan, nan);
}
CUF_KERNEL_64(float16_to_float32, 2, 4, 32, canonical(load_float16(at)))
CUF_KERNEL_64(bfloat16_to_float32, 2, 4, 32, canonical(load_bfloat16(at)))

/* Cf. cuf_low32_of_float32. */
INLINE __m512i low32(__m512i x)
{
    const __m512 turn = _mm512_set1_ps(0x1p32f), back = _mm512_set1_ps(0x1p-32f);
    __mmask16 finite = _mm512_cmplt_epi32_mask(and_(x, lanes(CUF_F32_MAGNITUDE)), lanes(CUF_F32_INF));
    /* whole first: what the division by 2^32 makes of a fraction may be a slow subnormal */
    __m512 f = _mm512_roundscale_ps(_mm512_castsi512_ps(_mm512_maskz_mov_epi32(finite, x)), CUT);
    __m512 turns = _mm512_roundscale_ps(_mm512_mul_round_ps(f, back, NEAREST), CUT);
    /* exact, and less than 2^32 away from 0 */
    __m512 r = _mm512_fnmadd_round_ps(turns, turn, f, NEAREST);
    __mmask16 above = _mm512_cmp_round_ps_mask(r, _mm512_set1_ps(0x1p31f), _CMP_GE_OQ, QUIETLY);
    __mmask16 below = _mm512_cmp_round_ps_mask(r, _mm512_set1_ps(-0x1p31f), _CMP_LT_OQ, QUIETLY);
    r = _mm512_mask_sub_round_ps(r, above, r, turn, NEAREST);
    r = _mm512_mask_add_round_ps(r, below, r, turn, NEAREST);
    return _mm512_cvtt_roundps_epi32(r, QUIETLY);
}
#define CUF_TO_INTEGERS(FLOAT)                                                     \
    CUF_KERNEL_64(FLOAT##_to_1, FLOAT##_size, 1, 1, low32(load_##FLOAT(at)))       \
    CUF_KERNEL_64(FLOAT##_to_2, FLOAT##_size, 1, 2, low32(load_##FLOAT(at)))       \
    CUF_KERNEL_64(FLOAT##_to_4, FLOAT##_size, 1, 4, low32(load_##FLOAT(at)))       \
    CUF_KERNEL_64(FLOAT##_to_8, FLOAT##_size, 1, 8, low32(load_##FLOAT(at)))       \
    CUF_KERNEL_64(FLOAT##_to_16, FLOAT##_size, 2, 16, low32(load_##FLOAT(at)))     \
    CUF_KERNEL_64(FLOAT##_to_32, FLOAT##_size, 4, 32, low32(load_##FLOAT(at)))
#define float32_size 4
#define float16_size 2
#define bfloat16_size 2
CUF_TO_INTEGERS(float32)
CUF_TO_INTEGERS(float16)
CUF_TO_INTEGERS(bfloat16)
/* 64-bit targets stay with the plain kernels. */
#define CUF_SET_INTEGERS_1(ID, bits) CUF_SET_INTEGERS(ID, bits)
#define CUF_SET_INTEGERS_2(ID, bits) CUF_SET_INTEGERS(ID, bits)
#define CUF_SET_INTEGERS_4(ID, bits) CUF_SET_INTEGERS(ID, bits)
#define CUF_SET_INTEGERS_8(ID, bits)
/* Compilers may do with a plain comparison, which sets a flag for subnormals. */
#define CUF_SET_INTEGERS(ID, bits)                                 \
    kernels->at[CUF_FLOAT32][CUF_TO_##ID] = float32_to_##bits;     \
    kernels->at[CUF_FLOAT16][CUF_TO_##ID] = float16_to_##bits;     \
    kernels->at[CUF_BFLOAT16][CUF_TO_##ID] = bfloat16_to_##bits;

/* A copy of a type to itself stays. */
static void put(cuf_kernels *kernels, cuf_type from, cuf_column to, cuf_kernel *kernel)
{
    if (cuf_column_infos[to].type != from || to >= CUF_PUBLIC_COLUMNS) {
        kernels->at[from][to] = kernel;
        kernels->independent[from][to] = 1;
    }
}

#define CUF_SET(ID, MODE, SAT, ROUND)                                             \
    put(kernels, CUF_FLOAT32, CUF_TO_##ID##MODE, float32_to_##ID##MODE);          \
    put(kernels, CUF_FLOAT64, CUF_TO_##ID##MODE, float64_to_##ID##MODE);          \
    put(kernels, CUF_INT32, CUF_TO_##ID##MODE, int32_to_##ID##MODE);              \
    put(kernels, CUF_INT64, CUF_TO_##ID##MODE, int64_to_##ID##MODE);              \
    put(kernels, CUF_FLOAT16, CUF_TO_##ID##MODE, float16_to_##ID##MODE);          \
    put(kernels, CUF_BFLOAT16, CUF_TO_##ID##MODE, bfloat16_to_##ID##MODE);
#define CUF_SET_1 CUF_SET
#define CUF_SET_2 CUF_SET
#define CUF_SET_4(ID, MODE, SAT, ROUND)
#define CUF_SET_8(ID, MODE, SAT, ROUND)

void cuf_fill_encode_overrides_x86_vbmi(cuf_kernels *kernels)
{
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_COLUMNS_##modes(CUF_SET_##storage, ID)
#define CUF_INT(ID, name, owner, onnx, storage, bits, sign, twin) \
    CUF_SET_INTEGERS_##storage(ID, bits)
#include "formats.def"
    put(kernels, CUF_FLOAT16, CUF_TO_FLOAT32, float16_to_float32);
    put(kernels, CUF_FLOAT16, CUF_TO_HUB32, float16_to_float32);
    put(kernels, CUF_BFLOAT16, CUF_TO_FLOAT32, bfloat16_to_float32);
    put(kernels, CUF_BFLOAT16, CUF_TO_HUB32, bfloat16_to_float32);
}
