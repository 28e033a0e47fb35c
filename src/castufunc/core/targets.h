/* The instruction-set targets of this build, and the choice among them. */
#ifndef CUF_TARGETS_H
#define CUF_TARGETS_H

#include "kernels.h"

typedef struct {
    const char *name;
    int (*supported)(void); /* by this processor and operating system */
    void (*fill)(cuf_kernels *kernels);
} cuf_target;

/* From the plainest to the best; each implies those before it. */
extern const cuf_target cuf_targets[];
extern const int cuf_target_count;

/*
 * The index of the best target of this processor, not above the one named `cap` (NULL: no cap).
 * -1: the processor is below the baseline. -2: no target of this build has that name.
 */
int cuf_target_choose(const char *cap);

/* The compiler that built this, with its version. */
const char *cuf_compiler(void);

#endif
