/* Loops of NumPy's ufuncs for results that are asked for in an own type, by `dtype=`. */
#ifndef CUF_NPY_ARITHMETIC_H
#define CUF_NPY_ARITHMETIC_H

/* After the own DTypes and the wide ones. */
int cuf_arithmetic_init(void);

#endif
