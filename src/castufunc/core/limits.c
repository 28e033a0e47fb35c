#include "limits.h"

#include <math.h>

static cuf_limits integer_limits(const cuf_format *f)
{
    return (cuf_limits){
        .max = ldexp(1, f->bits - f->is_signed) - 1,
        .min = f->is_signed ? -ldexp(1, f->bits - 1) : 0,
        .nan = -1,
        .inf = -1,
        .has_zero = 1,
    };
}

cuf_limits cuf_limits_of(cuf_type type)
{
    const cuf_format *f = &cuf_formats[type];
    if (f->kind != CUF_KIND_FLOAT) {
        return integer_limits(f);
    }
    /* Codes of positive numbers, and how many of the last are none. */
    const int codes = 1 << (f->exponent_bits + f->mantissa_bits), step = 1 << f->mantissa_bits;
    int none = 0, inf = -1, nan = -1;
    switch (f->special) {
    case CUF_IEEE:
        none = step;
        inf = codes - step;
        nan = inf + step / 2;
        break;
    case CUF_FN:
    case CUF_POWER:
        none = 1;
        nan = codes - 1;
        break;
    case CUF_FNUZ: nan = codes; break;
    case CUF_FINITE: break;
    }
    const int last = codes - none - 1;
    const int first_exponent = (f->special == CUF_POWER ? 0 : 1) - f->bias;
    cuf_limits limits = {
        .max = ldexp(1 + (double)(last % step) / step, last / step - f->bias),
        .smallest_normal = ldexp(1, first_exponent),
        .eps = ldexp(1, -f->mantissa_bits),
        .digits = (int)(f->mantissa_bits * 0.30102999566398120), /* log10(2) */
        .nan = nan,
        .inf = inf,
        .has_zero = f->special != CUF_POWER,
        .has_negative_zero = f->is_signed && f->special != CUF_FNUZ,
    };
    limits.smallest_subnormal =
        f->special == CUF_POWER ? 0 : ldexp(1, first_exponent - f->mantissa_bits);
    limits.min = f->is_signed ? -limits.max : limits.smallest_normal;
    return limits;
}
