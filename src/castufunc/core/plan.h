/*
 * How to cast from one type to a column, and the driver that does it.
 *
 * Modes are columns (formats.h): everything above this layer picks a column once and runs a plan.
 */
#ifndef CUF_PLAN_H
#define CUF_PLAN_H

#include <stddef.h>

#include "kernels.h"

typedef struct {
    /*
     * Contiguous elements: `first`, or `first` into a hub and `second` out of it. Without `first`
     * there is a table.
     */
    cuf_kernel *first, *second;
    /* For a source of one byte: the result's code for each of the 256 source bytes. */
    const void *table;
    cuf_look_up *look_up; /* how to look up contiguous elements; NULL: by the plain loop */
    size_t from_size, hub_size, to_size;
    int independent; /* of the floating-point environment */
} cuf_plan;

/*
 * Must be called once before all else, with an index from cuf_target_choose. Everything that it
 * fills is constant afterwards. 0, or -1 if the tables are not exactly as large as what they are
 * to hold on this machine: then nothing may be used.
 */
int cuf_init(int target);

/* The kernels of the target in use. */
const cuf_kernels *cuf_kernels_in_use(void);

/*
 * The plan, or NULL where there is none: complex types have none (cast their parts), and long
 * double is a target of own floats and integers only.
 */
const cuf_plan *cuf_plan_of(cuf_type from, cuf_column column);

/*
 * Casts n elements at any alignment and strides (bytes; zero and negative too), in the caller's
 * floating-point environment, which is left as it was. Source and destination must be apart, or
 * be the very same elements, or a single element each, which may overlap in any way: an element is
 * read before its result is written.
 */
void cuf_run(const cuf_plan *plan, const void *src, ptrdiff_t src_stride, void *dst,
             ptrdiff_t dst_stride, size_t n);

/* Whether they are none of these: then the source must be copied first. */
int cuf_overlap(const cuf_plan *plan, const void *src, ptrdiff_t src_stride, const void *dst,
                ptrdiff_t dst_stride, size_t n);

/* The number of a code of an own type, for comparing. */
double cuf_number_of(cuf_type type, const void *code);

#endif
