/* A run of a plan inside NumPy's loops, where source and destination may overlap. */
#ifndef CUF_LOOP_H
#define CUF_LOOP_H

#include "npy_api.h"

/*
 * cuf_run, as if source and destination did not overlap. Needs no GIL. 0, or -1 with MemoryError.
 *
 * NumPy copies overlapping operands itself, except for one dimension and strides of one sign:
 * those it gives to the loop, in an order that suits elements of equal size.
 */
int cuf_loop(const cuf_plan *plan, const char *src, npy_intp src_stride, char *dst,
             npy_intp dst_stride, npy_intp n);

#endif
