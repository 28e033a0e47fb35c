#include "texts.h"

#include "core/fpenv.h"
#include "core/text.h"

/* Numbers on their way between texts and codes. */
enum { BLOCK = 256 };

cuf_container cuf_container_of(int type_num)
{
    switch (type_num) {
    case NPY_UNICODE: return CUF_UNICODE;
    case NPY_STRING: return CUF_BYTES;
    case NPY_VSTRING: return CUF_STRING;
    default: return CUF_NO_TEXT;
    }
}

/*
 * An array's texts, between begin and end. Needs no GIL. StringDType is locked meanwhile: to
 * begin with the GIL and let it go, or to take it before the end, may lock two threads for ever,
 * because NumPy holds the GIL while it waits for the lock. Where Python reads and prints numbers
 * (text_fallback.c) it takes the GIL for each: there we take it first, and keep it to the end.
 */
typedef struct {
    cuf_container container;
    size_t itemsize;
    npy_string_allocator *allocator;
    PyGILState_STATE gil; /* if there is an allocator and cuf_text_needs_fallback() */
    char *large; /* for a text that does not fit in `small` */
    size_t room;
    char small[256];
} texts_access;

static void begin(texts_access *texts, PyArray_Descr *descr)
{
    texts->container = cuf_container_of(descr->type_num);
    texts->itemsize = (size_t)PyDataType_ELSIZE(descr);
    texts->large = NULL;
    texts->room = 0;
    texts->allocator = NULL;
    if (texts->container == CUF_STRING) {
        if (cuf_text_needs_fallback()) {
            texts->gil = PyGILState_Ensure();
        }
        texts->allocator = NpyString_acquire_allocator((PyArray_StringDTypeObject *)descr);
    }
}

static void end(texts_access *texts)
{
    if (texts->allocator) {
        NpyString_release_allocator(texts->allocator);
        if (cuf_text_needs_fallback()) {
            PyGILState_Release(texts->gil);
        }
    }
    PyMem_RawFree(texts->large);
}

static char *buffer(texts_access *texts, size_t size)
{
    if (size <= sizeof texts->small) {
        return texts->small;
    }
    if (size > texts->room) {
        char *larger = PyMem_RawRealloc(texts->large, size);
        if (larger == NULL) {
            return NULL;
        }
        texts->large = larger;
        texts->room = size;
    }
    return texts->large;
}

/* The element's characters. What is not ASCII is no number: it comes as an empty text. */
static cuf_text_status get(texts_access *texts, const char *element, const char **chars,
                           size_t *length)
{
    *length = 0;
    if (texts->container == CUF_STRING) {
        npy_static_string string = {0, NULL};
        int is_null = NpyString_load(texts->allocator, (const npy_packed_static_string *)element,
                                     &string);
        *chars = string.buf;
        *length = string.size;
        return is_null < 0 ? CUF_TEXT_NO_MEMORY : is_null ? CUF_TEXT_MISSING : CUF_TEXT_FINE;
    }
    if (texts->container == CUF_BYTES) {
        size_t n = texts->itemsize;
        while (n > 0 && element[n - 1] == '\0') {
            n--;
        }
        *chars = element;
        *length = n;
        return CUF_TEXT_FINE;
    }
    size_t n = texts->itemsize / sizeof(Py_UCS4);
    Py_UCS4 c;
    for (; n > 0; n--) {
        memcpy(&c, element + (n - 1) * sizeof c, sizeof c);
        if (c) {
            break;
        }
    }
    char *to = buffer(texts, n);
    if (to == NULL) {
        return CUF_TEXT_NO_MEMORY;
    }
    *chars = to;
    for (size_t i = 0; i < n; i++) {
        memcpy(&c, element + i * sizeof c, sizeof c);
        if (c > 127) {
            return CUF_TEXT_FINE;
        }
        to[i] = (char)c;
    }
    *length = n;
    return CUF_TEXT_FINE;
}

static cuf_text_status put(texts_access *texts, char *element, const char *chars, size_t length)
{
    if (texts->container == CUF_STRING) {
        return NpyString_pack(texts->allocator, (npy_packed_static_string *)element, chars,
                              length) < 0
                   ? CUF_TEXT_NO_MEMORY
                   : CUF_TEXT_FINE;
    }
    const size_t unit = texts->container == CUF_UNICODE ? sizeof(Py_UCS4) : 1;
    if (length * unit > texts->itemsize) {
        return CUF_TEXT_TOO_LONG;
    }
    memset(element, 0, texts->itemsize);
    for (size_t i = 0; i < length; i++) {
        Py_UCS4 c = (unsigned char)chars[i];
        memcpy(element + i * unit, unit == 1 ? (const void *)(chars + i) : (const void *)&c, unit);
    }
    return CUF_TEXT_FINE;
}

