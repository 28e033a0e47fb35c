/*
 * Overrides in AVX-512 intrinsics: the encoders of codec_float.h and codec_wide.h. Compilers
 * vectorise those too, but spend half the time on narrowing 32-bit lanes to bytes, which VBMI does
 * in one instruction for two vectors.
 *
 * But for those that `put` names they are independent of the floating-point environment: see
 * kernels_x86_vbmi.h; and no result of theirs hangs on a float32 subnormal.
 */
#include "codec_float.h"
#include "kernels_x86_vbmi.h"

/* --- sources: 16 elements as float32 patterns that one more rounding makes right ------------- */

/*
 * Rounded to odd: cut, with the last bit set if what was cut off was not zero, as the way back
 * tells.
 */
CUF_INLINE __m512i odd(__m512 cut, __mmask16 lost)
{
    __m512i x = _mm512_castps_si512(cut);
    return _mm512_mask_or_epi32(x, lost, x, lanes(1));
}

CUF_INLINE __m512 join_floats(__m256 low, __m256 high)
{
    return _mm512_castsi512_ps(join(_mm256_castps_si256(low), _mm256_castps_si256(high)));
}

/* Here subnormals of float32 matter: they must not be flushed. */
CUF_INLINE __m512i load_float64(const unsigned char *at)
{
    const __m512d d0 = _mm512_castsi512_pd(load(at)), d1 = _mm512_castsi512_pd(load(at + 64));
    __m256 f0 = _mm512_cvt_roundpd_ps(d0, CUT), f1 = _mm512_cvt_roundpd_ps(d1, CUT);
    __m512d back0 = _mm512_cvt_roundps_pd(f0, QUIETLY), back1 = _mm512_cvt_roundps_pd(f1, QUIETLY);
    __mmask8 lost0 = _mm512_cmp_round_pd_mask(back0, d0, _CMP_NEQ_UQ, QUIETLY);
    __mmask8 lost1 = _mm512_cmp_round_pd_mask(back1, d1, _CMP_NEQ_UQ, QUIETLY);
    return odd(join_floats(f0, f1), _mm512_kunpackb(lost1, lost0));
}

/* Integers of 8 and 16 bits are exact in float32. */
CUF_INLINE __m512i float32_of(__m512i i)
{
    return _mm512_castps_si512(_mm512_cvt_roundepi32_ps(i, NEAREST));
}

CUF_INLINE __m512i load_int16(const unsigned char *at)
{
    return float32_of(_mm512_cvtepi16_epi32(load_half(at)));
}

CUF_INLINE __m512i load_uint16(const unsigned char *at)
{
    return float32_of(_mm512_cvtepu16_epi32(load_half(at)));
}

/* Wider ones are rounded to odd. */
#define CUF_LOAD_32(NAME, KIND)                                                            \
    CUF_INLINE __m512i load_##NAME(const unsigned char *at)                                \
    {                                                                                      \
        const __m512i i = load(at);                                                        \
        __m512 f = _mm512_cvt_round##KIND##32_ps(i, CUT);                                  \
        __m512i back = _mm512_cvtt_roundps_##KIND##32(f, QUIETLY);                         \
        return odd(f, _mm512_cmpneq_epi32_mask(back, i));                                  \
    }
CUF_LOAD_32(int32, epi)
CUF_LOAD_32(uint32, epu)

