# cython: language_level=3, binding=True, freethreading_compatible=True
"""The extension module: start-up, and the Python side of `cast`. Thin; the work is in C."""

import operator
import os
import sys
from collections.abc import Sequence

import numpy as np

from castufunc._containers import (array_of_table, column_dtype, from_tensor, is_lazy, is_type_of_pandas,
                                   refuse_missing_values, torch_type_name, with_arrays)
from castufunc._messages import class_name, short, short_text
from castufunc._workers import count as count_workers
from castufunc._workers import split as split_over_workers

from cpython.buffer cimport PyObject_CheckBuffer
from cpython.object cimport PyObject
from libc.stdint cimport uint64_t


cdef extern from "npy/npy_api.h":
    ctypedef struct PyArray_Descr:
        int type_num
        char kind
    ctypedef class numpy.ndarray [object PyArrayObject, check_size ignore]:
        pass
    bint PyArray_DescrCheck(object)
    PyArray_Descr *PyArray_DESCR(ndarray)
    bint PyArray_ISWRITEABLE(ndarray)
    bint PyArray_ISBYTESWAPPED(ndarray)
    bint PyArray_IS_C_CONTIGUOUS(ndarray)
    bint PyArray_IS_F_CONTIGUOUS(ndarray)
    bint PyArray_SAMESHAPE(ndarray, ndarray)


cdef extern from "core/formats.h":
    ctypedef int cuf_type
    ctypedef int cuf_column
    ctypedef int cuf_round
    ctypedef int cuf_kind
    ctypedef int cuf_owner
    ctypedef int cuf_special
    ctypedef int cuf_modes
    ctypedef struct cuf_format:
        const char *name
        const char *twin
        cuf_kind kind
        cuf_owner owner
        int onnx
        size_t storage
        int bits
        int is_signed
        int exponent_bits
        int mantissa_bits
        int bias
        cuf_special special
        cuf_modes modes
    int CUF_TYPES, CUF_NO_TYPE
    int CUF_KIND_BOOL, CUF_KIND_FLOAT, CUF_KIND_EXTENDED, CUF_KIND_COMPLEX
    int CUF_OWNER_OWN
    int CUF_UP, CUF_DOWN, CUF_NEAREST
    const cuf_format cuf_formats[]
    int CUF_PUBLIC_COLUMNS
    cuf_column cuf_column_of(cuf_type, int, cuf_round)


cdef extern from "core/limits.h":
    ctypedef struct cuf_limits:
        double max, min, smallest_normal, smallest_subnormal
        int nan, inf, has_zero, has_negative_zero
    cuf_limits cuf_limits_of(cuf_type)


cdef extern from "core/targets.h":
    ctypedef struct cuf_target:
        const char *name
        int (*supported)()
    const cuf_target cuf_targets[]
    int cuf_target_count
    const char *cuf_compiler()


cdef extern from "core/fpenv.h":
    uint64_t cuf_fpenv_read()
    void cuf_fpenv_write(uint64_t)
    uint64_t cuf_fpenv_make(int, int, int)


cdef extern from "npy/registry.h":
    PyArray_Descr *cuf_descrs[]
    PyArray_Descr *cuf_twins[]
    cuf_type cuf_type_of(PyArray_Descr *)


cdef extern from "npy/dtypes.h":
    object cuf_dtype_reader()


cdef extern from "npy/convert.h":
    int cuf_npy_init(const char *cap) except -1
    object cuf_convert(ndarray x, PyArray_Descr *descr, cuf_column column, ndarray out)


cdef extern from "npy/convert_objects.h":
    object cuf_convert_objects(ndarray x, PyArray_Descr *descr, cuf_column column)
    object cuf_texts_of_objects(ndarray x)


cdef extern from "npy/sequences.h":
    int CUF_LEAF_NUMBER, CUF_LEAF_TEXT, CUF_LEAF_OTHER
    int cuf_leaves_of(object sequence) except -1


cdef extern from "npy/convert_text.h":
    object cuf_parse_array(ndarray x, PyArray_Descr *descr, cuf_column column)
    object cuf_print_array(ndarray x, PyArray_Descr *descr)
    int cuf_refuse_missing(ndarray x) except -1


cdef extern from "core/pack.h":
    size_t cuf_packed_size(int, size_t)


cdef extern from "npy/convert_packed.h":
    object cuf_pack_array(ndarray x, cuf_column column, int casts, ndarray packed)
    object cuf_unpack_array(ndarray packed, cuf_type source, cuf_column column, int casts,
                            ndarray out)


cdef extern from "npy/ufuncs.h":
    int cuf_column_is_public(cuf_column)
    void cuf_ufunc_name(cuf_column, char *)
    object cuf_ufunc_new(cuf_column)


