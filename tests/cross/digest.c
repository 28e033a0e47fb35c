/*
 * Prints a hash of everything that core/ computes, line by line, to compare machines: a plan of
 * cast per line, then packed forms, text and limits. long double is left out (see facts.c).
 *
 *   digest            by the best target of this processor
 *   digest TARGET     by this one, or exit code 3 if it does not run here
 *   digest --targets  names those that run here
 *
 * All casts are made with rounding upward set and a flag raised, which must change nothing, and
 * must be so afterwards. Exit code 1 if that or anything else that needs no comparison fails.
 */
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fpenv.h"
#include "core/limits.h"
#include "core/pack.h"
#include "core/plan.h"
#include "core/targets.h"
#include "core/text.h"
#include "inputs.h"

static int faults;

static void fault(const char *what, const char *from, const char *to, size_t n)
{
    if (faults++ < 20) {
        fprintf(stderr, "%s: %s to %s, n = %lu\n", what, from, to, (unsigned long)n);
    }
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static void print(const char *what, const char *of, uint64_t hash)
{
    printf("%s %s %08lx%08lx\n", what, of, (unsigned long)(hash >> 32),
           (unsigned long)(hash & 0xffffffff));
}

/* --- casts -------------------------------------------------------------------------------- */

enum { LONGEST = 100, CANARY = 0xa5, EDGE = 64, ROOM = 2 * EDGE + 4 * 8 * LONGEST };

typedef struct {
    ptrdiff_t from_step, to_step; /* in elements */
    ptrdiff_t odd;                /* and bytes more */
} layout;

static const layout layouts[] = {{1, 1, 0},  {2, 1, 0},  {1, 3, 0}, {-1, 1, 0}, {1, -1, 0},
                                 {-2, -3, 0}, {0, 1, 0}, {2, 2, 1}, {-2, 2, 1}};

/* Casts n elements laid out so; they must equal `expected`, and nothing else may be written. */
static void check_layout(const cuf_plan *plan, const char *from_name, int column, layout l,
                         const uint64_t *codes, const uint64_t *expected, size_t n)
{
    static unsigned char source[ROOM], result[ROOM], wanted[ROOM];
    const ptrdiff_t from_stride = l.from_step * (ptrdiff_t)plan->from_size + l.odd;
    const ptrdiff_t to_stride = l.to_step * (ptrdiff_t)plan->to_size + l.odd;
    const ptrdiff_t last = (ptrdiff_t)n - 1;
    /* From an odd address, and backwards from the other end. */
    const size_t from = EDGE + 1 + (size_t)(from_stride < 0 ? -from_stride * last : 0);
    const size_t to = EDGE + 1 + (size_t)(to_stride < 0 ? -to_stride * last : 0);
    memset(source, CANARY, sizeof source);
    memset(result, CANARY, sizeof result);
    memset(wanted, CANARY, sizeof wanted);
    for (size_t i = 0; i < n; i++) {
        const size_t taken = from_stride ? i : 0;
        store_code(source + ((ptrdiff_t)from + (ptrdiff_t)taken * from_stride), plan->from_size,
                   codes[taken]);
        store_code(wanted + ((ptrdiff_t)to + (ptrdiff_t)i * to_stride), plan->to_size,
                   expected[taken]);
    }
    cuf_run(plan, source + from, from_stride, result + to, to_stride, n);
    if (memcmp(result, wanted, sizeof wanted) != 0) {
        fault("a layout changes something", from_name, column_name(column), n);
    }
}

static void cast_all(const cuf_plan *plan, const char *from_name, int column, const inputs *in)
{
    unsigned char *source = malloc(in->count * 8), *result = malloc(in->count * 8);
    if (source == NULL || result == NULL) {
        abort();
    }
    for (size_t i = 0; i < in->count; i++) {
        store_code(source + i * plan->from_size, plan->from_size, in->codes[i]);
    }
    cuf_run(plan, source, (ptrdiff_t)plan->from_size, result, (ptrdiff_t)plan->to_size, in->count);
    uint64_t hash = 0;
    for (size_t i = 0; i < in->count; i++) {
        hash = mixed(hash, load_code(result + i * plan->to_size, plan->to_size));
    }
    print(from_name, column_name(column), hash);

    /* Some from all over the inputs. */
    uint64_t codes[LONGEST], expected[LONGEST];
    for (size_t i = 0; i < LONGEST; i++) {
        const size_t at = (in->count - 1) / LONGEST * i + i % 7;
        codes[i] = in->codes[at];
        expected[i] = load_code(result + at * plan->to_size, plan->to_size);
    }
    for (size_t n = 1; n <= LONGEST; n++) {
        check_layout(plan, from_name, column, layouts[0], codes, expected, n);
    }
    for (size_t l = 1; l < sizeof layouts / sizeof layouts[0]; l++) {
        for (size_t n = 1; n <= LONGEST; n += n < 5 ? 1 : 19) {
            check_layout(plan, from_name, column, layouts[l], codes, expected, n);
        }
    }
    free(source);
    free(result);
}

static void check_environment(const char *from_name, int column, int rounding, int flags)
{
    if (fegetround() != rounding || fetestexcept(FE_ALL_EXCEPT) != flags) {
        fault("the floating-point environment changed", from_name, column_name(column), 0);
    }
}

static void casts(void)
{
    for (int from = 0; from < CUF_TYPES; from++) {
        if (!is_plain(from)) {
            continue;
        }
        const char *from_name = cuf_formats[from].name;
        inputs in = inputs_of((cuf_type)from);
        fenv_t before;
        fegetenv(&before);
        fesetround(FE_UPWARD);
        feclearexcept(FE_ALL_EXCEPT);
        feraiseexcept(FE_DIVBYZERO);
        const int rounding = fegetround(), flags = fetestexcept(FE_ALL_EXCEPT);
        for (int column = 0; column < CUF_PUBLIC_COLUMNS; column++) {
            const cuf_plan *plan = cuf_plan_of((cuf_type)from, (cuf_column)column);
            if (plan && is_plain(cuf_column_infos[column].type)) {
                cast_all(plan, from_name, column, &in);
                check_environment(from_name, column, rounding, flags);
            }
        }
        fesetenv(&before);
        inputs_free(&in);
    }
}

/* --- packed forms ------------------------------------------------------------------------- */

static void packed_forms(void)
{
    enum { MOST = 300 };
    bits_source random = {1};
    unsigned char codes[MOST], packed[MOST], back[MOST];
    for (size_t i = 0; i < MOST; i++) {
        codes[i] = (unsigned char)random_bits(&random);
    }
    for (int bits = 2; bits <= 6; bits += 2) {
        uint64_t hash = 0;
        for (size_t n = 1; n <= MOST; n++) {
            const size_t size = cuf_packed_size(bits, n);
            memset(packed, CANARY, sizeof packed);
            memset(back, CANARY, sizeof back);
            cuf_kernels_in_use()->pack[bits](codes, packed, n);
            for (size_t i = 0; i < size; i++) {
                hash = mixed(hash, packed[i]);
            }
            cuf_kernels_in_use()->unpack[bits](packed, back, n);
            for (size_t i = 0; i < MOST; i++) {
                const int wanted = i < n ? codes[i] & ((1 << bits) - 1) : CANARY;
                if (back[i] != wanted || (i >= size && packed[i] != CANARY)) {
                    fault("packed and unpacked codes differ", "codes", "bytes", n);
                    break;
                }
            }
        }
        print("packed", bits == 2 ? "2" : bits == 4 ? "4" : "6", hash);
    }
}

/* --- text --------------------------------------------------------------------------------- */

static uint64_t hash_of_text(uint64_t hash, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        hash = mixed(hash, (unsigned char)text[i]);
    }
    return mixed(hash, length);
}

