/* What the AVX2 overrides share: the loop over 32 elements at a time. */
#ifndef CUF_KERNELS_X86_V3_H
#define CUF_KERNELS_X86_V3_H

#include <immintrin.h>
#include <string.h>

#include "bits.h"
#include "kernels.h"

CUF_INLINE __m256i and_(__m256i a, __m256i b) { return _mm256_and_si256(a, b); }
CUF_INLINE __m256i load(const unsigned char *src)
{
    return _mm256_loadu_si256((const __m256i *)src);
}
CUF_INLINE void store(unsigned char *dst, __m256i x) { _mm256_storeu_si256((__m256i *)dst, x); }

/*
 * The contract of kernel_loop.h. The statements turn 32 elements of FROM bytes at `src` into as
 * many of TO bytes at `dst`.
 */
#define CUF_LOOP_32(NAME, FROM, TO, ...)                                                    \
    CUF_INLINE void NAME##_32(const unsigned char *src, unsigned char *dst) { __VA_ARGS__ } \
    static void NAME(const void *source, void *destination, size_t n)                       \
    {                                                                                       \
        const unsigned char *src = source;                                                  \
        unsigned char *dst = destination;                                                   \
        if (n < 32) {                                                                       \
            unsigned char in[32 * (FROM)] = {0}, out[32 * (TO)];                            \
            memcpy(in, src, n * (FROM));                                                    \
            NAME##_32(in, out);                                                             \
            memcpy(dst, out, n * (TO));                                                     \
            return;                                                                         \
        }                                                                                   \
        size_t i = 0;                                                                       \
        for (; i + 32 <= n; i += 32) {                                                      \
            NAME##_32(src + i * (FROM), dst + i * (TO));                                    \
        }                                                                                   \
        if (i < n) {                                                                        \
            NAME##_32(src + (n - 32) * (FROM), dst + (n - 32) * (TO));                      \
        }                                                                                   \
    }

#endif
