#include "sources.h"

#include "registry.h"

int cuf_sources(cuf_source sources[CUF_MAX_SOURCES])
{
    /* NumPy's C integers have more type numbers than sizes, each with a DType of its own. */
    static const int numbers[CUF_NUMPY_SOURCES] = {
        NPY_BOOL,  NPY_BYTE,   NPY_UBYTE,      NPY_SHORT,    NPY_USHORT,    NPY_INT,
        NPY_UINT,  NPY_LONG,   NPY_ULONG,      NPY_LONGLONG, NPY_ULONGLONG, NPY_HALF,
        NPY_FLOAT, NPY_DOUBLE, NPY_LONGDOUBLE, NPY_CFLOAT,   NPY_CDOUBLE,   NPY_CLONGDOUBLE};
    int count = 0;
    for (int i = 0; i < CUF_NUMPY_SOURCES; i++) {
        PyArray_Descr *descr = PyArray_DescrFromType(numbers[i]);
        if (descr == NULL) {
            return -1;
        }
        sources[count++] = (cuf_source){cuf_type_of(descr), NPY_DTYPE(descr)};
        Py_DECREF(descr);
    }
    for (int t = 0; t < CUF_TYPES; t++) {
        if (cuf_formats[t].owner == CUF_OWNER_OWN && cuf_descrs[t]) {
            sources[count++] = (cuf_source){(cuf_type)t, NPY_DTYPE(cuf_descrs[t])};
        }
        if (cuf_twins[t]) {
            sources[count++] = (cuf_source){(cuf_type)t, NPY_DTYPE(cuf_twins[t])};
        }
    }
    return count;
}
