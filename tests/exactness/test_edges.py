"""Wide sources next to every place where a result changes.

For float targets of up to 16 bits: every midpoint of neighbouring values and the end of the range,
the sources' own values at it and one ULP to both sides; integers where they lie near. From float64
an ULP is small enough to vanish on the way through float32: the double rounding trap. For
float8e8m0: every step of every rounding mode. For integers: the wrap boundaries. For float32 and
float64: a choice of midpoints.
"""

import pytest

from oracle import FORMATS, TYPES
from oracle.samples import edge_codes

from .harness import check, every_target


@pytest.mark.parametrize("source", [name for name in TYPES if FORMATS[name].bits > 16])
@every_target
def test_neighbours_of_every_step(source, target):
    check(source, target, edge_codes(source, target))
