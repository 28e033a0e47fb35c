/* What follows from a row: the numbers at the edges of a format, and its special codes. */
#ifndef CUF_LIMITS_H
#define CUF_LIMITS_H

#include "formats.h"

typedef struct {
    double max, min;           /* largest and smallest number */
    double smallest_normal;    /* the smallest positive number with a full significand */
    double smallest_subnormal; /* 0: there is none */
    double eps;                /* from 1 to the next number */
    int digits;                /* decimal digits that are sure to be kept */
    int nan, inf;              /* the positive codes written; -1: there is none */
    int has_zero, has_negative_zero;
} cuf_limits;

/* For bool, an integer or a float of at most 16 bits. */
cuf_limits cuf_limits_of(cuf_type type);

#endif
