/* The rows of formats.def as C data: one record per element type, one column per way to encode. */
#ifndef CUF_FORMATS_H
#define CUF_FORMATS_H

#include <stddef.h>
#include <stdint.h>

typedef enum { CUF_KIND_BOOL, CUF_KIND_INT, CUF_KIND_FLOAT, CUF_KIND_EXTENDED, CUF_KIND_COMPLEX } cuf_kind;
typedef enum { CUF_OWNER_NUMPY, CUF_OWNER_OWN, CUF_OWNER_FOREIGN } cuf_owner;
typedef enum { CUF_IEEE, CUF_FN, CUF_FNUZ, CUF_FINITE, CUF_POWER } cuf_special;
typedef enum { CUF_PLAIN, CUF_SATURATE, CUF_ROUND } cuf_modes;
typedef enum { CUF_UP, CUF_DOWN, CUF_NEAREST } cuf_round;

/* An element type: CUF_FLOAT8E5M2, CUF_INT64, ... in the table's order. */
typedef enum {
#define CUF_BOOL(ID, ...) CUF_##ID,
#define CUF_INT(ID, ...) CUF_##ID,
#define CUF_FLOAT(ID, ...) CUF_##ID,
#define CUF_EXTENDED(ID, ...) CUF_##ID,
#define CUF_COMPLEX(ID, ...) CUF_##ID,
#include "formats.def"
    CUF_TYPES,
    CUF_NO_TYPE = CUF_TYPES
} cuf_type;

typedef struct {
    const char *name;
    const char *twin;
    cuf_kind kind;
    cuf_owner owner;
    int onnx;
    size_t storage;
    int bits;
    int is_signed;
    int exponent_bits;
    int mantissa_bits;
    int bias;
    cuf_special special;
    cuf_modes modes;
    cuf_type part; /* of a complex type: the type of its two parts; else the type itself */
} cuf_format;

extern const cuf_format cuf_formats[CUF_TYPES];

/*
 * A column: a target type together with a way to encode it (see "modes" in formats.def).
 * CUF_TO_FLOAT8E5M2 saturates, CUF_TO_FLOAT8E5M2_NOSAT does not, and so on.
 */
#define CUF_COLUMNS_PLAIN(COLUMN, ID) COLUMN(ID, , 1, CUF_UP)
#define CUF_COLUMNS_SATURATE(COLUMN, ID) COLUMN(ID, , 1, CUF_UP) COLUMN(ID, _NOSAT, 0, CUF_UP)
#define CUF_COLUMNS_ROUND(COLUMN, ID)     \
    COLUMN(ID, , 1, CUF_UP)               \
    COLUMN(ID, _DOWN, 1, CUF_DOWN)        \
    COLUMN(ID, _NEAREST, 1, CUF_NEAREST)  \
    COLUMN(ID, _NOSAT, 0, CUF_UP)         \
    COLUMN(ID, _DOWN_NOSAT, 0, CUF_DOWN)  \
    COLUMN(ID, _NEAREST_NOSAT, 0, CUF_NEAREST)

typedef enum {
#define CUF_COLUMN(ID, MODE, SAT, ROUND) CUF_TO_##ID##MODE,
#define CUF_BOOL(ID, ...) CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)
#define CUF_INT(ID, ...) CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_COLUMNS_##modes(CUF_COLUMN, ID)
#define CUF_EXTENDED(ID, ...) CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)
#define CUF_COMPLEX(ID, ...) CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)
#include "formats.def"
#undef CUF_COLUMN
    CUF_PUBLIC_COLUMNS,
    /* The two hubs: a float32 / float64 rounded to odd, so that one more rounding is right. */
    CUF_TO_HUB32 = CUF_PUBLIC_COLUMNS,
    CUF_TO_HUB64,
    CUF_COLUMNS
} cuf_column;

typedef struct {
    cuf_type type;
    int saturate;
    cuf_round round;
} cuf_column_info;

extern const cuf_column_info cuf_column_infos[CUF_COLUMNS];

/* The column of a target in a mode; what the target does not have (saturate, round) is ignored. */
cuf_column cuf_column_of(cuf_type target, int saturate, cuf_round round);
/* The column of a target in the modes that `cast` has as its defaults, and `astype` always. */
cuf_column cuf_default_column(cuf_type target);

#endif
