/* Which x86-64 targets a processor can run, by the list in x86.def. */
#ifndef CUF_X86_H
#define CUF_X86_H

#include <stdint.h>

typedef enum {
    CUF_X86_baseline,
    CUF_X86_x86_v3,
    CUF_X86_x86_v4,
    CUF_X86_x86_vbmi,
} cuf_x86_target;

/* The words of CPUID that x86.def names. */
typedef enum {
    CUF_LEAF_1_ECX,
    CUF_LEAF_7_EBX,
    CUF_LEAF_7_ECX,
    CUF_LEAF_80000001_ECX,
    CUF_X86_WORDS
} cuf_x86_word;

/* What a processor says of itself, and which registers its operating system saves. */
typedef struct {
    uint32_t words[CUF_X86_WORDS];
    uint64_t state;
} cuf_x86_processor;

cuf_x86_processor cuf_x86_here(void);

int cuf_x86_can_run(const cuf_x86_processor *processor, cuf_x86_target target);

#endif
