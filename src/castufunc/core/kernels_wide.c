/* Fused kernels from float32 and float64 to integers, to bool and to each other; copies. */
#include "codec_wide.h"
#include "kernel_loop.h"
#include "kernels.h"

CUF_KERNEL(float32_to_float64, uint32_t, uint64_t, cuf_float64_of_float32(x))
CUF_KERNEL(float64_to_float32, uint64_t, uint32_t, cuf_float32_of_float64(x))
CUF_KERNEL(float32_to_bool, uint32_t, uint8_t, (x & CUF_F32_MAGNITUDE) != 0)
CUF_KERNEL(float64_to_bool, uint64_t, uint8_t, (x & CUF_F64_MAGNITUDE) != 0)
CUF_KERNEL(float16_to_bool, uint16_t, uint8_t, (x & 0x7fff) != 0)

#define CUF_TO_INTEGERS(FLOAT, CODE)                                                \
    CUF_KERNEL(FLOAT##_to_1, CODE, uint8_t, cuf_low32_of_##FLOAT(x) & 1)            \
    CUF_KERNEL(FLOAT##_to_2, CODE, uint8_t, cuf_low32_of_##FLOAT(x) & 3)            \
    CUF_KERNEL(FLOAT##_to_4, CODE, uint8_t, cuf_low32_of_##FLOAT(x) & 15)           \
    CUF_KERNEL(FLOAT##_to_8, CODE, uint8_t, cuf_low32_of_##FLOAT(x))                \
    CUF_KERNEL(FLOAT##_to_16, CODE, uint16_t, cuf_low32_of_##FLOAT(x))              \
    CUF_KERNEL(FLOAT##_to_32, CODE, uint32_t, cuf_low32_of_##FLOAT(x))              \
    CUF_KERNEL(FLOAT##_to_64, CODE, uint64_t, cuf_low64_of_##FLOAT(x))
CUF_TO_INTEGERS(float32, uint32_t)
CUF_TO_INTEGERS(float64, uint64_t)

/* To the same type: the code itself, without what lies above it; a bool becomes 0 or 1. */
CUF_KERNEL(copy_bool, uint8_t, uint8_t, x != 0)
CUF_KERNEL(copy_1, uint8_t, uint8_t, x & 1)
CUF_KERNEL(copy_2, uint8_t, uint8_t, x & 3)
CUF_KERNEL(copy_4, uint8_t, uint8_t, x & 15)
CUF_KERNEL(copy_6, uint8_t, uint8_t, x & 63)
static void copy_8(const void *src, void *dst, size_t n) { memmove(dst, src, n); }
static void copy_16(const void *src, void *dst, size_t n) { memmove(dst, src, 2 * n); }
static void copy_32(const void *src, void *dst, size_t n) { memmove(dst, src, 4 * n); }
static void copy_64(const void *src, void *dst, size_t n) { memmove(dst, src, 8 * n); }

void CUF_FILL(wide)(cuf_kernels *kernels)
{
    kernels->at[CUF_FLOAT32][CUF_TO_FLOAT64] = float32_to_float64;
    kernels->at[CUF_FLOAT64][CUF_TO_FLOAT32] = float64_to_float32;
    kernels->at[CUF_FLOAT32][CUF_TO_BOOL] = float32_to_bool;
    kernels->at[CUF_FLOAT64][CUF_TO_BOOL] = float64_to_bool;
    kernels->at[CUF_FLOAT16][CUF_TO_BOOL] = float16_to_bool;
    kernels->at[CUF_BFLOAT16][CUF_TO_BOOL] = float16_to_bool;
#define CUF_INT(ID, name, owner, onnx, storage, bits, sign, twin)       \
    kernels->at[CUF_FLOAT32][CUF_TO_##ID] = float32_to_##bits;          \
    kernels->at[CUF_FLOAT64][CUF_TO_##ID] = float64_to_##bits;
#include "formats.def"
#define CUF_BOOL(ID, ...) cuf_kernels_set(kernels, CUF_##ID, CUF_##ID, copy_bool);
#define CUF_INT(ID, name, owner, onnx, storage, bits, sign, twin) \
    cuf_kernels_set(kernels, CUF_##ID, CUF_##ID, copy_##bits);
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, ...) \
    cuf_kernels_set(kernels, CUF_##ID, CUF_##ID, copy_##bits);
#include "formats.def"
}
