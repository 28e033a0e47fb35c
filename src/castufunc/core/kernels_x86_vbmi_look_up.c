/*
 * Overrides in AVX-512 VBMI intrinsics: a 256-entry table in registers, looked up by 64 codes at
 * a time, for every cast from a type of one byte.
 *
 * An entry of more than one byte is looked up a plane of bytes at a time, but for those planes
 * that the others tell. The planes are woven together by unpacking, which works within lanes
 * of 16 bytes: the codes are permuted first, so that what comes out is in order.
 */
#include "kernels_x86_vbmi.h"

/* What of a table is enough: entries repeat, or differ in their top bit only. */
typedef enum {
    ALL_256,
    SIGNED_128, /* the second half is the first one with the top bit set */
    FIRST_64,   /* four times the same */
} table_extent;

/* 256 bytes: one of each entry. */
typedef struct {
    __m512i part[4];
} plane;

CUF_INLINE __m512i look(const plane *p, __m512i codes, table_extent extent)
{
    if (extent == FIRST_64) {
        return _mm512_permutexvar_epi8(codes, p->part[0]);
    }
    __m512i low = _mm512_permutex2var_epi8(p->part[0], codes, p->part[1]);
    if (extent == SIGNED_128) {
        return low;
    }
    __m512i high = _mm512_permutex2var_epi8(p->part[2], codes, p->part[3]);
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(codes), low, high);
}

/* The same in the plane of the entries' top bytes. */
CUF_INLINE __m512i look_top(const plane *p, __m512i codes, table_extent extent)
{
    __m512i bytes = look(p, codes, extent);
    return extent != SIGNED_128
               ? bytes
               : or_(bytes, and_(codes, _mm512_set1_epi8((char)0x80)));
}

/* Byte `which` of each entry of `size` bytes. */
CUF_INLINE plane plane_of(const unsigned char *table, int size, int which)
{
    plane p;
    for (int i = 0; i < 4; i++, table += 64 * size) {
        __m512i t[4];
        for (int j = 0; size >= 4 && j < 4; j++) {
            const unsigned char *at = table + 16 * size * j;
            t[j] = size == 4 ? load(at) : halves_of(load(at), load(at + 64), which / 4);
        }
        p.part[i] = size == 1   ? load(table)
                    : size == 2 ? bytes_of_words(load(table), load(table + 64), which)
                                : bytes_of_lanes(t, which % 4);
    }
    return p;
}

/*
 * A loop over whole blocks of 64 codes; the last few go through a padded copy. The statements
 * behind SIZE store the results of the codes `x` at `out`.
 */
#define CUF_LOOK_UP_LOOP(SIZE, ...)                                       \
    const unsigned char *src = source;                                    \
    unsigned char *dst = destination;                                     \
    size_t step = first_step(dst, SIZE, n);                               \
    while (n >= 64) {                                                     \
        const __m512i x = load(src);                                      \
        unsigned char *out = dst;                                         \
        __VA_ARGS__                                                       \
        src += step;                                                      \
        dst += step * (SIZE);                                             \
        n -= step;                                                        \
        step = 64;                                                        \
    }                                                                     \
    if (n) {                                                              \
        const __mmask64 some = mask_of(n, 0);                             \
        const __m512i x = _mm512_maskz_loadu_epi8(some, src);             \
        unsigned char out[64 * (SIZE)];                                   \
        __VA_ARGS__                                                       \
        memcpy(dst, out, n * (SIZE));                                     \
    }

CUF_INLINE void look_up_1(const void *table, const void *source, void *destination, size_t n,
                          table_extent extent)
{
    const plane p = plane_of(table, 1, 0);
    CUF_LOOK_UP_LOOP(1, _mm512_storeu_si512(out, look(&p, x, extent));)
}

CUF_INLINE void look_up_2(const void *table, const void *source, void *destination, size_t n,
                          table_extent extent)
{
    const plane low = plane_of(table, 2, 0), high = plane_of(table, 2, 1);
    const __m512i order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    CUF_LOOK_UP_LOOP(2, {
        const __m512i codes = _mm512_permutexvar_epi64(order, x);
        const __m512i a = look(&low, codes, extent), b = look_top(&high, codes, extent);
        _mm512_storeu_si512(out, _mm512_unpacklo_epi8(a, b));
        _mm512_storeu_si512(out + 64, _mm512_unpackhi_epi8(a, b));
    })
}

/*
 * Entries of which only the upper two bytes are not zero, as the float32 of any narrow float: the
 * upper bytes of two elements that are 16 places apart lie in one lane, from where a shift and a
 * mask bring them to the top.
 */
