#include "text_casts.h"

#include "native.h"
#include "registry.h"
#include "texts.h"

/* Sets the exception in a loop that runs without the GIL. 0 if there is none to set. */
static int result_of(cuf_text_status status, PyArray_Descr *texts, cuf_type type,
                     const char *element)
{
    if (status == CUF_TEXT_FINE) {
        return 0;
    }
    NPY_ALLOW_C_API_DEF;
    NPY_ALLOW_C_API;
    cuf_texts_refuse(texts, status, type, element);
    NPY_DISABLE_C_API;
    return -1;
}

static int parse_loop(PyArrayMethod_Context *context, char *const data[],
                      const npy_intp dimensions[], const npy_intp strides[], NpyAuxData *unused)
{
    (void)unused;
    npy_intp at;
    PyArray_Descr *descr = context->descriptors[0];
    const cuf_type type = cuf_type_of(context->descriptors[1]);
    cuf_text_status status =
        cuf_texts_parse(descr, data[0], strides[0], cuf_default_column(type), data[1],
                        strides[1], dimensions[0], &at);
    return result_of(status, descr, type, data[0] + at * strides[0]);
}

static int print_loop(PyArrayMethod_Context *context, char *const data[],
                      const npy_intp dimensions[], const npy_intp strides[], NpyAuxData *unused)
{
    (void)unused;
    npy_intp at;
    PyArray_Descr *descr = context->descriptors[1];
    const cuf_type type = cuf_type_of(context->descriptors[0]);
    cuf_text_status status = cuf_texts_print(descr, type, data[0], strides[0], data[1],
                                             strides[1], dimensions[0], &at);
    return result_of(status, descr, type, data[0] + at * strides[0]);
}

static NPY_CASTING resolve_parse(struct PyArrayMethodObject_tag *method,
                                 PyArray_DTypeMeta *const dtypes[], PyArray_Descr *const given[],
                                 PyArray_Descr *loop[], npy_intp *view_offset)
{
    (void)method, (void)view_offset;
    loop[0] = cuf_native_descr(given[0]);
    if (loop[0] == NULL) {
        return (NPY_CASTING)-1;
    }
    loop[1] = dtypes[1]->singleton;
    Py_INCREF(loop[1]);
    return NPY_UNSAFE_CASTING;
}

/* A text without a width gets one that holds every number of the type. */
static NPY_CASTING resolve_print(struct PyArrayMethodObject_tag *method,
                                 PyArray_DTypeMeta *const dtypes[], PyArray_Descr *const given[],
                                 PyArray_Descr *loop[], npy_intp *view_offset)
{
    (void)method, (void)view_offset;
    PyArray_Descr *text =
        cuf_text_descr_for(cuf_container_of(dtypes[1]->type_num), cuf_type_of(given[0]));
    if (text == NULL) {
        return (NPY_CASTING)-1;
    }
    const npy_intp enough = PyDataType_ELSIZE(text);
    if (given[1]) {
        Py_SETREF(text, cuf_native_descr(given[1]));
        if (text == NULL) {
            return (NPY_CASTING)-1;
        }
    }
    Py_INCREF(given[0]);
    loop[0] = given[0];
    loop[1] = text;
    return PyDataType_ELSIZE(text) >= enough ? NPY_SAFE_CASTING : NPY_SAME_KIND_CASTING;
}

void cuf_text_casts(PyArrayMethod_Spec *casts[CUF_TEXT_CASTS])
{
    static PyType_Slot parse_slots[] = {
        {NPY_METH_resolve_descriptors, resolve_parse},
        {NPY_METH_strided_loop, parse_loop},
        {NPY_METH_unaligned_strided_loop, parse_loop},
        {0, NULL},
    };
    static PyType_Slot print_slots[] = {
        {NPY_METH_resolve_descriptors, resolve_print},
        {NPY_METH_strided_loop, print_loop},
        {NPY_METH_unaligned_strided_loop, print_loop},
        {0, NULL},
    };
    static PyArray_DTypeMeta *dtypes[CUF_TEXT_CASTS][2];
    static PyArrayMethod_Spec specs[CUF_TEXT_CASTS];
    PyArray_DTypeMeta *const containers[] = {&PyArray_UnicodeDType, &PyArray_BytesDType,
                                             &PyArray_StringDType};
    for (int i = 0; i < CUF_TEXT_CASTS; i++) {
        const int printing = i % 2;
        /* NULL stands for the DType about to be made. */
        dtypes[i][0] = printing ? NULL : containers[i / 2];
        dtypes[i][1] = printing ? containers[i / 2] : NULL;
        specs[i] = (PyArrayMethod_Spec){
            .name = printing ? "castufunc_print" : "castufunc_parse",
            .nin = 1,
            .nout = 1,
            .casting = printing ? NPY_SAME_KIND_CASTING : NPY_UNSAFE_CASTING,
            .flags = NPY_METH_SUPPORTS_UNALIGNED | NPY_METH_NO_FLOATINGPOINT_ERRORS,
            .dtypes = dtypes[i],
            .slots = printing ? print_slots : parse_slots,
        };
        casts[i] = &specs[i];
    }
}
