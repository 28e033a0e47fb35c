/*
 * libFuzzer: every plan of every target of this processor against casts of one element at a time by
 * the plainest target, at any offset, length, stride and overlap; and packing against a loop over
 * bits.
 */
#include <algorithm>
#include <cfloat>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" {
#include "core/formats.h"
#include "core/pack.h"
#include "core/plan.h"
#include "core/targets.h"
}

namespace {

using bytes = std::vector<unsigned char>;

bool differ(const void *a, const void *b, size_t n) { return n && std::memcmp(a, b, n) != 0; }

/* What cuf_init made for a target, kept while it makes the next. */
struct target {
    const char *name;
    cuf_kernels kernels;
    cuf_plan plans[CUF_TYPES][CUF_PUBLIC_COLUMNS];
    std::vector<bytes> tables;
};
std::vector<target *> &targets = *new std::vector<target *>; /* never freed: all is found by it */

void keep(int index)
{
    target *t = new target{};
    t->name = cuf_targets[index].name;
    if (cuf_init(index) < 0) {
        std::abort();
    }
    t->kernels = *cuf_kernels_in_use();
    for (int from = 0; from < CUF_TYPES; from++) {
        for (int column = 0; column < CUF_PUBLIC_COLUMNS; column++) {
            const cuf_plan *plan = cuf_plan_of(static_cast<cuf_type>(from), static_cast<cuf_column>(column));
            if (plan == nullptr) {
                continue;
            }
            cuf_plan &kept = t->plans[from][column] = *plan;
            if (plan->table) {
                const unsigned char *table = static_cast<const unsigned char *>(plan->table);
                t->tables.emplace_back(table, table + 256 * plan->to_size);
                kept.table = t->tables.back().data();
            }
        }
    }
    targets.push_back(t);
}

/* The bytes that a cast writes with a meaning: a long double of x87 has six that it has not. */
size_t meaningful(int column)
{
    const cuf_column_info &info = cuf_column_infos[column];
    return info.type == CUF_LONGDOUBLE && LDBL_MANT_DIG == 64 ? 10 : cuf_formats[info.type].storage;
}

/* Numbers from the input, and zeros behind its end. */
class source_of_numbers {
public:
    source_of_numbers(const uint8_t *data, size_t size) : at(data), end(data + size) {}
    unsigned byte() { return at < end ? *at++ : 0; }
    unsigned below(unsigned limit) { return (byte() | byte() << 8) % limit; }
    /* Fills by repeating what is left of the input. */
    void fill(unsigned char *to, size_t n) const
    {
        const size_t left = static_cast<size_t>(end - at);
        for (size_t i = 0; i < n; i++) {
            to[i] = left ? static_cast<unsigned char>(at[i % left] ^ i / left * 37) : 0;
        }
    }

private:
    const uint8_t *at, *end;
};

/* n elements of a size at a stride: where they are in memory of exactly their extent. */
struct layout {
    ptrdiff_t stride, first; /* of the first element, from the lowest byte */
    size_t extent;
};

layout lay_out(size_t size, ptrdiff_t stride, size_t n)
{
    const ptrdiff_t reach = n ? static_cast<ptrdiff_t>(n - 1) * stride : 0;
    const size_t span = static_cast<size_t>(reach < 0 ? -reach : reach);
    return {stride, reach < 0 ? -reach : 0, n ? span + size : 0};
}

ptrdiff_t stride_of(source_of_numbers &numbers, size_t size, bool may_meet)
{
    const ptrdiff_t s = static_cast<ptrdiff_t>(size);
    switch (numbers.byte() % 6) {
    case 0: return may_meet ? 0 : s;
    case 1: return -s;
    case 2: return 2 * s;
    case 3: {
        /* Any, but elements that are written must not overlap each other. */
        const ptrdiff_t any = static_cast<ptrdiff_t>(numbers.byte()) - 128;
        return may_meet || any >= s || -any >= s ? any : any < 0 ? any - s : any + s;
    }
    default: return s;
    }
}

[[noreturn]] void fail(const char *what, const target *t, int from, int column, size_t n,
                       const layout &in, const layout &out)
{
    std::fprintf(stderr, "%s: %s, %s to column %d (%s), n = %zu, strides %td and %td\n", what, t->name,
                 cuf_formats[from].name, column, cuf_formats[cuf_column_infos[column].type].name, n,
                 in.stride, out.stride);
    std::abort();
}

/* Memory whose first `offset` bytes are nobody's, and which ends where the extent does. */
struct block {
    explicit block(size_t offset, size_t extent)
        : all(static_cast<unsigned char *>(std::malloc(offset + extent + !(offset + extent)))),
          start(all + offset), size(offset + extent)
    {
        std::memset(all, 0xa5, size);
    }
    ~block() { std::free(all); }
    block(const block &) = delete;
    block &operator=(const block &) = delete;
    unsigned char *all, *start;
    size_t size;
};

void check_cast(source_of_numbers &numbers)
{
    const int from = static_cast<int>(numbers.below(CUF_TYPES));
    const int column = static_cast<int>(numbers.below(CUF_PUBLIC_COLUMNS));
    const cuf_plan &plain = targets[0]->plans[from][column];
    if (plain.from_size == 0 || (!plain.first && !plain.table)) {
        return;
    }
    const size_t n = numbers.byte() % 8 ? numbers.below(200) : numbers.below(700);
    const layout in = lay_out(plain.from_size, stride_of(numbers, plain.from_size, true), n);
    const layout out = lay_out(plain.to_size, stride_of(numbers, plain.to_size, false), n);
    const size_t from_offset = numbers.below(64), to_offset = numbers.below(64);
    const bool shared = numbers.byte() % 4 == 0;
    const size_t apart = shared ? numbers.below(static_cast<unsigned>(in.extent) + 65) : 0;

    block source(from_offset, in.extent);
    numbers.fill(source.start, in.extent);
    const size_t width = meaningful(column);
    bytes wanted(n * plain.to_size);
    for (size_t i = 0; i < n; i++) {
        unsigned char element[32], result[32];
        std::memcpy(element, source.start + in.first + static_cast<ptrdiff_t>(i) * in.stride,
                    plain.from_size);
        cuf_run(&plain, element, 0, result, 0, 1);
        std::memcpy(&wanted[i * plain.to_size], result, plain.to_size);
    }
    const bytes before(source.all, source.all + source.size);
    for (const target *t : targets) {
        const cuf_plan *plan = &t->plans[from][column];
        block result(to_offset, shared ? in.extent + apart + out.extent : out.extent);
        unsigned char *to = result.start + out.first, *at = source.start + in.first;
        if (shared) {
            /* The source lies in the same memory, `apart` bytes from its start. */
            std::copy(source.start, source.start + in.extent, result.start + apart);
            at = result.start + apart + in.first;
        }
        const bytes untouched(result.all, result.all + result.size);
        if (shared && cuf_overlap(plan, at, in.stride, to, out.stride, n)) {
            at = source.start + in.first; /* it must be copied first */
        }
        cuf_run(plan, at, in.stride, to, out.stride, n);
        bytes expected = untouched;
        for (size_t i = 0; i < n; i++) {
            const size_t place = static_cast<size_t>(to - result.all + static_cast<ptrdiff_t>(i) * out.stride);
            if (std::memcmp(result.all + place, &wanted[i * plain.to_size], width) != 0) {
                fail("another result", t, from, column, n, in, out);
            }
            std::memcpy(&expected[place], result.all + place, plain.to_size);
        }
        if (differ(expected.data(), result.all, result.size)) {
            fail("wrote outside", t, from, column, n, in, out);
        }
        if (differ(before.data(), source.all, source.size)) {
            fail("changed the source", t, from, column, n, in, out);
        }
    }
}

void check_packing(source_of_numbers &numbers)
{
    const int bits = 2 + 2 * static_cast<int>(numbers.byte() % 3);
    const size_t n = 1 + numbers.below(300), size = cuf_packed_size(bits, n);
    const size_t from_offset = numbers.below(64), to_offset = numbers.below(64);
    block codes(from_offset, n);
    numbers.fill(codes.start, n);
    bytes wanted(size), unpacked(n);
    for (size_t i = 0; i < n; i++) {
        for (size_t b = 0; b < static_cast<size_t>(bits); b++) {
            const size_t place = i * static_cast<size_t>(bits) + b;
            const unsigned bit = codes.start[i] >> b & 1;
            wanted[place / 8] = static_cast<unsigned char>(wanted[place / 8] | bit << place % 8);
            unpacked[i] = static_cast<unsigned char>(unpacked[i] | bit << b);
        }
    }
    for (const target *t : targets) {
        block packed(to_offset, size), back(from_offset, n);
        t->kernels.pack[bits](codes.start, packed.start, n);
        t->kernels.unpack[bits](packed.start, back.start, n);
        if (std::memcmp(packed.start, wanted.data(), size) || std::memcmp(back.start, unpacked.data(), n)) {
            std::fprintf(stderr, "%s packs or unpacks %zu codes of %d bits wrongly\n", t->name, n, bits);
            std::abort();
        }
        for (const block *b : {&packed, &back}) {
            for (const unsigned char *at = b->all; at < b->start; at++) {
                if (*at != 0xa5) {
                    std::fprintf(stderr, "%s wrote in front of %d-bit codes\n", t->name, bits);
                    std::abort();
                }
            }
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***)
{
    for (int i = 0; i < cuf_target_count; i++) {
        if (cuf_targets[i].supported()) {
            keep(i);
        }
    }
    return targets.empty();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    source_of_numbers numbers(data, size);
    if (numbers.byte() % 8) {
        check_cast(numbers);
    }
    else {
        check_packing(numbers);
    }
    return 0;
}
