/*
 * Override in AVX2 intrinsics: bytes from a table of 256, for casts from a type of one byte to
 * another, 32 codes at a time. The lower four bits of a code are the column in a table of 16 rows,
 * each of which is looked up by one instruction, and the upper four tell which result is taken.
 */
#include "kernels_x86_v3.h"

/* Each row in both halves. */
typedef struct {
    __m256i at[16];
} rows;

CUF_INLINE __m256i look(const rows *r, __m256i codes)
{
    const __m256i x = and_(codes, _mm256_set1_epi8(0x3f));
    __m256i quarter[4];
    for (int i = 0; i < 4; i++) {
        /* the column where bits 4 and 5 are those of i, else a negative index, which gives 0 */
        __m256i index = _mm256_xor_si256(x, _mm256_set1_epi8((char)(i << 4)));
        index = _mm256_adds_epu8(index, _mm256_set1_epi8(0x70));
        for (int q = 0; q < 4; q++) {
            __m256i result = _mm256_shuffle_epi8(r->at[4 * q + i], index);
            quarter[q] = i ? _mm256_or_si256(quarter[q], result) : result;
        }
    }
    const __m256i bit6 = _mm256_slli_epi16(codes, 1);
    return _mm256_blendv_epi8(_mm256_blendv_epi8(quarter[0], quarter[1], bit6),
                              _mm256_blendv_epi8(quarter[2], quarter[3], bit6), codes);
}

static void look_up_1(const void *table, const void *source, void *destination, size_t n)
{
    const unsigned char *src = source;
    unsigned char *dst = destination;
    rows r;
    for (int i = 0; i < 16; i++) {
        const void *row = (const unsigned char *)table + 16 * i;
        r.at[i] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)row));
    }
    for (; n >= 32; n -= 32, src += 32, dst += 32) {
        store(dst, look(&r, load(src)));
    }
    if (n) {
        unsigned char some[32] = {0};
        memcpy(some, src, n);
        store(some, look(&r, load(some)));
        memcpy(dst, some, n);
    }
}

static cuf_look_up *look_up_for(const void *table, size_t size)
{
    (void)table;
    return size == 1 ? look_up_1 : NULL;
}

void cuf_override_look_up_x86_v3(cuf_kernels *kernels) { kernels->look_up_for = look_up_for; }
