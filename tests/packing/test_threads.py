"""Eight threads pack and unpack at once, arrays shared and not."""

import numpy as np
import pytest

from castufunc import PackedArray, cast_pack, pack, unpack, unpack_cast
from exactness.threads import THREADS, run_together

from .forms import PACKED, bytes_of, codes_of, random_array, size_of


class Job:
    """A packed tensor in the forms that all threads read, and its answers."""

    def __init__(self, name, shape):
        self.name, self.shape = name, shape
        self.x = random_array(name, shape)
        self.wide = self.x.astype(np.float32)
        self.data = bytes_of(codes_of(self.x).ravel(), PACKED[name])
        self.packed = PackedArray(self.data, name, shape)

    def run(self):
        assert pack(self.x).tobytes() == self.data
        assert pack(self.x.T).size == len(self.data)
        assert cast_pack(self.wide, self.name).tobytes() == self.data
        assert (codes_of(unpack(self.data, self.name, self.shape)) == codes_of(self.x)).all()
        out = np.zeros(self.shape, np.float32)
        unpack_cast(self.data, self.name, self.shape, "float32", out=out)
        assert (out == self.wide).all()
        assert (self.packed.astype("float32") == self.wide).all()
        assert (self.packed[1:].unpack() == self.x[1:]).all()
        with pytest.raises(ValueError, match="data has"):
            unpack(self.data[:-1], self.name, self.shape)


def test_threads(amount):
    jobs = [Job(name, shape) for name in PACKED for shape in [(5, 8), (33, 64), (70, 100)]]

    def work(number):
        rng = np.random.default_rng(number)
        for _ in range(amount(5, 100)):
            for i in rng.permutation(len(jobs)):
                jobs[i].run()

    run_together(work)


def test_each_thread_packs_its_part_of_one_array():
    """Eight elements always fill whole bytes, so parts of a multiple of 8 can be packed alone."""
    for name, bits in PACKED.items():
        part = 8 * 1000
        x = random_array(name, part * THREADS)
        packed = np.zeros(size_of(bits, x.size), np.uint8)
        size = size_of(bits, part)

        def work(i, x=x, packed=packed, size=size, part=part):
            pack(x[i * part : (i + 1) * part], out=packed[i * size : (i + 1) * size])

        run_together(work)
        assert packed.tobytes() == pack(x).tobytes()
