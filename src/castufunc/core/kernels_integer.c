/* Fused kernels from every integer type and bool: to every integer type, bool and wide float. */
#include "codec_wide.h"
#include "kernel_loop.h"
#include "kernels.h"

/* The number of a code, as the C type that holds it; sub-byte codes ignore their high bits. */
#define CUF_VALUE_1(BITS, x) ((int8_t)(uint8_t)((x) << (8 - (BITS))) >> (8 - (BITS)))
#define CUF_VALUE_0(BITS, x) ((x) & ((2 << ((BITS) - 1)) - 1))
#define CUF_NUMBER_1_1_(BITS, x) CUF_VALUE_1(BITS, x)
#define CUF_NUMBER_1_0_(BITS, x) CUF_VALUE_0(BITS, x)
#define CUF_NUMBER_2_1_(BITS, x) ((int16_t)(x))
#define CUF_NUMBER_2_0_(BITS, x) (x)
#define CUF_NUMBER_4_1_(BITS, x) ((int32_t)(x))
#define CUF_NUMBER_4_0_(BITS, x) (x)
#define CUF_NUMBER_8_1_(BITS, x) ((int64_t)(x))
#define CUF_NUMBER_8_0_(BITS, x) (x)

/* One to 16 bits are exact in float32; wider ones have to keep what the rounding needs. */
#define CUF_ODD_1_1(v) cuf_bits_of_float((float)(v))
#define CUF_ODD_1_0 CUF_ODD_1_1
#define CUF_ODD_2_1 CUF_ODD_1_1
#define CUF_ODD_2_0 CUF_ODD_1_1
#define CUF_ODD_4_1 cuf_odd32_of_int32
#define CUF_ODD_4_0 cuf_odd32_of_uint32
#define CUF_ODD_8_1 cuf_odd32_of_int64
#define CUF_ODD_8_0 cuf_odd32_of_uint64

/* Sign extension is C's own when the number's type is signed; then the low bits stay. */
#define CUF_INTEGER(ID, CODE, NUMBER, ODD)                                                  \
    CUF_KERNEL(ID##_to_1, CODE, uint8_t, NUMBER & 1)                                        \
    CUF_KERNEL(ID##_to_2, CODE, uint8_t, NUMBER & 3)                                        \
    CUF_KERNEL(ID##_to_4, CODE, uint8_t, NUMBER & 15)                                       \
    CUF_KERNEL(ID##_to_8, CODE, uint8_t, NUMBER)                                            \
    CUF_KERNEL(ID##_to_16, CODE, uint16_t, NUMBER)                                          \
    CUF_KERNEL(ID##_to_32, CODE, uint32_t, NUMBER)                                          \
    CUF_KERNEL(ID##_to_64, CODE, uint64_t, NUMBER)                                          \
    CUF_KERNEL(ID##_to_bool, CODE, uint8_t, (NUMBER) != 0)                                  \
    CUF_KERNEL(ID##_to_float32, CODE, uint32_t, cuf_bits_of_float((float)(NUMBER)))         \
    CUF_KERNEL(ID##_to_float64, CODE, uint64_t, cuf_bits_of_double((double)(NUMBER)))       \
    CUF_KERNEL(ID##_to_odd32, CODE, uint32_t, ODD(NUMBER))

#define CUF_BOOL(ID, name, owner, onnx, storage) \
    CUF_INTEGER(ID, uint8_t, (x != 0), CUF_ODD_1_0)
#define CUF_INT(ID, name, owner, onnx, storage, bits, sign, twin)                       \
    CUF_INTEGER(ID, CUF_CODE_##storage, CUF_NUMBER_##storage##_##sign##_(bits, x),      \
                CUF_ODD_##storage##_##sign)
#include "formats.def"

/* The targets of a source, once per width: signed and unsigned targets keep the same bits. */
typedef struct {
    cuf_kernel *to_1, *to_2, *to_4, *to_8, *to_16, *to_32, *to_64, *to_bool, *to_float32,
        *to_float64, *to_odd32;
} integer_kernels;

static void fill(cuf_kernels *kernels, cuf_type from, const integer_kernels *k)
{
    kernels->at[from][CUF_TO_FLOAT32] = k->to_float32;
    kernels->at[from][CUF_TO_FLOAT64] = k->to_float64;
    kernels->at[from][CUF_TO_HUB32] = k->to_odd32;
#define CUF_SET(ID, KERNEL)                        \
    kernels->at[from][CUF_TO_##ID] = k->to_##KERNEL; \
    kernels->independent[from][CUF_TO_##ID] = 1;
#define CUF_BOOL(ID, ...) CUF_SET(ID, bool)
#define CUF_INT(ID, name, owner, onnx, storage, bits, sign, twin) CUF_SET(ID, bits)
#include "formats.def"
}

void CUF_FILL(integer)(cuf_kernels *kernels)
{
#define CUF_FILL_FROM(ID)                                                                     \
    fill(kernels, CUF_##ID,                                                                   \
         &(const integer_kernels){ID##_to_1, ID##_to_2, ID##_to_4, ID##_to_8, ID##_to_16,     \
                                  ID##_to_32, ID##_to_64, ID##_to_bool, ID##_to_float32,      \
                                  ID##_to_float64, ID##_to_odd32});
#define CUF_BOOL(ID, ...) CUF_FILL_FROM(ID)
#define CUF_INT(ID, ...) CUF_FILL_FROM(ID)
#include "formats.def"
}