cuf_text_status cuf_texts_parse(PyArray_Descr *descr, const char *src, npy_intp src_stride,
                                cuf_column column, char *dst, npy_intp dst_stride, npy_intp n,
                                npy_intp *at)
{
    texts_access texts;
    uint64_t numbers[BLOCK];
    const cuf_type type = cuf_column_infos[column].type;
    const cuf_plan *plan = cuf_plan_of(cuf_text_parsed_as(type), column);
    cuf_text_status status = CUF_TEXT_FINE;
    begin(&texts, descr);
    const cuf_fpenv env = cuf_fpenv_enter();
    *at = 0;
    while (*at < n && status == CUF_TEXT_FINE) {
        const npy_intp start = *at, left = n - start;
        npy_intp m = 0;
        for (; m < (left < BLOCK ? left : BLOCK); m++) {
            const char *chars;
            size_t length;
            status = get(&texts, src + (start + m) * src_stride, &chars, &length);
            if (status == CUF_TEXT_FINE) {
                const int parsed = cuf_text_parse(chars, length, type, &numbers[m]);
                status = parsed == 0                 ? CUF_TEXT_FINE
                         : parsed == CUF_TEXT_UNREAD ? CUF_TEXT_NO_MEMORY
                                                     : CUF_TEXT_BAD;
            }
            if (status != CUF_TEXT_FINE) {
                break;
            }
        }
        cuf_run(plan, numbers, sizeof numbers[0], dst + start * dst_stride, dst_stride, (size_t)m);
        *at += m;
    }
    cuf_fpenv_leave(env);
    end(&texts);
    return status;
}

cuf_text_status cuf_texts_print(PyArray_Descr *descr, cuf_type type, const char *src,
                                npy_intp src_stride, char *dst, npy_intp dst_stride, npy_intp n,
                                npy_intp *at)
{
    texts_access texts;
    uint64_t numbers[BLOCK];
    const cuf_plan *plan = cuf_plan_of(type, cuf_default_column(cuf_text_printed_as(type)));
    cuf_text_status status = CUF_TEXT_FINE;
    begin(&texts, descr);
    const cuf_fpenv env = cuf_fpenv_enter();
    *at = 0;
    while (*at < n && status == CUF_TEXT_FINE) {
        const npy_intp start = *at, left = n - start, m = left < BLOCK ? left : BLOCK;
        cuf_run(plan, src + start * src_stride, src_stride, numbers, sizeof numbers[0], (size_t)m);
        for (npy_intp i = 0; i < m && status == CUF_TEXT_FINE; i++) {
            char text[CUF_TEXT_MAX];
            size_t length = cuf_text_print(type, &numbers[i], text);
            status = length ? put(&texts, dst + (start + i) * dst_stride, text, length)
                            : CUF_TEXT_NO_MEMORY;
            *at += status == CUF_TEXT_FINE;
        }
    }
    cuf_fpenv_leave(env);
    end(&texts);
    return status;
}

size_t cuf_print_code(cuf_type type, const void *code, char *text)
{
    uint64_t number;
    const cuf_type as = cuf_text_printed_as(type);
    const cuf_fpenv env = cuf_fpenv_enter();
    cuf_run(cuf_plan_of(type, cuf_default_column(as)), code, 0, &number, 0, 1);
    const size_t length = cuf_text_print(type, &number, text);
    cuf_fpenv_leave(env);
    return length;
}

int cuf_ascii_of(PyObject *object, const char **chars, size_t *length)
{
    if (PyBytes_Check(object)) {
        *chars = PyBytes_AS_STRING(object);
        *length = (size_t)PyBytes_GET_SIZE(object);
        return 1;
    }
    if (PyUnicode_Check(object) && PyUnicode_IS_ASCII(object)) {
        *chars = (const char *)PyUnicode_1BYTE_DATA(object);
        *length = (size_t)PyUnicode_GET_LENGTH(object);
        return 1;
    }
    return 0;
}

