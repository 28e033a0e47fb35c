/* Overrides in AVX-512 VBMI intrinsics: packing, 64 codes at a time to 8 bytes for each bit. */
#include "kernels_x86_vbmi.h"

/* Neighbours join to 4, 8 or 12 bits in words, and of 2 and 6 bits these to 8 or 24 in lanes. */
CUF_INLINE __m512i join_codes(__m512i codes, int bits, __m512i places)
{
    __m512i x = and_(codes, _mm512_set1_epi8((char)((1 << bits) - 1)));
    x = _mm512_maddubs_epi16(x, _mm512_set1_epi16((short)(1 | 1 << (8 + bits))));
    if (bits != 4) {
        x = _mm512_madd_epi16(x, _mm512_set1_epi32(1 | 1 << (16 + 2 * bits)));
    }
    return _mm512_permutexvar_epi8(places, x);
}

/* Eight codes from each word of 64 bits, which holds as many bytes as they have bits. */
CUF_INLINE __m512i part_codes(__m512i bytes, int bits, __m512i places)
{
    const __m512i from = _mm512_set1_epi64(INT64_C(0x0706050403020100) * bits);
    __m512i x = _mm512_multishift_epi64_epi8(from, _mm512_permutexvar_epi8(places, bytes));
    return and_(x, _mm512_set1_epi8((char)((1 << bits) - 1)));
}

CUF_INLINE size_t bytes_for(size_t n, int bits) { return (n * (size_t)bits + 7) / 8; }

CUF_INLINE void pack(const unsigned char *src, unsigned char *dst, size_t n, int bits,
                     const uint8_t places[64])
{
    const __m512i order = load(places);
    for (; n >= 64; n -= 64, src += 64, dst += 8 * bits) {
        const __m512i packed = join_codes(load(src), bits, order);
        switch (bits) {
        case 2: _mm_storeu_si128((__m128i *)dst, _mm512_castsi512_si128(packed)); break;
        case 4: _mm256_storeu_si256((__m256i *)dst, half_of(packed, 0)); break;
        default: _mm512_mask_storeu_epi8(dst, mask_of((size_t)(8 * bits), 0), packed);
        }
    }
    if (n) {
        const __m512i codes = _mm512_maskz_loadu_epi8(mask_of(n, 0), src);
        const __mmask64 some = mask_of(bytes_for(n, bits), 0);
        _mm512_mask_storeu_epi8(dst, some, join_codes(codes, bits, order));
    }
}

CUF_INLINE void unpack(const unsigned char *src, unsigned char *dst, size_t n, int bits,
                       const uint8_t places[64])
{
    const __m512i order = load(places);
    const __mmask64 all = mask_of((size_t)(8 * bits), 0);
    /* on by whole bytes of either */
    for (size_t step = first_step(dst, 1, n) & ~(size_t)7; n >= 64; step = 64) {
        const __m512i packed = _mm512_maskz_loadu_epi8(all, src);
        _mm512_storeu_si512(dst, part_codes(packed, bits, order));
        src += step / 8 * (size_t)bits;
        dst += step;
        n -= step;
    }
    if (n) {
        const __m512i packed = _mm512_maskz_loadu_epi8(mask_of(bytes_for(n, bits), 0), src);
        _mm512_mask_storeu_epi8(dst, mask_of(n, 0), part_codes(packed, bits, order));
    }
}

/* JOINED(i) is where byte i of the packed form is after joining. */
#define CUF_PACK(BITS, JOINED)                                                                 \
    static void pack_##BITS(const void *source, void *destination, size_t n)                   \
    {                                                                                          \
        static const uint8_t places[64] = {CUF_EACH_64(JOINED)};                               \
        pack(source, destination, n, BITS, places);                                            \
    }                                                                                          \
    static void unpack_##BITS(const void *source, void *destination, size_t n)                 \
    {                                                                                          \
        static const uint8_t places[64] = {CUF_EACH_64(PARTED_##BITS)};                        \
        unpack(source, destination, n, BITS, places);                                          \
    }

#define PARTED(i, bits) ((i) / 8 * (bits) + ((i) % 8 < (bits) ? (i) % 8 : 0))
#define PARTED_2(i) PARTED(i, 2)
#define PARTED_4(i) PARTED(i, 4)
#define PARTED_6(i) PARTED(i, 6)
#define THREE_OF_FOUR(i) ((i) < 48 ? (i) / 3 * 4 + (i) % 3 : 0)
#define EVERY_SECOND(i) ((i) % 32 * 2)
#define EVERY_FOURTH(i) ((i) % 16 * 4)
CUF_PACK(2, EVERY_FOURTH)
CUF_PACK(4, EVERY_SECOND)
CUF_PACK(6, THREE_OF_FOUR)

void cuf_override_pack_x86_vbmi(cuf_kernels *kernels)
{
    kernels->pack[2] = pack_2;
    kernels->pack[4] = pack_4;
    kernels->pack[6] = pack_6;
    kernels->unpack[2] = unpack_2;
    kernels->unpack[4] = unpack_4;
    kernels->unpack[6] = unpack_6;
}
