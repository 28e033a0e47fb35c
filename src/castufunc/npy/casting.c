#include "casting.h"

#include "loop.h"
#include "promotion.h"
#include "registry.h"
#include "sources.h"
#include "text_casts.h"

static PyObject *complex_warning;

int cuf_casting_init(void)
{
    PyObject *module = PyImport_ImportModule("numpy.exceptions");
    complex_warning = module ? PyObject_GetAttrString(module, "ComplexWarning") : NULL;
    Py_XDECREF(module);
    return complex_warning ? 0 : -1;
}

/* The loop of every cast of real numbers: the descriptors say which. Needs no GIL. */
static int cast_loop(PyArrayMethod_Context *context, char *const data[],
                     const npy_intp dimensions[], const npy_intp strides[], NpyAuxData *unused)
{
    (void)unused;
    const cuf_type from = cuf_type_of(context->descriptors[0]);
    const cuf_type to = cuf_type_of(context->descriptors[1]);
    return cuf_loop(cuf_plan_of(from, cuf_default_column(to)), data[0], strides[0], data[1],
                    strides[1], dimensions[0]);
}

/* Of a complex number the real part, which comes first, is cast as an element. */
static int cast_parts_loop(PyArrayMethod_Context *context, char *const data[],
                           const npy_intp dimensions[], const npy_intp strides[],
                           NpyAuxData *unused)
{
    (void)unused;
    const cuf_type to = cuf_type_of(context->descriptors[1]);
    const cuf_type source = cuf_formats[cuf_type_of(context->descriptors[0])].part;
    const cuf_type target = cuf_formats[to].part;
    const cuf_plan *plan = cuf_plan_of(source, cuf_default_column(target));
    if (cuf_loop(plan, data[0], strides[0], data[1], strides[1], dimensions[0]) < 0) {
        return -1;
    }
    if (target != to) {
        const size_t part = cuf_formats[target].storage;
        for (npy_intp i = 0; i < dimensions[0]; i++) {
            memset(data[1] + i * strides[1] + part, 0, part);
        }
    }
    return 0;
}

/* From complex: none of ours is, so a part gets lost. */
static int discarding_get_loop(PyArrayMethod_Context *context, int aligned, int move_references,
                               const npy_intp *strides, PyArrayMethod_StridedLoop **loop,
                               NpyAuxData **data, NPY_ARRAYMETHOD_FLAGS *flags)
{
    (void)context, (void)aligned, (void)move_references, (void)strides;
    if (PyErr_WarnEx(complex_warning,
                     "Casting complex values to real discards the imaginary part", 1) < 0) {
        return -1;
    }
    *loop = cast_parts_loop;
    *data = NULL;
    *flags = NPY_METH_NO_FLOATINGPOINT_ERRORS;
    return 0;
}

/* Between a type and itself or its twin: the same codes, so memory may be looked at as either. */
static NPY_CASTING resolve_equivalent(struct PyArrayMethodObject_tag *method,
                                      PyArray_DTypeMeta *const dtypes[],
                                      PyArray_Descr *const given[], PyArray_Descr *loop[],
                                      npy_intp *view_offset)
{
    (void)method;
    Py_INCREF(given[0]);
    loop[0] = given[0];
    loop[1] = given[1] ? given[1] : dtypes[1]->singleton;
    Py_INCREF(loop[1]);
    *view_offset = 0;
    return dtypes[0] == dtypes[1] ? NPY_NO_CASTING : NPY_EQUIV_CASTING;
}

/* A spec with what it points to, in one piece. */
typedef struct {
    PyArrayMethod_Spec spec;
    PyArray_DTypeMeta *dtypes[2];
    PyType_Slot slots[5];
} cast;

/* NULL stands for the DType about to be made. */
static PyArrayMethod_Spec *cast_new(cuf_type from, PyArray_DTypeMeta *from_dtype, cuf_type to,
                                    PyArray_DTypeMeta *to_dtype)
{
    cast *c = PyMem_Calloc(1, sizeof *c);
    if (c == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    const int from_complex = cuf_formats[from].kind == CUF_KIND_COMPLEX;
    const int to_complex = cuf_formats[to].kind == CUF_KIND_COMPLEX;
    PyArrayMethod_StridedLoop *loop = from_complex || to_complex ? cast_parts_loop : cast_loop;
    PyType_Slot *slot = c->slots;
    *slot++ = (PyType_Slot){NPY_METH_strided_loop, loop};
    *slot++ = (PyType_Slot){NPY_METH_unaligned_strided_loop, loop};
    if (from_complex) {
        *slot++ = (PyType_Slot){NPY_METH_get_loop, discarding_get_loop};
    }
    if (from == to) {
        *slot++ = (PyType_Slot){NPY_METH_resolve_descriptors, resolve_equivalent};
    }
    c->dtypes[0] = from_dtype;
    c->dtypes[1] = to_dtype;
    c->spec = (PyArrayMethod_Spec){
        .name = "castufunc_cast",
        .nin = 1,
        .nout = 1,
        .casting = from == to && from_dtype != to_dtype ? NPY_EQUIV_CASTING
                                                        : cuf_casting_level(from, to),
        .flags = NPY_METH_SUPPORTS_UNALIGNED | NPY_METH_NO_FLOATINGPOINT_ERRORS,
        .dtypes = c->dtypes,
        .slots = c->slots,
    };
    return &c->spec;
}

/* Whether a cast loop can be run between two types: complex is cast by its parts. */
static int castable(cuf_type from, cuf_type to)
{
    return cuf_plan_of(cuf_formats[from].part,
                       cuf_default_column(cuf_formats[to].part)) != NULL;
}

PyArrayMethod_Spec **cuf_casts_new(cuf_type type)
{
    cuf_source others[CUF_MAX_SOURCES];
    int count = cuf_sources(others);
    PyArrayMethod_Spec **casts =
        count < 0 ? NULL : PyMem_Calloc((size_t)(2 * count + 2 + CUF_TEXT_CASTS), sizeof *casts);
    if (casts == NULL) {
        return count < 0 ? NULL : (PyArrayMethod_Spec **)PyErr_NoMemory();
    }
    cuf_text_casts(casts);
    int made = CUF_TEXT_CASTS;
    casts[made++] = cast_new(type, NULL, type, NULL);
    for (int i = 0; i < count && casts[made - 1]; i++) {
        if (castable(type, others[i].type)) {
            casts[made++] = cast_new(type, NULL, others[i].type, others[i].dtype);
        }
        if (casts[made - 1] && castable(others[i].type, type)) {
            casts[made++] = cast_new(others[i].type, others[i].dtype, type, NULL);
        }
    }
    if (casts[made - 1] == NULL) {
        cuf_casts_free(casts);
        return NULL;
    }
    return casts;
}

void cuf_casts_free(PyArrayMethod_Spec **casts)
{
    /* The text casts are static; of the others the spec is the first member of its piece. */
    for (PyArrayMethod_Spec **c = casts + CUF_TEXT_CASTS; *c; c++) {
        PyMem_Free(*c);
    }
    PyMem_Free(casts);
}
