/*
 * Packed forms of codes of less than 8 bits, as ONNX stores them: the first element in the lowest
 * bits, no gaps but the zero bits that fill the last byte. Eight codes always fill whole bytes.
 */
#ifndef CUF_PACK_H
#define CUF_PACK_H

#include <stddef.h>

#include "plan.h"

/* Bytes of n packed codes; n * bits must not overflow. */
size_t cuf_packed_size(int bits, size_t n);

/*
 * Streams: elements come and go in runs of any length and stride, in the order of the tensor, and
 * pass through a buffer that stays in L1. `plan` casts on the way, NULL moves codes as they are.
 */
enum { CUF_PACK_BLOCK = 2048 }; /* a multiple of 8 */

typedef struct {
    const cuf_plan *plan;
    int bits;
    unsigned char *packed;       /* packing: where the next whole block goes */
    const unsigned char *unread; /* unpacking: where it comes from */
    size_t left;                 /* unpacking: how many codes are still packed */
    size_t fill, used;           /* codes in the buffer, and those of them that were taken */
    unsigned char codes[CUF_PACK_BLOCK];
} cuf_packer;

/* Packing: feed all elements, then finish, which writes the last, partly filled block. */
void cuf_pack_start(cuf_packer *packer, const cuf_plan *plan, int bits, void *packed);
void cuf_pack_feed(cuf_packer *packer, const void *src, ptrdiff_t stride, size_t n);
void cuf_pack_finish(cuf_packer *packer);

/* Unpacking: n codes in all, taken in runs whose lengths add up to n. */
void cuf_unpack_start(cuf_packer *packer, const cuf_plan *plan, int bits, const void *packed,
                      size_t n);
void cuf_unpack_take(cuf_packer *packer, void *dst, ptrdiff_t stride, size_t n);

#endif
