/*
 * libFuzzer: cuf_text_parse against exact arithmetic, and against itself with zeros, points and
 * exponents moved.
 *
 * The first byte of the input chooses: a text as it is, or one made of the rest: a midpoint of a
 * format, or a number of it, plus or minus a power of ten down to 10^-1200.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" {
#include "core/plan.h"
#include "core/targets.h"
#include "core/text.h"
}
#include "exact.h"

namespace {

[[noreturn]] void fail(const char *what, const std::string &text, cuf_type type, uint64_t got)
{
    std::fprintf(stderr, "%s: '%s' as %s gives %016llx\n", what, text.c_str(),
                 cuf_formats[type].name, static_cast<unsigned long long>(got));
    std::abort();
}

/* --- the grammar, read a second time ---------------------------------------------------------- */

enum class kind { none, number, infinity, nan };

struct reading {
    kind what = kind::none;
    bool negative = false;
    decimal_number value{"", 0};
};

bool same_letters(const std::string &text, const char *lower)
{
    std::string low;
    for (char c : text) {
        low.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    }
    return low == lower;
}

reading read(std::string text)
{
    const char *spaces = " \t\n\v\f\r", *figures = "0123456789";
    reading r;
    const size_t first = text.find_first_not_of(spaces);
    if (first == std::string::npos) {
        return r;
    }
    text = text.substr(first, text.find_last_not_of(spaces) - first + 1);
    if (text[0] == '+' || text[0] == '-') {
        r.negative = text[0] == '-';
        text.erase(0, 1);
    }
    if (same_letters(text, "inf") || same_letters(text, "infinity")) {
        r.what = kind::infinity;
        return r;
    }
    if (same_letters(text, "nan")) {
        r.what = kind::nan;
        return r;
    }
    int64_t exponent = 0;
    const size_t mark = text.find_first_of("eE");
    if (mark != std::string::npos) {
        std::string power = text.substr(mark + 1);
        text.erase(mark);
        bool minus = false;
        if (!power.empty() && (power[0] == '+' || power[0] == '-')) {
            minus = power[0] == '-';
            power.erase(0, 1);
        }
        if (power.empty() || power.find_first_not_of(figures) != std::string::npos) {
            return r;
        }
        for (char c : power) {
            exponent = exponent > INT64_C(100000000000) ? exponent : 10 * exponent + (c - '0');
        }
        exponent = minus ? -exponent : exponent;
    }
    const size_t point = text.find('.');
    if (point != std::string::npos) {
        text.erase(point, 1);
        exponent -= static_cast<int64_t>(text.size() - point);
    }
    if (text.empty() || text.find_first_not_of(figures) != std::string::npos) {
        return r;
    }
    r.what = kind::number;
    const size_t leading = text.find_first_not_of('0');
    if (leading != std::string::npos) {
        r.value.figures = text.substr(leading);
        r.value.exponent = exponent;
    }
    return r;
}

/* --- what the results must be ----------------------------------------------------------------- */

uint64_t low64(const reading &r)
{
    std::string figures = r.value.figures;
    int64_t zeros = r.value.exponent;
    if (zeros < 0) {
        const uint64_t cut = static_cast<uint64_t>(-zeros);
        figures = cut >= figures.size() ? "" : figures.substr(0, figures.size() - cut);
        zeros = 0;
    }
    natural n = decimal_number{figures, 0}.number();
    if (zeros > 64) {
        return 0; /* a multiple of 2^64 */
    }
    n.power(10, zeros);
    const uint64_t low = n.low64();
    return r.negative ? UINT64_C(0) - low : low;
}

constexpr uint64_t infinity = UINT64_C(0x7ff0000000000000);

/* The nearest float64, ties to even. */
bool is_nearest(const decimal_number &d, uint64_t bits)
{
    const bool is_odd = bits & 1;
    if (bits != infinity) {
        const int above = compare_float64(d, bits, true);
        if (above > 0 || (above == 0 && is_odd)) {
            return false;
        }
    }
    if (bits) {
        const int below = compare_float64(d, bits - 1, true);
        if (below < 0 || (below == 0 && is_odd)) {
            return false;
        }
    }
    return true;
}

/*
 * Any float of at most 24 bits is decided by comparisons with numbers of at most 25 bits, which are
 * float64 with 28 zero bits at the end: the result must lie between the same two as the decimal.
 */
bool is_decisive(const decimal_number &d, uint64_t bits)
{
    const uint64_t step = UINT64_C(1) << 28, below = bits & ~(step - 1);
    if (bits == below) {
        return compare_float64(d, bits) == 0;
    }
    return bits < infinity && compare_float64(d, below) > 0 &&
           (below + step >= infinity || compare_float64(d, below + step) < 0);
}

uint64_t parse(const std::string &text, cuf_type type, int &status)
{
    /* In memory of exactly this size. */
    char *copy = static_cast<char *>(std::malloc(text.size() ? text.size() : 1));
    std::memcpy(copy, text.data(), text.size());
    uint64_t number = UINT64_C(0x5a5a5a5a5a5a5a5a);
    status = cuf_text_parse(copy, text.size(), type, &number);
    std::free(copy);
    return number;
}

