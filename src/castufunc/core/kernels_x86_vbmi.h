/*
 * What the AVX-512 overrides share: 16 elements in lanes of 32 bits, how to load and to store
 * them, and the loop over 64 elements at a time.
 *
 * Loading is independent of the floating-point environment: what rounds says how, and suppresses
 * exceptions.
 */
#ifndef CUF_KERNELS_X86_VBMI_H
#define CUF_KERNELS_X86_VBMI_H

#include <immintrin.h>
#include <string.h>

#include "bits.h"
#include "kernels.h"

#define QUIETLY _MM_FROUND_NO_EXC
#define CUT (_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)
#define NEAREST (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)

/* F(i), F(i + 1), ... for tables of places. */
#define CUF_EACH_4(F, i) F(i), F((i) + 1), F((i) + 2), F((i) + 3)
#define CUF_EACH_16(F, i) \
    CUF_EACH_4(F, i), CUF_EACH_4(F, (i) + 4), CUF_EACH_4(F, (i) + 8), CUF_EACH_4(F, (i) + 12)
#define CUF_EACH_32(F) CUF_EACH_16(F, 0), CUF_EACH_16(F, 16)
#define CUF_EACH_64(F) CUF_EACH_32(F), CUF_EACH_16(F, 32), CUF_EACH_16(F, 48)
#define CUF_TWICE(i) (2 * (i))
#define CUF_FOUR_TIMES(i) (4 * ((i) % 32))

CUF_INLINE __m512i lanes(uint32_t x) { return _mm512_set1_epi32((int)x); }
CUF_INLINE __m512i and_(__m512i a, __m512i b) { return _mm512_and_si512(a, b); }
CUF_INLINE __m512i or_(__m512i a, __m512i b) { return _mm512_or_si512(a, b); }
CUF_INLINE __m512i add(__m512i a, __m512i b) { return _mm512_add_epi32(a, b); }

CUF_INLINE __m512i load(const unsigned char *at) { return _mm512_loadu_si512(at); }
CUF_INLINE __m256i load_half(const unsigned char *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}