cdef extern from *:
    """
    #define CUF_STRINGIFY_(x) #x
    #define CUF_STRINGIFY(x) CUF_STRINGIFY_(x)
    static const char *cuf_version(void) { return CUF_STRINGIFY(CUF_VERSION); }
    """
    const char *cuf_version()


cdef bytes _cap = os.environb.get(b"CASTUFUNC_TARGET") if os.supports_bytes_environ else (
    os.environ["CASTUFUNC_TARGET"].encode() if "CASTUFUNC_TARGET" in os.environ else None)
cdef const char *_cap_chars = NULL
if _cap:
    _cap_chars = _cap
cdef int _target = cuf_npy_init(_cap_chars)

__version__ = cuf_version().decode()
_dtype_in_byte_order = cuf_dtype_reader()

# For isinstance: of a tuple that is written out there Cython takes an exception, such as that of a
# property `__class__`, for a yes.
cdef tuple _bools = (bool, np.bool_)
cdef tuple _integers = (np.bool_, int, np.integer)
cdef tuple _arrays = (np.ndarray, np.generic)
cdef tuple _known_to_numpy = (np.ndarray, np.generic, int, float, str)
cdef tuple _types = (np.dtype, type)


# --- the resolver ---------------------------------------------------------------------------

cdef object _own_or_numpy(cuf_type t):
    return <object><PyObject *>cuf_descrs[t]


cdef object _borrowed(PyArray_Descr *descr):
    return None if descr == NULL else <object><PyObject *>descr


cdef dict _by_name = {}
cdef dict _by_number = {}
# dtypes by the scalar types that live as long as this module does
cdef dict _by_class = {}


def _name_everything():
    cdef cuf_type t
    for t in range(CUF_TYPES):
        if cuf_descrs[t] == NULL:
            continue
        descr = _own_or_numpy(t)
        name = cuf_formats[t].name.decode()
        onnx_name = {"float32": "float", "float64": "double"}.get(name, name)
        if cuf_formats[t].onnx:
            _by_number[cuf_formats[t].onnx] = descr
            _by_name[f"tensor({onnx_name})"] = descr
            if onnx_name != "float":
                _by_name[onnx_name] = descr
        _by_name[name] = descr
        if cuf_formats[t].owner == CUF_OWNER_OWN:
            _by_name[cuf_formats[t].twin.decode()] = descr
            _by_name[f"castufunc.{name}"] = descr


_name_everything()


def _class_everything():
    """After _resolve is there: what it makes of the classes of NumPy, ml_dtypes and Python."""
    cdef cuf_type t
    classes = {bool, int, float, *np.sctypeDict.values()}
    for t in range(CUF_TYPES):
        for descr in (_borrowed(cuf_descrs[t]), _borrowed(cuf_twins[t])):
            if descr is not None:
                classes.add(descr.type)
    for cls in classes - _abstract:
        try:
            _by_class[cls] = _resolve(cls)
        except TypeError:
            pass


# Text is an object array of str, as ONNX maps STRING to NumPy.
_by_number[8] = _by_name["string"] = _by_name["tensor(string)"] = _by_class[str] = np.dtype(object)


cdef str _allowed():
    names = ", ".join(sorted(name for name in _by_name if not set("(_.") & set(name)))
    return ("allowed are a dtype or scalar type, an ONNX number "
            f"({sorted(_by_number)}), or a name: {names}")


cdef bint _is_text(PyArray_Descr *descr):
    """A container of text: objects, U, S or StringDType."""
    return descr.kind in b"OUST"


cdef object _of_dtype(object descr, object to):
    """The same dtype in native byte order; C's integer types by their width."""
    cdef PyArray_Descr *given = <PyArray_Descr *><PyObject *>descr
    if _is_text(given):
        return descr.newbyteorder("=") if descr.kind in "US" else descr
    cdef cuf_type t = cuf_type_of(given)
    if t == CUF_NO_TYPE or (isinstance(to, str) and cuf_descrs[t] == NULL):
        raise TypeError(f"{short(to)} is no element type; {_allowed()}")
    if cuf_twins[t] != NULL and cuf_twins[t].type_num == given.type_num:
        return <object><PyObject *>cuf_twins[t]
    return _own_or_numpy(t)


# np.dtype makes something of these in NumPy 2.0, with a deprecation.
cdef frozenset _abstract = frozenset({
    np.generic, np.number, np.integer, np.signedinteger, np.unsignedinteger, np.inexact,
    np.floating, np.complexfloating, np.flexible, np.character})


