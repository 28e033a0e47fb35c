/*
 * What must hold of core/ on every machine and needs no other one to compare with: bytes and bits
 * that are written out here. Prints what does not hold; then the exit code is 1.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fpenv.h"
#include "core/pack.h"
#include "core/plan.h"
#include "core/targets.h"
#include "core/text.h"
#include "core/x86.h"
#include "inputs.h"

static int faults;

#define EXPECT(CONDITION, ...)                        \
    do {                                              \
        if (!(CONDITION) && faults++ < 40) {          \
            fprintf(stderr, "%s: ", #CONDITION);      \
            fprintf(stderr, __VA_ARGS__);             \
            fputc('\n', stderr);                      \
        }                                             \
    } while (0)

/* --- packed forms: the first element in the lowest bits, whatever the order of bytes ---------- */

static void check_packed(int bits, const unsigned char *codes, size_t n, const unsigned char *bytes)
{
    unsigned char packed[256], back[256];
    const size_t size = cuf_packed_size(bits, n);
    cuf_kernels_in_use()->pack[bits](codes, packed, n);
    cuf_kernels_in_use()->unpack[bits](bytes, back, n);
    for (size_t i = 0; i < size; i++) {
        EXPECT(packed[i] == bytes[i], "byte %d of %d codes of %d bits is %02x, not %02x", (int)i,
               (int)n, bits, packed[i], bytes[i]);
    }
    for (size_t i = 0; i < n; i++) {
        EXPECT(back[i] == codes[i], "code %d of %d unpacked from %d bits is %02x, not %02x", (int)i,
               (int)n, bits, back[i], codes[i]);
    }
}

static void packed_forms(void)
{
    check_packed(4, (const unsigned char[]){1, 15, 7}, 3, (const unsigned char[]){0xf1, 0x07});
    check_packed(4, (const unsigned char[]){10, 11, 12, 13}, 4, (const unsigned char[]){0xba, 0xdc});
    check_packed(2, (const unsigned char[]){1, 2, 3, 0, 1}, 5, (const unsigned char[]){0x39, 0x01});
    check_packed(2, (const unsigned char[]){0, 1, 2, 3}, 4, (const unsigned char[]){0xe4});
    check_packed(6, (const unsigned char[]){1, 2, 3, 4}, 4, (const unsigned char[]){0x81, 0x30, 0x10});
    /* Longer ones, bit by bit. */
    bits_source random = {3};
    unsigned char codes[200], bytes[200];
    for (int bits = 2; bits <= 6; bits += 2) {
        for (size_t n = 1; n <= 200; n++) {
            memset(bytes, 0, sizeof bytes);
            for (size_t i = 0; i < n; i++) {
                codes[i] = (unsigned char)(random_bits(&random) & ((1u << bits) - 1));
                for (size_t b = 0; b < (size_t)bits; b++) {
                    const size_t at = i * (size_t)bits + b;
                    bytes[at / 8] |= (unsigned char)((codes[i] >> b & 1) << at % 8);
                }
            }
            check_packed(bits, codes, n, bytes);
        }
    }
}

/* --- a NaN keeps its sign ------------------------------------------------------------------ */

static uint64_t cast_code(cuf_type from, uint64_t code, cuf_column column)
{
    const cuf_plan *plan = cuf_plan_of(from, column);
    unsigned char element[8], result[8];
    store_code(element, plan->from_size, code);
    cuf_run(plan, element, 0, result, 0, 1);
    return load_code(result, plan->to_size);
}

static const struct {
    cuf_type type;
    uint64_t nan, negative;
} nans[] = {
    {CUF_FLOAT16, 0x7e00, 0xfe00},
    {CUF_FLOAT32, 0x7fc00000, 0xffc00000},
    {CUF_FLOAT64, UINT64_C(0x7ff8000000000000), UINT64_C(0xfff8000000000000)},
    {CUF_BFLOAT16, 0x7fc0, 0xffc0},
    {CUF_FLOAT8E4M3FN, 0x7f, 0xff},
    {CUF_FLOAT8E5M2, 0x7e, 0xfe},
    {CUF_FLOAT8_E3M4, 0x78, 0xf8},
    {CUF_FLOAT8_E4M3, 0x7c, 0xfc},
};
enum { NANS = sizeof nans / sizeof nans[0] };

