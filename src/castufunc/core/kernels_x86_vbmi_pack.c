/* Overrides in AVX-512 VBMI intrinsics: packing of 6-bit codes. */
#include "kernels_x86_vbmi.h"

/* 64 codes to 48 bytes and back; see kernels_x86_v3_pack.c. */
CUF_INLINE __m512i join_64(__m512i codes, __m512i drop)
{
    __m512i x = and_(codes, _mm512_set1_epi8(0x3f));
    x = _mm512_maddubs_epi16(x, _mm512_set1_epi16(0x4001));
    x = _mm512_madd_epi16(x, _mm512_set1_epi32(0x10000001));
    return _mm512_permutexvar_epi8(drop, x);
}

CUF_INLINE __m512i part_64(__m512i bytes, __m512i spread)
{
    __m512i x = _mm512_permutexvar_epi8(spread, bytes);
    /* of each word of 64 bits, with 24 bits in either half: the bits from 0, 6, 12, 18 of both */
    const __m512i places = _mm512_set1_epi64(INT64_C(0x322c2620120c0600));
    x = _mm512_multishift_epi64_epi8(places, x);
    return and_(x, _mm512_set1_epi8(0x3f));
}

#define CUF_MASK_48 mask_of(48, 0)

static void pack_6(const void *source, void *destination, size_t n)
{
    const unsigned char *src = source;
    unsigned char *dst = destination;
#define PLACE(i) ((i) < 48 ? (i) / 3 * 4 + (i) % 3 : 0)
    static const uint8_t places[64] = {CUF_EACH_64(PLACE)};
#undef PLACE
    const __m512i drop = load(places);
    for (; n >= 64; n -= 64, src += 64, dst += 48) {
        _mm512_mask_storeu_epi8(dst, CUF_MASK_48, join_64(load(src), drop));
    }
    if (n) {
        const __mmask64 in = mask_of(n, 0), out = mask_of((n * 6 + 7) / 8, 0);
        _mm512_mask_storeu_epi8(dst, out, join_64(_mm512_maskz_loadu_epi8(in, src), drop));
    }
}

static void unpack_6(const void *source, void *destination, size_t n)
{
    const unsigned char *src = source;
    unsigned char *dst = destination;
#define PLACE(i) ((i) / 4 * 3 + ((i) % 4 < 3 ? (i) % 4 : 0))
    static const uint8_t places[64] = {CUF_EACH_64(PLACE)};
#undef PLACE
    const __m512i spread = load(places);
    for (; n >= 64; n -= 64, src += 48, dst += 64) {
        const __m512i bytes = _mm512_maskz_loadu_epi8(CUF_MASK_48, src);
        _mm512_storeu_si512(dst, part_64(bytes, spread));
    }
    if (n) {
        const __mmask64 in = mask_of((n * 6 + 7) / 8, 0), out = mask_of(n, 0);
        _mm512_mask_storeu_epi8(dst, out, part_64(_mm512_maskz_loadu_epi8(in, src), spread));
    }
}

void cuf_override_pack_x86_vbmi(cuf_kernels *kernels)
{
    kernels->pack[6] = pack_6;
    kernels->unpack[6] = unpack_6;
}