# To np.dtype every other class is an object's.
cdef frozenset _python_types = frozenset({bool, int, float, complex, str, bytes, object})


cdef object _numpy_dtype(object to):
    try:
        if isinstance(to, type) and isinstance(getattr(to, "dtype", None), np.dtype):
            return to.dtype  # a scalar type of JAX
        if isinstance(to, type) and (to in _abstract or not (
                to in _python_types or issubclass(to, np.generic))):
            raise TypeError
        return np.dtype(to)
    except (TypeError, ValueError, SyntaxError):  # "," and lone surrogates get to the latter two
        raise TypeError(f"{short(to)} is no element type; {_allowed()}") from None


cdef object _resolve(object to):
    if PyArray_DescrCheck(to):
        return _of_dtype(to, to)
    if isinstance(to, str):
        found = _by_name.get(to.lower())
        if found is not None:
            return found
        if to.lower() == "float":
            raise TypeError("'float' is ambiguous: ONNX means float32, NumPy float64; "
                            "write 'float32' or 'float64'")
        return _of_dtype(_numpy_dtype(to), to)
    if isinstance(to, type):
        found = _by_class.get(to)
        return _of_dtype(_numpy_dtype(to), to) if found is None else found
    if to is not None and not isinstance(to, _bools):
        name = torch_type_name(to)
        if name in _by_name:
            return _by_name[name]
        try:
            number = operator.index(to)
        except TypeError:
            pass
        else:
            found = _by_number.get(number)
            if found is not None:
                return found
    raise TypeError(f"{short(to)} is no element type; {_allowed()}")


_class_everything()


def dtype(to):
    """
    The dtype that `to` stands for, as every operator of this package reads it.

    Parameters
    ----------
    to : dtype, scalar type, str or int
        A dtype or a scalar type (of NumPy, of this package, of ml_dtypes, or of torch); a number of
        ONNX's ``TensorProto.DataType``; or a name in any letter case: ONNX's (``"float8e5m2"``,
        ``"tensor(float8e5m2)"``, ``"double"``), then ml_dtypes' (``"float8_e5m2"``), then NumPy's.
        Text is ``"string"``, 8, ``str`` or ``object``, all the same; ``"U"``, ``"S"``, or a
        StringDType.

    Returns
    -------
    numpy.dtype
        In native byte order. A type or dtype of ml_dtypes gives ml_dtypes' dtype; every name and
        number gives this package's or NumPy's.

    Raises
    ------
    TypeError
        If it stands for none of them. ``"float"`` is refused: ONNX means 32 bits by it and
        NumPy 64.

    Examples
    --------
    >>> import castufunc
    >>> castufunc.dtype("FLOAT8E5M2")
    castufunc.float8e5m2
    >>> castufunc.dtype(16)
    castufunc.bfloat16
    >>> castufunc.dtype("tensor(float)")
    dtype('float32')
    """
    return _resolve(to)


# --- cast -----------------------------------------------------------------------------------

cdef int _saturate(object saturate) except -1:
    if saturate is True:
        return 1
    if saturate is False:
        return 0
    if (isinstance(saturate, _integers)
            and not isinstance(saturate, np.timedelta64) and saturate in (0, 1)):
        return 1 if saturate else 0
    raise TypeError(f"saturate must be a bool, 0 or 1, not {short(saturate)}")


cdef int _round(object round_mode) except -1:
    if isinstance(round_mode, str):
        if round_mode == "up":
            return CUF_UP
        if round_mode == "down":
            return CUF_DOWN
        if round_mode == "nearest":
            return CUF_NEAREST
    raise ValueError(f"round_mode must be 'up', 'down' or 'nearest', not {short(round_mode)}")


cdef cuf_type _source(ndarray x) except -1:
    cdef cuf_type t = cuf_type_of(PyArray_DESCR(x))
    if t == CUF_NO_TYPE or cuf_formats[t].kind == CUF_KIND_COMPLEX:
        raise TypeError(f"cannot cast from dtype {short_text(x.dtype)}: cast takes real numbers and "
                        "text")
    return t


cdef cuf_type _target_of(object descr) except -1:
    cdef cuf_type t = cuf_type_of(<PyArray_Descr *><PyObject *>descr)
    if cuf_formats[t].kind == CUF_KIND_COMPLEX or cuf_formats[t].kind == CUF_KIND_EXTENDED:
        raise TypeError(f"cannot cast to dtype {descr}: it is no target of ONNX's Cast")
    return t


