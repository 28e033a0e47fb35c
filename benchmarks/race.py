"""What is measured: casts of one case by several contestants, and the few things that are no cast.

Each function of `TASKS` gives times that were taken in turns, by contestant.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

import castufunc
from castufunc import _core

from .cases import FORMATS, Cast
from .operands import SIZES, Operands, codes_of
from .peers import peer
from .timing import Call, Times, interleave

Contestant = Callable[[Operands], Call]


def ours(operands: Operands) -> Call:
    return partial(fresh(operands), out=operands.out)


def fresh(operands: Operands) -> partial[object]:
    """Into a new array, for which the system may have to hand out memory."""
    cast = operands.cast
    return partial(castufunc.cast, operands.x, operands.out.dtype, **cast.mode)


def roof(operands: Operands) -> Call:
    """A copy that reads and writes as many bytes, and keeps the low ones of each element."""
    x, out = operands.codes
    if operands.layout == "contiguous" and hasattr(_core, "_roof"):
        return partial(_core._roof, x, out)
    return partial(np.copyto, out, x, casting="unsafe")


def fresh_ml_dtypes(operands: Operands) -> Call:
    x, out = operands.twins
    return partial(x.astype, out.dtype)


def of_one(contestant: Contestant, operands: Operands) -> Call:
    return contestant(Operands.of(operands.cast, 1))


CONTESTANTS: dict[str, Contestant] = {
    "ours": ours,
    "roof": roof,
    "fresh": fresh,
    "ours of one": partial(of_one, ours),
    "roof of one": partial(of_one, roof),
}


def call_of(name: str, operands: Operands) -> Call | None:
    """None if it is another library's and lacks the cast."""
    if name in CONTESTANTS:
        return CONTESTANTS[name](operands)
    rival = fresh_ml_dtypes if name == "fresh ml_dtypes" else peer(name).call
    try:
        call = rival(operands)
        call()
    except Exception:
        return None
    return call


def race(
    cast: str, size: str, names: Iterable[str], seconds: float, layout: str = "contiguous"
) -> Times:
    """All contestants by name; nothing if one of them lacks the cast."""
    operands = Operands.of(Cast.parse(cast), SIZES[size], layout)
    calls = {name: call_of(name, operands) for name in names}
    return interleave(calls, seconds) if all(calls.values()) else {}


def values(cast: str, seconds: float) -> Times:
    """The same cast of arrays that are full of one kind of number each, and of a mixture."""
    parsed = Cast.parse(cast)
    kinds = kinds_of_values(parsed, SIZES["64k"])
    calls = {kind: ours(Operands.from_values(parsed, numbers)) for kind, numbers in kinds.items()}
    return interleave(calls, seconds, rounds=30)


def kinds_of_values(cast: Cast, size: int) -> dict[str, np.ndarray]:
    source, target = castufunc.dtype(cast.source), FORMATS[cast.target]
    limits = np.finfo(source) if source.kind == "f" else FORMATS[cast.source]
    numbers = {
        "one": 1.0,
        "zero": 0.0,
        "NaN": np.nan,
        "infinite": np.inf,
        "subnormal in the source": limits.smallest_subnormal,
        "smallest in the target": target.smallest_subnormal or target.smallest_normal or 1,
        "overflowing": float(target.max) * 1.5,
    }
    full = {kind: castufunc.cast(np.full(size, number), source) for kind, number in numbers.items()}
    several = np.stack([codes_of(array) for array in full.values()])
    mixture = np.random.default_rng(1).choice(several[:, 0], size).view(source)
    return {"mixture": mixture, **full}


def one_element(target: str, seconds: float) -> Times:
    """The cost of a call: NumPy's own, and ours, all given an instance of a dtype."""
    x = np.ones(1, np.float32)
    dtype = castufunc.dtype(target)
    calls = {
        "numpy": partial(x.astype, np.dtype(np.float16)),
        "astype": partial(x.astype, dtype),
        "cast": partial(castufunc.cast, x, dtype),
    }
    return interleave(calls, seconds, rounds=30)


IMPORT = """
import time, numpy, ml_dtypes
start = time.perf_counter()
import castufunc
print(time.perf_counter() - start)
"""


def importing(seconds: float) -> Times:
    """In processes of their own, after NumPy and ml_dtypes."""
    command = [sys.executable, "-c", IMPORT]
    runs = max(5, round(seconds / 0.1))
    return {"import": [float(subprocess.check_output(command)) for _ in range(runs)]}


TASKS: dict[str, Callable[..., Times]] = {
    function.__name__: function for function in (race, values, one_element, importing)
}
