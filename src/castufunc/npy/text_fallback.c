#include "npy_api.h"

#include "core/text.h"
#include "text_fallback.h"

/* Whether Python's functions got no memory. That is told by status, not by an exception. */
static int lacks_memory(void)
{
    const int failed = PyErr_Occurred() != NULL;
    PyErr_Clear();
    return failed;
}

/* Loops call these without the GIL, which Python's functions want. */
static int nearest(const char *text, size_t length, double *number)
{
    char small[64], *copy = small;
    if (length >= sizeof small) {
        copy = PyMem_RawMalloc(length + 1);
        if (copy == NULL) {
            return -1;
        }
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    PyGILState_STATE gil = PyGILState_Ensure();
    *number = PyOS_string_to_double(copy, NULL, NULL);
    const int status = lacks_memory() ? -1 : 0;
    PyGILState_Release(gil);
    if (copy != small) {
        PyMem_RawFree(copy);
    }
    return status;
}

/* With the GIL. How many characters; 0 if there is no memory. */
static size_t print(double number, int precision, char *text, size_t size)
{
    char *printed = PyOS_double_to_string(number, 'e', precision, 0, NULL);
    if (printed == NULL) {
        PyErr_Clear();
        return 0;
    }
    size_t length = strlen(printed);
    length = length < size ? length : size;
    memcpy(text, printed, length);
    PyMem_Free(printed);
    return length;
}

/* Adds one to the last digit of "d.ddde+xx"; 0 if all are nines. */
static int next_decimal(char *form)
{
    char *place = strchr(form, 'e');
    while (place > form) {
        place--;
        if (*place == '.') {
            continue;
        }
        if (*place != '9') {
            ++*place;
            return 1;
        }
        *place = '0';
    }
    return 0;
}

/* 1, 0, or -1 if there is no memory. */
static int reads_back(const char *form, double number, int is_float32)
{
    const double back = PyOS_string_to_double(form, NULL, NULL);
    if (lacks_memory()) {
        return -1;
    }
    return is_float32 ? (float)back == (float)number : back == number;
}

/*
 * The shortest that reads back, of 17 digits at most. Above a power of two there is twice as much
 * room as below: the next decimal may read back where the nearest does not.
 */
static size_t shortest(double number, int is_float32, char *text)
{
    char form[40];
    int found = 0;
    for (int precision = 0; precision < 17 && !found; precision++) {
        const size_t length = print(number, precision, form, sizeof form - 1);
        if (length == 0) {
            return 0;
        }
        form[length] = '\0';
        found = reads_back(form, number, is_float32);
        if (found == 0 && next_decimal(form)) {
            found = reads_back(form, number, is_float32);
        }
    }
    if (found < 0) {
        return 0;
    }
    const size_t length = strlen(form);
    memcpy(text, form, length);
    return length;
}

static size_t digits(double number, int is_float32, int precision, char *text, size_t size)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    const size_t length = precision >= 0 ? print(number, precision, text, size)
                                         : shortest(number, is_float32, text);
    PyGILState_Release(gil);
    return length;
}

void cuf_text_fallback_init(void)
{
    if (cuf_text_needs_fallback()) {
        cuf_text_fallback = (cuf_text_library){nearest, digits};
    }
}
