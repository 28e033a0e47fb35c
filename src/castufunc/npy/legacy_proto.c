#include "legacy_proto.h"

/* Values of NumPy 2.5's headers, spelled out so that older headers build the same binary. */
#define CUF_SLOT_LEGACY_PROTO 2047
#define CUF_DTYPE_LEGACY_FLAG 1

/* Gives the descriptor of the legacy registration to the DType of the new one. */
static int tie_together(PyArray_DTypeMeta *dtype, PyArray_DescrProto *proto, int type_num)
{
    PyArray_Descr *descr = PyArray_DescrFromType(type_num);
    if (descr == NULL) {
        return -1;
    }
    PyObject *provisional_class = (PyObject *)Py_TYPE(descr);
    Py_INCREF(dtype);
    Py_SET_TYPE(descr, (PyTypeObject *)dtype);
    Py_DECREF(provisional_class);

    Py_INCREF(proto->typeobj);
    Py_XSETREF(descr->typeobj, proto->typeobj);

    dtype->singleton = descr; /* takes the reference */
    dtype->type_num = type_num;
    dtype->flags |= CUF_DTYPE_LEGACY_FLAG;
    /* Found through the class, and so the new DType's own set: it has only defaults yet. */
    *PyDataType_GetArrFuncs(descr) = *proto->f;
    return 0;
}

int cuf_init_dtype_with_proto(PyArray_DTypeMeta *dtype, PyArrayDTypeMeta_Spec *spec,
                              PyArray_DescrProto *proto)
{
    if (PyArray_GetNDArrayCFeatureVersion() >= CUF_API_2_5) {
        spec->slots[0].slot = CUF_SLOT_LEGACY_PROTO;
        spec->slots[0].pfunc = proto;
        return PyArrayInitDTypeMeta_FromSpec(dtype, spec);
    }
    /*
     * The scalar type must become known as the new DType's only. NumPy passes over a legacy
     * type's scalar that is no np.generic, so it is registered for `object`.
     */
    PyArray_DescrProto anonymous = *proto;
    anonymous.typeobj = &PyBaseObject_Type;
    int type_num = PyArray_RegisterDataType(&anonymous);
    if (type_num < 0) {
        return -1;
    }
    PyArrayDTypeMeta_Spec rest = *spec;
    rest.slots = spec->slots + 1;
    if (PyArrayInitDTypeMeta_FromSpec(dtype, &rest) < 0) {
        return -1;
    }
    return tie_together(dtype, proto, type_num);
}
