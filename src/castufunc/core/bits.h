/* Bit patterns and numbers: the smallest helpers of the kernels. No arithmetic of formats here. */
#ifndef CUF_BITS_H
#define CUF_BITS_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define CUF_INLINE static inline __attribute__((always_inline, unused))
#elif defined(_MSC_VER)
#define CUF_INLINE static __forceinline
#else
#define CUF_INLINE static inline
#endif

/* Whether the first byte of a number is the highest; compilers that do not say are little-endian. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define CUF_BIG_ENDIAN 1
#else
#define CUF_BIG_ENDIAN 0
#endif

CUF_INLINE float cuf_float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

CUF_INLINE uint32_t cuf_bits_of_float(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

CUF_INLINE double cuf_double_of(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

CUF_INLINE uint64_t cuf_bits_of_double(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

/* Signed compare: SSE and AVX2 have no unsigned one, and magnitudes are below 2^31. */
CUF_INLINE uint32_t cuf_min32(uint32_t a, uint32_t b) { return (int32_t)a < (int32_t)b ? a : b; }
CUF_INLINE uint32_t cuf_max32(uint32_t a, uint32_t b) { return (int32_t)a > (int32_t)b ? a : b; }

/* The float32 patterns that the codecs speak of. */
#define CUF_F32_SIGN UINT32_C(0x80000000)
#define CUF_F32_MAGNITUDE UINT32_C(0x7fffffff)
#define CUF_F32_INF UINT32_C(0x7f800000)
#define CUF_F32_NAN UINT32_C(0x7fc00000)
#define CUF_F32_MAX UINT32_C(0x7f7fffff)
#define CUF_F64_MAGNITUDE UINT64_C(0x7fffffffffffffff)
#define CUF_F64_INF UINT64_C(0x7ff0000000000000)
#define CUF_F64_NAN UINT64_C(0x7ff8000000000000)

#endif