cdef int _check_out(object out, cuf_type t, object descr) except -1:
    if not isinstance(out, ndarray):
        raise TypeError(f"out must be an array, not {class_name(out)}")
    if cuf_type_of(PyArray_DESCR(out)) != t or PyArray_ISBYTESWAPPED(out):
        raise TypeError(f"out has dtype {short_text(out.dtype)}, the result has {descr}: "
                        "no second conversion is made")
    if not PyArray_ISWRITEABLE(out):
        raise ValueError("out is read-only")
    return 0


cdef object _through_ufunc(object x, object descr, cuf_column column, object out, object where):
    """By the ufunc of the column, for subclasses, other array types, and `where`."""
    from . import ufuncs
    cdef char name[64]
    if not cuf_column_is_public(column):
        raise TypeError(f"cannot cast a {class_name(x)} to {descr}: there is no ufunc for it")
    cuf_ufunc_name(column, name)
    ufunc = getattr(ufuncs, (<bytes>name).decode())
    arguments = {} if where is True else {"where": where}
    if out is not None:
        return ufunc(x, out=out, **arguments)
    result = ufunc(x, **arguments)
    # A type of ml_dtypes is asked for; what is no array is whatever its maker wants it to be.
    return result.astype(descr) if getattr(result, "dtype", descr) != descr else result


cdef object _mask(object where):
    mask = where if isinstance(getattr(where, "dtype", None), np.dtype) else np.asarray(where)
    if mask.dtype != np.bool_:
        raise TypeError(f"where must be an array of bool, not of {short_text(mask.dtype)}")
    return mask


cdef object _deliver(object result, object out, object where=True):
    """The result, or `out` with it."""
    if out is None:
        return result
    np.copyto(out, result, casting="equiv", where=where)
    return out


cdef object _cast_from_text(ndarray array, object descr, cuf_column column, object out,
                            object where):
    cdef PyArray_Descr *to = <PyArray_Descr *><PyObject *>descr
    if array.dtype.kind == "O":
        return _deliver(cuf_convert_objects(array, to, column), out, where)
    return _deliver(cuf_parse_array(array, to, column), out, where)


cdef bint _is_foreign(object x):
    """An array type of its own with a say in what ufuncs make of it."""
    return (hasattr(type(x), "__array_ufunc__")
            and not isinstance(x, _arrays))


cdef bint _has_text(object x) except -1:
    descr = getattr(x, "dtype", None)
    return PyArray_DescrCheck(descr) and _is_text(<PyArray_Descr *><PyObject *>descr)


cdef int _refuse_for_text(object x) except -1:
    if _is_foreign(x) and is_lazy(x):
        raise TypeError(f"text has no ufunc that takes a {class_name(x)}: cast its blocks one "
                        "by one, with dask by map_blocks")
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError("a masked array of text is not taken, nor made: cast its data")
    return 0


cdef object _array_of_sequence(object x):
    if not isinstance(x, (list, tuple)):
        x = list(x)
    cdef int leaves = cuf_leaves_of(x)
    if leaves & CUF_LEAF_OTHER:
        x = with_arrays(x)
    array = np.asarray(x)
    if array.dtype.kind == "f":
        # Of less than 64 bits it is not what NumPy puts integers into that it does not hold.
        is_exact = not leaves & CUF_LEAF_OTHER or array.itemsize < 8
    else:
        is_exact = array.dtype.kind not in "US" or not (
            leaves & CUF_LEAF_NUMBER and leaves & CUF_LEAF_TEXT)
    return array if is_exact else np.asarray(x, object)


cdef object _array_of(object x):
    """
    The array that x is or makes, without a loss: a list of numbers that no type of NumPy's holds
    makes an array of objects, and a missing value is refused.
    """
    if type(x) is ndarray:
        return x
    if isinstance(x, (list, tuple)):
        return _array_of_sequence(x)
    if isinstance(x, _known_to_numpy):
        return np.asarray(x)
    if is_lazy(x):
        raise TypeError(f"{class_name(x)} is computed later, and this function wants an array: give "
                        "it the blocks, with dask by map_blocks, or compute it first")
    x = array_of_table(from_tensor(x), _array_of)
    refuse_missing_values(x)
    if (isinstance(x, Sequence) and not PyObject_CheckBuffer(x)
            and not hasattr(x, "__array__") and not hasattr(x, "__array_interface__")):
        return _array_of_sequence(x)
    array = np.asarray(x)
    if _is_foreign(x) and not array.ndim and array.dtype.kind == "O":
        raise TypeError(f"cannot cast {class_name(x)}: NumPy cannot make an array of it")
    return array


def _as_array(x):
    """`_array_of`, for packing.py."""
    return _array_of(x)


