/*
 * Overrides in AVX2 intrinsics: the floats of at most 8 bits to float32, float16 and bfloat16, 32
 * codes at a time in lanes of bytes. Results have at most two bytes that are not zero, a plane for
 * each. In a plane the normal numbers are the code shifted; the 16 smallest magnitudes, with all
 * subnormals among them, come from a table in a register, and if there are infinities so do the 16
 * largest.
 *
 * All is integer arithmetic: no floating-point setting matters, and no flag is set.
 */
#include "codec_float.h"
#include "kernels_x86_v3.h"

/* --- a magnitude of row `r` in a 16-bit format, for the tables: all folds to constants --------- */

CUF_INLINE uint32_t widen(uint32_t code, cuf_row r, cuf_row wide)
{
    const uint32_t one = UINT32_C(1) << r.man;
    uint32_t man = code & (one - 1);
    int field = (int)(code >> r.man) + wide.bias - r.bias;
    if (r.special == CUF_IEEE && code > cuf_row_max(r)) {
        return code == cuf_row_max(r) + 1 ? cuf_row_max(wide) + 1 : cuf_row_nan(wide);
    }
    if (code == 0) {
        return 0;
    }
    if (code < one) {
        for (field++; man < one; man <<= 1) {
            field--;
        }
        man -= one;
    }
    man <<= wide.man - r.man;
    if (field <= 0) { /* subnormal there too */
        return (man | UINT32_C(1) << wide.man) >> (1 - field);
    }
    return (uint32_t)field << wide.man | man;
}

/* Byte `which` of 16 magnitudes, in both halves. */
CUF_INLINE __m256i table(uint32_t first, cuf_row r, cuf_row wide, int which)
{
#define CUF_ENTRY(i) (char)(widen(first + (i), r, wide) >> 8 * which)
    return _mm256_broadcastsi128_si256(_mm_setr_epi8(
        CUF_ENTRY(0), CUF_ENTRY(1), CUF_ENTRY(2), CUF_ENTRY(3), CUF_ENTRY(4), CUF_ENTRY(5),
        CUF_ENTRY(6), CUF_ENTRY(7), CUF_ENTRY(8), CUF_ENTRY(9), CUF_ENTRY(10), CUF_ENTRY(11),
        CUF_ENTRY(12), CUF_ENTRY(13), CUF_ENTRY(14), CUF_ENTRY(15)));
}

/* --- planes ---------------------------------------------------------------------------------- */

typedef struct {
    __m256i low, high;
} planes;

CUF_INLINE __m256i bytes(uint32_t x) { return _mm256_set1_epi8((char)x); }

/* To the left, or if negative to the right. */
CUF_INLINE __m256i shift(__m256i x, int left)
{
    return left >= 0 ? and_(_mm256_slli_epi16(x, left), bytes(0xffu << left))
                     : and_(_mm256_srli_epi16(x, -left), bytes(0xffu >> -left));
}

CUF_INLINE planes choose(planes p, planes q, __m256i mask)
{
    p.low = _mm256_blendv_epi8(p.low, q.low, mask);
    p.high = _mm256_blendv_epi8(p.high, q.high, mask);
    return p;
}

CUF_INLINE planes look_up(uint32_t first, __m256i index, cuf_row r, cuf_row wide)
{
    planes p;
    p.low = _mm256_shuffle_epi8(table(first, r, wide, 0), index);
    p.high = _mm256_shuffle_epi8(table(first, r, wide, 1), index);
    return p;
}

CUF_INLINE planes decode_float(__m256i codes, cuf_row r, cuf_row wide)
{
    const uint32_t sign_bit = UINT32_C(1) << (r.bits - 1);
    __m256i a = and_(codes, bytes(sign_bit - 1));
    __m256i sign = and_(_mm256_slli_epi16(codes, 8 - r.bits), bytes(0x80));
    /* above the 16 smallest the top bit is set, for blends; else the lower four are the index */
    __m256i index = _mm256_adds_epu8(a, bytes(0x70));
    planes p = look_up(0, index, r, wide);
    if (sign_bit > 16) {
        const int left = wide.man - r.man;
        const uint32_t rebias = (uint32_t)(wide.bias - r.bias) << wide.man;
        planes normal;
        /* an odd difference reaches into the lower byte: it is added before the code is parted */
        __m256i b = rebias & 0xff ? _mm256_add_epi8(a, bytes((rebias & 0xff) >> left)) : a;
        normal.low = shift(b, left);
        normal.high = _mm256_add_epi8(shift(b, left - 8), bytes(rebias >> 8));
        p = choose(p, normal, index);
    }
    if (r.special == CUF_IEEE) {
        const uint32_t first = sign_bit - 16;
        p = choose(p, look_up(first, a, r, wide), _mm256_cmpgt_epi8(a, bytes(first - 1)));
    }
    if (r.special == CUF_FN || r.special == CUF_FNUZ) {
        const uint32_t nan = cuf_row_nan(wide);
        planes q = {bytes(nan), bytes(nan >> 8)};
        p = choose(p, q, _mm256_cmpeq_epi8(r.special == CUF_FN ? a : codes, bytes(cuf_row_nan(r))));
    }
    p.high = _mm256_or_si256(p.high, sign);
    return p;
}

