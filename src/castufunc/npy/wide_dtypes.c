#include "wide_dtypes.h"

#include "loop.h"
#include "numbers.h"
#include "promotion.h"
#include "registry.h"
#include "sources.h"

PyArray_DTypeMeta *cuf_wide_dtypes[CUF_WIDE_COUNT];

static const struct {
    const char *name, *scalar_name;
    cuf_type type;
} wide[CUF_WIDE_COUNT] = {
    [CUF_WIDE_FLOAT] = {"castufunc.dtype[operand float32]", "castufunc._operand_float32",
                        CUF_FLOAT32},
    [CUF_WIDE_INT] = {"castufunc.dtype[operand int64]", "castufunc._operand_int64", CUF_INT64},
};

static cuf_wide wide_of(PyArray_Descr *descr)
{
    return NPY_DTYPE(descr) == cuf_wide_dtypes[CUF_WIDE_INT] ? CUF_WIDE_INT : CUF_WIDE_FLOAT;
}

static PyObject *descr_repr(PyObject *self)
{
    return PyUnicode_FromString(wide[wide_of((PyArray_Descr *)self)].name);
}

static PyArray_Descr *default_descr(PyArray_DTypeMeta *cls)
{
    if (cls->singleton) {
        Py_INCREF(cls->singleton);
        return cls->singleton;
    }
    PyArray_Descr *descr =
        (PyArray_Descr *)PyArrayDescr_Type.tp_new((PyTypeObject *)cls, NULL, NULL);
    if (descr) {
        const npy_intp size = cls == cuf_wide_dtypes[CUF_WIDE_INT] ? 8 : 4;
        descr->elsize = size;
        descr->alignment = size;
        descr->byteorder = '|';
    }
    return descr;
}

static PyObject *descr_new(PyTypeObject *cls, PyObject *args, PyObject *kwargs)
{
    (void)args, (void)kwargs;
    return (PyObject *)default_descr((PyArray_DTypeMeta *)cls);
}

static PyArray_Descr *ensure_canonical(PyArray_Descr *descr)
{
    Py_INCREF(descr);
    return descr;
}

static PyArray_DTypeMeta *common_dtype(PyArray_DTypeMeta *cls, PyArray_DTypeMeta *other)
{
    PyArray_DTypeMeta *result = cls == other ? cls : (PyArray_DTypeMeta *)Py_NotImplemented;
    Py_INCREF(result);
    return result;
}

/* A Python number among the operands. */
static int descr_setitem(PyArray_Descr *descr, PyObject *object, char *data)
{
    return cuf_code_from_object(cuf_default_column(wide[wide_of(descr)].type), object, data);
}

static PyObject *descr_getitem(PyArray_Descr *descr, char *data)
{
    if (wide_of(descr) == CUF_WIDE_INT) {
        int64_t number;
        memcpy(&number, data, sizeof number);
        return PyLong_FromLongLong(number);
    }
    float number;
    memcpy(&number, data, sizeof number);
    return PyFloat_FromDouble(number);
}

static int cast_loop(PyArrayMethod_Context *context, char *const data[],
                     const npy_intp dimensions[], const npy_intp strides[], NpyAuxData *unused)
{
    (void)unused;
    const cuf_type to = wide[wide_of(context->descriptors[1])].type;
    const cuf_type found = cuf_type_of(context->descriptors[0]);
    const cuf_type from = found == CUF_NO_TYPE ? to : found; /* its own elements */
    return cuf_loop(cuf_plan_of(from, cuf_default_column(to)), data[0], strides[0], data[1],
                    strides[1], dimensions[0]);
}

static int make(cuf_wide which)
{
    static PyType_Slot cast_slots[] = {
        {NPY_METH_strided_loop, cast_loop},
        {NPY_METH_unaligned_strided_loop, cast_loop},
        {0, NULL},
    };
    static PyType_Slot scalar_slots[] = {{0, NULL}};
    const cuf_type type = wide[which].type;
    cuf_source sources[CUF_MAX_SOURCES];
    const int count = cuf_sources(sources);
    PyArrayMethod_Spec specs[CUF_MAX_SOURCES + 1], *casts[CUF_MAX_SOURCES + 2];
    PyArray_DTypeMeta *dtypes[CUF_MAX_SOURCES + 1][2];
    int made = 0;
    for (int i = -1; i < count; i++) {
        /* NULL stands for the DType about to be made. */
        const cuf_type from = i < 0 ? type : sources[i].type;
        if (cuf_plan_of(from, cuf_default_column(type)) == NULL) {
            continue;
        }
        dtypes[made][0] = i < 0 ? NULL : sources[i].dtype;
        dtypes[made][1] = NULL;
        specs[made] = (PyArrayMethod_Spec){
            .name = "castufunc_to_operand",
            .nin = 1,
            .nout = 1,
            .casting = i < 0          ? NPY_NO_CASTING
                       : from == type ? NPY_SAFE_CASTING
                                      : cuf_casting_level(from, type),
            .flags = NPY_METH_SUPPORTS_UNALIGNED | NPY_METH_NO_FLOATINGPOINT_ERRORS,
            .dtypes = dtypes[made],
            .slots = cast_slots,
        };
        casts[made] = &specs[made];
        made++;
    }
    casts[made] = NULL;

    PyType_Spec scalar_spec = {
        .name = wide[which].scalar_name,
        .flags = Py_TPFLAGS_DEFAULT,
        .slots = scalar_slots,
    };
    PyTypeObject *scalar = count < 0 ? NULL : (PyTypeObject *)PyType_FromSpecWithBases(
                                                  &scalar_spec, (PyObject *)&PyGenericArrType_Type);
    PyArray_DTypeMeta *dtype = scalar ? PyMem_Calloc(1, sizeof *dtype) : NULL;
    if (dtype == NULL) {
        Py_XDECREF(scalar);
        return -1;
    }
    PyTypeObject *base = (PyTypeObject *)dtype;
    Py_SET_REFCNT(dtype, 1);
    Py_SET_TYPE(dtype, &PyArrayDTypeMeta_Type);
    base->tp_name = wide[which].name;
    base->tp_basicsize = sizeof(PyArray_Descr);
    base->tp_flags = Py_TPFLAGS_DEFAULT;
    base->tp_base = &PyArrayDescr_Type;
    base->tp_new = descr_new;
    base->tp_repr = descr_repr;
    base->tp_str = descr_repr;
    if (PyType_Ready(base) < 0) {
        return -1;
    }
    cuf_wide_dtypes[which] = dtype;
    PyType_Slot slots[] = {
        {NPY_DT_default_descr, default_descr},
        {NPY_DT_ensure_canonical, ensure_canonical},
        {NPY_DT_common_dtype, common_dtype},
        {NPY_DT_setitem, descr_setitem},
        {NPY_DT_getitem, descr_getitem},
        {0, NULL},
    };
    PyArrayDTypeMeta_Spec spec = {
        .typeobj = scalar, .flags = NPY_DT_NUMERIC, .casts = casts, .slots = slots};
    if (PyArrayInitDTypeMeta_FromSpec(dtype, &spec) < 0) {
        return -1;
    }
    if (dtype->singleton == NULL) {
        dtype->singleton = default_descr(dtype);
    }
    return dtype->singleton ? 0 : -1;
}

int cuf_wide_dtypes_init(void)
{
    for (int which = 0; which < CUF_WIDE_COUNT; which++) {
        if (make((cuf_wide)which) < 0) {
            return -1;
        }
    }
    return 0;
}
