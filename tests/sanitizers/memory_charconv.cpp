/*
 * For MemorySanitizer, which must be told what libraries write that were built without it: linked
 * in place of std::to_chars by the linker's --wrap.
 */
#include <charconv>

#include <sanitizer/msan_interface.h>

#define REAL(NAME) __real_##NAME
#define WRAP(NAME) __wrap_##NAME

extern "C" {
std::to_chars_result REAL(_ZSt8to_charsPcS_dSt12chars_format)(char *, char *, double, std::chars_format);
std::to_chars_result REAL(_ZSt8to_charsPcS_fSt12chars_format)(char *, char *, float, std::chars_format);
std::to_chars_result REAL(_ZSt8to_charsPcS_dSt12chars_formati)(char *, char *, double,
                                                               std::chars_format, int);

static std::to_chars_result written(char *first, std::to_chars_result result)
{
    __msan_unpoison(&result, sizeof result);
    __msan_unpoison(first, static_cast<size_t>(result.ptr - first));
    return result;
}

std::to_chars_result WRAP(_ZSt8to_charsPcS_dSt12chars_format)(char *first, char *last, double number,
                                                              std::chars_format form)
{
    return written(first, REAL(_ZSt8to_charsPcS_dSt12chars_format)(first, last, number, form));
}

std::to_chars_result WRAP(_ZSt8to_charsPcS_fSt12chars_format)(char *first, char *last, float number,
                                                              std::chars_format form)
{
    return written(first, REAL(_ZSt8to_charsPcS_fSt12chars_format)(first, last, number, form));
}

std::to_chars_result WRAP(_ZSt8to_charsPcS_dSt12chars_formati)(char *first, char *last, double number,
                                                               std::chars_format form, int precision)
{
    return written(first,
                   REAL(_ZSt8to_charsPcS_dSt12chars_formati)(first, last, number, form, precision));
}
}
