"""Public calls besides casts of arrays: lists, objects, packed forms, files, reports, workers."""

from __future__ import annotations

import array
import atexit
import importlib.util
import io
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import castufunc
from castufunc import _workers, report
from castufunc.interop import safetensors
from oracle import OURS

from .inputs import Inputs

Named = Iterator[tuple[str, Callable[[Inputs], Any]]]

PACKED = [name for name in OURS if castufunc.FORMATS[name].bits < 8]
MANY = 2 * _workers.ELEMENTS_PER_WORKER  # so that two workers share it
HAS_ONNX = importlib.util.find_spec("onnx") is not None
HAS_SAFETENSORS = importlib.util.find_spec("safetensors") is not None


class Index:
    def __index__(self) -> int:
        return 3


class Real:
    def __float__(self) -> float:
        return 0.3


class Convertible:
    """What NumPy makes an array of by a method."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers = numbers

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.numbers if dtype is None else self.numbers.astype(dtype)


class Counting(Convertible):
    """A container of polars' or Arrow's kind that counts its missing values."""

    null_count = 0


def objects_and_lists(targets: Iterable[str]) -> Named:
    numbers = {
        "fraction": Fraction(1, 3),
        "large_fraction": Fraction(-(10**30), 7),
        "decimal": Decimal("1.0039062500000001"),
        "decimal_nan": Decimal("-nan"),
        "index": Index(),
        "float": Real(),
        "large_int": -(2**70 + 1),
        "bytes": b"2.5",
        "long_text": "1" * 500,
    }
    lists = {
        "exact": [2**53 + 1, 2**63, -1],
        "mixed": [2**53 + 1, 0.5],
        "nested": [[1, 2.5], [2**60 + 1, -3]],
        "of_arrays": [np.float32(1.5), np.int64(2), castufunc.int4(-1)],
        "tuple": (1.5, True, 2**53 + 1),
        "range": range(5),
        "buffer": array.array("d", [1.5, 2.5]),
        "bytes": memoryview(b"\x01\x02"),
    }
    for to in targets:
        for name, number in numbers.items():
            one = np.empty(2, object)
            one[:] = number
            yield f"object-{name}-{to}", lambda given, x=one, to=to: castufunc.cast(x, to)
            if to in OURS and name != "bytes":
                scalar = castufunc.FORMATS[to].type
                yield f"scalar-of-{name}-{to}", lambda given, x=number, s=scalar: s(x)
        for name, items in lists.items():
            yield f"list-{name}-{to}", lambda given, x=items, to=to: castufunc.cast(x, to)
        for kind in Convertible, Counting:
            yield (
                f"{kind.__name__}-{to}",
                lambda given, kind=kind, to=to: castufunc.cast(kind(given.numbers), to),
            )
    for name, number in numbers.items():
        one = np.empty(2, object)
        one[:] = number
        yield f"object-{name}-string", lambda given, x=one: castufunc.cast(x, "string")
    for name, items in lists.items():
        yield f"list-{name}-string", lambda given, x=items: castufunc.cast(x, "string")
    for to in "U", "S", "U40", np.dtypes.StringDType():
        yield f"texts-{to}", lambda given, to=to: castufunc.cast(given.texts, to)
        texts = np.array(["1.5", "-3"], "U" if isinstance(to, str) and to[0] == "U" else "S")
        yield f"texts-{texts.dtype}-{to}", lambda given, x=texts, to=to: castufunc.cast(x, to)


def packed_forms(targets: Iterable[str]) -> Named:
    def into(size: int, call: Callable[[np.ndarray], Any]) -> np.ndarray:
        out = np.zeros(size, np.uint8)
        call(out)
        return out

    for name in PACKED:
        if name not in targets:
            continue
        x = castufunc.cast(np.arange(40) % 7, name)
        data = castufunc.pack(x)
        packed = castufunc.PackedArray(data, name, (5, 8))
        size = data.size
        calls: dict[str, Callable[[Inputs], Any]] = {
            "pack": lambda given, x=x: castufunc.pack(x),
            "pack-strided": lambda given, x=x: castufunc.pack(x[::-2]),
            "pack-out": lambda given, x=x, n=size: into(n, lambda o: castufunc.pack(x, out=o)),
            "cast_pack": lambda given, n=name: castufunc.cast_pack(given.numbers, n),
            "cast_pack-list": lambda given, n=name: castufunc.cast_pack([1.5, 2**53 + 1], n),
            "cast_pack-text": lambda given, n=name: castufunc.cast_pack(["1", "2"], n),
            "unpack": lambda given, d=data, n=name: castufunc.unpack(d, n, (5, 8)),
            "unpack-bytes": lambda given, d=data, n=name: castufunc.unpack(bytes(d), n, 40),
            "unpack_cast": lambda given, d=data, n=name: castufunc.unpack_cast(
                d, n, (5, 8), "bfloat16"
            ),
            "unpack_cast-text": lambda given, d=data, n=name: castufunc.unpack_cast(
                d, n, 40, "string"
            ),
            "packed": lambda given, d=data, n=name: repr(castufunc.PackedArray(d, n, 40)),
            "from_array": lambda given, n=name: (
                castufunc.PackedArray.from_array(given.numbers, n).data
            ),
            "packed-unpack": lambda given, p=packed: p.unpack(),
            "packed-astype": lambda given, p=packed: p.astype("float32"),
            "packed-array": lambda given, p=packed: np.asarray(p),
            "packed-rows": lambda given, p=packed: [p[1].data, p[2:4].data, len(p)],
            "packed-hash": lambda given, p=packed: [hash(p) == hash(p), p == p[:], p == 1],
            "packed-pickle": lambda given, p=packed: pickle.loads(pickle.dumps(p)).data,
        }
        yield from ((f"{what}-{name}", call) for what, call in calls.items())


def files(targets: Iterable[str]) -> Named:
    path = Path(tempfile.mkdtemp(prefix="castufunc-soak-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    tensors: dict[str, Any] = {}
    for name in OURS:
        if name in targets and castufunc.FORMATS[name].kind == "float":
            tensors[name] = np.ones((2, 4), castufunc.FORMATS[name].type)
    tensors["float32"] = np.ones(3, np.float32)
    safetensors.save_file(tensors, path / "given.safetensors")
    data = safetensors.save(tensors)

    def saved(given: Inputs) -> bytes:
        safetensors.save_file(tensors, path / "new.safetensors", {"key": "value"})
        return (path / "new.safetensors").read_bytes()

    yield "safetensors-save", lambda given: safetensors.save(tensors)
    yield "safetensors-save_file", saved
    if HAS_SAFETENSORS:  # which checks what is read
        yield "safetensors-load", lambda given: sorted(safetensors.load(data).items())
        yield (
            "safetensors-load_file",
            lambda given: sorted(safetensors.load_file(path / "given.safetensors").items()),
        )


def reports() -> Named:
    def table(given: Inputs) -> str:
        return report.format_table(report.measure(given.of["float32"]))

    yield "report", table


def onnx_tensors(targets: Iterable[str]) -> Named:
    from castufunc import onnx

    for name in targets:
        x = np.ones((2, 4), castufunc.dtype(name))
        yield f"onnx-{name}", lambda given, x=x: onnx.to_array(onnx.from_array(x, "x"))


def npy_files() -> Named:
    def archive(given: Inputs) -> list[Any]:
        file = io.BytesIO()
        np.savez(file, a=given.of["int4"], b=given.of["bfloat16"])
        file.seek(0)
        with np.load(file) as loaded:
            return [loaded["a"], loaded["b"]]

    yield "npz", archive


def other_calls(targets: Iterable[str]) -> Named:
    """All of them, with these types."""
    targets = list(targets)
    groups = [
        objects_and_lists(targets),
        packed_forms(targets),
        files(targets),
        reports(),
        npy_files(),
    ]
    if HAS_ONNX:
        groups.append(onnx_tensors(targets))
    for group in groups:
        yield from group
