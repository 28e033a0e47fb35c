#include <cstdint>
#include <cstring>
#include <limits>

#include "text.h"
#include "text_library.h"

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Any exponent beyond this is as good as infinite: no text is so long as to make up for it. */
constexpr int64_t far_exponent = INT64_C(1) << 60;

enum class kind { number, infinity, nan };

/* A text taken apart. The digits are those of [first, last) without the point. */
struct decimal {
    kind what;
    bool negative;
    const char *begin, *end;   /* all of it behind the sign */
    const char *first, *last;  /* from the first digit that is not zero to behind the last such */
    int64_t magnitude;         /* the number is 0.ddd times ten to this; 0 for zero */
    uint64_t leading;          /* the first digits from `first` on, up to 19 of them */
    int64_t figures;           /* how many digits there are from `first` on */
    int64_t exponent;          /* the number is these figures times ten to this */
    bool is_zero() const { return first == last; }
};

bool matches(const char *text, size_t length, const char *lower)
{
    if (std::strlen(lower) != length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if ((text[i] | 0x20) != lower[i]) {
            return false;
        }
    }
    return true;
}

bool special(decimal &d)
{
    const size_t length = static_cast<size_t>(d.end - d.begin);
    if (matches(d.begin, length, "inf") || matches(d.begin, length, "infinity")) {
        d.what = kind::infinity;
        return true;
    }
    d.what = kind::nan;
    return matches(d.begin, length, "nan");
}

/* The exponent behind its 'e', cut off at far_exponent. */
bool read_exponent(const char *at, const char *end, int64_t &exponent)
{
    bool negative = false;
    if (at < end && (*at == '+' || *at == '-')) {
        negative = *at++ == '-';
    }
    if (at == end) {
        return false;
    }
    exponent = 0;
    for (; at < end; at++) {
        if (!is_digit(*at)) {
            return false;
        }
        if (exponent < far_exponent / 16) {
            exponent = 10 * exponent + (*at - '0');
        }
    }
    exponent = exponent < far_exponent / 16 ? exponent : far_exponent;
    exponent = negative ? -exponent : exponent;
    return true;
}

bool take_apart(const char *at, const char *end, decimal &d)
{
    while (at < end && is_space(*at)) {
        at++;
    }
    while (at < end && is_space(end[-1])) {
        end--;
    }
    d.negative = false;
    if (at < end && (*at == '+' || *at == '-')) {
        d.negative = *at++ == '-';
    }
    d.begin = at;
    d.end = end;
    d.what = kind::number;
    d.first = d.last = nullptr;
    d.leading = 0;
    d.figures = 0;
    const char *point = nullptr;
    for (;; at++) {
        const unsigned digit = at < end ? static_cast<unsigned>(*at - '0') : 10;
        if (digit < 10) {
            if (digit != 0) {
                d.first = d.first ? d.first : at;
                d.last = at + 1;
            }
            if (d.first) {
                d.leading = d.figures < 19 ? 10 * d.leading + digit : d.leading;
                d.figures++;
            }
        }
        else if (at < end && *at == '.' && !point) {
            point = at;
        }
        else {
            break;
        }
    }
    const char *behind = at;
    if (behind == d.begin || (point && behind == d.begin + 1)) {
        return behind == d.begin && special(d);
    }
    int64_t exponent = 0;
    if (at < end && ((*at != 'e' && *at != 'E') || !read_exponent(at + 1, end, exponent))) {
        return false;
    }
    if (!d.first) {
        d.first = d.last = behind;
        d.magnitude = d.exponent = 0;
        return true;
    }
    const char *units = point ? point : behind;
    const int64_t places = d.first < units ? units - d.first : units - d.first + 1;
    d.magnitude = places + exponent;
    d.exponent = d.magnitude - d.figures;
    return true;
}

/*
 * The float64 nearest to figures * 10^exponent, where one operation on two exact ones gives it
 * (Clinger, "How to read floating point numbers accurately", 1990): all that most texts need.
 */
