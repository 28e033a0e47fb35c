/* Overrides in AVX2 intrinsics: packing of 6-bit codes, which compilers do not vectorise. */
#include "kernels_x86_v3.h"

/* 32 codes to 24 bytes: pairs to 12 bits, fours to 24, then the empty fourth bytes go. */
static __m256i join_32(__m256i codes)
{
    const __m256i drop = _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1,
                                          0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    __m256i x = and_(codes, _mm256_set1_epi8(0x3f));
    x = _mm256_maddubs_epi16(x, _mm256_set1_epi16(0x4001));
    x = _mm256_madd_epi16(x, _mm256_set1_epi32(0x10000001));
    x = _mm256_shuffle_epi8(x, drop);
    return _mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7));
}

static __m256i part_32(__m256i bytes)
{
    const __m256i spread = _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1,
                                            0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    __m256i x = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 1, 2, 2, 3, 4, 5, 5));
    x = _mm256_shuffle_epi8(x, spread);
    __m256i first = and_(x, _mm256_set1_epi32(0x0000003f));
    __m256i second = and_(_mm256_slli_epi32(x, 2), _mm256_set1_epi32(0x00003f00));
    __m256i third = and_(_mm256_slli_epi32(x, 4), _mm256_set1_epi32(0x003f0000));
    __m256i fourth = and_(_mm256_slli_epi32(x, 6), _mm256_set1_epi32(0x3f000000));
    return _mm256_or_si256(_mm256_or_si256(first, second), _mm256_or_si256(third, fourth));
}

static void store_24(unsigned char *dst, __m256i x)
{
    _mm_storeu_si128((__m128i *)dst, _mm256_castsi256_si128(x));
    _mm_storel_epi64((__m128i *)(dst + 16), _mm256_extracti128_si256(x, 1));
}

static __m256i load_24(const unsigned char *src)
{
    __m128i low = _mm_loadu_si128((const __m128i *)src);
    __m128i high = _mm_loadl_epi64((const __m128i *)(src + 16));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static void pack_6(const void *source, void *destination, size_t n)
{
    const unsigned char *src = source;
    unsigned char *dst = destination;
    for (; n >= 32; n -= 32, src += 32, dst += 24) {
        store_24(dst, join_32(load(src)));
    }
    if (n) {
        unsigned char codes[32] = {0}, bytes[24];
        memcpy(codes, src, n);
        store_24(bytes, join_32(load(codes)));
        memcpy(dst, bytes, (n * 6 + 7) / 8);
    }
}

static void unpack_6(const void *source, void *destination, size_t n)
{
    const unsigned char *src = source;
    unsigned char *dst = destination;
    for (; n >= 32; n -= 32, src += 24, dst += 32) {
        store(dst, part_32(load_24(src)));
    }
    if (n) {
        unsigned char bytes[24] = {0}, codes[32];
        memcpy(bytes, src, (n * 6 + 7) / 8);
        store(codes, part_32(load_24(bytes)));
        memcpy(dst, codes, n);
    }
}

void cuf_override_pack_x86_v3(cuf_kernels *kernels)
{
    kernels->pack[6] = pack_6;
    kernels->unpack[6] = unpack_6;
}
