#include "dtypes.h"


#include "arrfuncs.h"
#include "casting.h"
#include "legacy_proto.h"
#include "promotion.h"
#include "registry.h"
#include "scalars.h"

/* Letters that NumPy does not use, dealt to the own types in order. */
static const char characters[] = "ACEJKRWXYZjkorstuvwxyz";

static PyArray_DTypeMeta *class_of(PyObject *descr) { return (PyArray_DTypeMeta *)Py_TYPE(descr); }

static const cuf_format *format_of(PyObject *descr)
{
    return &cuf_formats[cuf_type_of_class(class_of(descr))];
}

/* np.dtype() of this text gives the dtype back, and np.save writes it into its header. */
static PyObject *descr_str(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromFormat("castufunc.%s", format_of(self)->name);
}

static PyObject *descr_name(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(format_of(self)->twin);
}

static PyObject *descr_repr(PyObject *self) { return descr_str(self, NULL); }

static PyObject *descr_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    /* By the scalar type, whose pickle imports this package where it is read. */
    return Py_BuildValue("(O(O))", (PyObject *)&PyArrayDescr_Type,
                         (PyObject *)((PyArray_Descr *)self)->typeobj);
}

static PyGetSetDef descr_getset[] = {
    {"str", descr_str, NULL, "The text that np.dtype reads back.", NULL},
    {"name", descr_name, NULL, "The name that other libraries know the type by.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef descr_methods[] = {
    {"__reduce__", descr_reduce, METH_NOARGS, "Pickles as the scalar type."},
    {NULL, NULL, 0, NULL},
};

static PyArray_Descr *default_descr(PyArray_DTypeMeta *cls)
{
    Py_INCREF(cls->singleton);
    return cls->singleton;
}

static PyArray_Descr *ensure_canonical(PyArray_Descr *descr)
{
    Py_INCREF(descr);
    return descr;
}

static PyObject *descr_new(PyTypeObject *cls, PyObject *args, PyObject *kwargs)
{
    if (PyTuple_GET_SIZE(args) || (kwargs && PyDict_GET_SIZE(kwargs))) {
        return PyErr_Format(PyExc_TypeError, "%s() takes no arguments", cls->tp_name);
    }
    return (PyObject *)default_descr((PyArray_DTypeMeta *)cls);
}

static int descr_setitem(PyArray_Descr *descr, PyObject *object, char *data)
{
    return cuf_code_from_object(cuf_type_of(descr), object, data);
}

static PyObject *descr_getitem(PyArray_Descr *descr, char *data)
{
    return cuf_object_from_code(cuf_type_of(descr), data);
}

static PyArray_DTypeMeta *dtype_class_new(cuf_type type)
{
    PyArray_DTypeMeta *dtype = PyMem_Calloc(1, sizeof *dtype);
    char *name = PyMem_Malloc(64);
    if (dtype == NULL || name == NULL) {
        PyMem_Free(dtype);
        PyMem_Free(name);
        PyErr_NoMemory();
        return NULL;
    }
    PyOS_snprintf(name, 64, "castufunc.dtype[%s]", cuf_formats[type].name);
    PyTypeObject *base = (PyTypeObject *)dtype;
    Py_SET_REFCNT(dtype, 1);
    Py_SET_TYPE(dtype, &PyArrayDTypeMeta_Type);
    base->tp_name = name;
    base->tp_basicsize = sizeof(_PyArray_LegacyDescr);
    base->tp_flags = Py_TPFLAGS_DEFAULT;
    base->tp_base = &PyArrayDescr_Type;
    base->tp_new = descr_new;
    base->tp_repr = descr_repr;
    base->tp_str = descr_repr;
    base->tp_getset = descr_getset;
    base->tp_methods = descr_methods;
    if (PyType_Ready(base) < 0) {
        return NULL;
    }
    return dtype;
}

static int add_own(cuf_type type, char character)
{
    PyTypeObject *scalar = cuf_scalar_type_new(type);
    PyArray_DTypeMeta *dtype = scalar ? dtype_class_new(type) : NULL;
    PyArrayMethod_Spec **casts = dtype ? cuf_casts_new(type) : NULL;
    PyArray_DescrProto *proto = casts ? PyMem_Calloc(1, sizeof *proto) : NULL;
    if (proto == NULL) {
        return -1;
    }
    Py_SET_REFCNT(proto, 1);
    Py_SET_TYPE(proto, &PyArrayDescr_Type);
    proto->typeobj = scalar;
    proto->kind = 'V';
    proto->type = character;
    proto->byteorder = '|';
    proto->flags = NPY_USE_SETITEM;
    proto->elsize = (int)cuf_formats[type].storage;
    proto->alignment = (int)cuf_formats[type].storage;
    proto->f = cuf_arrfuncs_of(type);
    proto->hash = -1;

    PyType_Slot slots[] = {
        {0, NULL}, /* the proto's, see legacy_proto.h */
        {NPY_DT_default_descr, default_descr},
        {NPY_DT_ensure_canonical, ensure_canonical},
        {NPY_DT_common_dtype, cuf_common_dtype},
        {NPY_DT_setitem, descr_setitem},
        {NPY_DT_getitem, descr_getitem},
        {0, NULL},
    };
    PyArrayDTypeMeta_Spec spec = {
        .typeobj = scalar,
        .flags = NPY_DT_NUMERIC,
        .casts = casts,
        .slots = slots,
    };
    int status = cuf_init_dtype_with_proto(dtype, &spec, proto);
    cuf_casts_free(casts);
    if (status < 0 || cuf_registry_add_own(type, dtype->singleton, scalar) < 0) {
        return -1;
    }
    return PyObject_SetAttrString((PyObject *)scalar, "dtype", (PyObject *)dtype->singleton);
}

int cuf_dtypes_init(void)
{
    const char *character = characters;
    for (int type = 0; type < CUF_TYPES; type++) {
        if (cuf_formats[type].owner == CUF_OWNER_OWN) {
            if (*character == '\0') {
                PyErr_SetString(PyExc_SystemError, "no type character left for a dtype");
                return -1;
            }
            if (add_own((cuf_type)type, *character++) < 0) {
                return -1;
            }
        }
    }
    return 0;
}