cdef object _computed(object x, object descr, cuf_column column, object out, object where):
    """
    What a container with an `__array_ufunc__` makes of the ufunc, or None if it cannot: then it is
    to be cast as an array. Only what is not computed yet, such as dask's, must do it by itself.
    """
    if is_lazy(x):
        return _through_ufunc(x, descr, column, out, where)
    refuse_missing_values(x)
    if _has_text(x):
        return None
    try:
        result = _through_ufunc(x, descr, column, out, where)
    except MemoryError:
        raise
    except Exception:
        return None
    return result if out is None else out


cdef object _cast_to_text(object x, object descr, object out):
    from ._text import check_out, text_to_text
    _refuse_for_text(x)
    cdef ndarray array = _array_of(x)
    if out is not None:
        descr = check_out(out, descr)
    if _is_text(PyArray_DESCR(array)):
        return _deliver(text_to_text(array, descr), out)
    _source(array)
    return _deliver(cuf_print_array(array, <PyArray_Descr *><PyObject *>descr), out)


cdef object _flat(ndarray array):
    """The elements in the order of memory, or None if they do not lie in a row."""
    array = np.ndarray.view(array, np.ndarray)  # a subclass may do all of this in its own way
    if PyArray_IS_C_CONTIGUOUS(array):
        return array.reshape(-1)
    return array.T.reshape(-1) if PyArray_IS_F_CONTIGUOUS(array) else None


cdef object _cast_by_workers(ndarray x, object descr, cuf_column column, object out, int workers):
    cdef ndarray result = np.empty_like(x, dtype=descr, subok=False) if out is None else out
    source, target = _flat(x), _flat(result)
    if (source is None or target is None or not PyArray_SAMESHAPE(x, result) or source.size < 2
            or PyArray_IS_C_CONTIGUOUS(x) != PyArray_IS_C_CONTIGUOUS(result)
            or PyArray_ISBYTESWAPPED(x) or np.may_share_memory(source, target)):
        return cuf_convert(x, <PyArray_Descr *><PyObject *>descr, column, out)
    split_over_workers(lambda s, r: cuf_convert(s, <PyArray_Descr *><PyObject *>descr, column, r),
                       source, target, workers)
    return result


cdef object _cast(object x, object to, object saturate, object round_mode, object out,
                  object where, object workers):
    cdef object descr = _resolve(to)
    cdef int sat = _saturate(saturate)
    cdef int mode = _round(round_mode)
    if out is None and where is not True:
        raise ValueError("where needs out: elsewhere the result would not be set")
    if where is not True:
        where = _mask(where)
    cdef int many = 1 if workers is None else count_workers(workers)
    if _is_text(<PyArray_Descr *><PyObject *>descr):
        if where is not True:
            raise TypeError("where is not taken with text")
        return _cast_to_text(x, descr, out)

    cdef cuf_type t = _target_of(descr)
    cdef cuf_column column = cuf_column_of(t, sat, <cuf_round>mode)
    cdef ndarray array
    if out is not None:
        _check_out(out, t, descr)
    if type(x) is ndarray or type(x) is np.memmap:
        array = x
    elif isinstance(x, ndarray):
        if not _has_text(x):
            _source(x)
            return _through_ufunc(x, descr, column, out, where)
        _refuse_for_text(x)
        array = np.asarray(x)
    elif _is_foreign(x):
        if _has_text(x):
            _refuse_for_text(x)
        if column_dtype(x) is None:
            result = _computed(x, descr, column, out, where)
            if result is not None:
                return result
        array = _array_of(x)
    else:
        array = _array_of(x)
    if _is_text(PyArray_DESCR(array)):
        # A list of numbers alone may have become an array of objects too, see _array_of_sequence.
        if where is not True and (not isinstance(x, (list, tuple)) or _is_text(
                PyArray_DESCR(np.asarray(x)))):
            raise TypeError("where is not taken with text")
        return _cast_from_text(array, descr, column, out, where)
    _source(array)
    if where is not True:
        return _through_ufunc(array, descr, column, out, where)
    if many > 1:
        return _cast_by_workers(array, descr, column, out, many)
    return cuf_convert(array, <PyArray_Descr *><PyObject *>descr, column, out)


