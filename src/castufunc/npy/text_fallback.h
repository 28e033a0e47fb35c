/* Python's conversions of floating point, for C++ libraries that have none. */
#ifndef CUF_TEXT_FALLBACK_H
#define CUF_TEXT_FALLBACK_H

/* Gives them to core/text.h if it needs them. */
void cuf_text_fallback_init(void);

#endif
