#include "pack.h"

#include <string.h>

size_t cuf_packed_size(int bits, size_t n)
{
    const size_t eights = n / 8, rest = n % 8;
    return eights * (size_t)bits + (rest * (size_t)bits + 7) / 8;
}

static void start(cuf_packer *p, const cuf_plan *plan, int bits)
{
    p->plan = plan;
    p->bits = bits;
    p->packed = NULL;
    p->unread = NULL;
    p->left = p->fill = p->used = 0;
}

void cuf_pack_start(cuf_packer *p, const cuf_plan *plan, int bits, void *packed)
{
    start(p, plan, bits);
    p->packed = packed;
}

/* Only the last block of all may have a number of codes that is no multiple of 8. */
static void pack(cuf_packer *p, const unsigned char *codes, size_t n)
{
    cuf_kernels_in_use()->pack[p->bits](codes, p->packed, n);
    p->packed += cuf_packed_size(p->bits, n);
}

void cuf_pack_feed(cuf_packer *p, const void *source, ptrdiff_t stride, size_t n)
{
    const unsigned char *src = source;
    if (!p->plan && stride == 1 && p->fill == 0 && n >= 8) {
        const size_t whole = n & ~(size_t)7;
        pack(p, src, whole);
        src += whole;
        n -= whole;
    }
    while (n) {
        const size_t room = CUF_PACK_BLOCK - p->fill, m = n < room ? n : room;
        if (p->plan) {
            cuf_run(p->plan, src, stride, p->codes + p->fill, 1, m);
        }
        else {
            for (size_t i = 0; i < m; i++) {
                p->codes[p->fill + i] = src[(ptrdiff_t)i * stride];
            }
        }
        src += (ptrdiff_t)m * stride;
        n -= m;
        p->fill += m;
        if (p->fill == CUF_PACK_BLOCK) {
            cuf_pack_finish(p);
        }
    }
}

void cuf_pack_finish(cuf_packer *p)
{
    if (p->fill) {
        pack(p, p->codes, p->fill);
        p->fill = 0;
    }
}

void cuf_unpack_start(cuf_packer *p, const cuf_plan *plan, int bits, const void *packed, size_t n)
{
    start(p, plan, bits);
    p->unread = packed;
    p->left = n;
}

static void unpack(cuf_packer *p, unsigned char *codes, size_t n)
{
    cuf_kernels_in_use()->unpack[p->bits](p->unread, codes, n);
    p->unread += cuf_packed_size(p->bits, n);
    p->left -= n;
}

void cuf_unpack_take(cuf_packer *p, void *destination, ptrdiff_t stride, size_t n)
{
    unsigned char *dst = destination;
    if (!p->plan && stride == 1 && p->used == p->fill) {
        const size_t whole = n == p->left ? n : n & ~(size_t)7;
        if (whole) {
            unpack(p, dst, whole);
            dst += whole;
            n -= whole;
        }
    }
    while (n) {
        if (p->used == p->fill) {
            p->fill = p->left < CUF_PACK_BLOCK ? p->left : CUF_PACK_BLOCK;
            p->used = 0;
            unpack(p, p->codes, p->fill);
        }
        const size_t there = p->fill - p->used, m = n < there ? n : there;
        if (p->plan) {
            cuf_run(p->plan, p->codes + p->used, 1, dst, stride, m);
        }
        else {
            for (size_t i = 0; i < m; i++) {
                dst[(ptrdiff_t)i * stride] = p->codes[p->used + i];
            }
        }
        dst += (ptrdiff_t)m * stride;
        n -= m;
        p->used += m;
    }
}
