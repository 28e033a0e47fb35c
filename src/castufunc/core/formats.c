#include "formats.h"

const cuf_format cuf_formats[CUF_TYPES] = {
#define CUF_BOOL(ID, NAME, OWNER, ONNX, STORAGE)                                             \
    {.name = NAME, .twin = "", .kind = CUF_KIND_BOOL, .owner = CUF_OWNER_##OWNER,            \
     .onnx = ONNX, .storage = STORAGE, .bits = 1, .part = CUF_##ID},
#define CUF_INT(ID, NAME, OWNER, ONNX, STORAGE, BITS, SIGN, TWIN)                            \
    {.name = NAME, .twin = TWIN, .kind = CUF_KIND_INT, .owner = CUF_OWNER_##OWNER,           \
     .onnx = ONNX, .storage = STORAGE, .bits = BITS, .is_signed = SIGN, .part = CUF_##ID},
#define CUF_FLOAT(ID, NAME, OWNER, ONNX, STORAGE, BITS, SIGN, EXP, MAN, BIAS, SPECIAL, MODES, TWIN) \
    {.name = NAME, .twin = TWIN, .kind = CUF_KIND_FLOAT, .owner = CUF_OWNER_##OWNER,         \
     .onnx = ONNX, .storage = STORAGE, .bits = BITS, .is_signed = SIGN,                      \
     .exponent_bits = EXP, .mantissa_bits = MAN, .bias = BIAS, .special = CUF_##SPECIAL,     \
     .modes = CUF_##MODES, .part = CUF_##ID},
#define CUF_EXTENDED(ID, NAME, OWNER, ONNX, STORAGE)                                         \
    {.name = NAME, .twin = "", .kind = CUF_KIND_EXTENDED, .owner = CUF_OWNER_##OWNER,        \
     .onnx = ONNX, .storage = STORAGE, .bits = 8 * (int)(STORAGE), .is_signed = 1,           \
     .part = CUF_##ID},
#define CUF_COMPLEX(ID, NAME, OWNER, ONNX, STORAGE, PART)                                    \
    {.name = NAME, .twin = OWNER_TWIN_##OWNER(NAME), .kind = CUF_KIND_COMPLEX,               \
     .owner = CUF_OWNER_##OWNER, .onnx = ONNX, .storage = STORAGE,                           \
     .bits = 8 * (int)(STORAGE), .is_signed = 1, .part = CUF_##PART},
#define OWNER_TWIN_NUMPY(NAME) ""
#define OWNER_TWIN_FOREIGN(NAME) NAME
#include "formats.def"
};

const cuf_column_info cuf_column_infos[CUF_COLUMNS] = {
#define CUF_COLUMN(ID, MODE, SAT, ROUND) {CUF_##ID, SAT, ROUND},
#define CUF_BOOL(ID, ...) CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)
#define CUF_INT(ID, ...) CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_COLUMNS_##modes(CUF_COLUMN, ID)
#define CUF_EXTENDED(ID, ...) CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)
#define CUF_COMPLEX(ID, ...) CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)
#include "formats.def"
#undef CUF_COLUMN
    {CUF_FLOAT32, 1, CUF_UP},
    {CUF_FLOAT64, 1, CUF_UP},
};

static const cuf_column first_column[CUF_TYPES] = {
#define CUF_BOOL(ID, ...) CUF_TO_##ID,
#define CUF_INT(ID, ...) CUF_TO_##ID,
#define CUF_FLOAT(ID, ...) CUF_TO_##ID,
#define CUF_EXTENDED(ID, ...) CUF_TO_##ID,
#define CUF_COMPLEX(ID, ...) CUF_TO_##ID,
#include "formats.def"
};

cuf_column cuf_column_of(cuf_type target, int saturate, cuf_round round)
{
    int mode = 0;
    switch (cuf_formats[target].modes) {
    case CUF_PLAIN: break;
    case CUF_SATURATE: mode = saturate ? 0 : 1; break;
    case CUF_ROUND: mode = (int)round + (saturate ? 0 : 3); break;
    }
    return (cuf_column)(first_column[target] + mode);
}

cuf_column cuf_default_column(cuf_type target) { return cuf_column_of(target, 1, CUF_UP); }
