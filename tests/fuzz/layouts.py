"""Random types, layouts and arguments, each operation compared with the contiguous path.

``python -m fuzz.layouts --seed 7 --operations 100000``, in the folder tests, prints the seed and
the first operations that differ; the exit code is their number, at most 100.
"""

import argparse
import random
import sys
import time

import ml_dtypes
import numpy as np

import castufunc
from oracle import FORMATS, NATIVE, OURS

PACKABLE = [name for name in OURS if FORMATS[name].bits < 8]
TWINS = {castufunc.FORMATS[name].ml_dtypes for name in OURS}
FOREIGN = sorted(name for name in TWINS if hasattr(ml_dtypes, name))


def dtype_of(name):
    if name in FOREIGN and name not in OURS:
        return np.dtype(getattr(ml_dtypes, name))
    return np.dtype(getattr(castufunc, name) if name in OURS else name)


class Maker:
    """Makes arrays of random layouts from a generator of random numbers."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numpy = np.random.default_rng(self.random.getrandbits(64))

    def shape(self):
        dims = self.random.choice([0, 1, 1, 1, 2, 2, 3, 4])
        most = {0: 1, 1: 400, 2: 30, 3: 9, 4: 6}[dims]
        return tuple(self.random.choice([0, 1, 2, 3, *[most] * 6]) if self.random.random() < 0.1
                     else self.random.randint(1, most) for _ in range(dims))  # fmt: skip

    def laid_out(self, shape, dtype):
        """An array of this shape whose elements lie in memory in a random way, and its owner."""
        choose = self.random.random
        order = list(range(len(shape)))
        self.random.shuffle(order)
        steps = [self.random.choice([1, 1, 1, 2, 3, -1, -2]) for _ in shape]
        room = [shape[axis] * abs(steps[axis]) + self.random.randint(0, 2) for axis in order]
        if choose() < 0.15:  # a field of a record, at any offset
            before, behind = self.random.randint(0, 5), self.random.randint(0, 5)
            record = np.dtype({"names": ["x"], "formats": [dtype], "offsets": [before],
                               "itemsize": before + dtype.itemsize + behind})  # fmt: skip
            owner = np.zeros(room, record)
            array = owner["x"]
        else:
            offset = self.random.randint(1, 63) if choose() < 0.3 else 0
            size = int(np.prod(room, dtype=np.int64)) * dtype.itemsize
            owner = np.zeros(size + offset, np.uint8)
            array = owner[offset:].view(dtype).reshape(room)
        array = array.transpose(np.argsort(order)) if shape else array
        cut = []
        for length, step in zip(shape, steps, strict=True):
            piece = slice(None, length * step, step) if step > 0 else slice(None, None, step)
            cut.append(piece)
        return array[(*cut, ...)][(*map(slice, shape), ...)]

    def codes(self, name, shape):
        """A contiguous array of random bits of a type; of floats many are near one."""
        dtype = dtype_of(name)
        if name == "bool":
            return self.numpy.integers(0, 2, shape).astype(bool)
        if self.random.random() < 0.5 and dtype.kind in "fV":
            numbers = self.numpy.standard_normal(shape) * 10.0 ** self.random.randint(-6, 6)
            with np.errstate(over="ignore"):
                return np.asarray(numbers, dtype)
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        return np.frombuffer(self.numpy.bytes(size), dtype).reshape(shape).copy()

    def source(self, name):
        """(the array as it lies, the same contiguous and in native order)."""
        plain = self.codes(name, self.shape())
        dtype = plain.dtype
        if name in NATIVE and dtype.itemsize > 1 and self.random.random() < 0.2:
            dtype = dtype.newbyteorder()
        x = self.laid_out(plain.shape, dtype)
        x[...] = plain
        # Bits of NaN that a copy between byte orders keeps.
        if plain.ndim and self.random.random() < 0.15:
            extra = self.random.randint(1, 3)
            x = np.broadcast_to(x, (extra, *x.shape))
            plain = np.ascontiguousarray(np.broadcast_to(plain, x.shape))
        if self.random.random() < 0.2:
            x.flags.writeable = False
        return x, plain


def same(got, wanted):
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return False
    return got.tobytes() == wanted.tobytes()


class Operations:
    """Each method does one thing in two ways, and gives both results."""

    def __init__(self, seed):
        self.make = Maker(seed)
        self.choose = self.make.random.choice

    def modes(self):
        return {"saturate": self.choose([True, False]),
                "round_mode": self.choose(["up", "down", "nearest"])}  # fmt: skip

    def types(self):
        sources = [*NATIVE, *OURS, *OURS, *FOREIGN]
        return self.choose(sources), self.choose([*NATIVE, *OURS, *OURS])

    def cast(self):
        source, target = self.types()
        x, plain = self.make.source(source)
        modes = self.modes()
        wanted = castufunc.cast(plain, target, **modes)
        workers = self.choose([None, None, 2])
        return castufunc.cast(x, target, workers=workers, **modes), wanted, (source, target, x)

    def cast_into(self):
        source, target = self.types()
        x, plain = self.make.source(source)
        modes = self.modes()
        wanted = castufunc.cast(plain, target, **modes)
        out = self.make.laid_out(x.shape, dtype_of(target))
        around = owner_of(out)
        nothing = np.zeros(out.dtype.itemsize, np.uint8).view(out.dtype)[0]
        where = True
        if self.choose([False, False, True]):
            where = np.asarray(self.make.numpy.integers(0, 2, x.shape)).astype(bool)
            wanted[~where] = nothing
        result = castufunc.cast(x, target, out=out, where=where, **modes)
        if result is not out:
            raise AssertionError("another array than out")
        written = out.copy()
        out[...] = nothing
        if around.any():
            raise AssertionError("wrote outside of out")
        return written, wanted, (source, target, x)

    def cast_onto_itself(self):
        source, target = self.types()
        n = self.make.random.randint(0, 300)
        room = self.make.codes("uint8", (n * 40 + 64,))
        given, wanted_type = dtype_of(source), dtype_of(target)

        def part(dtype):
            start = self.make.random.randint(0, 40)
            step = self.choose([1, 1, 2, 3])
            array = room[start:][: n * step * dtype.itemsize].view(dtype)[::step]
            return array[:: self.choose([1, 1, -1])]

        if source == "bool":
            room &= 1
        x, out = part(given), part(wanted_type)
        modes = self.modes()
        wanted = castufunc.cast(x.copy(), target, **modes)
        castufunc.cast(x, target, out=out, **modes)
        return out.copy(), wanted, (source, target, x)

    def astype(self):
        source, target = self.types()
        if source not in OURS and target not in OURS:
            target = self.choose(list(OURS))
        x, plain = self.make.source(source)
        return x.astype(dtype_of(target)), plain.astype(dtype_of(target)), (source, target, x)

    def pack(self):
        source = self.choose([*NATIVE, *OURS])
        target = self.choose(PACKABLE)
        x, plain = self.make.source(source)
        modes = self.modes()
        wanted = castufunc.pack(castufunc.cast(plain, target, **modes))
        return castufunc.cast_pack(x, target, **modes), wanted, (source, target, x)

    def unpack(self):
        source, target = self.choose(PACKABLE), self.choose([*NATIVE, *OURS])
        codes = self.make.codes(source, self.make.shape())
        data = castufunc.pack(codes)
        modes = self.modes()
        out = self.make.laid_out(codes.shape, dtype_of(target))
        wanted = castufunc.cast(castufunc.unpack(data, source, codes.shape), target, **modes)
        castufunc.unpack_cast(data, source, codes.shape, target, out=out, **modes)
        return out, wanted, (source, target, out)

    def packed_array(self):
        name = self.choose(PACKABLE)
        codes = self.make.codes(name, self.make.shape() or (1,))
        packed = castufunc.PackedArray.from_array(codes, name)
        plain = castufunc.unpack(castufunc.pack(codes), name, codes.shape)
        # Four rows always fill whole bytes.
        low = 4 * self.make.random.randint(0, codes.shape[0] // 4)
        high = self.choose([codes.shape[0], low, low + (codes.shape[0] - low) // 4 * 4])
        return packed[low:high].unpack(), plain[low:high], (name, name, codes)

    def run(self):
        names = ("cast", "cast", "cast_into", "cast_into", "cast_onto_itself", "astype", "pack",
                 "unpack", "packed_array")  # fmt: skip
        name = self.choose(names)
        got, wanted, (source, target, x) = getattr(self, name)()
        if same(got, wanted):
            return None
        return f"{name}: {source} to {target}, shape {x.shape}, strides {x.strides}, {x.dtype.str}"


def owner_of(array):
    while array.base is not None:
        array = array.base
    return array.reshape(-1).view(np.uint8)


def differences(seed, operations):
    """Descriptions of the operations that differ, each with the number that repeats it alone."""
    found = []
    for number in range(operations):
        try:
            difference = Operations(f"{seed} {number}").run()
        except Exception as error:
            difference = f"{type(error).__name__}: {error}"
        if difference:
            found.append(f"seed {seed}, number {number}: {difference}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--operations", type=int, default=10_000)
    parser.add_argument("--number", type=int, help="one operation alone")
    options = parser.parse_args()
    print("seed", options.seed, flush=True)
    if options.number is not None:
        print(Operations(f"{options.seed} {options.number}").run())
        return 0
    start = time.monotonic()
    found = differences(options.seed, options.operations)
    print(*found[:20], sep="\n")
    print(f"{options.operations} operations in {time.monotonic() - start:.0f} s, "
          f"{len(found)} differ")  # fmt: skip
    return min(len(found), 100)


if __name__ == "__main__":
    sys.exit(main())
