"""Calls that must be refused: every path by which an error leaves the package."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import castufunc
from byte_order import SWAPPED
from castufunc import ufuncs

from .calls import Call, Wrapped, by_name
from .inputs import Inputs

Errors = type[Exception] | tuple[type[Exception], ...]
Named = Iterator[tuple[str, Errors, Call]]


def objects(*items: Any) -> np.ndarray:
    array = np.empty(len(items), object)
    array[:] = items
    return array


def read_only(dtype: Any) -> np.ndarray:
    array = np.zeros(4, dtype)
    array.flags.writeable = False
    return array


def cast_refusals() -> Named:
    def cast(*args: Any, **keywords: Any) -> Call:
        return lambda given: castufunc.cast(given.numbers, *args, **keywords)

    for to in ["float", "nonsense", None, True, 99, object(), "complex64", np.longdouble, []]:
        yield f"cast-to-{to!r:.16}", TypeError, cast(to)
    for saturate in [None, 2, "true", 1.0, []]:
        yield f"cast-saturate-{saturate!r}", TypeError, cast("int4", saturate=saturate)
    for mode in [None, "UP", b"up", 1]:
        yield f"cast-mode-{mode!r}", ValueError, cast("int4", round_mode=mode)
    for out in [np.zeros(4, np.int8), [0] * 4, 0, (np.zeros(4, castufunc.int4),), np.zeros(4, "O")]:
        yield f"cast-out-{out!r:.30}", TypeError, cast("int4", out=out)
    yield "cast-out-read-only", ValueError, cast("int4", out=read_only(castufunc.int4))
    yield "cast-out-shape", ValueError, cast("int4", out=np.zeros(3, castufunc.int4))
    yield "cast-out-swapped", TypeError, cast("float64", out=np.zeros(4, f"{SWAPPED}f8"))
    yield "cast-text-out", TypeError, cast("string", out=np.zeros(4, np.int8))
    out = np.zeros(4, castufunc.int4)
    yield "cast-where-alone", ValueError, cast("int4", where=np.ones(4, bool))
    yield "cast-where-numbers", TypeError, cast("int4", out=out, where=np.ones(4))
    yield "cast-where-shape", ValueError, cast("int4", out=out, where=[True, False])
    yield "cast-where-text", TypeError, cast("string", out=objects(*"abcd"), where=[True])
    yield "cast-nothing", TypeError, cast()
    yield "cast-too-much", TypeError, cast("int4", True)
    yield "cast-keyword", TypeError, cast("int4", mode="up")
    for name, bad in {
        "datetime": np.array(["2000"], "M8[Y]"), "struct": np.zeros(2, [("a", "i4")]),
        "complex": [1j], "void": np.zeros(1, "V3"), "none": None,
    }.items():  # fmt: skip
        yield f"cast-source-{name}", TypeError, lambda given, x=bad: castufunc.cast(x, "int4")
        yield f"cast-source-text-{name}", TypeError, lambda given, x=bad: castufunc.cast(x, "U")
    wrapped = Wrapped(np.ones(2))
    yield "cast-no-ufunc", TypeError, lambda given: castufunc.cast(wrapped, ml_dtypes.float8_e3m4)
    yield "cast-broken-array", ZeroDivisionError, lambda given: castufunc.cast(Broken(), "int4")


class Broken:
    """An object that cannot be made an array."""

    def __array__(self, *args: Any, **keywords: Any) -> np.ndarray:
        raise ZeroDivisionError


def element_refusals() -> Named:
    """Single elements among good ones: bad objects, and texts that are no numbers."""
    for bad in [None, 1j, np.complex64(1), [], object(), {}]:
        line = objects(1, 2.5, "3", bad, 10**30)
        square = objects(1, 2, bad, 4).reshape(2, 2).T
        for to in "int4", "bfloat16", "float64", "bool", "float8e8m0", "string":
            for what, array in {"line": line, "square": square}.items():
                yield (
                    f"{what}-{bad!r:.12}-{to}",
                    TypeError,
                    lambda given, x=array, to=to: castufunc.cast(x, to),
                )
        # NumPy takes its own scalars apart before it asks the type, as it does for float32.
        if not isinstance(bad, np.generic):
            yield (
                f"astype-{bad!r:.12}",
                TypeError,
                lambda given, x=line: x.astype(castufunc.bfloat16),
            )
    for bad in ["", "1abc", "0x10", "1_0", "é", "1" * 300 + "x", "\ud800"]:
        for to in "int4", "bfloat16", "float64", "uint64", "bool":
            yield (
                f"text-{bad!r:.12}-{to}",
                ValueError,
                lambda given, x=bad, to=to: castufunc.cast(["1", x, "2"], to),
            )
    missing = np.array(["1", None], np.dtypes.StringDType(na_object=None))
    yield "missing-text", ValueError, lambda given: castufunc.cast(missing, "int4")
    yield "narrow-text", ValueError, lambda given: castufunc.cast(given.of["float64"], "S2")
    yield "narrow-text-to-text", ValueError, lambda given: castufunc.cast(["abc"], "U2")
    yield "narrow-astype", ValueError, lambda given: given.of["bfloat16"].astype("U1")
    yield "astype-text", ValueError, lambda given: np.array(["x"]).astype(castufunc.int4)


def other_operator_refusals() -> Named:
    for like in [np.float32, np.dtype("f4"), castufunc.int4, np.array(["2000"], "M8[Y]")]:
        yield (
            f"cast_like-{like!r:.30}",
            TypeError,
            lambda given, x=like: castufunc.cast_like(given.numbers, x),
        )
    for to in ["int8", "string", "complex128", np.longdouble, None, "float", ml_dtypes.float8_e3m4]:
        yield (
            f"bit_cast-{to!r:.30}",
            TypeError,
            lambda given, to=to: castufunc.bit_cast(given.numbers, to),
        )
    for bad in [["a"], [None], np.ones(1, "g"), np.ones(1, ml_dtypes.float8_e3m4)]:
        yield (
            f"bit_cast-of-{bad!r:.30}",
            TypeError,
            lambda given, x=bad: castufunc.bit_cast(x, "int8"),
        )
    for name in "to_int4", "to_float8e8m0_down_nosat", "to_float32":
        ufunc = getattr(ufuncs, name)
        for bad in [[1j], ["a"], [None], np.array(["2000"], "M8[Y]")]:
            yield f"{name}-{bad!r:.20}", TypeError, lambda given, f=ufunc, x=bad: f(x)
        yield (
            f"{name}-out",
            (TypeError, ValueError),
            lambda given, f=ufunc: f(given.numbers, out=np.zeros(3, "M8[s]")),
        )
        yield (
            f"{name}-shape",
            ValueError,
            lambda given, f=ufunc: f(given.numbers, out=np.zeros(3, f(0).dtype)),
        )


def type_refusals() -> Named:
    """Of dtypes, limits, views, scalars and arrays."""
    for bad in ["float", "x", None, 99, object(), np.dtype("M8[s]")]:
        yield f"dtype-{bad!r:.20}", TypeError, lambda given, x=bad: castufunc.dtype(x)
    for name, call in {
        "finfo-int4": lambda: castufunc.finfo("int4"),
        "finfo-float32": lambda: castufunc.finfo("float32"),
        "iinfo-bfloat16": lambda: castufunc.iinfo(castufunc.bfloat16),
        "to_ml_dtypes": lambda: castufunc.to_ml_dtypes(np.ones(2, np.float32)),
        "from_ml_dtypes": lambda: castufunc.from_ml_dtypes(np.ones(2, ml_dtypes.float8_e3m4)),
        "from_ml_dtypes-list": lambda: castufunc.from_ml_dtypes([1]),
        "attribute": lambda: pytest.fail(castufunc.nonsense),
    }.items():
        yield name, (TypeError, AttributeError), lambda given, call=call: call()
    for info in castufunc.FORMATS.values():
        for what, (error, call) in _array_refusals(info.type).items():
            yield f"{what}-{info.name}", error, lambda given, call=call: call()


def _array_refusals(scalar: Any) -> dict[str, tuple[Any, Callable[[], Any]]]:
    array = np.ones(3, scalar)
    complexes = np.array([1 + 2j])
    return {
        "scalar-none": (TypeError, lambda: scalar(None)),
        "scalar-list": (TypeError, lambda: scalar([1])),
        "scalar-complex": (TypeError, lambda: scalar(1j)),
        "scalar-text": (ValueError, lambda: scalar("1x")),
        "scalar-two": (TypeError, lambda: scalar(1, 2)),
        "scalar-keyword": (TypeError, lambda: scalar(value=1)),
        "scalar-format": (ValueError, lambda: format(scalar(1), "!")),
        "dtype-arguments": (TypeError, lambda: type(scalar.dtype)(1)),
        "assign-none": (TypeError, lambda: array.__setitem__(0, None)),
        "assign-complex": (TypeError, lambda: array.__setitem__(0, 1j)),
        "fill": (TypeError, lambda: array.fill(object())),
        "make": (TypeError, lambda: np.array([1, None], scalar)),
        "astype-dates": (TypeError, lambda: array.astype("M8[s]")),
        "astype-safe": (TypeError, lambda: array.astype("bool", casting="safe")),
        # pytest makes warnings errors, and so the cast is stopped by its own warning
        "astype-complex": (np.exceptions.ComplexWarning, lambda: complexes.astype(scalar)),
        "promote": (TypeError, lambda: np.promote_types(scalar, "M8[s]")),
        "dot": (ValueError, lambda: np.dot(array, array)),
        "einsum": (TypeError, lambda: np.einsum("i,i", array, array)),
        "buffer": ((ValueError, BufferError), lambda: memoryview(array)),
        "index": (IndexError, lambda: np.arange(3)[array]),
        "unpickle": (Exception, lambda: pickle.loads(pickle.dumps(array)[:-9])),
    }


def refusals() -> dict[str, Call]:
    """All of them, as calls that return the error's words."""

    def refused(errors: Errors, call: Call, given: Inputs) -> tuple[str, str]:
        try:
            result = call(given)
        except errors as error:
            return type(error).__name__, str(error)
        raise AssertionError(f"not refused, but gave {result!r}")

    groups = cast_refusals(), element_refusals(), other_operator_refusals(), type_refusals()
    return by_name(
        (name, lambda given, errors=errors, call=call: refused(errors, call, given))
        for group in groups
        for name, errors, call in group
    )