CUF_INLINE __m512i join(__m256i low, __m256i high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

CUF_INLINE __m256i half_of(__m512i x, int high)
{
    return high ? _mm512_extracti64x4_epi64(x, 1) : _mm512_castsi512_si256(x);
}

/* The low, or the high, 32 bits of 16 elements of 64 bits. */
CUF_INLINE __m512i halves_of(__m512i first, __m512i second, int high)
{
    static const uint32_t places[16] = {CUF_EACH_16(CUF_TWICE, 0)};
    const __m512i even = load((const unsigned char *)places);
    return _mm512_permutex2var_epi32(first, high ? add(even, lanes(1)) : even, second);
}

/* --- 64 results in order, from 16 in each of four vectors; bits above a result are anything -- */

/* 64 codes of so many bits. */
CUF_INLINE void store_codes(unsigned char *dst, __m512i codes, int bits)
{
    if (bits < 8) {
        codes = and_(codes, _mm512_set1_epi8((char)((1 << bits) - 1)));
    }
    _mm512_storeu_si512(dst, codes);
}

/* Byte `which` of each lane. */
CUF_INLINE __m512i bytes_of_lanes(const __m512i t[4], int which)
{
    static const uint8_t places[64] = {CUF_EACH_64(CUF_FOUR_TIMES)};
    const __m512i bytes = _mm512_add_epi8(load(places), _mm512_set1_epi8((char)which));
    __m512i low = _mm512_permutex2var_epi8(t[0], bytes, t[1]);
    __m512i high = _mm512_permutex2var_epi8(t[2], bytes, t[3]);
    return join(half_of(low, 0), half_of(high, 0));
}

/* The same of lanes of 16 bits. */
CUF_INLINE __m512i bytes_of_words(__m512i first, __m512i second, int which)
{
    static const uint8_t places[64] = {CUF_EACH_64(CUF_TWICE)};
    const __m512i bytes = _mm512_add_epi8(load(places), _mm512_set1_epi8((char)which));
    return _mm512_permutex2var_epi8(first, bytes, second);
}

CUF_INLINE void store_1(unsigned char *dst, const __m512i t[4], int bits)
{
    store_codes(dst, bytes_of_lanes(t, 0), bits);
}

/* The lower or the upper half of each lane. */
CUF_INLINE void store_words(unsigned char *dst, const __m512i t[4], int upper)
{
    static const uint16_t places[32] = {CUF_EACH_32(CUF_TWICE)};
    const __m512i even = load((const unsigned char *)places);
    const __m512i words = upper ? _mm512_add_epi16(even, _mm512_set1_epi16(1)) : even;
    _mm512_storeu_si512(dst, _mm512_permutex2var_epi16(t[0], words, t[1]));
    _mm512_storeu_si512(dst + 64, _mm512_permutex2var_epi16(t[2], words, t[3]));
}

CUF_INLINE void store_2(unsigned char *dst, const __m512i t[4], int bits)
{
    (void)bits;
    store_words(dst, t, 0);
}

CUF_INLINE void store_4(unsigned char *dst, const __m512i t[4], int bits)
{
    (void)bits;
    for (int j = 0; j < 4; j++) {
        _mm512_storeu_si512(dst + 64 * j, t[j]);
    }
}

/* --- loops --------------------------------------------------------------------------------- */

/* Bytes [64 * part, 64 * part + 64) of the first `size`, as a mask. */
CUF_INLINE __mmask64 mask_of(size_t size, size_t part)
{
    const size_t from = 64 * part;
    return size <= from        ? 0
           : size - from >= 64 ? ~UINT64_C(0)
                               : ~UINT64_C(0) >> (64 - (size - from));
}

/* Fewer than 64 elements through a whole block, by masks: nothing outside them is touched. */
CUF_INLINE void copy_masked(unsigned char *to, const unsigned char *from, size_t size, size_t parts,
                            int into_block)
{
    for (size_t i = 0; i < parts; i++) {
        const __mmask64 mask = mask_of(size, i);
        if (into_block) {
            _mm512_storeu_si512(to + 64 * i, _mm512_maskz_loadu_epi8(mask, from + 64 * i));
        }
        else {
            _mm512_mask_storeu_epi8(to + 64 * i, mask, load(from + 64 * i));
        }
    }
}

/*
 * What will be read soon, of elements of so many bytes. The processor sees by itself that memory is
 * read in order, but not enough of it in time where elements are wide: from DRAM, 64 bits come four
 * times as fast with this, 32 bits a tenth faster, and narrow ones no faster.
 */
CUF_INLINE void fetch(const unsigned char *src, size_t from)
{
    enum { AHEAD = 4096 };
    for (size_t i = 0; from >= 4 && i < from; i++) {
        __builtin_prefetch(src + AHEAD + 64 * i);
    }
}

/*
 * How many elements of `size` bytes to go on by from a first block, so that the next ones begin
 * with a cache line: half of all lines would be written in two pieces. NumPy has large arrays 16
 * bytes behind a line.
 */
CUF_INLINE size_t first_step(const unsigned char *dst, size_t size, size_t n)
{
    const size_t behind = (uintptr_t)dst % 64;
    return n < 512 || behind % size ? 64 : (64 - behind) / size;
}

/*
 * The contract of kernel_loop.h. The statements turn 64 elements of FROM bytes at `src` into as
 * many of TO bytes at `dst`.
 */
#define CUF_LOOP_64(NAME, FROM, TO, ...)                                                    \
    CUF_INLINE void NAME##_64(const unsigned char *src, unsigned char *dst) { __VA_ARGS__ } \
    static void NAME(const void *source, void *destination, size_t n)                       \
    {                                                                                       \
        const unsigned char *src = source;                                                  \
        unsigned char *dst = destination, in[64 * (FROM)], out[64 * (TO)];                  \
        size_t step = first_step(dst, TO, n);                                               \
        while (n >= 64) {                                                                   \
            fetch(src, FROM);                                                               \
            NAME##_64(src, dst);                                                            \
            src += step * (FROM);                                                           \
            dst += step * (TO);                                                             \
            n -= step;                                                                      \
            step = 64;                                                                      \
        }                                                                                   \
        if (n) {                                                                            \
            copy_masked(in, src, n * (FROM), FROM, 1);                                      \
            NAME##_64(in, out);                                                             \
            copy_masked(dst, out, n * (TO), TO, 0);                                         \
        }                                                                                   \
    }

/* The same, of results in lanes: CODES are those of the 16 elements `at` a place. */
#define CUF_KERNEL_64(NAME, FROM, TO, BITS, CODES)                   \
    CUF_LOOP_64(NAME, FROM, TO, {                                    \
        __m512i t[4];                                                \
        for (int j = 0; j < 4; j++) {                                \
            const unsigned char *at = src + 16 * j * (FROM);         \
            t[j] = (CODES);                                          \
        }                                                            \
        store_##TO(dst, t, BITS);                                    \
    })

/* --- sources: 16 floats as float32 patterns ------------------------------------------------- */

CUF_INLINE __m512i load_float32(const unsigned char *at) { return load(at); }

CUF_INLINE __m512i load_bfloat16(const unsigned char *at)
{
    return _mm512_slli_epi32(_mm512_cvtepu16_epi32(load_half(at)), 16);
}

CUF_INLINE __m512i load_float16(const unsigned char *at)
{
    return _mm512_castps_si512(_mm512_cvt_roundph_ps(load_half(at), QUIETLY));
}

/* Not by comparing floats, which clang does aloud, whatever it is told. */
CUF_INLINE __mmask16 is_nan(__m512i float32)
{
    return _mm512_cmpgt_epi32_mask(and_(float32, lanes(CUF_F32_MAGNITUDE)), lanes(CUF_F32_INF));
}

#endif
