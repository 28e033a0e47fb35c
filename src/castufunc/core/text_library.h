/*
 * The C++ library's conversions of floating point, or what stands in for them: see text.h. Both are
 * correctly rounded, and `digits` finds the shortest digits too.
 */
#ifndef CUF_TEXT_LIBRARY_H
#define CUF_TEXT_LIBRARY_H

#include <cfloat>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "text.h"

/* A build may do without (CUF_NO_CHARCONV), to test what stands in. */
#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L && !defined(CUF_NO_CHARCONV)
#define CUF_CHARCONV 1
#else
#define CUF_CHARCONV 0
#endif

namespace {

/* Whether an operation on float64 gives a float64: x87's gives 64 bits, to be rounded once more. */
constexpr bool rounds_once = FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1;

#if CUF_CHARCONV
#if defined(__i386__) && (defined(__GNUC__) || defined(__clang__))
/*
 * While it lives, x87 rounds to the 53 bits of a float64. The library multiplies float64 as if all
 * processors did (libstdc++ 12 reads 3.562078934784555e+35 wrong without this).
 */
class float64_arithmetic {
    uint16_t before;

public:
    float64_arithmetic()
    {
        __asm__ volatile("fnstcw %0" : "=m"(before));
        const uint16_t control = static_cast<uint16_t>((before & ~0x0300) | 0x0200);
        __asm__ volatile("fldcw %0" : : "m"(control));
    }
    ~float64_arithmetic() { __asm__ volatile("fldcw %0" : : "m"(before)); }
};
#else
static_assert(rounds_once, "no way to read decimals exactly is known for this processor");
class float64_arithmetic {
public:
    float64_arithmetic() {}
};
#endif

/* Whether there was memory to do it; the library needs none. */
inline bool nearest(const char *text, size_t length, double &number)
{
    const float64_arithmetic while_reading;
    number = std::numeric_limits<double>::infinity();
    std::from_chars(text, text + length, number);
    return true;
}

/* How many characters; 0 if there was no memory. */
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
inline bool nearest(const char *text, size_t length, double &number)
{
    return cuf_text_fallback.nearest(text, length, &number) == 0;
}

inline size_t digits(double number, bool is_float32, int precision, char *text, size_t size)
{
    return cuf_text_fallback.digits(number, is_float32, precision, text, size);
}
#endif

} // namespace

#endif