def cast(x, to, *, saturate=True, round_mode="up", out=None, where=True, workers=None):
    """
    Cast every element as ONNX's Cast does, rounding the exact value once.

    Parameters
    ----------
    x : array_like
        Numbers of any of ONNX's real element types, of longdouble, or of an ml_dtypes type;
        texts of ``U``, ``S`` or StringDType; or numbers and texts in an array of objects, where
        `decimal.Decimal` and `numbers.Rational` count with their exact value and other objects
        with what ``__index__`` or ``__float__`` give. A list is cast number by number if no type
        of NumPy's holds all of them exactly. A tensor of torch in the CPU's memory, too.
    to : dtype, scalar type, str or int
        The element type of the result; see `castufunc.dtype`. ``"string"``, ``str`` or ``object``
        give an array of str objects, ``"U"``, ``"S"`` and StringDType give those.
    saturate : bool, default True
        For a float8 target: an overflow or an infinity becomes the largest finite number (True),
        or infinity or NaN as the format has it (False). Without effect on other targets.
    round_mode : {'up', 'down', 'nearest'}, default 'up'
        For float8e8m0: to which power of two. Without effect on other targets.
    out : ndarray, optional
        Where the result goes: of the result's dtype or its ml_dtypes twin, and of a shape that x
        broadcasts to. May share memory with x. It also spares the time that the system takes to
        hand out fresh memory.
    where : array_like of bool, default True
        Where to cast; elsewhere `out`, which must be given then, stays as it is. Not with text.
    workers : int, optional
        How many threads share a large contiguous array; -1 is one for each processor, None is 1.
        The result is the same. Other arrays, and text, are cast by one.

    Returns
    -------
    ndarray
        Of x's shape and memory order (C order with text), 0-d for a scalar; `out` if it was
        given. Of an array type with an ``__array_ufunc__`` of its own: what that makes of the
        ufunc (see `castufunc.ufuncs`), if it can; only of what is computed later, as dask's
        arrays, nothing else.

    Raises
    ------
    TypeError
        If `to` or `out` is not such a type, `saturate` is not a bool, or x holds anything else
        than real numbers, such as a masked or missing value (the message has the index in an
        array of objects). What a method of an object raises comes through.
    ValueError
        If `round_mode` is none of the three, `out` is read-only or of another shape, or `where`
        is given without `out`. If a text is no number, or missing, or does not fit in the width
        that is asked for, with its index; what `out` holds is then unspecified. If `workers` is 0
        or below minus the number of processors.

    Notes
    -----
    A float or an integer becomes a float by one rounding, to nearest, ties to even. A float
    becomes an integer by cutting off its fraction and keeping the low bits of what is left; NaN
    and infinities give 0. An integer becomes a narrower one by keeping its low bits. The rule is
    the operator text of ONNX (Cast, opset 28).

    A text is a number if it is, with white space around, an optional sign and decimal digits,
    with an optional point and exponent; or inf, infinity or nan in any letter case. The decimal
    itself is rounded, or cut off and wrapped, once. Numbers are printed as the shortest decimal
    that reads back to the same float32 (float64 for float64).

    Examples
    --------
    >>> import castufunc
    >>> x = castufunc.cast([1.2, 448.0, 1000.0], "float8e4m3fn")
    >>> print(x, x.dtype)
    [1.25 448.0 448.0] castufunc.float8e4m3fn
    >>> print(castufunc.cast([1000.0], "float8e4m3fn", saturate=False))
    [nan]
    >>> castufunc.cast([-1.5, 300.0], "uint8").tolist()
    [255, 44]
    >>> print(castufunc.cast(["1.00390625000000001", "-inf"], "bfloat16"))
    [1.0078125 -inf]
    >>> castufunc.cast([0.1, 4.0], "string").tolist()
    ['0.1', '4']
    """
    return _cast(x, to, saturate, round_mode, out, where, workers)


cdef bint _names_a_type(object target) except -1:
    if isinstance(target, _types) or torch_type_name(target) or is_type_of_pandas(target):
        return True
    if not isinstance(target, str):
        return False
    try:
        _resolve(target)
    except TypeError:
        return target.lower() == "float"
    return True


def cast_like(x, target, *, saturate=True, round_mode="up", out=None, where=True, workers=None):
    """
    Cast every element of x to the element type of another array, as ONNX's CastLike does.

    Parameters
    ----------
    x : array_like
        As for `cast`.
    target : array_like
        Only its dtype counts; neither its data nor its shape is looked at.
    saturate, round_mode, out, where, workers
        As for `cast`. (ONNX's function body of CastLike drops round_mode; here it counts.)

    Returns
    -------
    ndarray
        As of `cast`.

    Raises
    ------
    TypeError
        If `target` is a dtype or a class: `cast` takes those. Else as `cast`.
    ValueError
        As `cast`.

    Examples
    --------
    >>> import castufunc
    >>> castufunc.cast_like([1.2, -9], castufunc.int4(0)).tolist()
    [1, 7]
    """
    if target is None or _names_a_type(target):
        raise TypeError(f"target must be an array or a scalar, not {short(target)}: cast takes a "
                        "type")
    like = getattr(target, "dtype", None)
    if not isinstance(like, np.dtype):
        like = (_resolve(like) if torch_type_name(like)
                else column_dtype(target) or np.asarray(target).dtype)
    if like.kind in "US":
        like = np.dtype(like.kind)  # the container counts, not the width of its texts
    return _cast(x, like, saturate, round_mode, out, where, workers)


