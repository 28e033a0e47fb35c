/* Python and NumPy headers, included by every file of this layer before anything else. */
#ifndef CUF_NPY_API_H
#define CUF_NPY_API_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL cuf_ARRAY_API
#define PY_UFUNC_UNIQUE_SYMBOL cuf_UFUNC_API
#ifndef CUF_IMPORT_ARRAY /* one file of the module defines the tables of functions */
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#endif
#include <numpy/arrayobject.h>
#include <numpy/dtype_api.h>

/* NumPy 2.5 as PyArray_GetNDArrayCFeatureVersion tells it, which older headers do not name. */
#define CUF_API_2_5 0x16

#include "core/formats.h"
#include "core/plan.h"

#endif
