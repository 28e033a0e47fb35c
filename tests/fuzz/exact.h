/*
 * Exact arithmetic to judge by: natural numbers of any size, and the comparison of a decimal with
 * a float64. Slow and plain, and nothing in common with core/.
 */
#ifndef EXACT_H
#define EXACT_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

class natural {
public:
    explicit natural(uint64_t n = 0)
    {
        for (; n; n >>= 32) {
            words.push_back(static_cast<uint32_t>(n & 0xffffffff));
        }
    }

    /* this * factor + addend */
    void multiply_add(uint32_t factor, uint32_t addend)
    {
        uint64_t carry = addend;
        for (uint32_t &word : words) {
            carry += static_cast<uint64_t>(word) * factor;
            word = static_cast<uint32_t>(carry & 0xffffffff);
            carry >>= 32;
        }
        if (carry) {
            words.push_back(static_cast<uint32_t>(carry));
        }
    }

    void power(uint32_t base, int64_t exponent)
    {
        for (; exponent > 0 && !words.empty(); exponent--) {
            multiply_add(base, 0);
        }
    }

    /* The remainder. */
    uint32_t divide(uint32_t divisor)
    {
        uint64_t rest = 0;
        for (size_t i = words.size(); i-- > 0;) {
            rest = rest << 32 | words[i];
            words[i] = static_cast<uint32_t>(rest / divisor);
            rest %= divisor;
        }
        while (!words.empty() && words.back() == 0) {
            words.pop_back();
        }
        return static_cast<uint32_t>(rest);
    }

    bool is_zero() const { return words.empty(); }
    uint64_t low64() const
    {
        return (words.empty() ? 0 : words[0]) |
               (words.size() < 2 ? 0 : static_cast<uint64_t>(words[1]) << 32);
    }

    /* -1, 0 or 1 */
    static int compare(const natural &a, const natural &b)
    {
        if (a.words.size() != b.words.size()) {
            return a.words.size() < b.words.size() ? -1 : 1;
        }
        for (size_t i = a.words.size(); i-- > 0;) {
            if (a.words[i] != b.words[i]) {
                return a.words[i] < b.words[i] ? -1 : 1;
            }
        }
        return 0;
    }

    std::string digits() const
    {
        natural rest = *this;
        std::string text;
        while (!rest.is_zero()) {
            text.push_back(static_cast<char>('0' + rest.divide(10)));
        }
        std::reverse(text.begin(), text.end());
        return text.empty() ? "0" : text;
    }

private:
    std::vector<uint32_t> words; /* the lowest first, the highest not zero */
};

/* figures * 10^exponent, not negative */
struct decimal_number {
    std::string figures; /* without zeros in front; empty for zero */
    int64_t exponent;

    /* The number is below 10^this, and not below a tenth of it unless it is zero. */
    int64_t magnitude() const { return static_cast<int64_t>(figures.size()) + exponent; }

    natural number() const
    {
        natural n;
        for (char c : figures) {
            n.multiply_add(10, static_cast<uint32_t>(c - '0'));
        }
        return n;
    }
};

/* The sign of a decimal minus significand * 2^twos. The decimal's magnitude must be moderate. */
inline int compare(const decimal_number &d, uint64_t significand, int twos)
{
    natural left = d.number(), right(significand);
    left.power(5, d.exponent);
    right.power(5, -d.exponent);
    left.power(2, d.exponent - twos);
    right.power(2, twos - d.exponent);
    return natural::compare(left, right);
}

inline uint64_t bits_of(double number)
{
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}

/*
 * The sign of a decimal minus the float64 with these bits, which is not negative and not NaN;
 * infinity is 2^1024 here. `half` adds half a step to it.
 */
inline int compare_float64(const decimal_number &d, uint64_t bits, bool half = false)
{
    const int field = static_cast<int>(bits >> 52);
    const uint64_t fraction = bits & UINT64_C(0x000fffffffffffff);
    const uint64_t significand = field ? fraction | UINT64_C(0x0010000000000000) : fraction;
    const int twos = (field ? field : 1) - 1075;
    if (d.figures.empty()) {
        return significand || half ? -1 : 0;
    }
    /* Beyond what any float64 reaches no digit is needed to tell. */
    if (d.magnitude() > 400) {
        return 1;
    }
    if (d.magnitude() < -400) {
        return significand || half ? -1 : 1;
    }
    return compare(d, 2 * significand + half, twos - 1);
}

#endif
