/*
 * The C++ library's conversions of floating point, or what stands in for them: see text.h. Both are
 * correctly rounded, and `digits` finds the shortest digits too.
 */
#ifndef CUF_TEXT_LIBRARY_H
#define CUF_TEXT_LIBRARY_H

#include <charconv>
#include <cstddef>
#include <limits>

#include "text.h"

/* A build may do without (CUF_NO_CHARCONV), to test what stands in. */
#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L && !defined(CUF_NO_CHARCONV)
#define CUF_CHARCONV 1
#else
#define CUF_CHARCONV 0
#endif

namespace {

#if CUF_CHARCONV
inline double nearest(const char *text, size_t length)
{
    double number = std::numeric_limits<double>::infinity();
    std::from_chars(text, text + length, number);
    return number;
}

inline size_t digits(double number, bool is_float32, int precision, char *text, size_t size)
{
    constexpr auto form = std::chars_format::scientific;
    char *end = text + size;
    std::to_chars_result result =
        precision >= 0 ? std::to_chars(text, end, number, form, precision)
        : is_float32   ? std::to_chars(text, end, static_cast<float>(number), form)
                       : std::to_chars(text, end, number, form);
    return static_cast<size_t>(result.ptr - text);
}
#else
inline double nearest(const char *text, size_t length) { return cuf_text_fallback.nearest(text, length); }

inline size_t digits(double number, bool is_float32, int precision, char *text, size_t size)
{
    return cuf_text_fallback.digits(number, is_float32, precision, text, size);
}
#endif

} // namespace

#endif
