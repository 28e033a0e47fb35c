/* Fused kernels: every float of at most 16 bits to float32, float64, float16 and bfloat16. */
#include "codec_wide.h"
#include "kernel_loop.h"
#include "kernels.h"

/* All floats of at most 8 bits are exact in bfloat16: the upper half of the float32 is the code. */
#define CUF_DECODERS_1(ID)                                                               \
    CUF_DECODERS_2(ID, uint8_t)                                                          \
    CUF_KERNEL(ID##_to_float16, uint8_t, uint16_t,                                       \
               cuf_encode(cuf_decode(x, cuf_row_##ID), cuf_row_FLOAT16, 1, CUF_UP))      \
    CUF_KERNEL(ID##_to_bfloat16, uint8_t, uint16_t, cuf_decode(x, cuf_row_##ID) >> 16)

#define CUF_DECODERS_2(ID, CODE)                                                         \
    CUF_KERNEL(ID##_to_float32, CODE, uint32_t, cuf_decode(x, cuf_row_##ID))             \
    CUF_KERNEL(ID##_to_float64, CODE, uint64_t,                                          \
               cuf_float64_of_decoded(cuf_decode(x, cuf_row_##ID)))

#define CUF_STAMP_1(ID) CUF_DECODERS_1(ID)
#define CUF_STAMP_2(ID) CUF_DECODERS_2(ID, uint16_t)
#define CUF_STAMP_4(ID)
#define CUF_STAMP_8(ID)

#define CUF_FLOAT(ID, name, owner, onnx, storage, ...) CUF_STAMP_##storage(ID)
#include "formats.def"

#define CUF_SET_1(ID)                                                \
    CUF_SET_2(ID)                                                    \
    kernels->at[CUF_##ID][CUF_TO_FLOAT16] = ID##_to_float16;         \
    kernels->at[CUF_##ID][CUF_TO_BFLOAT16] = ID##_to_bfloat16;
#define CUF_SET_2(ID)                                                \
    kernels->at[CUF_##ID][CUF_TO_FLOAT32] = ID##_to_float32;         \
    kernels->at[CUF_##ID][CUF_TO_HUB32] = ID##_to_float32;           \
    kernels->at[CUF_##ID][CUF_TO_FLOAT64] = ID##_to_float64;
#define CUF_SET_4(ID)
#define CUF_SET_8(ID)

void CUF_FILL(decode)(cuf_kernels *kernels)
{
#define CUF_FLOAT(ID, name, owner, onnx, storage, ...) CUF_SET_##storage(ID)
#include "formats.def"
}
