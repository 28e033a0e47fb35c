"""Eight threads parse and print at once; arrays of one StringDType share its lock."""

import numpy as np
import pytest

import castufunc
from exactness.harness import array_of, codes_of
from exactness.threads import run_together
from oracle import OURS, TYPES
from oracle.samples import mixed_codes

from .containers import CONTAINERS, STRING, texts_of


class Job:
    """Numbers of a type, their texts in every container, and both ways between them."""

    def __init__(self, name, count):
        self.name = name
        self.array = array_of(name, mixed_codes(name, "float16", count))
        self.texts = castufunc.cast(self.array, "string").tolist()
        self.containers = {c: castufunc.cast(self.array, to) for c, to in CONTAINERS.items()}
        self.codes = codes_of(castufunc.cast(self.containers["object"], name)).tolist()

    def run(self):
        for container, to in CONTAINERS.items():
            given = self.containers[container]
            assert texts_of(castufunc.cast(self.array, to)) == self.texts
            assert codes_of(castufunc.cast(given, self.name)).tolist() == self.codes
            if self.name in OURS and container != "object":
                assert texts_of(self.array.astype(to)) == self.texts
                assert codes_of(given.astype(self.array.dtype)).tolist() == self.codes


def test_shared_arrays(eager_switching, amount):
    """Arrays of texts are shared, and all StringDType results are of one dtype object."""
    jobs = [Job(name, amount(300, 3000)) for name in TYPES]

    def work(number):
        rng = np.random.default_rng(number)
        for i in rng.permutation(len(jobs)):
            jobs[i].run()

    run_together(work)


def test_one_string_dtype_for_reading_and_writing(eager_switching, amount):
    """The lock is the dtype's: one thread's source and another's result wait for each other."""
    numbers = np.arange(2000) % 100
    dtype = np.dtypes.StringDType()
    texts = numbers.astype("U").astype(dtype)
    own = castufunc.cast(numbers, "bfloat16")
    rounds = amount(30, 500)

    def work(number):
        out = np.empty(numbers.size, dtype)
        for i in range(rounds):
            match (number + i) % 4:
                case 0:
                    assert (castufunc.cast(texts, "int16") == numbers).all()
                case 1:
                    assert (castufunc.cast(numbers, dtype, out=out) == texts).all()
                case 2:
                    assert (texts.astype(castufunc.bfloat16) == own).all()
                case 3:
                    out[...] = own
                    assert (out == texts).all()

    run_together(work)


def test_elements_of_the_same_dtype(eager_switching, amount):
    """NumPy keeps the GIL while it waits for the lock: who has the lock must not want the GIL.

    The texts have so many digits that no short cut reads or prints them.
    """
    numbers = np.random.default_rng(5).normal(size=1000)
    texts = castufunc.cast(numbers, STRING)
    expected = texts.tolist()
    rounds = amount(30, 500)

    def work(number):
        for _ in range(rounds):
            if number % 2:
                assert texts.tolist() == expected
            else:
                assert (castufunc.cast(texts, "float64") == numbers).all()
                assert (castufunc.cast(numbers, STRING) == texts).all()

    run_together(work)


def test_refusals_amid_results(eager_switching, amount):
    """An exception takes the GIL, which another thread may hold while it waits for the lock."""
    texts = np.array(["1", "2", "3"] * 500, STRING)
    broken = texts.copy()
    broken[1000] = "x" * 50
    missing = np.array(["1"] * 1000 + [None], np.dtypes.StringDType(na_object=None))
    wide = castufunc.cast(np.full(1000, 12345), "float64")
    rounds = amount(20, 300)

    def work(number):
        for i in range(rounds):
            if (number + i) % 2:
                assert castufunc.cast(texts, "int8").sum() == 3000
            else:
                with pytest.raises(ValueError, match="at index 1000"):
                    castufunc.cast(broken, "float32")
                with pytest.raises(ValueError, match="cannot read"):
                    broken.astype(castufunc.int4)
                with pytest.raises(ValueError, match="missing"):
                    missing.astype(castufunc.int4)
                with pytest.raises(ValueError, match="does not fit"):
                    castufunc.cast(wide, "U4")

    run_together(work)