CUF_INLINE void look_up_upper_of_4(const void *table, const void *source, void *destination,
                                   size_t n, table_extent extent)
{
    const plane third = plane_of(table, 4, 2), fourth = plane_of(table, 4, 3);
    const __m512i top = lanes(0xffff0000);
#define PLACE(i) ((i) / 16 * 4 + (i) / 2 % 4 + (i) % 2 * 16 + (i) / 8 % 2 * 32)
    static const uint8_t places[64] = {CUF_EACH_64(PLACE)};
#undef PLACE
    const __m512i order = load(places);
    CUF_LOOK_UP_LOOP(4, {
        const __m512i codes = _mm512_permutexvar_epi8(order, x);
        const __m512i c = look(&third, codes, extent), d = look_top(&fourth, codes, extent);
        const __m512i first = _mm512_unpacklo_epi8(c, d), second = _mm512_unpackhi_epi8(c, d);
        _mm512_storeu_si512(out, _mm512_slli_epi32(first, 16));
        _mm512_storeu_si512(out + 64, and_(first, top));
        _mm512_storeu_si512(out + 128, _mm512_slli_epi32(second, 16));
        _mm512_storeu_si512(out + 192, and_(second, top));
    })
}

/* The same of float64, with four elements in a lane, 8 places apart. */
CUF_INLINE void look_up_upper_of_8(const void *table, const void *source, void *destination,
                                   size_t n, table_extent extent)
{
    const plane low = plane_of(table, 8, 6), high = plane_of(table, 8, 7);
    const __m512i top = _mm512_set1_epi64((int64_t)(UINT64_C(0xffff) << 48));
#define PLACE(i) ((i) / 16 * 2 + (i) / 4 % 2 + (i) % 4 * 8 + (i) / 8 % 2 * 32)
    static const uint8_t places[64] = {CUF_EACH_64(PLACE)};
#undef PLACE
    const __m512i order = load(places);
    CUF_LOOK_UP_LOOP(8, {
        const __m512i codes = _mm512_permutexvar_epi8(order, x);
        const __m512i a = look(&low, codes, extent), b = look_top(&high, codes, extent);
        const __m512i words[2] = {_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)};
        for (int half = 0; half < 2; half++) {
            unsigned char *to = out + 256 * half;
            const __m512i w = words[half];
            _mm512_storeu_si512(to, _mm512_slli_epi64(w, 48));
            _mm512_storeu_si512(to + 64, and_(_mm512_slli_epi64(w, 32), top));
            _mm512_storeu_si512(to + 128, and_(_mm512_slli_epi64(w, 16), top));
            _mm512_storeu_si512(to + 192, and_(w, top));
        }
    })
}

#define CUF_IN_EXTENTS(NAME)                                                                      \
    static void NAME##_in_all(const void *table, const void *src, void *dst, size_t n)            \
    {                                                                                             \
        NAME(table, src, dst, n, ALL_256);                                                        \
    }                                                                                             \
    static void NAME##_signed(const void *table, const void *src, void *dst, size_t n)            \
    {                                                                                             \
        NAME(table, src, dst, n, SIGNED_128);                                                     \
    }                                                                                             \
    static void NAME##_in_first(const void *table, const void *src, void *dst, size_t n)          \
    {                                                                                             \
        NAME(table, src, dst, n, FIRST_64);                                                       \
    }                                                                                             \
    static cuf_look_up *const NAME##s[] = {                                                       \
        [ALL_256] = NAME##_in_all, [SIGNED_128] = NAME##_signed, [FIRST_64] = NAME##_in_first}
CUF_IN_EXTENTS(look_up_1);
CUF_IN_EXTENTS(look_up_2);
CUF_IN_EXTENTS(look_up_upper_of_4);
CUF_IN_EXTENTS(look_up_upper_of_8);

/* --- other tables: four bytes at a time ------------------------------------------------------- */

typedef struct {
    plane first, second, third, fourth;
} planes;

/* Of the four bytes from `first` on. */
CUF_INLINE planes planes_of(const void *table, int size, int first)
{
    return (planes){plane_of(table, size, first), plane_of(table, size, first + 1),
                    plane_of(table, size, first + 2), plane_of(table, size, first + 3)};
}

