/*
 * The one loop that all kernels are stamped from.
 *
 * CUF_KERNEL(NAME, SRC, DST, EXPR) defines `static void NAME(const void *, void *, size_t)`.
 *   SRC, DST  unsigned integer types of an element's size
 *   EXPR      the result's code, an expression of `x`, the source's code
 *
 * Contract: contiguous elements, any alignment, n >= 1, source and destination disjoint; only a
 * single element may overlap its result in any way. Nothing outside the n elements is written.
 * Round-to-nearest-even is set and subnormals are not flushed.
 *
 * Shape: blocks of constant length, which compilers vectorise even at -O2, the last one moved
 * back so that it ends with the array (hence "disjoint": some elements are converted twice);
 * fewer elements than a block go through a padded copy.
 */
#ifndef CUF_KERNEL_LOOP_H
#define CUF_KERNEL_LOOP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bits.h"
#include "kernels.h"

enum { CUF_LANES = 32 };

#define CUF_KERNEL(NAME, SRC, DST, EXPR)                                                        \
    CUF_INLINE void NAME##_block(const unsigned char *restrict src, unsigned char *restrict dst) \
    {                                                                                           \
        for (int lane = 0; lane < CUF_LANES; lane++) {                                          \
            SRC x;                                                                              \
            DST y;                                                                              \
            memcpy(&x, src + lane * sizeof x, sizeof x);                                        \
            y = (DST)(EXPR);                                                                    \
            memcpy(dst + lane * sizeof y, &y, sizeof y);                                        \
        }                                                                                       \
    }                                                                                           \
    static void NAME(const void *source, void *destination, size_t n)                           \
    {                                                                                           \
        const unsigned char *src = source;                                                      \
        unsigned char *dst = destination;                                                       \
        unsigned char few_src[CUF_LANES * sizeof(SRC)], few_dst[CUF_LANES * sizeof(DST)];       \
        const size_t few = n < CUF_LANES ? n : 0;                                               \
        if (few) {                                                                              \
            memset(few_src, 0, sizeof few_src);                                                 \
            memcpy(few_src, src, few * sizeof(SRC));                                            \
            src = few_src;                                                                      \
            dst = few_dst;                                                                      \
            n = CUF_LANES;                                                                      \
        }                                                                                       \
        for (size_t i = 0;;) {                                                                  \
            NAME##_block(src + i * sizeof(SRC), dst + i * sizeof(DST));                         \
            i += CUF_LANES;                                                                     \
            if (i >= n) {                                                                       \
                break;                                                                          \
            }                                                                                   \
            i = i < n - CUF_LANES ? i : n - CUF_LANES;                                          \
        }                                                                                       \
        if (few) {                                                                              \
            memcpy(destination, few_dst, few * sizeof(DST));                                    \
        }                                                                                       \
    }

#endif
