/* Fused kernels: float32, float64, float16 and bfloat16 to every float of at most 16 bits. */
#include "codec_wide.h"
#include "kernel_loop.h"
#include "kernels.h"

#define CUF_ENCODERS(ID, MODE, SAT, ROUND, CODE)                                     \
    CUF_KERNEL(float32_to_##ID##MODE, uint32_t, CODE,                                \
               cuf_encode(x, cuf_row_##ID, SAT, ROUND))                              \
    CUF_KERNEL(float64_to_##ID##MODE, uint64_t, CODE,                                \
               cuf_encode_float64(x, cuf_row_##ID, SAT, ROUND))                      \
    CUF_KERNEL(float16_to_##ID##MODE, uint16_t, CODE,                                \
               cuf_encode_float16(x, cuf_row_##ID, SAT, ROUND))                      \
    CUF_KERNEL(bfloat16_to_##ID##MODE, uint16_t, CODE,                               \
               cuf_encode((uint32_t)x << 16, cuf_row_##ID, SAT, ROUND))

#define CUF_ENCODERS_1(ID, MODE, SAT, ROUND) CUF_ENCODERS(ID, MODE, SAT, ROUND, uint8_t)
#define CUF_ENCODERS_2(ID, MODE, SAT, ROUND) CUF_ENCODERS(ID, MODE, SAT, ROUND, uint16_t)
#define CUF_ENCODERS_4(ID, MODE, SAT, ROUND)
#define CUF_ENCODERS_8(ID, MODE, SAT, ROUND)

#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_COLUMNS_##modes(CUF_ENCODERS_##storage, ID)
#include "formats.def"

#define CUF_SET(ID, MODE, SAT, ROUND)                                             \
    kernels->at[CUF_FLOAT32][CUF_TO_##ID##MODE] = float32_to_##ID##MODE;          \
    kernels->at[CUF_FLOAT64][CUF_TO_##ID##MODE] = float64_to_##ID##MODE;          \
    kernels->at[CUF_FLOAT16][CUF_TO_##ID##MODE] = float16_to_##ID##MODE;          \
    kernels->at[CUF_BFLOAT16][CUF_TO_##ID##MODE] = bfloat16_to_##ID##MODE;
#define CUF_SET_1 CUF_SET
#define CUF_SET_2 CUF_SET
#define CUF_SET_4(ID, MODE, SAT, ROUND)
#define CUF_SET_8(ID, MODE, SAT, ROUND)

void CUF_FILL(encode)(cuf_kernels *kernels)
{
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_COLUMNS_##modes(CUF_SET_##storage, ID)
#include "formats.def"
}