/* 64 of them in order. */
CUF_INLINE void store_looked_up(unsigned char *out, const planes *p, __m512i x)
{
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m512i codes = _mm512_permutexvar_epi32(order, x);
    const __m512i a = look(&p->first, codes, ALL_256), b = look(&p->second, codes, ALL_256);
    const __m512i c = look(&p->third, codes, ALL_256), d = look(&p->fourth, codes, ALL_256);
    const __m512i low0 = _mm512_unpacklo_epi8(a, b), low1 = _mm512_unpackhi_epi8(a, b);
    const __m512i high0 = _mm512_unpacklo_epi8(c, d), high1 = _mm512_unpackhi_epi8(c, d);
    _mm512_storeu_si512(out, _mm512_unpacklo_epi16(low0, high0));
    _mm512_storeu_si512(out + 64, _mm512_unpackhi_epi16(low0, high0));
    _mm512_storeu_si512(out + 128, _mm512_unpacklo_epi16(low1, high1));
    _mm512_storeu_si512(out + 192, _mm512_unpackhi_epi16(low1, high1));
}

static void look_up_4(const void *table, const void *source, void *destination, size_t n)
{
    const planes p = planes_of(table, 4, 0);
    CUF_LOOK_UP_LOOP(4, store_looked_up(out, &p, x);)
}

/* Integers of 32 bits with their sign extended, as those of narrow floats with a fraction. */
static void look_up_lower_of_8(const void *table, const void *source, void *destination, size_t n)
{
    const planes p = planes_of(table, 8, 0);
    CUF_LOOK_UP_LOOP(8, {
        unsigned char halves[256];
        store_looked_up(halves, &p, x);
        for (int i = 0; i < 8; i++) {
            const __m512i eight = _mm512_cvtepi32_epi64(load_half(halves + 32 * i));
            _mm512_storeu_si512(out + 64 * i, eight);
        }
    })
}

/* Any entries: both halves of them. */
static void look_up_8(const void *table, const void *source, void *destination, size_t n)
{
    const planes low = planes_of(table, 8, 0), high = planes_of(table, 8, 4);
    CUF_LOOK_UP_LOOP(8, {
        unsigned char lower[256];
        unsigned char upper[256];
        store_looked_up(lower, &low, x);
        store_looked_up(upper, &high, x);
        for (int i = 0; i < 8; i++) {
            const __m512i a = _mm512_cvtepu32_epi64(load_half(lower + 32 * i));
            const __m512i b = _mm512_cvtepu32_epi64(load_half(upper + 32 * i));
            _mm512_storeu_si512(out + 64 * i, or_(a, _mm512_slli_epi64(b, 32)));
        }
    })
}

/* Whether all bytes below the upper two are zero in each entry. */
static int has_upper_two_only(const unsigned char *table, size_t size)
{
    const __m512i lower = size == 4 ? _mm512_set1_epi32(0xffff)
                                    : _mm512_set1_epi64(INT64_C(0x0000ffffffffffff));
    __m512i any = _mm512_setzero_si512();
    for (size_t i = 0; i < 256 * size; i += 64) {
        any = _mm512_or_si512(any, _mm512_loadu_si512(table + i));
    }
    return _mm512_test_epi64_mask(any, lower) == 0;
}

static int has_extended_halves(const unsigned char *table)
{
    for (size_t i = 0; i < 256; i++) {
        int64_t entry;
        memcpy(&entry, table + 8 * i, sizeof entry);
        if (entry != (int32_t)entry) {
            return 0;
        }
    }
    return 1;
}

static table_extent extent_of(const unsigned char *table, size_t size)
{
    if (memcmp(table, table + 64 * size, 192 * size) == 0) {
        return FIRST_64;
    }
    if (size == 1) {
        return ALL_256;
    }
    for (size_t code = 0; code < 128; code++) {
        const unsigned char *positive = table + code * size, *negative = positive + 128 * size;
        if (memcmp(negative, positive, size - 1) != 0 ||
            negative[size - 1] != (positive[size - 1] | 0x80)) {
            return ALL_256;
        }
    }
    return SIGNED_128;
}

static cuf_look_up *look_up_for(const void *table, size_t size)
{
    const table_extent extent = extent_of(table, size);
    switch (size) {
    case 1: return look_up_1s[extent];
    case 2: return look_up_2s[extent];
    case 4: return has_upper_two_only(table, 4) ? look_up_upper_of_4s[extent] : look_up_4;
    case 8:
        return has_upper_two_only(table, 8) ? look_up_upper_of_8s[extent]
               : has_extended_halves(table) ? look_up_lower_of_8
                                            : look_up_8;
    default: return NULL;
    }
}

void cuf_override_look_up_x86_vbmi(cuf_kernels *kernels) { kernels->look_up_for = look_up_for; }
