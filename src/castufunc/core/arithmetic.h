/* Operations on blocks of float32 and int64, for results that are asked for in a narrow type. */
#ifndef CUF_ARITHMETIC_H
#define CUF_ARITHMETIC_H

#include <stddef.h>
#include <stdint.h>

/* (ID, NumPy's name, operands). Those of one operand pass over the second. */
#define CUF_OPERATIONS(OPERATION)   \
    OPERATION(ADD, add, 2)          \
    OPERATION(SUBTRACT, subtract, 2) \
    OPERATION(MULTIPLY, multiply, 2) \
    OPERATION(MAXIMUM, maximum, 2)  \
    OPERATION(MINIMUM, minimum, 2)  \
    OPERATION(FMAX, fmax, 2)        \
    OPERATION(FMIN, fmin, 2)        \
    OPERATION(NEGATIVE, negative, 1) \
    OPERATION(ABSOLUTE, absolute, 1)

typedef enum {
#define CUF_OPERATION(ID, name, operands) CUF_##ID,
    CUF_OPERATIONS(CUF_OPERATION)
#undef CUF_OPERATION
    CUF_OPERATION_COUNT
} cuf_operation;

/* r[i] = a[i] op b[i]. Results may take the place of operands. Floats round to nearest, integers
 * wrap. Of two NaNs the first comes through. */
void cuf_operate_float32(cuf_operation op, const float *a, const float *b, float *r, size_t n);
void cuf_operate_int64(cuf_operation op, const int64_t *a, const int64_t *b, int64_t *r, size_t n);

/* start op x[0] op x[1] ... from left to right; sums are kept in eight parts and then added. */
float cuf_reduce_float32(cuf_operation op, float start, const float *x, size_t n);

#endif
