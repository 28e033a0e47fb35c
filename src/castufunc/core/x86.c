/*
 * Asks the processor itself: what compilers have for it does not know all names in x86.def (clang's
 * before version 16), and some of them ask for less than their own options use.
 */
#include "x86.h"

#include <cpuid.h>
#include <stddef.h>

enum { OSXSAVE = 27 };

static uint64_t saved_state(uint32_t leaf_1_ecx)
{
    uint32_t low, high;
    if (!(leaf_1_ecx >> OSXSAVE & 1)) {
        return 0; /* XGETBV would fault */
    }
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
#if defined(__APPLE__)
    low |= low >> 2 & 1 ? 0xe0 : 0; /* AVX-512's are added when a thread first uses them */
#endif
    return (uint64_t)high << 32 | low;
}

cuf_x86_processor cuf_x86_here(void)
{
    cuf_x86_processor p = {{0}, 0};
    uint32_t eax, ebx, ecx, edx;
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
        p.words[CUF_LEAF_1_ECX] = ecx;
    }
    if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
        p.words[CUF_LEAF_7_EBX] = ebx;
        p.words[CUF_LEAF_7_ECX] = ecx;
    }
    if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx)) {
        p.words[CUF_LEAF_80000001_ECX] = ecx;
    }
    p.state = saved_state(p.words[CUF_LEAF_1_ECX]);
    return p;
}

int cuf_x86_can_run(const cuf_x86_processor *processor, cuf_x86_target target)
{
    static const struct {
        cuf_x86_target target;
        cuf_x86_word word;
        int bit;
    } features[] = {
#define CUF_X86(TARGET, OPTION, WORD, BIT) {CUF_X86_##TARGET, CUF_##WORD, BIT},
#include "x86.def"
    };
    static const struct {
        cuf_x86_target target;
        uint64_t mask;
    } states[] = {
#define CUF_X86_STATE(TARGET, MASK) {CUF_X86_##TARGET, MASK},
#include "x86.def"
    };
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
        if (features[i].target <= target &&
            !(processor->words[features[i].word] >> features[i].bit & 1)) {
            return 0;
        }
    }
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        if (states[i].target <= target && (processor->state & states[i].mask) != states[i].mask) {
            return 0;
        }
    }
    return 1;
}
