"""Every public call in every form of its arguments, by name: functions of `Inputs`."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np

import castufunc
from byte_order import SWAPPED
from castufunc import ufuncs
from oracle import NATIVE, OURS, TYPES, code_bytes, modes

from .inputs import Inputs, twin
from .other_calls import other_calls

Call = Callable[[Inputs], Any]
Named = Iterator[tuple[str, Call]]


class Wrapped:
    """An array type that answers ufuncs itself, as dask's does."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.dtype = array.dtype

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        arrays = [x.array if isinstance(x, Wrapped) else x for x in inputs]
        return getattr(ufunc, method)(*arrays, **keywords)


def by_name(named: Iterable[tuple[str, Call]]) -> dict[str, Call]:
    calls: dict[str, Call] = {}
    for name, call in named:
        assert name not in calls, f"two calls are named {name}"
        calls[name] = call
    return calls


# --- cast -------------------------------------------------------------------------------------


def forms_of(target: str) -> dict[str, Any]:
    """The ways to name a target type."""
    dtype = castufunc.dtype(target)
    forms = {"name": target, "upper": target.upper(), "dtype": dtype, "class": dtype.type}
    if target in OURS:
        info = castufunc.FORMATS[target]
        forms |= {"number": info.onnx, "tensor": f"tensor({target})", "ml_name": info.ml_dtypes}
        forms |= {"twin": twin(target), "twin_dtype": np.dtype(twin(target))}
    return forms


def cast_pairs(sources: Iterable[str], targets: Iterable[str]) -> Named:
    for source, target in product(sources, targets):
        for saturate, mode in modes(target):
            yield (
                f"cast-{source}-{target}-{saturate}-{mode}",
                lambda given, s=source, t=target, saturate=saturate, mode=mode: castufunc.cast(
                    given.of[s], t, saturate=saturate, round_mode=mode
                ),
            )


def cast_arguments(targets: Iterable[str]) -> Named:
    def filled(given: Inputs, target: str, **keywords: Any) -> np.ndarray:
        out = np.zeros(given.numbers.shape, castufunc.dtype(target))
        assert castufunc.cast(given.numbers, target, out=out, **keywords) is out
        return out

    for target in targets:
        for name, form in forms_of(target).items():
            yield f"cast-to-{name}-{target}", lambda given, f=form: castufunc.cast(given.numbers, f)
        yield f"cast-out-{target}", lambda given, t=target: filled(given, t)
        yield f"cast-where-{target}", lambda given, t=target: filled(given, t, where=given.mask)
        for name, x in {
            "strided": lambda given: given.of["float32"][::-3],
            "2d": lambda given: given.numbers.reshape(2, 2).T,
            "0d": lambda given: given.numbers[0],
            "empty": lambda given: given.numbers[:0],
            "swapped": lambda given: given.swapped,
            "list": lambda given: [1.5, -2.0],
            "number": lambda given: 2.5,
            "objects": lambda given: given.objects,
            "text": lambda given: given.texts,
            "U": lambda given: np.array(given.texts),
            "U_swapped": lambda given: np.array(given.texts, f"{SWAPPED}U9"),
            "S": lambda given: np.array(given.texts, "S"),
            "T": lambda given: np.array(given.texts, np.dtypes.StringDType()),
            "longdouble": lambda given: given.numbers.astype("g"),
            "masked": lambda given: np.ma.array(given.numbers, mask=given.mask),
            "array_ufunc": lambda given: Wrapped(given.numbers),
        }.items():
            yield f"cast-{name}-{target}", lambda given, x=x, t=target: castufunc.cast(x(given), t)


def to_text(sources: Iterable[str]) -> Named:
    yield "cast-swapped-string", lambda given: castufunc.cast(given.swapped, "string")
    for source in sources:
        for to in "string", "U", "S32", np.dtypes.StringDType():
            yield (
                f"cast-{source}-{to}",
                lambda given, s=source, to=to: castufunc.cast(given.of[s], to),
            )
        for to in "U", "S", np.dtypes.StringDType(), object:
            if source in OURS:
                yield f"astype-{source}-{to}", lambda given, s=source, to=to: given.of[s].astype(to)


# --- cast_like, bit_cast, ufuncs ----------------------------------------------------------------


def cast_like(sources: Iterable[str], targets: Iterable[str]) -> Named:
    for source, target in product(sources, targets):
        yield (
            f"cast_like-{source}-{target}",
            lambda given, s=source, t=target: castufunc.cast_like(
                given.of[s], given.of[t], saturate=False, round_mode="nearest"
            ),
        )
    for name, target in {"scalar": castufunc.int4(0), "number": 1.5, "list": [1]}.items():
        yield f"cast_like-{name}", lambda given, t=target: castufunc.cast_like(given.numbers, t)


def bit_cast(sources: Iterable[str], targets: Iterable[str]) -> Named:
    bits = {name: castufunc.FORMATS[name].bits for name in OURS}
    bits |= {name: 8 * code_bytes(name) for name in NATIVE}
    for source, target in product(sources, targets):
        if bits[source] == bits[target]:
            yield (
                f"bit_cast-{source}-{target}",
                lambda given, s=source, t=target: castufunc.bit_cast(given.of[s], t),
            )
    yield "bit_cast-swapped", lambda given: castufunc.bit_cast(given.swapped, "uint32")
    yield "bit_cast-complex", lambda given: castufunc.bit_cast(given.of["float64"], "complex64")
    yield "bit_cast-list", lambda given: castufunc.bit_cast([1.5], "int64")


