"""Everything under exceptions that trap, and under x87 settings of the caller; as a program.

With glibc: by feenableexcept, and by the control word in its fenv_t. A trap ends the process. What
is wrong is printed, and "done".
"""

import ctypes
import ctypes.util
import sys

import numpy as np

import castufunc
from oracle import FORMATS, OURS, modes
from oracle.samples import mixed_codes

from .harness import PAIRS, array_of, cast, dtype_of, has_astype

ALL_EXCEPTIONS = 0x3D  # of x86: all but the one for subnormal operands, which C has no name for
X87_PRECISION = {"24 bits": 0x0000, "53 bits": 0x0200, "64 bits": 0x0300}
X87_ROUNDING = {"nearest": 0x0000, "down": 0x0400, "up": 0x0800, "zero": 0x0C00}

libm = ctypes.CDLL(ctypes.util.find_library("m"))


def environment():
    """fenv_t of x86-64: the control word of x87 comes first."""
    room = (ctypes.c_uint16 * 16)()
    libm.fegetenv(room)
    libm.fesetenv(room)  # fegetenv masks all of x87's exceptions
    return room


class Traps:
    """All exceptions trap inside."""

    name = "traps"

    def __enter__(self):
        libm.feclearexcept(0x3F)
        libm.feenableexcept(ALL_EXCEPTIONS)

    def __exit__(self, *_):
        self.after = libm.fegetexcept()
        libm.fedisableexcept(ALL_EXCEPTIONS)
        assert self.after == ALL_EXCEPTIONS, f"exceptions that trap afterwards: {self.after:#x}"


class X87:
    def __init__(self, precision, rounding):
        self.name = f"x87 with {precision}, {rounding}"
        self.control = 0x003F | X87_PRECISION[precision] | X87_ROUNDING[rounding]

    def __enter__(self):
        self.before = environment()
        changed = environment()
        changed[0] = self.control
        libm.fesetenv(changed)

    def __exit__(self, *_):
        found = environment()[0] & 0x0F3F
        libm.fesetenv(self.before)
        assert found == self.control, f"control word {self.control:#x} became {found:#x}"


def calls():
    """Names, and calls that return arrays of codes or texts."""
    for source, target in PAIRS:
        array = array_of(source, mixed_codes(source, target, 60))
        for mode in modes(target):
            yield f"{source} to {target} {mode}", lambda a=array, t=target, m=mode: cast(a, t, m)
            strided = np.repeat(array, 2)[::2]
            yield (
                f"{source} to {target} {mode}, strided",
                lambda a=strided, t=target, m=mode: cast(a, t, m),
            )
        if has_astype(source, target):
            dtype = dtype_of(target)
            yield f"{source} to {target} by astype", lambda a=array, d=dtype: a.astype(d)
    extended = np.array([1, 2, 16777217, -1e30, np.inf], "g") / 3
    texts = np.array(["0.1", "-1e300", "1e-320", "nan", "1" * 40])
    objects = np.array([1, 2**70, -0.1, "0.3", np.float16(0.1), castufunc.int4(3)], object)
    for name in OURS:
        own = array_of(name, mixed_codes(name, "float32", 60))
        yield f"longdouble to {name}", lambda t=name: castufunc.cast(extended, t)
        yield f"{name} to longdouble", lambda a=own: a.astype("g")
        yield f"text to {name}", lambda t=name: castufunc.cast(texts, t)
        yield f"objects to {name}", lambda t=name: castufunc.cast(objects, t)
        yield f"{name} to text", lambda a=own: castufunc.cast(a, "U")
        yield f"{name} to objects", lambda a=own: castufunc.cast(a, "string")
        if FORMATS[name].bits < 8:
            data = castufunc.pack(own)
            yield f"pack {name}", lambda a=own: castufunc.pack(a)
            yield f"cast_pack {name}", lambda t=name: castufunc.cast_pack(extended, t)
            yield (
                f"unpack_cast {name}",
                lambda d=data, t=name: castufunc.unpack_cast(d, t, 60, "float64"),
            )


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype.char in "gO":  # of long double not all bytes are the number's
        return repr(a.tolist()) == repr(b.tolist())
    return a.tobytes() == b.tobytes()


def main():
    states = [Traps(), *(X87(p, r) for p in X87_PRECISION for r in X87_ROUNDING)]
    for name, call in calls():
        expected = call()
        # The x87 unit has a say in few kernels: elsewhere the state that differs most will do.
        chosen = states if "longdouble" in name or "objects" in name else [states[0], states[4]]
        for state in chosen:
            try:
                with state:
                    result = call()
            except AssertionError as error:
                print(f"{name}, {state.name}: {error}", flush=True)
                continue
            if not same(result, expected):
                print(f"{name}, {state.name}: other results", flush=True)
    print("done")


if __name__ == "__main__":
    sys.exit(main())