void check(const std::string &text, cuf_type type)
{
    int status;
    const uint64_t got = parse(text, type, status);
    const reading r = read(text);
    if ((status == 0) != (r.what != kind::none)) {
        fail(status == 0 ? "accepted" : "refused", text, type, got);
    }
    if (status != 0) {
        if (got != UINT64_C(0x5a5a5a5a5a5a5a5a)) {
            fail("refused, and changed", text, type, got);
        }
        return;
    }
    if (cuf_text_parsed_as(type) == CUF_UINT64) {
        if (got != (r.what == kind::number ? low64(r) : 0)) {
            fail("wrong low bits", text, type, got);
        }
        return;
    }
    const uint64_t sign = UINT64_C(1) << 63, magnitude = got & ~sign;
    if ((got & sign) != (r.negative ? sign : 0)) {
        fail("wrong sign", text, type, got);
    }
    const bool right = r.what == kind::nan        ? magnitude > infinity
                       : r.what == kind::infinity ? magnitude == infinity
                       : type == CUF_FLOAT64      ? is_nearest(r.value, magnitude)
                                                  : is_decisive(r.value, magnitude);
    if (!right) {
        fail("wrong number", text, type, got);
    }
    /* Written in other ways: more zeros, the point elsewhere. */
    if (r.what != kind::number || std::llabs(r.value.exponent) > 100000 || r.value.figures.empty()) {
        return;
    }
    const std::string &figures = r.value.figures;
    const std::string minus = r.negative ? "-" : "";
    const int64_t e = r.value.exponent, n = static_cast<int64_t>(figures.size());
    const std::string ways[] = {
        minus + figures + "e" + std::to_string(e),
        minus + "000" + figures + "000.000E" + std::to_string(e - 3),
        minus + "." + figures + "e" + std::to_string(e + n),
        minus + "0.0000" + figures + "0e" + std::to_string(e + n + 4),
        minus + figures.substr(0, 1) + "." + figures.substr(1) + "e" + std::to_string(e + n - 1),
        " " + minus + figures.substr(0, figures.size() / 2) + "." + figures.substr(figures.size() / 2) +
            "e" + std::to_string(e + n - n / 2) + "\n",
        minus + figures + std::string(40, '0') + "e" + std::to_string(e - 40),
    };
    for (const std::string &way : ways) {
        const uint64_t same = parse(way, type, status);
        if (status != 0 || same != got) {
            fail(("other than '" + way + "'").c_str(), text, type, same);
        }
    }
}

/* --- texts about midpoints --------------------------------------------------------------------- */

/* significand * 2^twos in all its digits. */
decimal_number exactly(uint64_t significand, int twos)
{
    natural n(significand);
    n.power(2, twos);
    n.power(5, -twos);
    return {n.digits(), twos < 0 ? twos : 0};
}

/* One more or less at 10^-places, for places beyond the last digit of d. */
decimal_number beside(decimal_number d, int64_t places, bool above)
{
    const int64_t more = places + d.exponent;
    if (more > 0) {
        d.figures += std::string(static_cast<size_t>(more), '0');
        d.exponent -= more;
    }
    std::string &figures = d.figures;
    size_t i = figures.size();
    while (i-- > 0) {
        if (above ? figures[i] != '9' : figures[i] != '0') {
            figures[i] = static_cast<char>(figures[i] + (above ? 1 : -1));
            return d;
        }
        figures[i] = above ? '0' : '9';
    }
    if (above) {
        figures.insert(figures.begin(), '1');
    }
    return d;
}

std::string made(const uint8_t *data, size_t size)
{
    uint64_t words[2] = {0, 0};
    std::memcpy(words, data, size < sizeof words ? size : sizeof words);
    /* A number of 1 to 24 bits (64 for float64's midpoints), or the one between it and the next. */
    const int bits = 1 + static_cast<int>(words[1] % 54);
    const uint64_t significand = 2 * (words[0] >> (64 - bits) | UINT64_C(1) << (bits - 1)) +
                                 (words[1] >> 8 & 1);
    const int twos = static_cast<int>(words[1] >> 16 & 0x7ff) - 1100 + (bits < 25 ? 400 : 0);
    decimal_number d = exactly(significand, twos % 1100);
    const int64_t places = static_cast<int64_t>(words[1] >> 32 & 0xffff) % 1201;
    const int how = static_cast<int>(words[1] >> 48 & 3);
    if (how < 2) {
        d = beside(d, places, how == 0);
    }
    std::string text = words[1] >> 50 & 1 ? "-" : "";
    if (words[1] >> 51 & 1) {
        return text + d.figures + "e" + std::to_string(d.exponent);
    }
    const size_t fraction = static_cast<size_t>(-d.exponent);
    if (fraction >= d.figures.size()) {
        return text + "0." + std::string(fraction - d.figures.size(), '0') + d.figures;
    }
    return text + d.figures.substr(0, d.figures.size() - fraction) + "." +
           d.figures.substr(d.figures.size() - fraction);
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***)
{
    return cuf_init(cuf_target_choose(nullptr)) < 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > 3000) {
        return 0;
    }
    static const cuf_type types[] = {CUF_FLOAT64, CUF_FLOAT32, CUF_INT64, CUF_FLOAT8E5M2};
    const cuf_type type = types[data[0] & 3];
    const std::string text = data[0] & 4 ? made(data + 1, size - 1)
                                         : std::string(reinterpret_cast<const char *>(data) + 1, size - 1);
    check(text, type);
    return 0;
}