#define CUF_LOAD_64(NAME, KIND)                                                            \
    CUF_INLINE __m512i load_##NAME(const unsigned char *at)                                \
    {                                                                                      \
        const __m512i i0 = load(at), i1 = load(at + 64);                                   \
        __m256 f0 = _mm512_cvt_round##KIND##64_ps(i0, CUT);                                \
        __m256 f1 = _mm512_cvt_round##KIND##64_ps(i1, CUT);                                \
        __mmask8 lost0 =                                                                   \
            _mm512_cmpneq_epi64_mask(_mm512_cvtt_roundps_##KIND##64(f0, QUIETLY), i0);     \
        __mmask8 lost1 =                                                                   \
            _mm512_cmpneq_epi64_mask(_mm512_cvtt_roundps_##KIND##64(f1, QUIETLY), i1);     \
        return odd(join_floats(f0, f1), _mm512_kunpackb(lost1, lost0));                    \
    }
CUF_LOAD_64(int64, epi)
CUF_LOAD_64(uint64, epu)

/* --- targets of a byte with a sign: codes of magnitudes in lanes, then signs in bytes --------- */

/*
 * Cf. cuf_encode_sum: the number to add to one with the exponent field `field`; below the smallest
 * normal it is that one's. Tables go by the lowest five bits of the field: there are no more
 * octaves in any format.
 */
CUF_INLINE uint32_t addend(cuf_row r, uint32_t low_bits)
{
    const uint32_t smallest = (uint32_t)(128 - r.bias);
    const uint32_t e = (smallest + ((low_bits - smallest) & 31)) << 23;
    const int drop = 23 - r.man;
    return e + (e >> drop) + ((uint32_t)drop << 23) - (smallest << 23 >> drop);
}

/* What the tables here and below take for granted. */
#define CUF_FITS_1(exp, bias)                                   \
    _Static_assert(exp == 8 || (exp <= 5 && bias <= 16),        \
                   "a format with more octaves: it needs an encoder of its own");
#define CUF_FITS_2(exp, bias)
#define CUF_FITS_4(exp, bias)
#define CUF_FITS_8(exp, bias)
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, ...) \
    CUF_FITS_##storage(exp, bias)
#include "formats.def"

/* F(r, first), F(r, first + 1), ... in 16 lanes; they are constants in the end. */
#define TABLE(F, r, first)                                                                        \
    _mm512_setr_epi32((int)F(r, (first) + 0), (int)F(r, (first) + 1), (int)F(r, (first) + 2),     \
                      (int)F(r, (first) + 3), (int)F(r, (first) + 4), (int)F(r, (first) + 5),     \
                      (int)F(r, (first) + 6), (int)F(r, (first) + 7), (int)F(r, (first) + 8),     \
                      (int)F(r, (first) + 9), (int)F(r, (first) + 10), (int)F(r, (first) + 11),   \
                      (int)F(r, (first) + 12), (int)F(r, (first) + 13), (int)F(r, (first) + 14),  \
                      (int)F(r, (first) + 15))

CUF_INLINE __m512i sum(__m512i a, __m512i b)
{
    __m512 t = _mm512_add_round_ps(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b), NEAREST);
    return _mm512_castps_si512(t);
}

CUF_INLINE __m512i encode_sum(__m512i x, cuf_row r, int saturate, int has_nan)
{
    const uint32_t top = cuf_row_max(r) + (saturate ? 0 : 1), nan = cuf_row_nan(r) - top;
    const __m512i smallest = lanes((uint32_t)(128 - r.bias) << 23);
    const __m512i table[2] = {TABLE(addend, r, 0), TABLE(addend, r, 16)};

    __m512i a = and_(x, lanes(CUF_F32_MAGNITUDE));
    __m512i b = _mm512_min_epi32(a, lanes(cuf_row_float32(r, top)));
    __m512i field = _mm512_srli_epi32(_mm512_max_epi32(b, smallest), 23);
    __m512i m = _mm512_permutex2var_epi32(table[0], field, table[1]);
    if (nan && has_nan) {
        m = _mm512_mask_add_epi32(m, _mm512_cmpgt_epi32_mask(a, lanes(CUF_F32_INF)), m, lanes(nan));
    }
    return sum(b, m);
}

/*
 * float16 in lanes of 16 bits. Of an exponent field: what to take off so that the significand is
 * left, with its leading bit; how far to shift that; what makes the shift round, but for ties; and
 * what to add, where the leading bit counts as one of the exponent. float16's subnormals take the
 * shift of the octave below 2^-14, which fits while the target has no normals in more than one of
 * their octaves.
 */