# --- bit_cast -------------------------------------------------------------------------------

cdef int _width(cuf_type t):
    """Bits of an element for BitCast; 0 if it is none of ONNX's."""
    if t == CUF_NO_TYPE or not cuf_formats[t].onnx:
        return 0
    return 8 if cuf_formats[t].kind == CUF_KIND_BOOL else cuf_formats[t].bits


cdef str _type_and_width(object descr, int width):
    shown = short_text(descr)
    return f"{shown} ({width} bits)" if width else f"{shown} (no element type of BitCast)"


def bit_cast(x, to):
    """
    Look at every element's bits as another type of the same width, as ONNX's BitCast does.

    Parameters
    ----------
    x : array_like
        Of any element type of ONNX but text.
    to : dtype, scalar type, str or int
        The element type of the result; see `castufunc.dtype`. Of the same width in bits: int4
        goes to uint4 and float4e2m1, but not to int8, although all take a byte in an array.

    Returns
    -------
    ndarray
        Of x's shape. A view of x, read-only if x is; a copy only if x is not in native byte order
        or no array. Of another array type, such as dask's, what its ``view`` gives.

    Raises
    ------
    TypeError
        If the widths differ or a type is none of ONNX's, naming both.

    Notes
    -----
    ONNX, BitCast, opset 26; between the two float6 types an extension. A bool has 8 bits here,
    and uint8 to bool keeps the byte as it is.

    Examples
    --------
    >>> import numpy as np
    >>> import castufunc
    >>> castufunc.bit_cast(np.float32(1), "uint32").tolist() == 0x3F800000
    True
    >>> print(castufunc.bit_cast(np.array([-1, 7], castufunc.int4), "float4e2m1"))
    [-6.0 6.0]
    """
    cdef object descr = _resolve(to)
    cdef bint is_array = isinstance(x, np.ndarray) or (_is_foreign(x) and is_lazy(x))
    cdef object array = x if is_array else _array_of(x)
    cdef object given = getattr(array, "dtype", None)
    if not PyArray_DescrCheck(given):
        raise TypeError(f"cannot bit_cast a {class_name(x)}: it has no dtype of NumPy's")
    cdef int width = _width(cuf_type_of(<PyArray_Descr *><PyObject *>given))
    cdef int target = _width(cuf_type_of(<PyArray_Descr *><PyObject *>descr))
    if width != target or not width:
        raise TypeError(f"cannot bit_cast from {_type_and_width(given, width)} "
                        f"to {_type_and_width(descr, target)}")
    if not given.isnative:
        array = array.astype(given.newbyteorder("="))
    if not hasattr(array, "view"):
        raise TypeError(f"cannot bit_cast {class_name(x)}: it has no view; cast its blocks one by one")
    return array.view(descr)


# --- packed forms, for packing.py: what it does not check is checked here and in C -----------

cdef cuf_type _type_of(object descr) except -1:
    if not PyArray_DescrCheck(descr):
        raise TypeError(f"a dtype is needed, not {type(descr).__name__}")
    return cuf_type_of(<PyArray_Descr *><PyObject *>descr)


cdef cuf_type _element_type(object descr) except -1:
    cdef cuf_type t = _type_of(descr)
    if t == CUF_NO_TYPE:
        raise TypeError(f"dtype {descr} is no element type")
    return t


cdef cuf_column _column(object descr, object saturate, object round_mode) except? 0:
    _element_type(descr)
    return cuf_column_of(_target_of(descr), _saturate(saturate), <cuf_round>_round(round_mode))


def _packable_bits(descr):
    """Bits of a code, or 0 if the type has no packed form."""
    cdef cuf_type t = _type_of(descr)
    if t == CUF_NO_TYPE or not cuf_formats[t].onnx or cuf_formats[t].kind == CUF_KIND_BOOL:
        return 0
    return cuf_formats[t].bits if cuf_formats[t].bits < 8 else 0


def _packed_size(int bits, size_t n):
    return cuf_packed_size(bits, n)


def _check_source(ndarray x not None):
    _source(x)


def _check_result(out, descr):
    _element_type(descr)
    _check_out(out, _target_of(descr), descr)


def _pack(ndarray x not None, ndarray packed not None, descr, saturate=True, round_mode="up",
          bint casts=False):
    """Into `packed`: x as it is, or with `casts` cast to `descr` on the way."""
    cuf_pack_array(x, _column(descr, saturate, round_mode), casts, packed)


