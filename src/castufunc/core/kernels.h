/*
 * The kernels of an instruction-set target, by source type and column. An empty place means that
 * there is no direct kernel: plan.c goes through a hub.
 *
 * The kernels_*.c files are compiled once per target with CUF_TARGET set to its name; each fills
 * its part of the table. A fill function is itself compiled for the target: call it only on a
 * processor that has it.
 */
#ifndef CUF_KERNELS_H
#define CUF_KERNELS_H

#include <stddef.h>

#include "formats.h"

/* See the contract in kernel_loop.h. */
typedef void cuf_kernel(const void *src, void *dst, size_t n);

/* Results of 1-byte codes from a table of 256, under the same contract. */
typedef void cuf_look_up(const void *table, const void *src, void *dst, size_t n);

typedef struct {
    cuf_kernel *at[CUF_TYPES][CUF_COLUMNS];
    /* Kernels that no floating-point setting changes, and that set no flag: it need not be set. */
    unsigned char independent[CUF_TYPES][CUF_COLUMNS];
    /*
     * By the bits of a code, 2, 4 or 6: n codes to packed bytes and back. High bits of the codes
     * are ignored, and those of the last byte are written zero.
     */
    cuf_kernel *pack[8], *unpack[8];
    /* The one for a table of entries of so many bytes; NULL: none is better than the plain loop. */
    cuf_look_up *(*look_up_for)(const void *table, size_t size);
} cuf_kernels;

/* Sets the kernel in all columns (modes) of a target type. */
void cuf_kernels_set(cuf_kernels *kernels, cuf_type from, cuf_type to, cuf_kernel *kernel);

#define CUF_DECLARE_TARGET(TARGET)                        \
    void cuf_fill_encode_##TARGET(cuf_kernels *kernels);  \
    void cuf_fill_decode_##TARGET(cuf_kernels *kernels);  \
    void cuf_fill_integer_##TARGET(cuf_kernels *kernels); \
    void cuf_fill_wide_##TARGET(cuf_kernels *kernels);    \
    void cuf_fill_pack_##TARGET(cuf_kernels *kernels);

CUF_DECLARE_TARGET(baseline)
CUF_DECLARE_TARGET(x86_v3)
CUF_DECLARE_TARGET(x86_v4)

/* What was worth writing in intrinsics; each goes over the places of a table already filled. */
void cuf_override_decode_x86_v3(cuf_kernels *kernels);
void cuf_override_encode_x86_v3(cuf_kernels *kernels);
void cuf_override_look_up_x86_v3(cuf_kernels *kernels);
void cuf_override_pack_x86_v3(cuf_kernels *kernels);
void cuf_override_encode_x86_vbmi(cuf_kernels *kernels);
void cuf_override_integer_x86_vbmi(cuf_kernels *kernels);
void cuf_override_look_up_x86_vbmi(cuf_kernels *kernels);
void cuf_override_pack_x86_vbmi(cuf_kernels *kernels);

/* Compiled once; the speed of long double is the processor's own. */
void cuf_fill_extended(cuf_kernels *kernels);

#define CUF_PASTE_(STEM, TARGET) STEM##TARGET
#define CUF_PASTE(STEM, TARGET) CUF_PASTE_(STEM, TARGET)
#define CUF_FILL(FAMILY) CUF_PASTE(cuf_fill_##FAMILY##_, CUF_TARGET)

/* Unsigned integer types by their size in bytes, for pasting with a row's storage. */
#define CUF_CODE_1 uint8_t
#define CUF_CODE_2 uint16_t
#define CUF_CODE_4 uint32_t
#define CUF_CODE_8 uint64_t

#endif
