/*
 * What a reduction over an outer axis, or in pieces, has got so far: NumPy calls its loop again and
 * again with the same results, which are in memory in the narrow type. The number that each was
 * rounded from stays here, from the first call to the last, so that errors do not add up.
 */
#ifndef CUF_PARTIALS_H
#define CUF_PARTIALS_H

#include "npy_api.h"

/* A float32 or an int64. */
typedef union {
    float real;
    int64_t integer;
} cuf_partial;

/* None yet; for the `get_loop` of a method, freed by NumPy after the call. NULL: no memory. */
NpyAuxData *cuf_partials_new(void);

/*
 * The partial of the result at an address, of `size` bytes and with this code now. If it is new, or
 * if somebody else wrote to the result, it is `number`, the code's own. Valid until NumPy frees the
 * lot; the caller puts the next number there, and tells the code with cuf_partial_was_written.
 * NULL without memory; no exception is set.
 */
cuf_partial *cuf_partial_of(NpyAuxData *partials, const char *address, size_t size, unsigned code,
                            cuf_partial number);
void cuf_partial_was_written(cuf_partial *partial, unsigned code);

#endif
