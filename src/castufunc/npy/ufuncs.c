#include "npy_api.h"

#include <numpy/ufuncobject.h>

#include "loop.h"
#include "registry.h"
#include "sources.h"
#include "ufuncs.h"

int cuf_column_is_public(cuf_column column)
{
    const cuf_format *target = &cuf_formats[cuf_column_infos[column].type];
    return column < CUF_PUBLIC_COLUMNS && target->onnx && target->kind != CUF_KIND_COMPLEX;
}

void cuf_ufunc_name(cuf_column column, char name[64])
{
    static const char *const rounds[] = {"", "_down", "_nearest"};
    const cuf_column_info *info = &cuf_column_infos[column];
    PyOS_snprintf(name, 64, "to_%s%s%s", cuf_formats[info->type].name, rounds[info->round],
                  info->saturate ? "" : "_nosat");
}

static int run_loop(cuf_column column, PyArrayMethod_Context *context, char *const data[],
                    const npy_intp dimensions[], const npy_intp strides[])
{
    const cuf_type from = cuf_type_of(context->descriptors[0]);
    return cuf_loop(cuf_plan_of(from, column), data[0], strides[0], data[1], strides[1],
                    dimensions[0]);
}

/* NumPy hands a loop nothing of ours, so there is one function per column. */
#define CUF_COLUMN(ID, MODE, SAT, ROUND)                                                     \
    static int loop_##ID##MODE(PyArrayMethod_Context *context, char *const data[],           \
                               const npy_intp dimensions[], const npy_intp strides[],        \
                               NpyAuxData *unused)                                           \
    {                                                                                        \
        (void)unused;                                                                        \
        return run_loop(CUF_TO_##ID##MODE, context, data, dimensions, strides);              \
    }
#define CUF_BOOL(ID, ...) CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)
#define CUF_INT(ID, ...) CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_COLUMNS_##modes(CUF_COLUMN, ID)
#include "core/formats.def"
#undef CUF_COLUMN

static PyArrayMethod_StridedLoop *const loops[CUF_PUBLIC_COLUMNS] = {
#define CUF_COLUMN(ID, MODE, SAT, ROUND) [CUF_TO_##ID##MODE] = loop_##ID##MODE,
#define CUF_BOOL(ID, ...) CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)
#define CUF_INT(ID, ...) CUF_COLUMNS_PLAIN(CUF_COLUMN, ID)
#define CUF_FLOAT(ID, name, owner, onnx, storage, bits, sign, exp, man, bias, special, modes, twin) \
    CUF_COLUMNS_##modes(CUF_COLUMN, ID)
#include "core/formats.def"
#undef CUF_COLUMN
};

static int add_loop(PyObject *ufunc, cuf_column column, PyArray_DTypeMeta *source)
{
    PyArray_DTypeMeta *dtypes[2] = {source, NPY_DTYPE(cuf_descrs[cuf_column_infos[column].type])};
    PyType_Slot slots[] = {
        {NPY_METH_strided_loop, loops[column]},
        {NPY_METH_unaligned_strided_loop, loops[column]},
        {0, NULL},
    };
    PyArrayMethod_Spec spec = {
        .name = "castufunc_loop",
        .nin = 1,
        .nout = 1,
        .casting = NPY_NO_CASTING,
        .flags = NPY_METH_SUPPORTS_UNALIGNED | NPY_METH_NO_FLOATINGPOINT_ERRORS,
        .dtypes = dtypes,
        .slots = slots,
    };
    return PyUFunc_AddLoopFromSpec(ufunc, &spec);
}

static int add_loops(PyObject *ufunc, cuf_column column)
{
    cuf_source sources[CUF_MAX_SOURCES];
    int count = cuf_sources(sources);
    for (int i = 0; i < count; i++) {
        if (cuf_plan_of(sources[i].type, column) &&
            add_loop(ufunc, column, sources[i].dtype) < 0) {
            return -1;
        }
    }
    return count < 0 ? -1 : 0;
}

PyObject *cuf_ufunc_new(cuf_column column)
{
    static char names[CUF_PUBLIC_COLUMNS][64], docs[CUF_PUBLIC_COLUMNS][256];
    static const char *const rounds[] = {"up", "down", "nearest"};
    const cuf_column_info *info = &cuf_column_infos[column];
    const cuf_format *target = &cuf_formats[info->type];
    cuf_ufunc_name(column, names[column]);
    int length = PyOS_snprintf(docs[column], sizeof docs[column],
                               "`castufunc.cast` to %s", target->name);
    if (target->modes != CUF_PLAIN) {
        length += PyOS_snprintf(docs[column] + length, sizeof docs[column] - (size_t)length,
                                ", saturate=%s", info->saturate ? "True" : "False");
    }
    if (target->modes == CUF_ROUND) {
        length += PyOS_snprintf(docs[column] + length, sizeof docs[column] - (size_t)length,
                                ", round_mode=\"%s\"", rounds[info->round]);
    }
    PyOS_snprintf(docs[column] + length, sizeof docs[column] - (size_t)length,
                  ", as a ufunc of one argument.");
    PyObject *ufunc = PyUFunc_FromFuncAndData(NULL, NULL, NULL, 0, 1, 1, PyUFunc_None,
                                              names[column], docs[column], 0);
    if (ufunc && add_loops(ufunc, column) < 0) {
        Py_CLEAR(ufunc);
    }
    return ufunc;
}