def ufunc_calls() -> Named:
    def filled(given: Inputs, ufunc: np.ufunc, **keywords: Any) -> np.ndarray:
        out = np.zeros(given.numbers.shape, ufunc(0).dtype)
        assert ufunc(given.numbers, out=out, **keywords) is out
        return out

    # By name; that is slow, as the module is looked for.
    yield "pickle-ufunc", lambda given: pickle.loads(pickle.dumps(ufuncs.to_int4)).__name__
    for name in ufuncs.__all__:
        ufunc = getattr(ufuncs, name)
        yield name, lambda given, f=ufunc: f(given.numbers)
        yield f"{name}-source", lambda given, f=ufunc: f(given.of["float8e5m2"])
        yield f"{name}-out", lambda given, f=ufunc: filled(given, f)
        yield f"{name}-where", lambda given, f=ufunc: filled(given, f, where=given.mask)
        yield f"{name}-broadcast", lambda given, f=ufunc: f(given.numbers[:, None], dtype=None)


# --- dtypes, limits, views, NumPy ---------------------------------------------------------------


def dtypes_and_limits(targets: Iterable[str]) -> Named:
    for target in targets:
        for name, form in forms_of(target).items():
            yield f"dtype-{name}-{target}", lambda given, f=form: castufunc.dtype(f)
        if target not in OURS:
            continue
        info = castufunc.FORMATS[target]
        limits = castufunc.finfo if info.kind == "float" else castufunc.iinfo
        for form in target, info.dtype, info.type(1):
            yield f"limits-{target}-{form!r}", lambda given, f=form, limits=limits: vars(limits(f))
        yield f"dtype-pickle-{target}", lambda given, d=info.dtype: pickle.loads(pickle.dumps(d))
        yield f"dtype-str-{target}", lambda given, d=info.dtype: np.dtype(d.str)


def astype(sources: Iterable[str], targets: Iterable[str]) -> Named:
    for source, target in product(sources, targets):
        if source in OURS or target in OURS:
            yield (
                f"astype-{source}-{target}",
                lambda given, s=source, t=target: given.of[s].astype(castufunc.dtype(t)),
            )
    for own in OURS:
        if own in targets:
            dtype = castufunc.dtype(own)
            yield f"astype-object-{own}", lambda given, to=dtype: given.objects.astype(to)
            for wide in "c8", "G", "g", ml_dtypes.float8_e3m4, twin(own):
                yield f"astype-{own}-{wide}", lambda given, s=own, w=wide: given.of[s].astype(w)


def own_arrays(names: Iterable[str]) -> Named:
    """What is done with arrays and scalars of each own type."""
    for name in names:
        if name not in OURS:
            continue
        for what, call in _own_array_calls(castufunc.FORMATS[name].type):
            yield f"{what}-{name}", lambda given, n=name, call=call: call(given.of[n])
        for number in (
            3, -2.5, True, 10**400, "1.5", np.float32(1.5), np.uint64(2**63),
            ml_dtypes.bfloat16(2), castufunc.int4(-3), np.array(1.5), np.array(2.5, f"{SWAPPED}f8"),
            float("nan"),
        ):  # fmt: skip
            scalar = castufunc.FORMATS[name].type
            yield f"scalar-{name}-{number!r:.24}", lambda given, s=scalar, n=number: s(n)


def _own_array_calls(scalar: type) -> Iterator[tuple[str, Callable[[np.ndarray], Any]]]:
    def saved(array: np.ndarray) -> np.ndarray:
        file = io.BytesIO()
        np.save(file, array, allow_pickle=False)
        file.seek(0)
        return np.load(file)

    def assigned(array: np.ndarray) -> np.ndarray:
        array = array.copy()
        array[0] = 1
        array[1:3] = [2.5, -1]
        array[3] = scalar(1)
        array[4:].fill(3)
        return array

    yield "to_ml_dtypes", castufunc.to_ml_dtypes
    yield "from_ml_dtypes", lambda x: castufunc.from_ml_dtypes(castufunc.to_ml_dtypes(x))
    yield "items", lambda x: [type(x[0]).__name__, x[0].item(), x.tolist()]
    yield "assign", assigned
    yield "sort", np.sort
    yield "argsort", lambda x: np.argsort(x, kind="stable")
    yield "search", lambda x: np.searchsorted(np.sort(x), x[:3])
    yield "reduce", lambda x: [x.max(), x.argmax(), x.any(), np.nonzero(x)[0]]
    yield "compare", lambda x: [x == x[0], x < 1]
    yield "arithmetic", lambda x: x[:2] + x[2:4]
    yield "save", saved
    yield "pickle", lambda x: pickle.loads(pickle.dumps(x))
    yield "deepcopy", copy.deepcopy
    yield "print", lambda x: [str(x), repr(x), f"{x[0]}"]
    yield "scalar-use", lambda x: [hash(x[0]), x[0] == 1, float(x[0]), pickle.dumps(x[0])]
    yield "make", lambda x: [scalar(), np.zeros(2, scalar), np.ones(2, scalar)]


def calls(sources: Iterable[str] = TYPES, targets: Iterable[str] = TYPES) -> dict[str, Call]:
    """All of them, with these types."""
    groups = (
        cast_pairs(sources, targets),
        cast_arguments(targets),
        to_text(sources),
        cast_like(sources, targets),
        bit_cast(sources, targets),
        ufunc_calls(),
        dtypes_and_limits(targets),
        astype(sources, targets),
        own_arrays(targets),
        other_calls(targets),
    )
    return by_name(named for group in groups for named in group)
