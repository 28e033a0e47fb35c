"""Every cast by every contestant, for asv: the time of a call.

Each figure comes from a process of its own, which has the target and no peer but the one that is
measured. A contestant that lacks the cast has no figure. Of the grid a few casts, sizes and layouts
are taken, unless the environment variable CASTUFUNC_BENCH says ``all``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from math import nan
from statistics import median

from castufunc import _core

from .cases import FLOAT8, FORMATS, NATIVE, casts
from .operands import LAYOUTS
from .peers import PEERS, installed
from .processes import measure

WHOLE_GRID = os.environ.get("CASTUFUNC_BENCH") == "all"
FEW = casts(["float32"], FLOAT8[:1], modes=False) + casts(FLOAT8[:1], ["float32"])
ALL = casts([*FORMATS, *NATIVE], FORMATS) + casts(FORMATS, NATIVE)


class Casts:
    params = (
        [str(cast) for cast in (ALL if WHOLE_GRID else FEW)],
        ["1k", "32k", "1M", "64M"] if WHOLE_GRID else ["32k"],
        [*LAYOUTS] if WHOLE_GRID else ["contiguous", "every second"],
        [*_core._targets()],
    )
    param_names = ("cast", "size", "layout", "target")
    unit = "seconds"
    timeout = 300


def tracker(name: str) -> Callable[..., float]:
    def track(self: Casts, cast: str, size: str, layout: str, target: str) -> float:
        best = target == _core._targets()[-1]
        if name in PEERS and not (name in installed() and (best or WHOLE_GRID)):
            return nan
        arguments = {"cast": cast, "size": size, "layout": layout, "names": [name]}
        (times,) = measure(target, [{"task": "race", "seconds": 0.02, **arguments}])
        return median(times[name]) if name in times else nan

    return track


for name in ("ours", "roof", *PEERS):
    setattr(Casts, f"track_{name}", tracker(name))