CUF_INLINE int half_shift(cuf_row r, int field)
{
    const int own = field - 15 + r.bias;
    const int shift = (own < 1 ? 1 : own) - r.bias - r.man + 25 - (field < 1 ? 1 : field);
    return shift > 11 ? 15 : shift; /* nothing is left of 11 bits */
}
CUF_INLINE int half_rest(cuf_row r, int field)
{
    const int shift = half_shift(r, field);
    return shift == 15 ? 0 : (1 << (shift - 1)) - 1;
}
CUF_INLINE int half_base(cuf_row r, int field)
{
    const int own = field - 15 + r.bias;
    return own > 1 ? (own - 1) << r.man : 0;
}
CUF_INLINE int half_field(cuf_row r, int field)
{
    (void)r;
    return field < 1 ? 0 : (field - 1) << 10;
}

/* Two of them in a lane. */
#define CUF_PAIR_OF(F) \
    CUF_INLINE int F##s(cuf_row r, int i) { return F(r, 2 * i) | F(r, 2 * i + 1) << 16; }
CUF_PAIR_OF(half_shift)
CUF_PAIR_OF(half_rest)
CUF_PAIR_OF(half_base)
CUF_PAIR_OF(half_field)

CUF_INLINE __m512i with_nan(__m512i words, __mmask32 is_nan, cuf_row r)
{
    return _mm512_mask_mov_epi16(words, is_nan, _mm512_set1_epi16((short)cuf_row_nan(r)));
}

/* The pattern of a code, or at most infinity's. */
CUF_INLINE int half_pattern(cuf_row r, int code)
{
    const int half = (code << (10 - r.man)) + (15 - r.bias) * 1024;
    return half < 0x7c00 ? half : 0x7c00;
}

CUF_INLINE __m512i encode_float16(__m512i h, cuf_row r, int saturate)
{
    const int top = (int)cuf_row_max(r) + (saturate ? 0 : 1);
    const __m512i one = _mm512_set1_epi16(1);
    __m512i a = and_(h, _mm512_set1_epi16(0x7fff));
    __m512i b = _mm512_min_epi16(a, _mm512_set1_epi16((short)half_pattern(r, top)));
    __m512i code;
    if (r.exp == 5 && r.bias == 15) {
        const int drop = 10 - r.man;
        __m512i even = and_(_mm512_srli_epi16(b, drop), one);
        __m512i half = _mm512_add_epi16(b, _mm512_set1_epi16((short)((1 << (drop - 1)) - 1)));
        code = _mm512_srli_epi16(_mm512_add_epi16(half, even), drop);
    }
    else {
        __m512i field = _mm512_srli_epi16(b, 10);
        __m512i shift = _mm512_permutexvar_epi16(field, TABLE(half_shifts, r, 0));
        __m512i rest = _mm512_permutexvar_epi16(field, TABLE(half_rests, r, 0));
        __m512i base = _mm512_permutexvar_epi16(field, TABLE(half_bases, r, 0));
        __m512i off = _mm512_permutexvar_epi16(field, TABLE(half_fields, r, 0));
        __m512i m = _mm512_sub_epi16(b, off);
        __m512i even = and_(_mm512_srlv_epi16(m, shift), one);
        m = _mm512_add_epi16(_mm512_add_epi16(m, rest), even);
        code = _mm512_add_epi16(_mm512_srlv_epi16(m, shift), base);
    }
    return with_nan(code, _mm512_cmpgt_epi16_mask(a, _mm512_set1_epi16(0x7c00)), r);
}

/* bfloat16: encode_sum for the even and the odd words, all else in words. */
CUF_INLINE __m512i encode_bfloat16(__m512i x, cuf_row r, int saturate)
{
    const int smallest = 128 - r.bias, drop = 23 - r.man;
    const uint32_t top = cuf_row_max(r) + (saturate ? 0 : 1);
    const __m512i limit = _mm512_set1_epi16((short)(cuf_row_float32(r, top) >> 16));
    const __m512i upper = lanes(0xffff0000);
    __m512i a = and_(x, _mm512_set1_epi16(0x7fff));
    __m512i b = _mm512_min_epi16(a, limit);
    /* how much the exponent field is above that of the smallest normal, which the code's is too */
    __m512i above = _mm512_subs_epu16(and_(b, _mm512_set1_epi16(0x7f80)),
                                      _mm512_set1_epi16((short)(smallest << 7)));
    __m512i m = _mm512_add_epi16(above, _mm512_set1_epi16((short)((smallest + drop) << 7)));
    __m512i even = sum(_mm512_slli_epi32(b, 16), _mm512_slli_epi32(m, 16));
    __m512i odd = sum(and_(b, upper), and_(m, upper));
    __m512i rounded = _mm512_mask_blend_epi16(0xaaaaaaaa, even, _mm512_slli_epi32(odd, 16));
    __m512i code = _mm512_add_epi16(rounded, _mm512_srli_epi16(above, 7 - r.man));
    return with_nan(code, _mm512_cmpgt_epi16_mask(a, _mm512_set1_epi16(0x7f80)), r);
}