static int is_number(cuf_type type, uint64_t code)
{
    double number;
    unsigned char element[8];
    const cuf_plan *plan = cuf_plan_of(type, CUF_TO_FLOAT64);
    store_code(element, plan->from_size, code);
    cuf_run(plan, element, 0, &number, 0, 1);
    return number == number;
}

static void printed(cuf_type type)
{
    const cuf_format *f = &cuf_formats[type];
    const cuf_plan *plan = cuf_plan_of(type, cuf_default_column(cuf_text_printed_as(type)));
    /* Infinity stays. The shortest decimal of a power of two may lie on either side of it. */
    const cuf_column into = cuf_column_of(type, f->special == CUF_POWER, CUF_NEAREST);
    const cuf_plan *back = cuf_plan_of(cuf_text_parsed_as(type), into);
    inputs in = inputs_of(type);
    uint64_t hash = 0;
    for (size_t i = 0; i < in.count; i += f->storage > 2 ? 7 : 1) {
        unsigned char element[8], read[8];
        uint64_t number, parsed;
        char text[CUF_TEXT_MAX];
        store_code(element, f->storage, in.codes[i]);
        cuf_run(plan, element, 0, &number, 0, 1);
        const size_t length = cuf_text_print(type, &number, text);
        hash = hash_of_text(hash, text, length);
        if (cuf_text_parse(text, length, type, &parsed) < 0) {
            fault("a printed number cannot be read", f->name, "text", i);
            continue;
        }
        cuf_run(back, &parsed, 0, read, 0, 1);
        const uint64_t kept = f->bits < 64 ? (UINT64_C(1) << f->bits) - 1 : UINT64_MAX;
        if (load_code(read, f->storage) != (in.codes[i] & kept) && f->kind != CUF_KIND_BOOL &&
            is_number(type, in.codes[i])) {
            fault("a printed number does not read back", f->name, "text", i);
        }
    }
    inputs_free(&in);
    print(f->name, "text", hash);
}

