/*
 * Overrides in AVX-512 VBMI intrinsics: a 256-entry table in registers, looked up by 64 codes at
 * a time, for every cast from a type of one byte; and packing of 6-bit codes.
 *
 * An entry of more than one byte is looked up a plane of bytes at a time, but for those planes
 * that the others tell. The planes are woven together by unpacking, which works within lanes
 * of 16 bytes: the codes are permuted first, so that what comes out is in order.
 */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "kernels.h"

/* 256 bytes: one of each entry. */
typedef struct {
    __m512i part[4];
} plane;

static inline __m512i look(const plane *p, __m512i codes)
{
    __m512i low = _mm512_permutex2var_epi8(p->part[0], codes, p->part[1]);
    __m512i high = _mm512_permutex2var_epi8(p->part[2], codes, p->part[3]);
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(codes), low, high);
}

/* Byte `which` of each entry of `size` bytes. */
static plane plane_of(const unsigned char *table, size_t size, size_t which)
{
    unsigned char bytes[256];
    plane p;
    if (size == 1) {
        memcpy(bytes, table, sizeof bytes);
    }
    else if (size == 2) {
        for (int i = 0; i < 256; i += 32) {
            __m512i x = _mm512_loadu_si512(table + 2 * i);
            x = which ? _mm512_srli_epi16(x, 8) : x;
            _mm256_storeu_si256((__m256i *)(bytes + i), _mm512_cvtepi16_epi8(x));
        }
    }
    else if (size == 4) {
        const __m128i shift = _mm_cvtsi32_si128(8 * (int)which);
        for (int i = 0; i < 256; i += 16) {
            __m512i x = _mm512_srl_epi32(_mm512_loadu_si512(table + 4 * i), shift);
            _mm_storeu_si128((__m128i *)(bytes + i), _mm512_cvtepi32_epi8(x));
        }
    }
    else {
        const __m128i shift = _mm_cvtsi32_si128(8 * (int)which);
        for (int i = 0; i < 256; i += 8) {
            __m512i x = _mm512_srl_epi64(_mm512_loadu_si512(table + 8 * i), shift);
            _mm_storel_epi64((__m128i *)(bytes + i), _mm512_cvtepi64_epi8(x));
        }
    }
    for (int i = 0; i < 4; i++) {
        p.part[i] = _mm512_loadu_si512(bytes + 64 * i);
    }
    return p;
}

/*
 * A loop over whole blocks of 64 codes; the last few go through a padded copy. The statements
 * behind SIZE store the results of the codes `x` at `out`.
 */
#define CUF_LOOK_UP_LOOP(SIZE, ...)                                       \
    const unsigned char *src = source;                                    \
    unsigned char *dst = destination;                                     \
    for (; n >= 64; n -= 64, src += 64, dst += 64 * (SIZE)) {             \
        const __m512i x = _mm512_loadu_si512(src);                        \
        unsigned char *out = dst;                                         \
        __VA_ARGS__                                                       \
    }                                                                     \
    if (n) {                                                              \
        const __mmask64 some = _cvtu64_mask64(~UINT64_C(0) >> (64 - n));  \
        const __m512i x = _mm512_maskz_loadu_epi8(some, src);             \
        unsigned char out[64 * (SIZE)];                                   \
        __VA_ARGS__                                                       \
        memcpy(dst, out, n * (SIZE));                                     \
    }

static void look_up_1(const void *table, const void *source, void *destination, size_t n)
{
    const plane p = plane_of(table, 1, 0);
    CUF_LOOK_UP_LOOP(1, _mm512_storeu_si512(out, look(&p, x));)
}

static void look_up_2(const void *table, const void *source, void *destination, size_t n)
{
    const plane low = plane_of(table, 2, 0), high = plane_of(table, 2, 1);
    const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    CUF_LOOK_UP_LOOP(2, {
        const __m512i codes = _mm512_permutexvar_epi64(order, x);
        const __m512i a = look(&low, codes), b = look(&high, codes);
        _mm512_storeu_si512(out, _mm512_unpacklo_epi8(a, b));
        _mm512_storeu_si512(out + 64, _mm512_unpackhi_epi8(a, b));
    })
}

