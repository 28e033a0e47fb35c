/* The order in which everything comes into being at import. */
#define CUF_IMPORT_ARRAY
#include "npy_api.h"

#include <numpy/ufuncobject.h>

#include "arithmetic.h"
#include "casting.h"
#include "comparing.h"
#include "convert.h"
#include "core/targets.h"
#include "dtypes.h"
#include "registry.h"
#include "text_fallback.h"
#include "wide_dtypes.h"

static int choose_target(const char *cap)
{
    int target = cuf_target_choose(cap);
    if (target == -1) {
        PyErr_SetString(PyExc_ImportError,
                        "castufunc needs an x86-64-v2 processor (SSE4.2 and POPCNT)");
    }
    if (target == -2) {
        PyObject *names = PyList_New(0);
        for (int t = 0; names && t < cuf_target_count; t++) {
            PyObject *name = PyUnicode_FromString(cuf_targets[t].name);
            if (name == NULL || PyList_Append(names, name) < 0) {
                Py_CLEAR(names);
            }
            Py_XDECREF(name);
        }
        if (names) {
            PyErr_Format(PyExc_ImportError,
                         "CASTUFUNC_TARGET is '%.100s'; this build of castufunc has %R", cap,
                         names);
        }
        Py_XDECREF(names);
    }
    return target;
}

int cuf_npy_init(const char *cap)
{
    if (_import_array() < 0 || _import_umath() < 0) {
        return -1;
    }
    int target = choose_target(cap);
    if (target < 0) {
        return -1;
    }
    if (cuf_init(target) < 0) {
        PyErr_SetString(PyExc_ImportError,
                        "castufunc was built with tables of a wrong size for this machine");
        return -1;
    }
    cuf_text_fallback_init();
    /* ml_dtypes before our own: casts to a dtype can be added only while ours is made. */
    if (cuf_registry_add_numpy() < 0 || cuf_registry_add_ml_dtypes() < 0 ||
        cuf_casting_init() < 0 || cuf_dtypes_init() < 0 || cuf_wide_dtypes_init() < 0 ||
        cuf_comparing_init() < 0 || cuf_arithmetic_init() < 0) {
        return -1;
    }
    return target;
}