bool nearest_simply(uint64_t figures, int64_t exponent, double &number)
{
    static constexpr double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!rounds_once || figures >> 53 || exponent < -22 || exponent > 22) {
        return false;
    }
    const double exact = static_cast<double>(figures);
    number = exponent < 0 ? exact / tens[-exponent] : exact * tens[exponent];
    return true;
}

/* Whether a number may lie on a boundary of a float of at most 24 bits; see decisive. */
bool may_be_boundary(double number)
{
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    return (bits & ((UINT64_C(1) << 28) - 1)) == 0;
}

/*
 * The plain case at once: a sign, up to 18 digits with a point in them, and nothing else, whose
 * number decides by itself. False for all else, valid or not.
 */
bool read_plainly(const char *at, const char *end, double &number)
{
    if (end - at > 20) {
        return false;
    }
    const bool negative = at < end && *at == '-';
    at += negative;
    const char *begin = at;
    uint64_t figures = 0;
    unsigned digit;
    for (; at < end && (digit = static_cast<unsigned>(*at - '0')) < 10; at++) {
        figures = 10 * figures + digit;
    }
    const char *point = at;
    if (at < end && *at == '.') {
        for (at++; at < end && (digit = static_cast<unsigned>(*at - '0')) < 10; at++) {
            figures = 10 * figures + digit;
        }
    }
    const int64_t places = at - point - (at > point);
    const int64_t digits = at - begin - (at > point);
    if (at != end || digits < 1 || digits > 18 || !nearest_simply(figures, -places, number) ||
        may_be_boundary(number)) {
        return false;
    }
    number = negative ? -number : number;
    return true;
}

/*
 * The sign of the decimal's magnitude minus |number|, exactly, by its digits. Whether there was
 * memory to do it.
 */
bool compare_digits(const decimal &d, double number, int &side)
{
    /* A double has at most 767 significant digits; with them to_chars writes it exactly. */
    char text[800];
    const size_t length = digits(number, false, 766, text, sizeof text);
    if (length == 0) {
        return false;
    }
    const char *at = text, *end = text + length;
    const char *mark = end - 1;
    while (*mark != 'e') {
        mark--;
    }
    int exponent = 0;
    for (const char *c = mark + 2; c < end; c++) {
        exponent = 10 * exponent + (*c - '0');
    }
    const int64_t magnitude = (mark[1] == '-' ? -exponent : exponent) + 1;
    if (d.magnitude != magnitude) {
        side = d.magnitude > magnitude ? 1 : -1;
        return true;
    }
    const char *digit = d.first;
    for (; at < mark; at++) {
        if (*at == '.') {
            continue;
        }
        while (digit < d.last && *digit == '.') {
            digit++;
        }
        const char theirs = digit < d.last ? *digit++ : '0';
        if (theirs != *at) {
            side = theirs > *at ? 1 : -1;
            return true;
        }
    }
    /* last is behind a digit that is not zero */
    side = digit < d.last ? 1 : 0;
    return true;
}

/*
 * Whether the decimal's magnitude is exactly |number|, where that is quickly seen: few digits,
 * and a number whose significand has at most 25 bits. 0: it is; 1: not seen.
 */
int compare_quickly(const decimal &d, double number)
{
#if defined(__SIZEOF_INT128__)
    if (d.figures > 18) {
        return 1;
    }
    const int64_t scale = -d.exponent; /* the decimal is leading / 10^scale */
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    const int field = static_cast<int>(bits >> 52 & 0x7ff);
    if (scale < -18 || scale > 27 || field == 0) { /* or a product might not fit */
        return 1;
    }
    uint64_t significand = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
    int shift = field - 1075;
    significand >>= 28;
    shift += 28;
    unsigned __int128 left = d.leading, right = significand;
    for (int64_t i = 0; i < scale; i++) {
        right *= 5;
    }
    for (int64_t i = scale; i < 0; i++) {
        left *= 5;
    }
    /* left against right * 2^twos: left is below 2^102, or 2^60 without fives; right below 2^88 */
    const int64_t twos = shift + scale;
    if (twos > 39 || twos < -25) {
        return 1;
    }
    return twos >= 0 ? left != right << twos : left << -twos != right;
#else
    (void)d, (void)number;
    return 1;
#endif
}