/* Decimals of 1 to 24 digits, near and far from one. */
static void parsed(cuf_type type)
{
    bits_source random = {2};
    const cuf_plan *plan = cuf_plan_of(cuf_text_parsed_as(type), cuf_default_column(type));
    uint64_t hash = 0;
    for (int i = 0; i < 3000; i++) {
        char text[64];
        int length = 0;
        const int digits = 1 + (int)(random_bits(&random) % 24);
        const int point = (int)(random_bits(&random) % 30);
        if (random_bits(&random) & 1) {
            text[length++] = '-';
        }
        for (int d = 0; d < digits; d++) {
            if (d == point) {
                text[length++] = '.';
            }
            text[length++] = (char)('0' + random_bits(&random) % 10);
        }
        const int exponent = (int)(random_bits(&random) % 80) - 40;
        if (i % 3) {
            length += snprintf(text + length, 16, "e%d", i % 3 == 1 ? exponent / 4 : exponent);
        }
        uint64_t number = 0;
        unsigned char element[8];
        if (cuf_text_parse(text, (size_t)length, type, &number) < 0) {
            fault("a decimal cannot be read", "text", cuf_formats[type].name, (size_t)i);
        }
        cuf_run(plan, &number, 0, element, 0, 1);
        hash = mixed(hash, load_code(element, plan->to_size));
    }
    print("text", cuf_formats[type].name, hash);
}

static void texts(void)
{
    const cuf_fpenv env = cuf_fpenv_enter();
    for (int type = 0; type < CUF_TYPES; type++) {
        if (is_plain(type) && !cuf_text_needs_fallback()) {
            printed((cuf_type)type);
            parsed((cuf_type)type);
        }
    }
    cuf_fpenv_leave(env);
}

/* --- limits ------------------------------------------------------------------------------- */

static void limits(void)
{
    for (int type = 0; type < CUF_TYPES; type++) {
        const cuf_format *f = &cuf_formats[type];
        if (is_plain(type) && (f->kind != CUF_KIND_FLOAT || f->bits <= 16)) {
            const cuf_limits l = cuf_limits_of((cuf_type)type);
            const double numbers[] = {l.max, l.min, l.smallest_normal, l.smallest_subnormal, l.eps};
            uint64_t hash = mixed(mixed(0, (uint64_t)l.digits), (uint64_t)(l.nan + 1));
            for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
                hash = mixed(hash, cuf_bits_of_double(numbers[i]));
            }
            print("limits", cuf_formats[type].name, hash);
        }
    }
}

static void name_targets(void)
{
    for (int t = 0; t < cuf_target_count; t++) {
        if (cuf_targets[t].supported()) {
            puts(cuf_targets[t].name);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--targets") == 0) {
        name_targets();
        return 0;
    }
    const int target = cuf_target_choose(argc > 1 ? argv[1] : NULL);
    if (target < 0 || (argc > 1 && strcmp(cuf_targets[target].name, argv[1]) != 0)) {
        fprintf(stderr, "target %s does not run here\n", argc > 1 ? argv[1] : "baseline");
        return 3;
    }
    if (cuf_init(target) < 0) {
        fprintf(stderr, "the tables have a wrong size\n");
        return 1;
    }
    casts();
    packed_forms();
    texts();
    limits();
    return faults > 0;
}
