/* Codes to cast, the same on every machine: made by integer arithmetic and exact operations only. */
#ifndef INPUTS_H
#define INPUTS_H

#include <stddef.h>
#include <stdint.h>

#include "core/formats.h"

/* A generator of random bits (splitmix64). */
typedef struct {
    uint64_t state;
} bits_source;

uint64_t random_bits(bits_source *source);

/* Codes of a type, each in a uint64 whatever its size; `count` may grow up to `room`. */
typedef struct {
    uint64_t *codes;
    size_t count, room;
} inputs;

/*
 * Of one or two bytes all codes, of more about 140,000: random bits, random bits with exponents
 * evenly spread, and the neighbours of the numbers and midpoints of every narrow float.
 * Not for long double and complex.
 */
inputs inputs_of(cuf_type type);
void inputs_free(inputs *in);

/* An element in memory from its code and back. */
void store_code(void *element, size_t size, uint64_t code);
uint64_t load_code(const void *element, size_t size);

/* "float8e8m0_down_nosat" and so on. Valid until the next call. */
const char *column_name(int column);

/* Whether a type's elements are one code: all but long double and complex. */
int is_plain(int type);

#endif
