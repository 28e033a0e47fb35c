/*
 * Decimal text and codes: exact in both directions, whatever the width of the type.
 *
 * The grammar: optional sign, digits with an optional point (at least one digit), an optional
 * exponent; or inf, infinity, nan with an optional sign, in any letter case. ASCII white space
 * around is ignored. Nothing else.
 */
#ifndef CUF_TEXT_H
#define CUF_TEXT_H

#include <stddef.h>

#include "formats.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Numbers pass through a float64 or a uint64: cast to what a type is printed as before printing
 * it, and from what it is parsed as after parsing. (Integers that are signed are so in it.)
 */
cuf_type cuf_text_printed_as(cuf_type type);
cuf_type cuf_text_parsed_as(cuf_type type);

/* Room for any printed number, and for any of a type; there is no NUL behind it. */
enum { CUF_TEXT_MAX = 32 };
size_t cuf_text_width(cuf_type type);

/* How many characters; 0 if there was no memory, see cuf_text_fallback. */
size_t cuf_text_print(cuf_type type, const void *number, char text[CUF_TEXT_MAX]);

/*
 * The number that `length` characters spell, such that its cast to the type gives the decimal
 * itself rounded or wrapped, once: of a float the nearest float64 or one rounded to odd, of an
 * integer the low 64 bits. 0, or one of the others; then `number` is as it was. Takes time in
 * proportion to the length at the most, and no memory, unless cuf_text_fallback does.
 *
 * Round-to-nearest-even must be set (see fpenv.h).
 */
enum {
    CUF_TEXT_NO_NUMBER = -1, /* none of the grammar */
    CUF_TEXT_UNREAD = -2,    /* there was no memory */
};
int cuf_text_parse(const char *text, size_t length, cuf_type type, void *number);

/*
 * Where the C++ library cannot convert floating point, these two must be given before the first
 * use: the float64 nearest to a text of the grammar without white space, infinity if it
 * overflows, and 0, or -1 if there is no memory; and digits of a number in the form "d.ddde+xx",
 * `precision` of them after the point, or for -1 as many as read back to the same number. How many
 * characters, or 0 if there is no memory.
 */
typedef struct {
    int (*nearest)(const char *text, size_t length, double *number);
    size_t (*digits)(double number, int is_float32, int precision, char *text, size_t size);
} cuf_text_library;
extern cuf_text_library cuf_text_fallback;
int cuf_text_needs_fallback(void);

#ifdef __cplusplus
}
#endif

#endif