/* Four runs of 16 words from planes of words that hold the lower and the upper halves. */
static inline void store_words(unsigned char *out, __m512i low0, __m512i low1, __m512i high0,
                               __m512i high1)
{
    _mm512_storeu_si512(out, _mm512_unpacklo_epi16(low0, high0));
    _mm512_storeu_si512(out + 64, _mm512_unpackhi_epi16(low0, high0));
    _mm512_storeu_si512(out + 128, _mm512_unpacklo_epi16(low1, high1));
    _mm512_storeu_si512(out + 192, _mm512_unpackhi_epi16(low1, high1));
}

/* Entries of which only the upper two bytes are not zero, as the float32 of any narrow float. */
static void look_up_upper_of_4(const void *table, const void *source, void *destination, size_t n)
{
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const plane third = plane_of(table, 4, 2), fourth = plane_of(table, 4, 3);
    const __m512i zero = _mm512_setzero_si512();
    CUF_LOOK_UP_LOOP(4, {
        const __m512i codes = _mm512_permutexvar_epi32(order, x);
        const __m512i c = look(&third, codes), d = look(&fourth, codes);
        store_words(out, zero, zero, _mm512_unpacklo_epi8(c, d), _mm512_unpackhi_epi8(c, d));
    })
}

/* The lower four bytes of each entry. */
typedef struct {
    plane first, second, third, fourth;
} planes;

static planes lower_planes(const void *table, size_t size)
{
    return (planes){plane_of(table, size, 0), plane_of(table, size, 1), plane_of(table, size, 2),
                    plane_of(table, size, 3)};
}

static inline void store_looked_up(unsigned char *out, const planes *p, __m512i x)
{
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i codes = _mm512_permutexvar_epi32(order, x);
    const __m512i a = look(&p->first, codes), b = look(&p->second, codes);
    const __m512i c = look(&p->third, codes), d = look(&p->fourth, codes);
    store_words(out, _mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b),
                _mm512_unpacklo_epi8(c, d), _mm512_unpackhi_epi8(c, d));
}

static void look_up_4(const void *table, const void *source, void *destination, size_t n)
{
    const planes p = lower_planes(table, 4);
    CUF_LOOK_UP_LOOP(4, store_looked_up(out, &p, x);)
}

/* float64 of narrow floats: 16 bits of each, then shifted to the top */
static void look_up_upper_of_8(const void *table, const void *source, void *destination, size_t n)
{
    const plane low = plane_of(table, 8, 6), high = plane_of(table, 8, 7);
    const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    CUF_LOOK_UP_LOOP(8, {
        const __m512i codes = _mm512_permutexvar_epi64(order, x);
        const __m512i a = look(&low, codes), b = look(&high, codes);
        unsigned char words[128];
        _mm512_storeu_si512(words, _mm512_unpacklo_epi8(a, b));
        _mm512_storeu_si512(words + 64, _mm512_unpackhi_epi8(a, b));
        for (int i = 0; i < 8; i++) {
            const __m128i eight = _mm_loadu_si128((const __m128i *)(words + 16 * i));
            _mm512_storeu_si512(out + 64 * i,
                                _mm512_slli_epi64(_mm512_cvtepu16_epi64(eight), 48));
        }
    })
}

/* Integers of 32 bits with their sign extended, as those of narrow floats with a fraction. */
static void look_up_lower_of_8(const void *table, const void *source, void *destination, size_t n)
{
    const planes p = lower_planes(table, 8);
    CUF_LOOK_UP_LOOP(8, {
        unsigned char halves[256];
        store_looked_up(halves, &p, x);
        for (int i = 0; i < 8; i++) {
            const __m256i eight = _mm256_loadu_si256((const __m256i *)(halves + 32 * i));
            _mm512_storeu_si512(out + 64 * i, _mm512_cvtepi32_epi64(eight));
        }
    })
}

/* Whether all bytes below the upper two are zero in each entry. */
static int has_upper_two_only(const unsigned char *table, size_t size)
{
    const __m512i lower = size == 4 ? _mm512_set1_epi32(0xffff)
                                    : _mm512_set1_epi64(INT64_C(0x0000ffffffffffff));
    __m512i any = _mm512_setzero_si512();
    for (size_t i = 0; i < 256 * size; i += 64) {
        any = _mm512_or_si512(any, _mm512_loadu_si512(table + i));
    }
    return _mm512_test_epi64_mask(any, lower) == 0;
}

