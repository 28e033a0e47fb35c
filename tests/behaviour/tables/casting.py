"""astype and its relatives, and what can be cast."""

from ..rows import (
    BYTES,
    FLOATS,
    INTS,
    NARROW,
    OWN,
    POWERS,
    SIGNED_FLOATS,
    SINGLE,
    WITH_NAN,
    WITH_ZERO,
    Error,
    Surprise,
    Value,
    raising,
    table,
)

DATES = Error("TypeError", "[Cc]annot cast .*[Mm]8", "`datetime64`, `timedelta64`")
IMAGINARY = "`a.imag`, `np.isreal`"

BY_TYPE = [
    row
    for char in "?bBhHiIlLqQefdgFDGO"
    for row in table(
        "casting",
        # Numbers that every type has: NumPy's own casts of the others depend on the processor.
        (f"astype {char}", f"np.array([1, 0, 1], t).astype('{char}')", NARROW, WITH_ZERO),
        (f"from {char}", f"np.array([1, 0, 1], '{char}').astype(t)", OWN, WITH_ZERO),
    )
]

ASTYPE = table(
    "casting",
    ("astype float32", "a.astype('f4'), m.T.astype('f4'), a[::2].astype('f4')", SINGLE),
    ("astype int64", "a.astype('i8')", NARROW),
    ("astype swapped", "a.astype('>f8'), a.astype('>i4')", NARROW),
    ("from swapped", "np.array([1, 0, 1], '>f8').astype(t)", OWN, WITH_ZERO),
    ("from float64", "a.astype('f8').astype(t)", OWN),
    ("between two types", "a.astype(cu.bfloat16).astype(t)", OWN),
    ("to itself", "a.astype(t)", OWN),
    ("to itself without a copy", "a.astype(t, copy=False) is a", OWN),
    ("to the twin", "twin is None or (a.astype(twin).astype('f4'), a.astype(twin).dtype)",
     Value("twin is None or (a.astype('f4'), np.dtype(twin))")),
    ("from the twin", "a if twin is None else a.astype(twin).astype(t)", OWN),
    ("order", "m.astype('f4', order='F').flags.f_contiguous", NARROW),
    ("safe to float32", "a.astype('f4', casting='safe')", NARROW),
    ("safe to int16 is refused", "a.astype('i2', casting='safe')", raising("TypeError"), FLOATS),
    ("same_kind to integer is refused", "a.astype('i8', casting='same_kind')",
     raising("TypeError"), FLOATS),
    ("same_kind from float64", "np.ones(2).astype(t, casting='same_kind')", OWN, FLOATS),
    ("same_kind from float64 is refused", "np.ones(2).astype(t, casting='same_kind')",
     raising("TypeError"), INTS),
    ("NaN", "n.astype('f4'), n.astype('f2'), n.astype('f8')", SINGLE, WITH_NAN),
    ("NaN comes in", "np.array([np.nan, 1.0]).astype(t)", OWN, WITH_NAN),
    ("out of range wraps", "np.array([200, -9, 3]).astype(t)",
     Value("cu.cast(np.array([200, -9, 3]), t)"), INTS),
    ("out of range saturates", "np.array([np.inf, 1e40, -1e40]).astype(t)",
     Value("cu.cast(np.array([np.inf, 1e40, -1e40]), t)"), FLOATS),
    ("no floating-point errors", "with np.errstate(all='raise'): c = np.array([1e30]).astype(t)\nc",
     Value("cu.cast(np.array([1e30]), t)")),
    ("complex warns", "np.array([1 + 2j]).astype(t)", OWN),
    ("to bool", "np.array([1, 0, 1], t).astype(bool)", OWN, WITH_ZERO),
    ("bool without a zero", "np.array([False, True]).astype(t).astype(bool)",
     Surprise("np.array([True, True])", "`np.zeros(n, castufunc.float8e8m0)`"), POWERS),
    ("object and back", "a.astype(object).astype(t)", OWN),
    ("objects are numbers", "a.astype(object)", NARROW),
    ("signed zeros", "np.array([-0.0, 0.0], t).astype('f4')",
     Value("cu.cast(np.array([-0.0, 0.0], t), 'float32')"), SIGNED_FLOATS),
    ("datetime", "a.astype('M8[s]')", DATES),
    ("from datetime", "np.zeros(2, 'M8[s]').astype(t)", DATES),
    ("np.astype", "np.astype(a, np.float64)", NARROW),
    ("asarray", "np.asarray(a, 'f8'), np.asarray([a, b], 'f4')", NARROW),
    ("asarray_chkfinite", "np.asarray_chkfinite(a)", OWN),
)  # fmt: skip

COPYING = table(
    "casting",
    ("copyto", "c = np.empty(6, 'f4'); np.copyto(c, a); c", NARROW),
    ("copyto where", "np.copyto(a, b, where=h); a", OWN),
    ("copyto of a number", "np.copyto(a, 1); a", OWN),
    ("copyto refuses", "np.copyto(np.empty(6, 'i8'), a)", raising("TypeError"), FLOATS),
    ("assignment casts", "a[:] = np.array([1, 1, 1, 0, 0, 1.0]); a", OWN, WITH_ZERO),
    ("view as bytes", "a.view(np.uint8).astype(np.uint8).size", Value("a.nbytes"), BYTES),
    ("view as V", "a.view(f'V{a.itemsize}').view(t)", OWN),
)  # fmt: skip

QUESTIONS = table(
    "casting",
    ("can_cast to wider", "[np.can_cast(t, k) for k in ['f4', 'f8', 'g', 'c8', 'c16', 'O']]",
     SINGLE),
    ("can_cast from", "[np.can_cast(k, t) for k in ['i8', 'f8', 'c16', 'O']]", OWN),
    ("can_cast to integers", "[np.can_cast(t, k, 'same_kind') for k in ['i1', 'i8', 'u8']]",
     NARROW, FLOATS),
    ("can_cast of integers", "np.can_cast(t, 'i8'), np.can_cast(t, 'f4')", NARROW, INTS),
    ("can_cast of integers to int16", "np.can_cast(t, 'i2')",
     Surprise("False", "`np.can_cast(castufunc.int4, np.int16)`"), INTS),
    ("can_cast same_kind", "[np.can_cast(t, k, 'same_kind') for k in ['f2', 'f4']]",
     SINGLE, FLOATS),
    ("can_cast to bool", "np.can_cast(t, '?'), np.can_cast(t, '?', 'unsafe')", NARROW),
    ("can_cast to the twin", "twin is None or np.can_cast(t, twin, 'equiv')", OWN),
    ("can_cast of dates", "np.can_cast('M8[s]', t), np.can_cast(t, 'M8[s]', 'same_kind')", NARROW),
    ("min_scalar_type", "np.min_scalar_type(a)", OWN),
    ("result_type", "np.result_type(a), np.result_type(x, a)", OWN),
    ("complex or not", "np.iscomplexobj(a), np.isrealobj(a), np.iscomplex(a)", OWN),
    ("isreal", "np.isreal(a)", OWN, WITH_ZERO),
    ("isreal without a zero", "np.isreal(a)", Surprise("np.zeros(6, bool)", IMAGINARY), POWERS),
)  # fmt: skip

ROWS = BY_TYPE + ASTYPE + COPYING + QUESTIONS
