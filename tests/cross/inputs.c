#include "inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t random_bits(bits_source *source)
{
    uint64_t z = source->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void store_code(void *element, size_t size, uint64_t code)
{
    const uint8_t one = (uint8_t)code;
    const uint16_t two = (uint16_t)code;
    const uint32_t four = (uint32_t)code;
    switch (size) {
    case 1: memcpy(element, &one, 1); break;
    case 2: memcpy(element, &two, 2); break;
    case 4: memcpy(element, &four, 4); break;
    default: memcpy(element, &code, 8);
    }
}

uint64_t load_code(const void *element, size_t size)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (size) {
    case 1: memcpy(&one, element, 1); return one;
    case 2: memcpy(&two, element, 2); return two;
    case 4: memcpy(&four, element, 4); return four;
    default: memcpy(&eight, element, 8); return eight;
    }
}

int is_plain(int type)
{
    const cuf_kind kind = cuf_formats[type].kind;
    return kind != CUF_KIND_EXTENDED && kind != CUF_KIND_COMPLEX;
}

const char *column_name(int column)
{
    static const char *const rounds[] = {"", "_down", "_nearest"};
    static char name[64];
    const cuf_column_info *info = &cuf_column_infos[column];
    snprintf(name, sizeof name, "%s%s%s", cuf_formats[info->type].name, rounds[info->round],
             info->saturate ? "" : "_nosat");
    return name;
}

static void add(inputs *in, uint64_t code)
{
    if (in->count == in->room) {
        in->room *= 2;
        in->codes = realloc(in->codes, in->room * sizeof *in->codes);
        if (in->codes == NULL) {
            abort();
        }
    }
    in->codes[in->count++] = code;
}

/* A positive number that the type holds exactly, its neighbours, and their negatives. */
static void add_around(inputs *in, cuf_type type, double number)
{
    const cuf_format *f = &cuf_formats[type];
    uint64_t code = 0;
    if (f->kind == CUF_KIND_INT) {
        if (number >= 0x1p63) {
            return;
        }
        code = (uint64_t)number;
    }
    else if (f->storage == 4) {
        const float narrow = (float)number;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        code = bits;
    }
    else {
        memcpy(&code, &number, sizeof code);
    }
    for (int step = -1; step <= 1; step++) {
        const uint64_t near = code + (uint64_t)step;
        add(in, near);
        if (f->is_signed) {
            add(in, f->kind == CUF_KIND_INT ? 0 - near : near | UINT64_C(1) << (f->bits - 1));
        }
    }
}

/* The numbers of a narrow float and the midpoints between them, every `every`th. */
static void add_boundaries(inputs *in, cuf_type type, const cuf_format *narrow, unsigned every)
{
    const unsigned codes = 1u << (narrow->exponent_bits + narrow->mantissa_bits);
    for (unsigned c = 0; c < codes; c += every) {
        const unsigned field = c >> narrow->mantissa_bits;
        const unsigned rest = c & ((1u << narrow->mantissa_bits) - 1);
        const int normal = field > 0 || narrow->special == CUF_POWER;
        const double significand = rest + (normal ? ldexp(1, narrow->mantissa_bits) : 0);
        const int exponent = (int)field + !normal - narrow->bias - narrow->mantissa_bits;
        add_around(in, type, ldexp(significand, exponent));
        add_around(in, type, ldexp(significand + 0.5, exponent));
    }
}

static void add_wide(inputs *in, cuf_type type)
{
    enum { MANY = 40000 };
    const cuf_format *f = &cuf_formats[type];
    const int size = 8 * (int)f->storage;
    bits_source random = {(uint64_t)type};
    for (int i = 0; i < MANY; i++) {
        add(in, random_bits(&random));
    }
    for (int i = 0; i < MANY; i++) {
        uint64_t code = random_bits(&random);
        if (f->kind == CUF_KIND_INT) {
            code = code << (64 - size) >> (i % size) >> (64 - size);
            code = i & 1 && f->is_signed ? 0 - code : code;
        }
        else {
            const int fields = 1 << f->exponent_bits;
            const uint64_t low = (UINT64_C(1) << f->mantissa_bits) - 1;
            code = (code & (low | UINT64_C(1) << (size - 1))) |
                   (uint64_t)(i % fields) << f->mantissa_bits;
        }
        add(in, code);
    }
    for (int other = 0; other < CUF_TYPES; other++) {
        const cuf_format *narrow = &cuf_formats[other];
        if (narrow->kind == CUF_KIND_FLOAT && narrow->bits <= 16) {
            add_boundaries(in, type, narrow, narrow->bits == 16 ? 13 : 1);
        }
    }
    for (int power = 0; power < 64; power++) {
        add_around(in, type, ldexp(1, power));
        add_around(in, type, ldexp(1, power) - 0.5);
    }
}

inputs inputs_of(cuf_type type)
{
    const size_t size = cuf_formats[type].storage;
    inputs in = {malloc(65536 * sizeof *in.codes), 0, 65536};
    if (in.codes == NULL) {
        abort();
    }
    if (size <= 2) {
        for (uint64_t code = 0; code < UINT64_C(1) << 8 * size; code++) {
            add(&in, code);
        }
    }
    else {
        add_wide(&in, type);
        for (size_t i = 0; size == 4 && i < in.count; i++) {
            in.codes[i] &= UINT32_MAX;
        }
    }
    return in;
}

void inputs_free(inputs *in) { free(in->codes); }