static void signs_of_nan(void)
{
    for (int i = 0; i < NANS; i++) {
        for (int sign = 0; sign < 2; sign++) {
            const char *name = cuf_formats[nans[i].type].name;
            const uint64_t from = sign ? nans[i].negative : nans[i].nan;
            for (int j = 0; j < NANS; j++) {
                const uint64_t to = sign ? nans[j].negative : nans[j].nan;
                const uint64_t got = cast_code(nans[i].type, from, cuf_default_column(nans[j].type));
                EXPECT(got == to, "%s NaN to %s, sign %d", name, cuf_formats[nans[j].type].name, sign);
            }
            const cuf_plan *plan = cuf_plan_of(nans[i].type, CUF_TO_LONGDOUBLE);
            const cuf_plan *back = cuf_plan_of(CUF_LONGDOUBLE, cuf_default_column(nans[i].type));
            if (plan == NULL) {
                continue; /* NumPy makes long doubles of its own types */
            }
            unsigned char element[8], result[8];
            long double extended;
            store_code(element, plan->from_size, from);
            cuf_run(plan, element, 0, &extended, 0, 1);
            EXPECT(isnan(extended) && (signbit(extended) != 0) == sign,
                   "%s NaN to long double, sign %d", name, sign);
            cuf_run(back, &extended, 0, result, 0, 1);
            EXPECT(load_code(result, back->to_size) == from, "long double NaN to %s, sign %d", name,
                   sign);
        }
    }
}

/* --- long double, which is another type on every machine ----------------------------------- */

/* The numbers that are float64's give what float64 gives. */
static void extended_as_float64(void)
{
    inputs in = inputs_of(CUF_FLOAT64);
    for (int column = 0; column < CUF_PUBLIC_COLUMNS; column++) {
        const cuf_plan *plan = cuf_plan_of(CUF_LONGDOUBLE, (cuf_column)column);
        if (plan == NULL || !is_plain(cuf_column_infos[column].type)) {
            continue;
        }
        for (size_t i = 0; i < in.count; i += 11) {
            const double number = cuf_double_of(in.codes[i]);
            const long double extended = number;
            if (number != number || extended != number) {
                continue; /* a pair of doubles lacks some subnormals' neighbours */
            }
            unsigned char result[8];
            cuf_run(plan, &extended, 0, result, 0, 1);
            EXPECT(load_code(result, plan->to_size) ==
                       cast_code(CUF_FLOAT64, in.codes[i], (cuf_column)column),
                   "long double %a to %s", number, column_name(column));
        }
    }
    inputs_free(&in);
}

/* A little beside a midpoint, by less than float64 tells: the side must be seen. */
static void extended_beside_midpoints(void)
{
    inputs in = inputs_of(CUF_BFLOAT16);
    for (int column = 0; column < CUF_PUBLIC_COLUMNS && LDBL_MANT_DIG > DBL_MANT_DIG; column++) {
        const cuf_plan *plan = cuf_plan_of(CUF_LONGDOUBLE, (cuf_column)column);
        const cuf_format *to = &cuf_formats[cuf_column_infos[column].type];
        if (plan == NULL || to->kind != CUF_KIND_FLOAT || to->bits > 16) {
            continue;
        }
        for (size_t i = 0; i < in.count; i += 5) {
            double number;
            cuf_run(cuf_plan_of(CUF_BFLOAT16, CUF_TO_FLOAT64), &(uint16_t){(uint16_t)in.codes[i]},
                    0, &number, 0, 1);
            if (!(fabs(number) > 1e-30 && fabs(number) < 1e30)) {
                continue;
            }
            number *= 1 + 0x1p-8; /* bfloat16's midpoint, and a number of the wider float16 */
            for (int side = -1; side <= 1; side += 2) {
                const long double extended = (long double)number + (long double)number * side * 0x1p-60L;
                const double beside = nextafter(number, side < 0 ? 0 : number * 2);
                unsigned char result[8];
                cuf_run(plan, &extended, 0, result, 0, 1);
                EXPECT(load_code(result, plan->to_size) ==
                           cast_code(CUF_FLOAT64, cuf_bits_of_double(beside), (cuf_column)column),
                       "long double beside %a to %s", number, column_name(column));
            }
        }
    }
    inputs_free(&in);
}

/* --- one element over itself --------------------------------------------------------------- */

static void overlaps(void)
{
    enum { MIDDLE = 32, WIDEST = sizeof(long double) };
    for (int from = 0; from < CUF_TYPES; from++) {
        for (int column = 0; column < CUF_PUBLIC_COLUMNS; column++) {
            const cuf_plan *plan = cuf_plan_of((cuf_type)from, (cuf_column)column);
            for (int shift = -WIDEST; plan && shift <= WIDEST; shift++) {
                unsigned char memory[3 * MIDDLE], apart[WIDEST] = {0}, wanted[WIDEST] = {0};
                long double third = -1.0L / 3;
                unsigned char *source = memory + MIDDLE, *result = memory + MIDDLE + shift;
                memset(memory, 0xa5, sizeof memory);
                for (int i = 0; i < (int)plan->from_size; i++) {
                    source[i] = (unsigned char)(0xe1 + 7 * i);
                }
                if (from == CUF_LONGDOUBLE) {
                    memcpy(source, &third, sizeof third); /* not all bits are numbers */
                }
                memcpy(apart, source, plan->from_size);
                EXPECT(!cuf_overlap(plan, source, 1, result, 1, 1), "%s", cuf_formats[from].name);
                cuf_run(plan, apart, 0, wanted, 0, 1);
                cuf_run(plan, source, 0, result, 0, 1);
                EXPECT(memcmp(result, wanted, plan->to_size) == 0, "%s to %s, shifted by %d bytes",
                       cuf_formats[from].name, column_name(column), shift);
            }
        }
    }
}

