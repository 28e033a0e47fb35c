#include "registry.h"

/* A compiler with another long double than NumPy's would read and write past elements. */
_Static_assert(sizeof(long double) == NPY_SIZEOF_LONGDOUBLE,
               "NumPy was built with a long double of another size than this compiler's");

PyArray_Descr *cuf_descrs[CUF_TYPES];
PyArray_Descr *cuf_twins[CUF_TYPES];
PyTypeObject *cuf_scalars[CUF_TYPES];

unsigned char cuf_builtin_types[NPY_USERDEF];
unsigned char cuf_user_types[NPY_VSTRING - NPY_USERDEF];

static void put(int type_num, cuf_type type)
{
    if (type_num >= 0 && type_num < NPY_USERDEF) {
        cuf_builtin_types[type_num] = (unsigned char)(type + 1);
    }
    else if (type_num >= NPY_USERDEF && type_num < NPY_VSTRING) {
        cuf_user_types[type_num - NPY_USERDEF] = (unsigned char)(type + 1);
    }
}

int cuf_registry_add_numpy(void)
{
    static const struct {
        int num;
        cuf_type type;
    } numbers[] = {
        {NPY_BOOL, CUF_BOOL},       {NPY_INT8, CUF_INT8},
        {NPY_INT16, CUF_INT16},     {NPY_INT32, CUF_INT32},
        {NPY_INT64, CUF_INT64},     {NPY_UINT8, CUF_UINT8},
        {NPY_UINT16, CUF_UINT16},   {NPY_UINT32, CUF_UINT32},
        {NPY_UINT64, CUF_UINT64},   {NPY_HALF, CUF_FLOAT16},
        {NPY_FLOAT, CUF_FLOAT32},   {NPY_DOUBLE, CUF_FLOAT64},
        {NPY_LONGDOUBLE, CUF_LONGDOUBLE}, {NPY_CFLOAT, CUF_COMPLEX64},
        {NPY_CDOUBLE, CUF_COMPLEX128},    {NPY_CLONGDOUBLE, CUF_CLONGDOUBLE},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        put(numbers[i].num, numbers[i].type);
        cuf_descrs[numbers[i].type] = PyArray_DescrFromType(numbers[i].num);
        if (cuf_descrs[numbers[i].type] == NULL) {
            return -1;
        }
    }
    /* C's integer types under their other numbers: the fixed-width type of their size. */
    static const int spellings[] = {NPY_BYTE, NPY_UBYTE, NPY_SHORT, NPY_USHORT,   NPY_INT,
                                    NPY_UINT, NPY_LONG,  NPY_ULONG, NPY_LONGLONG, NPY_ULONGLONG};
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        PyArray_Descr *descr = PyArray_DescrFromType(spellings[i]);
        if (descr == NULL) {
            return -1;
        }
        for (int t = CUF_INT8; t <= CUF_UINT64; t++) {
            if ((npy_intp)cuf_formats[t].storage == PyDataType_ELSIZE(descr) &&
                cuf_formats[t].is_signed == PyTypeNum_ISSIGNED(spellings[i])) {
                put(spellings[i], (cuf_type)t);
            }
        }
        Py_DECREF(descr);
    }
    return 0;
}

int cuf_registry_add_ml_dtypes(void)
{
    PyObject *module = PyImport_ImportModule("ml_dtypes");
    if (module == NULL) {
        return -1;
    }
    for (int t = 0; t < CUF_TYPES; t++) {
        if (!cuf_formats[t].twin[0] || !PyObject_HasAttrString(module, cuf_formats[t].twin)) {
            continue;
        }
        PyObject *scalar = PyObject_GetAttrString(module, cuf_formats[t].twin);
        PyArray_Descr *descr = NULL;
        if (scalar == NULL || !PyArray_DescrConverter(scalar, &descr)) {
            Py_XDECREF(scalar);
            Py_DECREF(module);
            return -1;
        }
        Py_DECREF(scalar);
        if (PyTypeNum_ISUSERDEF(descr->type_num) &&
            PyDataType_ELSIZE(descr) == (npy_intp)cuf_formats[t].storage) {
            put(descr->type_num, (cuf_type)t);
            cuf_twins[t] = descr; /* for the life of the process */
        }
        else {
            Py_DECREF(descr);
        }
    }
    Py_DECREF(module);
    return 0;
}

int cuf_registry_add_own(cuf_type type, PyArray_Descr *descr, PyTypeObject *scalar)
{
    if (descr->type_num >= NPY_VSTRING) {
        PyErr_SetString(PyExc_RuntimeError, "too many user-defined dtypes are registered");
        return -1;
    }
    put(descr->type_num, type);
    cuf_descrs[type] = descr;
    cuf_scalars[type] = scalar;
    return 0;
}

cuf_type cuf_type_of_scalar(const PyTypeObject *type)
{
    for (int t = 0; t < CUF_TYPES; t++) {
        if (cuf_scalars[t] == type) {
            return (cuf_type)t;
        }
    }
    return CUF_NO_TYPE;
}