static int has_extended_halves(const unsigned char *table)
{
    for (size_t i = 0; i < 256; i++) {
        int64_t entry;
        memcpy(&entry, table + 8 * i, sizeof entry);
        if (entry != (int32_t)entry) {
            return 0;
        }
    }
    return 1;
}

static cuf_look_up *look_up_for(const void *table, size_t size)
{
    switch (size) {
    case 1: return look_up_1;
    case 2: return look_up_2;
    case 4: return has_upper_two_only(table, 4) ? look_up_upper_of_4 : look_up_4;
    case 8:
        return has_upper_two_only(table, 8) ? look_up_upper_of_8
               : has_extended_halves(table) ? look_up_lower_of_8
                                            : NULL;
    default: return NULL;
    }
}

/* 64 codes to 48 bytes and back; see kernels_x86_v3.c. */
static inline __m512i join_64(__m512i codes, __m512i drop)
{
    __m512i x = _mm512_and_si512(codes, _mm512_set1_epi8(0x3f));
    x = _mm512_maddubs_epi16(x, _mm512_set1_epi16(0x4001));
    x = _mm512_madd_epi16(x, _mm512_set1_epi32(0x10000001));
    return _mm512_permutexvar_epi8(drop, x);
}

static inline __m512i part_64(__m512i bytes, __m512i spread)
{
    __m512i x = _mm512_permutexvar_epi8(spread, bytes);
    /* of each word of 64 bits, with 24 bits in either half: the bits from 0, 6, 12, 18 of both */
    const __m512i places = _mm512_set1_epi64(INT64_C(0x322c2620120c0600));
    x = _mm512_multishift_epi64_epi8(places, x);
    return _mm512_and_si512(x, _mm512_set1_epi8(0x3f));
}

#define CUF_MASK_48 _cvtu64_mask64(~UINT64_C(0) >> 16)

static void pack_6(const void *source, void *destination, size_t n)
{
    const unsigned char *src = source;
    unsigned char *dst = destination, places[64] = {0};
    for (int i = 0; i < 48; i++) {
        places[i] = (unsigned char)(i / 3 * 4 + i % 3);
    }
    const __m512i drop = _mm512_loadu_si512(places);
    for (; n >= 64; n -= 64, src += 64, dst += 48) {
        _mm512_mask_storeu_epi8(dst, CUF_MASK_48, join_64(_mm512_loadu_si512(src), drop));
    }
    if (n) {
        const __mmask64 in = _cvtu64_mask64(~UINT64_C(0) >> (64 - n));
        const __mmask64 out = _cvtu64_mask64(~UINT64_C(0) >> (64 - (n * 6 + 7) / 8));
        _mm512_mask_storeu_epi8(dst, out, join_64(_mm512_maskz_loadu_epi8(in, src), drop));
    }
}

static void unpack_6(const void *source, void *destination, size_t n)
{
    const unsigned char *src = source;
    unsigned char *dst = destination, places[64];
    for (int i = 0; i < 64; i++) {
        places[i] = (unsigned char)(i / 4 * 3 + (i % 4 < 3 ? i % 4 : 0));
    }
    const __m512i spread = _mm512_loadu_si512(places);
    for (; n >= 64; n -= 64, src += 48, dst += 64) {
        const __m512i bytes = _mm512_maskz_loadu_epi8(CUF_MASK_48, src);
        _mm512_storeu_si512(dst, part_64(bytes, spread));
    }
    if (n) {
        const __mmask64 in = _cvtu64_mask64(~UINT64_C(0) >> (64 - (n * 6 + 7) / 8));
        const __mmask64 out = _cvtu64_mask64(~UINT64_C(0) >> (64 - n));
        _mm512_mask_storeu_epi8(dst, out, part_64(_mm512_maskz_loadu_epi8(in, src), spread));
    }
}

void cuf_fill_overrides_x86_vbmi(cuf_kernels *kernels)
{
    kernels->look_up_for = look_up_for;
    kernels->pack[6] = pack_6;
    kernels->unpack[6] = unpack_6;
}