/* --- text to float64 ----------------------------------------------------------------------- */

static void texts(void)
{
    static const struct {
        const char *text;
        uint64_t bits;
    } known[] = {
        {"2.8529464868259042e+37", UINT64_C(0x47b5769337b40099)},
        {"0.1", UINT64_C(0x3fb999999999999a)},
        {"9007199254740993e0", UINT64_C(0x4340000000000000)},
        {"8.5e-21", UINT64_C(0x3bc411ef4aaf8504)},
    };
    const cuf_fpenv env = cuf_fpenv_enter();
    double number;
    for (size_t i = 0; i < sizeof known / sizeof known[0] && !cuf_text_needs_fallback(); i++) {
        const int status = cuf_text_parse(known[i].text, strlen(known[i].text), CUF_FLOAT64, &number);
        EXPECT(status == 0 && cuf_bits_of_double(number) == known[i].bits, "%s is read as %a",
               known[i].text, number);
    }
    bits_source random = {4};
    for (int i = 0; i < 60000 && !cuf_text_needs_fallback(); i++) {
        /* Numbers near one, whose texts have a small exponent of ten. */
        const uint64_t bits = (random_bits(&random) & UINT64_C(0x800fffffffffffff)) |
                              (1023 - 120 + random_bits(&random) % 240) << 52;
        char text[CUF_TEXT_MAX];
        number = cuf_double_of(bits);
        const size_t length = cuf_text_print(CUF_FLOAT64, &number, text);
        EXPECT(cuf_text_parse(text, length, CUF_FLOAT64, &number) == 0 &&
                   cuf_bits_of_double(number) == bits,
               "%.*s is read as %a", (int)length, text, number);
    }
    cuf_fpenv_leave(env);
}

/* --- which x86 targets a processor can run ------------------------------------------------- */

#if defined(CUF_HAVE_X86)
static void x86_targets(void)
{
    static const struct {
        cuf_x86_target target;
        const char *option;
        cuf_x86_word word;
        int bit;
    } features[] = {
#define CUF_X86(TARGET, OPTION, WORD, BIT) {CUF_X86_##TARGET, OPTION, CUF_##WORD, BIT},
#include "core/x86.def"
    };
    cuf_x86_processor all = {.state = 0xe7};
    memset(all.words, 0xff, sizeof all.words);
    EXPECT(cuf_x86_can_run(&all, CUF_X86_x86_vbmi), "a processor that has all");
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
        cuf_x86_processor less = all;
        less.words[features[i].word] &= ~(UINT32_C(1) << features[i].bit);
        for (int t = CUF_X86_baseline; t <= CUF_X86_x86_vbmi; t++) {
            EXPECT(cuf_x86_can_run(&less, (cuf_x86_target)t) == (t < (int)features[i].target),
                   "target %d without %s", t, features[i].option);
        }
    }
    static const struct {
        uint64_t state;
        int best;
    } states[] = {{0, CUF_X86_baseline}, {3, CUF_X86_baseline}, {7, CUF_X86_x86_v3},
                  {0x67, CUF_X86_x86_v3}, {0xe3, CUF_X86_baseline}};
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        all.state = states[i].state;
        for (int t = CUF_X86_baseline; t <= CUF_X86_x86_vbmi; t++) {
            EXPECT(cuf_x86_can_run(&all, (cuf_x86_target)t) == (t <= states[i].best),
                   "target %d with registers %x saved", t, (unsigned)states[i].state);
        }
    }
}
#else
static void x86_targets(void) {}
#endif

int main(int argc, char **argv)
{
    const int target = cuf_target_choose(argc > 1 ? argv[1] : NULL);
    if (target < 0 || cuf_init(target) < 0) {
        fprintf(stderr, target < 0 ? "no target\n" : "the tables have a wrong size\n");
        return 1;
    }
    packed_forms();
    signs_of_nan();
    extended_as_float64();
    extended_beside_midpoints();
    overlaps();
    texts();
    x86_targets();
    return faults > 0;
}