/* cf. cuf_decode_power: the code is bfloat16's exponent. 2^-127, its subnormal, and NaN are not. */
CUF_INLINE planes decode_power(__m256i codes)
{
    __m256i outside = _mm256_or_si256(_mm256_cmpeq_epi8(codes, _mm256_setzero_si256()),
                                      _mm256_cmpeq_epi8(codes, bytes(0xff)));
    planes p = {shift(codes, 7), shift(codes, -1)};
    p.low = _mm256_or_si256(p.low, and_(outside, bytes(0x40)));
    return p;
}

CUF_INLINE planes decode(__m256i codes, cuf_row r, cuf_row wide)
{
    return r.special == CUF_POWER ? decode_power(codes) : decode_float(codes, r, wide);
}

/* --- 32 results in order --------------------------------------------------------------------- */

/* Unpacking works within halves: the codes are permuted first, so that runs come out in order. */
CUF_INLINE void store_2(unsigned char *dst, __m256i codes, cuf_row r, cuf_row wide)
{
    planes p = decode(_mm256_permute4x64_epi64(codes, 0xd8), r, wide);
    store(dst, _mm256_unpacklo_epi8(p.low, p.high));
    store(dst + 32, _mm256_unpackhi_epi8(p.low, p.high));
}

CUF_INLINE void store_4(unsigned char *dst, __m256i codes, cuf_row r, cuf_row wide)
{
    const __m256i order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7), zero = _mm256_setzero_si256();
    planes p = decode(_mm256_permutevar8x32_epi32(codes, order), r, wide);
    __m256i upper0 = _mm256_unpacklo_epi8(p.low, p.high);
    __m256i upper1 = _mm256_unpackhi_epi8(p.low, p.high);
    store(dst, _mm256_unpacklo_epi16(zero, upper0));
    store(dst + 32, _mm256_unpackhi_epi16(zero, upper0));
    store(dst + 64, _mm256_unpacklo_epi16(zero, upper1));
    store(dst + 96, _mm256_unpackhi_epi16(zero, upper1));
}

/* --- kernels --------------------------------------------------------------------------------- */

/* Results have TO bytes: those of WIDE, or float32 with such an upper half. */
#define CUF_KERNEL_32(NAME, ROW, TO, WIDE) \
    CUF_LOOP_32(NAME, 1, TO, store_##TO(dst, load(src), ROW, WIDE);)

#define CUF_DECODERS_1(ID)                                            \
    CUF_KERNEL_32(ID##_to_float32, cuf_row_##ID, 4, cuf_row_BFLOAT16) \
    CUF_KERNEL_32(ID##_to_float16, cuf_row_##ID, 2, cuf_row_FLOAT16)  \
    CUF_KERNEL_32(ID##_to_bfloat16, cuf_row_##ID, 2, cuf_row_BFLOAT16)
#define CUF_DECODERS_2(ID)
#define CUF_DECODERS_4(ID)
#define CUF_DECODERS_8(ID)

#define CUF_FLOAT(ID, name, owner, onnx, storage, ...) CUF_DECODERS_##storage(ID)
#include "formats.def"

static void put(cuf_kernels *kernels, cuf_type from, cuf_column to, cuf_kernel *kernel)
{
    kernels->at[from][to] = kernel;
    kernels->independent[from][to] = 1;
}

/* In float16 the formats of exponents alone would have to be rounded. */
#define CUF_SET_1(ID)                                             \
    put(kernels, CUF_##ID, CUF_TO_FLOAT32, ID##_to_float32);      \
    put(kernels, CUF_##ID, CUF_TO_HUB32, ID##_to_float32);        \
    put(kernels, CUF_##ID, CUF_TO_BFLOAT16, ID##_to_bfloat16);    \
    if (cuf_row_##ID.special != CUF_POWER) {                      \
        put(kernels, CUF_##ID, CUF_TO_FLOAT16, ID##_to_float16);  \
    }
#define CUF_SET_2(ID)
#define CUF_SET_4(ID)
#define CUF_SET_8(ID)

void cuf_override_decode_x86_v3(cuf_kernels *kernels)
{
#define CUF_FLOAT(ID, name, owner, onnx, storage, ...) CUF_SET_##storage(ID)
#include "formats.def"
}
