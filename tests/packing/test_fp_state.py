"""The caller's floating-point state changes nothing in a packed form, and is left as it was."""

import numpy as np

import castufunc
from castufunc import _core, cast_pack, pack, unpack_cast
from exactness.test_fp_state import SETTINGS, run

from .forms import every_packed


@every_packed
def test_the_state_of_the_caller(name):
    """Flushing and rounding, as the caller has set them, change nothing and are left alone."""
    wide = np.array([2.5, -0.75, 1e-310, -5e-324, 1e300, 0.1, np.nan, -0.0, 2.0**-1022] * 9)
    x = castufunc.cast(wide, name)
    data = pack(x)
    half = unpack_cast(data, name, x.size, "bfloat16").tobytes()
    for settings in SETTINGS:
        state = _core._make_fp_state(**settings)
        for call, expected in [
            (lambda: cast_pack(wide, name).tobytes(), data.tobytes()),
            (lambda: cast_pack(wide[::-1][::-1], name).tobytes(), data.tobytes()),
            (lambda: unpack_cast(data, name, x.size, "bfloat16").tobytes(), half),
            (lambda: pack(x).tobytes(), data.tobytes()),
        ]:
            got, after = run(state, call)
            assert got == expected, settings
            assert after == state, settings
