/*
 * NumPy takes int64 for one Python int, uint64 for another, and float64 for a list of both or of
 * an int and a float: then integers beyond 2**53 lose digits without a word. Of numbers and texts
 * it makes texts, by a layout of its own. Such lists become arrays of objects instead, which are
 * cast one by one, exactly.
 */
#include "sequences.h"

#include "convert_objects.h"
#include "numbers.h"
#include "texts.h"

enum { MOST_DIMENSIONS = 64 }; /* an array has no more, and np.asarray refuses what is deeper */

typedef struct {
    npy_intp index[MOST_DIMENSIONS]; /* of the item that is looked at */
    int depth;
} path;

/* New reference to an item, or NULL, without an exception, if another thread removed it. */
static PyObject *item_of(PyObject *sequence, Py_ssize_t i)
{
    if (PyTuple_Check(sequence)) {
        return i < PyTuple_GET_SIZE(sequence) ? Py_NewRef(PyTuple_GET_ITEM(sequence, i)) : NULL;
    }
#if PY_VERSION_HEX >= 0x030D0000
    if (i >= PyList_Size(sequence)) {
        return NULL;
    }
    PyObject *item = PyList_GetItemRef(sequence, i);
    if (item == NULL) {
        PyErr_Clear();
    }
    return item;
#else
    return i < PyList_GET_SIZE(sequence) ? Py_NewRef(PyList_GET_ITEM(sequence, i)) : NULL;
#endif
}

static int is_exact_in_float64(PyObject *integer)
{
    int overflow;
    const long long number = PyLong_AsLongLongAndOverflow(integer, &overflow);
    const long long most = 1LL << 53;
    return !overflow && number >= -most && number <= most;
}

static int refuse_masked(PyObject *item, const path *where)
{
    if (cuf_refuse_masked(item) == 0) {
        return 0;
    }
    PyObject *index = PyTuple_New(where->depth);
    for (int d = 0; index && d < where->depth; d++) {
        PyObject *i = PyLong_FromSsize_t(where->index[d]);
        if (i == NULL) {
            Py_CLEAR(index);
        }
        else {
            PyTuple_SET_ITEM(index, d, i);
        }
    }
    if (index) {
        cuf_add_index(where->depth == 1 ? PyTuple_GET_ITEM(index, 0) : index);
        Py_DECREF(index);
    }
    return -1;
}

/* A text, or an array of them. */
static int is_text(PyObject *item)
{
    return PyUnicode_Check(item) || PyBytes_Check(item) ||
           (PyArray_Check(item) &&
            cuf_container_of(PyArray_DESCR((PyArrayObject *)item)->type_num) != CUF_NO_TEXT);
}

static int scan(PyObject *sequence, path *where)
{
    if (where->depth == MOST_DIMENSIONS) {
        return CUF_LEAF_OTHER;
    }
    const int depth = where->depth++;
    int found = 0;
    PyObject *item;
    for (Py_ssize_t i = 0; found >= 0 && (item = item_of(sequence, i)) != NULL; i++) {
        where->index[depth] = i;
        int leaf = CUF_LEAF_NUMBER | CUF_LEAF_OTHER;
        if (PyFloat_Check(item) || PyBool_Check(item) || PyArray_IsScalar(item, Float) ||
            PyArray_IsScalar(item, Half)) {
            leaf = CUF_LEAF_NUMBER;
        }
        else if (PyLong_Check(item)) {
            leaf = CUF_LEAF_NUMBER | (is_exact_in_float64(item) ? 0 : CUF_LEAF_OTHER);
        }
        else if (is_text(item)) {
            leaf = CUF_LEAF_TEXT;
        }
        else if (PyList_Check(item) || PyTuple_Check(item)) {
            leaf = scan(item, where);
        }
        else if (refuse_masked(item, where) < 0) {
            leaf = -1;
        }
        Py_DECREF(item);
        found = leaf < 0 ? -1 : found | leaf;
    }
    where->depth--;
    return found;
}

int cuf_leaves_of(PyObject *sequence)
{
    path where = {.depth = 0};
    return scan(sequence, &where);
}