/* 64 codes with their signs, the top bits of `tops`. */
CUF_INLINE void store_signed(unsigned char *dst, __m512i codes, __m512i tops, cuf_row r)
{
    const __m512i sign_bit = _mm512_set1_epi8((char)(1 << (r.bits - 1)));
    if (r.special == CUF_FNUZ) {
        /* No -0; and NaN and -NaN are one code. */
        tops = _mm512_maskz_mov_epi8(_mm512_test_epi8_mask(codes, codes), tops);
        _mm512_storeu_si512(dst, or_(codes, and_(tops, sign_bit)));
        return;
    }
    /* Of a NaN that goes to zero the sign is flipped. */
    tops = r.bits < 8 ? _mm512_srli_epi16(tops, 8 - r.bits) : tops;
    _mm512_storeu_si512(dst, _mm512_xor_si512(codes, and_(tops, sign_bit)));
}

/* --- the other targets: 16 codes in 32-bit lanes, the bits above them anything ---------------- */

/* A NaN without a payload: payloads are dropped, as everywhere. */
CUF_INLINE __m512i nan_of(__m512i x)
{
    return or_(and_(x, lanes(CUF_F32_SIGN)), lanes(CUF_F32_NAN));
}

/* bfloat16, in the upper halves of lanes; cf. cuf_encode_shift. */
CUF_INLINE __m512i encode_shift(__m512i x, cuf_row r, int has_nan)
{
    const int drop = 23 - r.man;
    __m512i even = and_(_mm512_srli_epi32(x, drop), lanes(1));
    __m512i rounded = add(add(x, lanes((UINT32_C(1) << (drop - 1)) - 1)), even);
    if (has_nan) {
        rounded = _mm512_mask_mov_epi32(rounded, is_nan(x), nan_of(x));
    }
    return rounded;
}

/*
 * float16: the processor's own rounding, to nearest whatever is set. This one sets flags, since
 * gcc 12 has the instruction only in the form that does.
 */
CUF_INLINE __m256i encode_half(__m512i x, int has_nan)
{
    __m256i h = _mm512_cvt_roundps_ph(_mm512_castsi512_ps(x), NEAREST);
    /* of NaN, quiet now, the payload goes */
    __m256i bare = _mm256_and_si256(h, _mm256_set1_epi16((short)0xfe00));
    return has_nan ? _mm256_mask_mov_epi16(h, is_nan(x), bare) : h;
}

/* Cf. cuf_encode_power. */
CUF_INLINE __m512i encode_power(__m512i x, int saturate, cuf_round round)
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
    __mmask16 nan = saturate ? is_nan(x) : _mm512_cmpneq_epi32_mask(inside, x);
    return _mm512_mask_mov_epi32(code, nan, ones);
}

/* --- 64 elements ------------------------------------------------------------------------------ */

/* x: 16 patterns of float32 in each vector, none of them a NaN unless `has_nan`. */
CUF_INLINE void encode_to_1(unsigned char *dst, const __m512i x[4], cuf_row r, int saturate,
                            cuf_round round, int has_nan)
{
    __m512i t[4];
    for (int j = 0; j < 4; j++) {
        t[j] = r.special == CUF_POWER ? encode_power(x[j], saturate, round)
                                      : encode_sum(x[j], r, saturate, has_nan);
    }
    if (r.special == CUF_POWER) {
        store_1(dst, t, 8);
    }
    else {
        store_signed(dst, bytes_of_lanes(t, 0), bytes_of_lanes(x, 3), r);
    }
}

