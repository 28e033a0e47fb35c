#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>

#include "text.h"
#include "text_library.h"

cuf_text_library cuf_text_fallback;

namespace {

size_t put(char *text, const char *word)
{
    const size_t length = std::strlen(word);
    std::memcpy(text, word, length);
    return length;
}

/*
 * Where the C++ library's own layout is the wanted one: it prints no trailing ".0", and its
 * "e+16" and "e-05" are Python's. Between 2^24 or 2^53 and 10^16 its fixed form has figures that
 * are not the shortest, and near 10^-4 only the printed digits tell the form. 0: not here.
 */
size_t print_simply(double number, bool is_float32, char *text)
{
#if CUF_CHARCONV
    const double exact = is_float32 ? 16777216.0 : 9007199254740992.0;
    std::chars_format form;
    if (number >= 1.01e-4 && number < exact) {
        form = std::chars_format::fixed;
    }
    else if (number >= 1.01e16 || number <= 0.99e-4) {
        form = std::chars_format::scientific;
    }
    else {
        return 0;
    }
    char *end = text + CUF_TEXT_MAX - 1;
    end = is_float32 ? std::to_chars(text, end, static_cast<float>(number), form).ptr
                     : std::to_chars(text, end, number, form).ptr;
    return static_cast<size_t>(end - text);
#else
    (void)number, (void)is_float32, (void)text;
    return 0;
#endif
}

/* Python's layout of repr, without a trailing ".0". */
size_t print_float(double number, bool is_float32, char *text)
{
    char *out = text;
    if (number != number) {
        return put(text, "NaN");
    }
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    if (bits >> 63) {
        *out++ = '-';
        number = -number;
    }
    if (number == 0 || number > std::numeric_limits<double>::max()) {
        out += put(out, number == 0 ? "0" : "INF");
        return static_cast<size_t>(out - text);
    }
    if (const size_t simply = print_simply(number, is_float32, out)) {
        return static_cast<size_t>(out - text) + simply;
    }
    /* "d.dddde+xx", taken apart and laid out anew */
    char form[40];
    const size_t length = digits(number, is_float32, -1, form, sizeof form);
    if (length == 0) {
        return 0;
    }
    char figures[20];
    int count = 0, exponent = 0;
    size_t at = 0;
    for (; form[at] != 'e'; at++) {
        if (form[at] != '.') {
            figures[count++] = form[at];
        }
    }
    const bool negative = form[at + 1] == '-';
    for (at += 2; at < length; at++) {
        exponent = 10 * exponent + (form[at] - '0');
    }
    exponent = negative ? -exponent : exponent;

    if (exponent < -4 || exponent > 15) {
        *out++ = figures[0];
        if (count > 1) {
            *out++ = '.';
            std::memcpy(out, figures + 1, static_cast<size_t>(count - 1));
            out += count - 1;
        }
        *out++ = 'e';
        *out++ = negative ? '-' : '+';
        const int size = negative ? -exponent : exponent;
        if (size < 10) {
            *out++ = '0';
        }
        out = std::to_chars(out, out + 3, size).ptr;
    }
    else if (exponent < 0) {
        out += put(out, "0.");
        for (int zeros = exponent + 1; zeros < 0; zeros++) {
            *out++ = '0';
        }
        std::memcpy(out, figures, static_cast<size_t>(count));
        out += count;
    }
    else {
        for (int place = 0; place < count || place <= exponent; place++) {
            if (place == exponent + 1) {
                *out++ = '.';
            }
            *out++ = place < count ? figures[place] : '0';
        }
    }
    return static_cast<size_t>(out - text);
}

} // namespace

int cuf_text_needs_fallback(void) { return !CUF_CHARCONV; }

size_t cuf_text_width(cuf_type type)
{
    const cuf_format &format = cuf_formats[type];
    switch (format.kind) {
    case CUF_KIND_BOOL: return 1;
    case CUF_KIND_INT: {
        /* 1233 / 4096 is log10(2); a sign where there is one */
        const int sign = format.is_signed;
        return static_cast<size_t>((format.bits - sign) * 1233 / 4096 + 1 + sign);
    }
    case CUF_KIND_FLOAT:
        /* "-1.17549435e-38" as positional up to 10^15: "-1234567900000000" */
        return format.bits <= 32 ? 17 : 24;
    default: return 24;
    }
}

cuf_type cuf_text_printed_as(cuf_type type)
{
    const cuf_kind kind = cuf_formats[type].kind;
    return kind == CUF_KIND_INT || kind == CUF_KIND_BOOL ? CUF_UINT64 : CUF_FLOAT64;
}

size_t cuf_text_print(cuf_type type, const void *number, char text[CUF_TEXT_MAX])
{
    const cuf_format &format = cuf_formats[type];
    if (cuf_text_printed_as(type) == CUF_UINT64) {
        uint64_t bits;
        std::memcpy(&bits, number, sizeof bits);
        char *end = text + CUF_TEXT_MAX;
        end = format.is_signed ? std::to_chars(text, end, static_cast<int64_t>(bits)).ptr
                               : std::to_chars(text, end, bits).ptr;
        return static_cast<size_t>(end - text);
    }
    double value;
    std::memcpy(&value, number, sizeof value);
    return print_float(value, format.bits <= 32, text);
}
