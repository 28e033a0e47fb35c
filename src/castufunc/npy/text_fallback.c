#include "npy_api.h"

#include "core/text.h"
#include "text_fallback.h"

/* Loops call these without the GIL, which Python's functions want. */
static double nearest(const char *text, size_t length)
{
    char small[64], *copy = small;
    if (length >= sizeof small) {
        copy = PyMem_RawMalloc(length + 1);
        if (copy == NULL) {
            Py_FatalError("castufunc: no memory to read a text");
        }
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    PyGILState_STATE gil = PyGILState_Ensure();
    double number = PyOS_string_to_double(copy, NULL, NULL);
    PyErr_Clear();
    PyGILState_Release(gil);
    if (copy != small) {
        PyMem_RawFree(copy);
    }
    return number;
}

/* With the GIL. How many characters. */
static size_t print(double number, int precision, char *text, size_t size)
{
    char *printed = PyOS_double_to_string(number, 'e', precision, 0, NULL);
    if (printed == NULL) {
        Py_FatalError("castufunc: no memory to print a number");
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

static int reads_back(const char *form, double number, int is_float32)
{
    const double back = PyOS_string_to_double(form, NULL, NULL);
    return is_float32 ? (float)back == (float)number : back == number;
}

static size_t digits(double number, int is_float32, int precision, char *text, size_t size)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    size_t length;
    if (precision >= 0) {
        length = print(number, precision, text, size);
    }
    else {
        /*
         * The shortest that reads back, of 17 digits at most. Above a power of two there is twice
         * as much room as below: the next decimal may read back where the nearest does not.
         */
        char form[40];
        for (precision = 0; precision < 17; precision++) {
            form[print(number, precision, form, sizeof form - 1)] = '\0';
            if (reads_back(form, number, is_float32) ||
                (next_decimal(form) && reads_back(form, number, is_float32))) {
                break;
            }
        }
        length = strlen(form);
        memcpy(text, form, length);
    }
    PyGILState_Release(gil);
    return length;
}

void cuf_text_fallback_init(void)
{
    if (cuf_text_needs_fallback()) {
        cuf_text_fallback = (cuf_text_library){nearest, digits};
    }
}