CUF_INLINE void encode_to_2(unsigned char *dst, const __m512i x[4], cuf_row r, int saturate,
                            cuf_round round, int has_nan)
{
    (void)saturate, (void)round;
    __m512i t[4];
    for (int j = 0; j < 4; j++) {
        if (r.exp == 8) {
            t[j] = encode_shift(x[j], r, has_nan);
        }
        else {
            _mm256_storeu_si256((__m256i *)(dst + 32 * j), encode_half(x[j], has_nan));
        }
    }
    if (r.exp == 8) {
        store_words(dst, t, 1);
    }
}

/* The same from types of 16 bits; what has no signs goes through float32. */
#define CUF_FROM_WORDS(NAME)                                                                   \
    CUF_INLINE void NAME##_to_1(unsigned char *dst, const unsigned char *src, cuf_row r,       \
                                int saturate, cuf_round round)                                 \
    {                                                                                          \
        if (r.special == CUF_POWER) {                                                          \
            const __m512i x[4] = {load_##NAME(src), load_##NAME(src + 32),                     \
                                  load_##NAME(src + 64), load_##NAME(src + 96)};               \
            encode_to_1(dst, x, r, saturate, round, 1);                                        \
            return;                                                                            \
        }                                                                                      \
        const __m512i x0 = load(src), x1 = load(src + 64);                                     \
        const __m512i words[2] = {encode_##NAME(x0, r, saturate), encode_##NAME(x1, r, saturate)}; \
        store_signed(dst, bytes_of_words(words[0], words[1], 0), bytes_of_words(x0, x1, 1), r); \
    }
CUF_FROM_WORDS(float16)
CUF_FROM_WORDS(bfloat16)

/* --- kernels -------------------------------------------------------------------------------- */

#define CUF_ENCODER(FROM, SIZE, NAN, ID, MODE, SAT, ROUND, TO, LOAD) \
    CUF_LOOP_64(FROM##_to_##ID##MODE, SIZE, TO, {                  \
        __m512i x[4];                                              \
        for (int j = 0; j < 4; j++) {                              \
            const unsigned char *at = src + 16 * j * (SIZE);       \
            x[j] = (LOAD);                                         \
        }                                                          \
        encode_to_##TO(dst, x, cuf_row_##ID, SAT, ROUND, NAN);     \
    })
#define CUF_ENCODERS(ID, ...)                                         \
    CUF_ENCODER(FLOAT32, 4, 1, ID, __VA_ARGS__, load_float32(at))     \
    CUF_ENCODER(INT16, 2, 0, ID, __VA_ARGS__, load_int16(at))         \
    CUF_ENCODER(UINT16, 2, 0, ID, __VA_ARGS__, load_uint16(at))       \
    CUF_ENCODER(INT32, 4, 0, ID, __VA_ARGS__, load_int32(at))         \
    CUF_ENCODER(UINT32, 4, 0, ID, __VA_ARGS__, load_uint32(at))       \
    CUF_ENCODER(INT64, 8, 0, ID, __VA_ARGS__, load_int64(at))         \
    CUF_ENCODER(UINT64, 8, 0, ID, __VA_ARGS__, load_uint64(at))       \
    CUF_ENCODER(FLOAT64, 8, 1, ID, __VA_ARGS__, load_float64(at))
#define CUF_ENCODERS_1(ID, MODE, SAT, ROUND)                          \
    CUF_ENCODERS(ID, MODE, SAT, ROUND, 1)                             \
    CUF_LOOP_64(FLOAT16_to_##ID##MODE, 2, 1,                          \
                float16_to_1(dst, src, cuf_row_##ID, SAT, ROUND);)    \
    CUF_LOOP_64(BFLOAT16_to_##ID##MODE, 2, 1,                         \
                bfloat16_to_1(dst, src, cuf_row_##ID, SAT, ROUND);)
#define CUF_ENCODERS_2(ID, MODE, SAT, ROUND)                          \
    CUF_ENCODERS(ID, MODE, SAT, ROUND, 2)                             \
    CUF_ENCODER(FLOAT16, 2, 1, ID, MODE, SAT, ROUND, 2, load_float16(at)) \
    CUF_ENCODER(BFLOAT16, 2, 1, ID, MODE, SAT, ROUND, 2, load_bfloat16(at))
#define CUF_ENCODERS_4(ID, MODE, SAT, ROUND)
#define CUF_ENCODERS_8(ID, MODE, SAT, ROUND)
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_COLUMNS_##modes(CUF_ENCODERS_##storage, ID)
#include "formats.def"

CUF_INLINE __m512i canonical(__m512i x) { return _mm512_mask_mov_epi32(x, is_nan(x), nan_of(x)); }

CUF_KERNEL_64(float16_to_float32, 2, 4, 32, canonical(load_float16(at)))
CUF_KERNEL_64(bfloat16_to_float32, 2, 4, 32, canonical(load_bfloat16(at)))

/* Sixteen float32 as float64; a subnormal must not be flushed. */
CUF_INLINE void store_doubles(unsigned char *dst, __m512i x)
{
    for (int j = 0; j < 2; j++) {
        __m512d d = _mm512_cvt_roundps_pd(_mm256_castsi256_ps(half_of(x, j)), QUIETLY);
        _mm512_storeu_pd(dst + 64 * j, d);
    }
}
CUF_LOOP_64(float16_to_float64, 2, 8, {
    for (int j = 0; j < 4; j++) {
        store_doubles(dst + 128 * j, canonical(load_float16(src + 32 * j)));
    }
})
CUF_LOOP_64(bfloat16_to_float64, 2, 8, {
    for (int j = 0; j < 4; j++) {
        store_doubles(dst + 128 * j, canonical(load_bfloat16(src + 32 * j)));
    }
})

/*
 * A copy of a type to itself stays. What goes to float16 sets flags, and from and to float64 a
 * subnormal of float32 matters.
 */
static void put(cuf_kernels *kernels, cuf_type from, cuf_column to, cuf_kernel *kernel)
{
    if (cuf_column_infos[to].type != from || to >= CUF_PUBLIC_COLUMNS) {
        kernels->at[from][to] = kernel;
        kernels->independent[from][to] =
            from != CUF_FLOAT64 && to != CUF_TO_FLOAT64 && to != CUF_TO_FLOAT16;
    }
}

#define CUF_SET_FROM(FROM, ID, MODE) \
    put(kernels, CUF_##FROM, CUF_TO_##ID##MODE, FROM##_to_##ID##MODE);
#define CUF_SET(ID, MODE, SAT, ROUND)      \
    CUF_SET_FROM(FLOAT32, ID, MODE)        \
    CUF_SET_FROM(FLOAT64, ID, MODE)        \
    CUF_SET_FROM(FLOAT16, ID, MODE)        \
    CUF_SET_FROM(BFLOAT16, ID, MODE)       \
    CUF_SET_FROM(INT16, ID, MODE)          \
    CUF_SET_FROM(UINT16, ID, MODE)         \
    CUF_SET_FROM(INT32, ID, MODE)          \
    CUF_SET_FROM(UINT32, ID, MODE)         \
    CUF_SET_FROM(INT64, ID, MODE)          \
    CUF_SET_FROM(UINT64, ID, MODE)
#define CUF_SET_1 CUF_SET
#define CUF_SET_2 CUF_SET
#define CUF_SET_4(ID, MODE, SAT, ROUND)
#define CUF_SET_8(ID, MODE, SAT, ROUND)

void cuf_override_encode_x86_vbmi(cuf_kernels *kernels)
{
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_COLUMNS_##modes(CUF_SET_##storage, ID)
#include "formats.def"
    put(kernels, CUF_FLOAT16, CUF_TO_FLOAT32, float16_to_float32);
    put(kernels, CUF_FLOAT16, CUF_TO_HUB32, float16_to_float32);
    put(kernels, CUF_FLOAT16, CUF_TO_FLOAT64, float16_to_float64);
    put(kernels, CUF_BFLOAT16, CUF_TO_FLOAT32, bfloat16_to_float32);
    put(kernels, CUF_BFLOAT16, CUF_TO_HUB32, bfloat16_to_float32);
    put(kernels, CUF_BFLOAT16, CUF_TO_FLOAT64, bfloat16_to_float64);
}
