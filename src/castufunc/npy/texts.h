/*
 * Texts in arrays: strided runs of NumPy's `U` and `S` and of its StringDType, parsed and printed;
 * and what is said of a text that is refused. Arrays of objects are in convert_objects.c.
 */
#ifndef CUF_TEXTS_H
#define CUF_TEXTS_H

#include "npy_api.h"

typedef enum {
    CUF_NO_TEXT,
    CUF_UNICODE, /* U */
    CUF_BYTES,   /* S */
    CUF_STRING,  /* StringDType */
} cuf_container;

/* By NumPy's type number. */
cuf_container cuf_container_of(int type_num);

typedef enum {
    CUF_TEXT_FINE,
    CUF_TEXT_BAD,       /* no number of the grammar */
    CUF_TEXT_MISSING,   /* a missing value of a StringDType */
    CUF_TEXT_TOO_LONG,  /* for the element's width */
    CUF_TEXT_NO_MEMORY,
} cuf_text_status;

/*
 * Parses n texts of the dtype into codes / prints n codes as texts of the dtype. Strides in bytes;
 * U in native order. Of the first that cannot be done `at` tells the place, and the rest is not
 * touched. To be called without the GIL: a StringDType is locked meanwhile.
 */
cuf_text_status cuf_texts_parse(PyArray_Descr *descr, const char *src, npy_intp src_stride,
                                cuf_column column, char *dst, npy_intp dst_stride, npy_intp n,
                                npy_intp *at);
cuf_text_status cuf_texts_print(PyArray_Descr *descr, cuf_type type, const char *src,
                                npy_intp src_stride, char *dst, npy_intp dst_stride, npy_intp n,
                                npy_intp *at);

/*
 * Sets the exception for a status other than fine, with the GIL held.
 * `element` is the text, or for CUF_TEXT_TOO_LONG the code of the type whose number does not fit
 * in a text of this dtype. Always -1.
 */
int cuf_texts_refuse(PyArray_Descr *descr, cuf_text_status status, cuf_type type,
                     const char *element);

/* Prints one code, in the caller's floating-point environment; see cuf_text_print. */
size_t cuf_print_code(cuf_type type, const void *code, char *text);

/* The place of the first missing value among n strided elements of a StringDType; n: none. */
npy_intp cuf_texts_first_missing(PyArray_Descr *descr, const char *src, npy_intp stride,
                                 npy_intp n);

/* 1 with the characters of a str or bytes, borrowed; 0 for what is neither, or not ASCII. */
int cuf_ascii_of(PyObject *object, const char **chars, size_t *length);

/*
 * What cuf_text_parse did not read: ValueError "cannot read '1abc' as float8e5m2", at most 40
 * characters of it, or MemoryError. Always -1.
 */
int cuf_refuse_text(PyObject *text, int status, cuf_type type);

/* A dtype of the container that holds the text of any number of the type. New reference. */
PyArray_Descr *cuf_text_descr_for(cuf_container container, cuf_type type);

#endif
