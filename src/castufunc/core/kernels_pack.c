/* Codes of 2, 4 and 6 bits to packed bytes and back. */
#include "kernel_loop.h"
#include "kernels.h"

/*
 * A byte of packed codes against one word of unpacked ones: shift every code to its place. The
 * first code is the word's lowest byte or its highest.
 */
CUF_INLINE uint16_t fold_pair(uint16_t x)
{
    x &= 0x0f0f;
    return (uint16_t)(CUF_BIG_ENDIAN ? x >> 8 | x << 4 : x | x >> 4);
}

CUF_INLINE uint16_t unfold_pair(uint16_t x)
{
    return (CUF_BIG_ENDIAN ? x << 8 | x >> 4 : x | x << 4) & 0x0f0f;
}

CUF_INLINE uint32_t fold_fours(uint32_t x)
{
    x &= 0x03030303;
    return CUF_BIG_ENDIAN ? x >> 24 | x >> 14 | x >> 4 | x << 6 : x | x >> 6 | x >> 12 | x >> 18;
}

CUF_INLINE uint32_t unfold_fours(uint32_t x)
{
    return (CUF_BIG_ENDIAN ? x << 24 | x << 14 | x << 4 | x >> 6 : x | x << 6 | x << 12 | x << 18) &
           0x03030303;
}

CUF_KERNEL(pairs_to_bytes, uint16_t, uint8_t, fold_pair(x))
CUF_KERNEL(bytes_to_pairs, uint8_t, uint16_t, unfold_pair(x))
CUF_KERNEL(fours_to_bytes, uint32_t, uint8_t, fold_fours(x))
CUF_KERNEL(bytes_to_fours, uint8_t, uint32_t, unfold_fours(x))

/* Eight codes of 6 bits are 48 bits: neighbours join three times, and part three times. */
#define LOW_6 UINT64_C(0x003f003f003f003f)
#define LOW_12 UINT64_C(0x00000fff00000fff)
#define LOW_24 UINT64_C(0x0000000000ffffff)

static uint64_t join_eight(uint64_t x)
{
    x = (x & LOW_6) | (x & LOW_6 << 8) >> 2;
    x = (x & LOW_12) | (x & LOW_12 << 16) >> 4;
    return (x & LOW_24) | (x & LOW_24 << 32) >> 8;
}

static uint64_t part_eight(uint64_t x)
{
    x = (x & LOW_24) | (x & LOW_24 << 24) << 8;
    x = (x & LOW_12) | (x & LOW_12 << 12) << 4;
    return (x & LOW_6) | (x & LOW_6 << 6) << 2;
}

/* Bytes of a 64-bit word in little-endian order, whatever the machine's. */
static uint64_t load_bytes(const unsigned char *src, size_t n)
{
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++) {
        x |= (uint64_t)src[i] << 8 * i;
    }
    return x;
}

static void store_bytes(unsigned char *dst, uint64_t x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dst[i] = (unsigned char)(x >> 8 * i);
    }
}

static void pack_6(const void *source, void *destination, size_t n)
{
    const unsigned char *src = source;
    unsigned char *dst = destination;
    size_t i = 0;
    for (; i + 8 <= n; i += 8, dst += 6) {
        store_bytes(dst, join_eight(load_bytes(src + i, 8)), 6);
    }
    if (i < n) {
        store_bytes(dst, join_eight(load_bytes(src + i, n - i)), ((n - i) * 6 + 7) / 8);
    }
}

static void unpack_6(const void *source, void *destination, size_t n)
{
    const unsigned char *src = source;
    unsigned char *dst = destination;
    size_t i = 0;
    for (; i + 8 <= n; i += 8, src += 6) {
        store_bytes(dst + i, part_eight(load_bytes(src, 6)), 8);
    }
    if (i < n) {
        store_bytes(dst + i, part_eight(load_bytes(src, ((n - i) * 6 + 7) / 8)), n - i);
    }
}

/* Whole bytes by the kernel, and what is left over in one more. */
#define CUF_PACK(BITS, PER_BYTE, PACK, UNPACK)                                                \
    static void pack_##BITS(const void *source, void *destination, size_t n)                  \
    {                                                                                         \
        const unsigned char *src = source;                                                    \
        unsigned char *dst = destination;                                                     \
        const size_t bytes = n / PER_BYTE, rest = n % PER_BYTE;                               \
        if (bytes) {                                                                          \
            PACK(src, dst, bytes);                                                            \
        }                                                                                     \
        if (rest) {                                                                           \
            unsigned char codes[PER_BYTE] = {0};                                              \
            memcpy(codes, src + n - rest, rest);                                              \
            PACK(codes, dst + bytes, 1);                                                      \
        }                                                                                     \
    }                                                                                         \
    static void unpack_##BITS(const void *source, void *destination, size_t n)                \
    {                                                                                         \
        const unsigned char *src = source;                                                    \
        unsigned char *dst = destination;                                                     \
        const size_t bytes = n / PER_BYTE, rest = n % PER_BYTE;                               \
        if (bytes) {                                                                          \
            UNPACK(src, dst, bytes);                                                          \
        }                                                                                     \
        if (rest) {                                                                           \
            unsigned char codes[PER_BYTE];                                                    \
            UNPACK(src + bytes, codes, 1);                                                    \
            memcpy(dst + n - rest, codes, rest);                                              \
        }                                                                                     \
    }
CUF_PACK(4, 2, pairs_to_bytes, bytes_to_pairs)
CUF_PACK(2, 4, fours_to_bytes, bytes_to_fours)

void CUF_FILL(pack)(cuf_kernels *kernels)
{
    kernels->pack[2] = pack_2;
    kernels->pack[4] = pack_4;
    kernels->pack[6] = pack_6;
    kernels->unpack[2] = unpack_2;
    kernels->unpack[4] = unpack_4;
    kernels->unpack[6] = unpack_6;
}
