"""Memory is given back, of results and of refusals."""

import tracemalloc

import numpy as np

from castufunc import PackedArray, cast_pack, pack, unpack, unpack_cast

from .forms import every_packed, own, random_array


@every_packed
def test_no_memory_is_kept(name):
    x = random_array(name, 100_001)
    wide = x.astype(np.float32)
    data = pack(x)
    short = data[:-1].copy()

    def calls():
        pack(x), pack(x[::-1]), cast_pack(wide, name)
        unpack(data, name, x.size), unpack_cast(data, name, x.size, "float64")
        p = PackedArray(data, name, x.size)
        p.unpack(), p.astype("int8"), np.asarray(p), p[:], PackedArray.from_array(wide, name)
        for call in (
            lambda: unpack(short, name, x.size),
            lambda: pack(wide),
            lambda: unpack(data, name, x.size, out=np.zeros(1, own(name))),
        ):
            try:
                call()
            except (TypeError, ValueError):
                continue
            raise AssertionError("not refused")

    calls()
    tracemalloc.start()
    try:
        calls()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(5):
            calls()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < data.nbytes / 2