def _unpack(ndarray packed not None, descr, ndarray out not None, to=None, saturate=True,
            round_mode="up"):
    """Into `out`: codes of `descr`, or if `to` is a dtype their casts to it."""
    cdef cuf_type t = _element_type(descr)
    cdef cuf_column column = _column(descr if to is None else to, saturate, round_mode)
    cuf_unpack_array(packed, t, column, to is not None, out)


# --- the table, for formats.py --------------------------------------------------------------

cdef object _code(int code):
    return code if code >= 0 else None


_SPECIALS = ("ieee", "fn", "fnuz", "finite", "power")
_MODES = ("plain", "saturate", "round")


def _own_rows():
    """Our own formats in the table's order, each as the fields of FormatInfo."""
    cdef cuf_type t
    cdef cuf_limits limits
    rows = []
    for t in range(CUF_TYPES):
        if cuf_formats[t].owner != CUF_OWNER_OWN:
            continue
        limits = cuf_limits_of(t)
        is_float = cuf_formats[t].kind == CUF_KIND_FLOAT
        number = float if is_float else int
        rows.append({
            "name": cuf_formats[t].name.decode(),
            "kind": "float" if is_float else "integer",
            "bits": cuf_formats[t].bits,
            "itemsize": cuf_formats[t].storage,
            "signed": bool(cuf_formats[t].is_signed),
            "exponent_bits": cuf_formats[t].exponent_bits,
            "mantissa_bits": cuf_formats[t].mantissa_bits,
            "bias": cuf_formats[t].bias,
            "special": _SPECIALS[cuf_formats[t].special] if is_float else None,
            "modes": _MODES[cuf_formats[t].modes],
            "max": number(limits.max),
            "min": number(limits.min),
            "smallest_normal": limits.smallest_normal if is_float else None,
            "smallest_subnormal": limits.smallest_subnormal or None,
            "nan": _code(limits.nan),
            "inf": _code(limits.inf),
            "has_zero": bool(limits.has_zero),
            "has_negative_zero": bool(limits.has_negative_zero),
            "onnx": cuf_formats[t].onnx,
            "ml_dtypes": cuf_formats[t].twin.decode(),
            "dtype": _own_or_numpy(t),
        })
    return rows


def _make_ufuncs():
    """New ufuncs of all public columns, by name. Called once, by ufuncs.py."""
    cdef cuf_column column
    cdef char name[64]
    ufuncs = {}
    for column in range(CUF_PUBLIC_COLUMNS):
        if cuf_column_is_public(column):
            cuf_ufunc_name(column, name)
            ufuncs[(<bytes>name).decode()] = cuf_ufunc_new(column)
    return ufuncs


def _texts_of_objects(ndarray x not None):
    """The objects of an array as str, for _text.py."""
    if PyArray_DESCR(x).kind != b"O":
        raise TypeError(f"an array of objects is needed, not of {x.dtype}")
    return cuf_texts_of_objects(x)


def _refuse_missing(ndarray x not None):
    """ValueError if an array of StringDType has a missing value, for _text.py."""
    if PyArray_DESCR(x).kind != b"T":
        raise TypeError(f"an array of StringDType is needed, not of {x.dtype}")
    cuf_refuse_missing(x)


# --- what is in use, and hooks of the tests -------------------------------------------------

def _targets():
    """The instruction-set targets that this processor can use, the best last."""
    return tuple(cuf_targets[i].name.decode() for i in range(cuf_target_count)
                 if cuf_targets[i].supported())


def _built_targets():
    return tuple(cuf_targets[i].name.decode() for i in range(cuf_target_count))


def _target_in_use():
    return cuf_targets[_target].name.decode()


def _compiler():
    return cuf_compiler().decode()


def _roof(ndarray source, ndarray destination):
    """
    The low bytes of each element, by the plain kernel of the target in use: a copy of the byte
    shape of a cast, to measure casts against. Contiguous arrays of one length, of any numbers.
    """
    # Signed, so that it is no copy of a type to itself, which memcpy does with means of its own.
    integer = np.dtype(f"i{destination.itemsize}")
    return _cast(source.view(f"u{source.itemsize}"), integer, True, "up",
                 destination.view(integer), True, None)


def _fp_state():
    """The calling thread's floating-point control and status bits."""
    return cuf_fpenv_read()


def _set_fp_state(uint64_t state):
    cuf_fpenv_write(state)


def _make_fp_state(*, bint flush=False, bint denormals_zero=False, str rounding="nearest"):
    """A state for `_set_fp_state`: no flags, exceptions masked."""
    return cuf_fpenv_make(flush, denormals_zero,
                          ("nearest", "down", "up", "zero").index(rounding))