/*
 * The decimal as a float64 that rounds to any float of at most 24 bits of significand as the
 * decimal does. That is the nearest float64 itself, unless it may lie on a boundary of such a
 * format (a midpoint of two numbers, or a number): all of these have at most 25 bits. There the
 * last bit is set if the decimal is not just this, on the side where it is (round to odd).
 * Whether there was memory to find it.
 */
bool decisive(const decimal &d, double &number)
{
    constexpr uint64_t smallest = 1, largest = UINT64_C(0x7fefffffffffffff);
    uint64_t bits;
    if (d.is_zero()) {
        bits = 0;
    }
    else if (d.magnitude > 310) {
        bits = largest;
    }
    else if (d.magnitude < -330) {
        bits = smallest;
    }
    else {
        if ((d.figures > 19 || !nearest_simply(d.leading, d.exponent, number)) &&
            !nearest(d.begin, static_cast<size_t>(d.end - d.begin), number)) {
            return false;
        }
        std::memcpy(&bits, &number, sizeof bits);
        if (number > std::numeric_limits<double>::max()) {
            bits = d.magnitude > 0 ? largest : smallest;
        }
        else if (bits == 0) {
            bits = smallest;
        }
        else if (may_be_boundary(number) && compare_quickly(d, number) != 0) {
            int side;
            if (!compare_digits(d, number, side)) {
                return false;
            }
            bits = side > 0 ? bits | 1 : side < 0 ? bits - 1 : bits;
        }
    }
    std::memcpy(&number, &bits, sizeof number);
    return true;
}

/* The float64 nearest to the decimal. Whether there was memory to find it. */
bool nearest_float64(const decimal &d, double &number)
{
    if (d.is_zero() || d.magnitude < -330) {
        number = 0;
        return true;
    }
    if (d.magnitude > 310) {
        number = std::numeric_limits<double>::infinity();
        return true;
    }
    if (d.figures <= 19 && nearest_simply(d.leading, d.exponent, number)) {
        return true;
    }
    if (!nearest(d.begin, static_cast<size_t>(d.end - d.begin), number)) {
        return false;
    }
    /* An underflow is reported as an overflow is. */
    number = number > std::numeric_limits<double>::max() && d.magnitude < 0 ? 0 : number;
    return true;
}

/* The low 64 bits of the decimal's integer part. */
uint64_t low64(const decimal &d)
{
    uint64_t low = 0;
    int64_t left = d.magnitude;
    for (const char *c = d.first; c < d.last && left > 0; c++) {
        if (*c != '.') {
            low = 10 * low + static_cast<uint64_t>(*c - '0');
            left--;
        }
    }
    if (left >= 64) {
        return 0; /* a multiple of 2^64 */
    }
    for (; left > 0; left--) {
        low *= 10;
    }
    return d.negative ? 0 - low : low;
}

} // namespace

cuf_type cuf_text_parsed_as(cuf_type type)
{
    return cuf_formats[type].kind == CUF_KIND_INT ? CUF_UINT64 : CUF_FLOAT64;
}

int cuf_text_parse(const char *text, size_t length, cuf_type type, void *number)
{
    double value;
    const bool is_integer = cuf_text_parsed_as(type) == CUF_UINT64;
    if (!is_integer && read_plainly(text, text + length, value)) {
        std::memcpy(number, &value, sizeof value);
        return 0;
    }
    decimal d;
    if (!take_apart(text, text + length, d)) {
        return CUF_TEXT_NO_NUMBER;
    }
    if (is_integer) {
        const uint64_t low = d.what == kind::number ? low64(d) : 0;
        std::memcpy(number, &low, sizeof low);
        return 0;
    }
    switch (d.what) {
    case kind::number:
        if (!(type == CUF_FLOAT64 ? nearest_float64(d, value) : decisive(d, value))) {
            return CUF_TEXT_UNREAD;
        }
        break;
    case kind::infinity: value = std::numeric_limits<double>::infinity(); break;
    default: value = std::numeric_limits<double>::quiet_NaN(); break;
    }
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    bits |= static_cast<uint64_t>(d.negative) << 63;
    std::memcpy(number, &bits, sizeof bits);
    return 0;
}