int cuf_refuse_text(PyObject *text, int status, cuf_type type)
{
    enum { SHOWN = 40 };
    if (status == CUF_TEXT_UNREAD) {
        PyErr_NoMemory();
        return -1;
    }
    /* Not by methods of the object, which may be of a subclass. */
    const int is_text = PyUnicode_Check(text);
    const Py_ssize_t length = is_text ? PyUnicode_GET_LENGTH(text) : PyBytes_GET_SIZE(text);
    const Py_ssize_t some = length < SHOWN ? length : SHOWN;
    PyObject *exact = is_text ? PyUnicode_FromObject(text) : NULL;
    PyObject *shown = is_text ? (exact ? PyUnicode_Substring(exact, 0, some) : NULL)
                              : PyBytes_FromStringAndSize(PyBytes_AS_STRING(text), some);
    Py_XDECREF(exact);
    if (shown) {
        PyErr_Format(PyExc_ValueError, "cannot read %R%s as %s", shown,
                     length > SHOWN ? "..." : "", cuf_formats[type].name);
        Py_DECREF(shown);
    }
    return -1;
}

npy_intp cuf_texts_first_missing(PyArray_Descr *descr, const char *src, npy_intp stride, npy_intp n)
{
    texts_access texts;
    npy_intp i = 0;
    begin(&texts, descr);
    for (; i < n; i++) {
        const char *chars;
        size_t length;
        if (get(&texts, src + i * stride, &chars, &length) == CUF_TEXT_MISSING) {
            break;
        }
    }
    end(&texts);
    return i;
}

/* The element as a Python str or bytes, for a message. New reference. */
static PyObject *shown(texts_access *texts, const char *element)
{
    if (texts->container == CUF_UNICODE) {
        const Py_ssize_t n = (Py_ssize_t)(texts->itemsize / sizeof(Py_UCS4));
        Py_UCS4 *points = PyMem_Calloc((size_t)n + 1, sizeof *points);
        if (points == NULL) {
            return PyErr_NoMemory();
        }
        memcpy(points, element, (size_t)n * sizeof *points);
        for (Py_ssize_t i = 0; i < n; i++) {
            /* An array may hold what is no code point. */
            points[i] = points[i] > 0x10ffff ? 0xfffd : points[i];
        }
        PyObject *whole = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, points, n);
        PyMem_Free(points);
        PyObject *text = whole ? PyObject_CallMethod(whole, "rstrip", "s#", "\0", 1) : NULL;
        Py_XDECREF(whole);
        return text;
    }
    const char *chars = "";
    size_t length = 0;
    get(texts, element, &chars, &length);
    return texts->container == CUF_BYTES
               ? PyBytes_FromStringAndSize(chars, (Py_ssize_t)length)
               : PyUnicode_DecodeUTF8(chars, (Py_ssize_t)length, "replace");
}

int cuf_texts_refuse(PyArray_Descr *descr, cuf_text_status status, cuf_type type,
                     const char *element)
{
    switch (status) {
    case CUF_TEXT_BAD: {
        texts_access texts;
        begin(&texts, descr);
        PyObject *text = shown(&texts, element);
        end(&texts);
        if (text) {
            cuf_refuse_text(text, CUF_TEXT_NO_NUMBER, type);
            Py_DECREF(text);
        }
        break;
    }
    case CUF_TEXT_MISSING:
        PyErr_Format(PyExc_ValueError, "cannot read a missing value as %s",
                     cuf_formats[type].name);
        break;
    case CUF_TEXT_TOO_LONG: {
        char text[CUF_TEXT_MAX + 1];
        const size_t length = cuf_print_code(type, element, text);
        if (length == 0) {
            PyErr_NoMemory();
            break;
        }
        text[length] = '\0';
        const int is_unicode = cuf_container_of(descr->type_num) == CUF_UNICODE;
        const npy_intp unit = is_unicode ? (npy_intp)sizeof(Py_UCS4) : 1;
        PyErr_Format(PyExc_ValueError, "the text '%s' of a %s does not fit in %c%zd", text,
                     cuf_formats[type].name, is_unicode ? 'U' : 'S',
                     (Py_ssize_t)(PyDataType_ELSIZE(descr) / unit));
        break;
    }
    default: PyErr_NoMemory();
    }
    return -1;
}

PyArray_Descr *cuf_text_descr_for(cuf_container container, cuf_type type)
{
    if (container == CUF_STRING) {
        PyObject *cls = (PyObject *)&PyArray_StringDType;
        return (PyArray_Descr *)PyObject_CallNoArgs(cls);
    }
    const int num = container == CUF_UNICODE ? NPY_UNICODE : NPY_STRING;
    PyArray_Descr *descr = PyArray_DescrNewFromType(num);
    if (descr) {
        const size_t unit = container == CUF_UNICODE ? sizeof(Py_UCS4) : 1;
        PyDataType_SET_ELSIZE(descr, (npy_intp)(cuf_text_width(type) * unit));
    }
    return descr;
}
