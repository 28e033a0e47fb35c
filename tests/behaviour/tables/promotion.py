"""Common types in both orders, and what mixed operands give."""

from ..rows import (
    FLOATS,
    INTS,
    NARROW,
    OWN,
    POWERS,
    SIGNED_FLOATS,
    SINGLE,
    WIDE,
    Error,
    Like,
    Surprise,
    Value,
    raising,
    table,
)

NUMBER_FIRST = "`np.result_type(1, a)`"

BOTH_ORDERS = [
    row
    for char in "bBhHiIlLqQfdgFDG"
    for row in table(
        "promotion",
        (f"types with {char}", f"np.promote_types(t, '{char}'), np.promote_types('{char}', t)",
         NARROW),
        (f"arrays with {char}",
         f"w = np.ones(2, '{char}'); np.concatenate([a, w]), np.concatenate([w, a])", NARROW),
    )
]  # fmt: skip

TYPES = table(
    "promotion",
    ("with itself", "np.promote_types(t, t), np.result_type(a, b, x, t)", OWN),
    ("with bool", "np.promote_types(t, '?'), np.promote_types('?', t)", OWN),
    ("with float16", "np.promote_types(t, 'e'), np.promote_types('e', t)",
     Value("np.dtype('f4'), np.dtype('f4')")),
    ("with object", "np.promote_types(t, 'O'), np.promote_types('O', t)", NARROW),
    ("with twin", "twin is None or (np.promote_types(t, twin), np.promote_types(twin, t))",
     Value("twin is None or (np.dtype(t), np.dtype(t))")),
    ("with another float", "f = cu.float6e2m3 if name == 'bfloat16' else cu.bfloat16; "
     "np.promote_types(t, f), np.promote_types(f, t)",
     Value("np.dtype('f4'), np.dtype('f4')")),
    ("with another integer", "k = cu.uint4 if name == 'int4' else cu.int4; "
     "np.promote_types(t, k), np.promote_types(k, t)",
     Value("np.dtype('i1'), np.dtype('i1')"), INTS),
    ("with datetime", "np.promote_types(t, 'M8[s]')", raising("DTypePromotionError")),
    ("with datetime, other order", "np.promote_types('M8[s]', t)", raising("DTypePromotionError")),
    ("with timedelta", "np.promote_types(t, 'm8[s]')",
     Error("DTypePromotionError", "common DType", "`datetime64`, `timedelta64`")),
    ("with a structure", "np.promote_types(t, [('p', 'i4')])", raising("DTypePromotionError")),
    ("array with a Python int", "np.result_type(a, 1)", OWN),
    ("array with a Python float", "np.result_type(a, 1.5)", OWN, FLOATS),
    ("integers with a Python float", "np.result_type(a, 1.5)", WIDE, INTS),
    ("array with a Python complex", "np.result_type(a, 1j)", WIDE),
    ("Python int first", "np.result_type(1, a)",
     Surprise("np.promote_types(t, 'u1')", NUMBER_FIRST)),
    ("Python float first", "np.result_type(1.5, a)", Surprise("np.dtype('f4')", NUMBER_FIRST)),
    ("common_type of integers", "np.common_type(a)", NARROW, INTS),
    ("common_type of floats", "np.common_type(a)",
     Error("TypeError", "can't get common type", "`np.common_type`"), FLOATS),
)  # fmt: skip

OPERANDS = table(
    "promotion",
    ("where of arrays", "np.where(h, a, b)", OWN),
    ("where with a number", "np.where(h, a, 1)", OWN),
    ("where with a number first", "np.where(h, 1, a)",
     Surprise("np.where(h, 1, a.astype('f4')).astype(np.promote_types(t, 'u1'))", NUMBER_FIRST)),
    ("where with float64", "np.where(h, a, np.float64(1)), np.where(h, np.float64(1), a)", NARROW),
    ("where with float32", "np.where(h, a, np.float32(1)), np.where(h, np.float32(1), a)", NARROW),
    ("array with a Python number", "np.array([x, 1.5])", SINGLE, FLOATS),
    ("list of float64 and scalar", "np.array([x, np.float64(1)]), np.array([np.float64(1), x])",
     NARROW),
    ("list of float32 and scalar", "np.array([x, np.float32(1)]), np.array([np.float32(1), x])",
     NARROW),
    ("add int", "a + 1, 1 + a", WIDE),
    ("add float", "a + 1.5, 1.5 + a", SINGLE),
    ("add complex", "a + 1j, 1j + a", SINGLE),
    ("add bool", "a + True, a + h, h + a", WIDE),
    ("add large int", "a + 1000, 1000 + a", WIDE),
    ("add int8", "a + np.int8(1), np.int8(1) + a", WIDE),
    ("add int64", "a + np.int64(1), np.int64(1) + a", NARROW, INTS),
    ("add int64 to floats", "a + np.int64(1), np.int64(1) + a", NARROW, FLOATS),
    ("add uint64", "a + np.uint64(1), np.uint64(1) + a", NARROW),
    ("add float16", "a + np.float16(1), np.float16(1) + a", SINGLE),
    ("add float32", "a + np.float32(1), np.float32(1) + a", SINGLE),
    ("add float64", "a + np.float64(1), np.float64(1) + a", NARROW),
    ("add longdouble", "a + np.longdouble(1), np.longdouble(1) + a", NARROW),
    ("add complex64", "a + np.complex64(1j), np.complex64(1j) + a", SINGLE),
    ("add float64 array", "w = np.ones(6); a + w, w + a", NARROW),
    ("add another float", "w = np.ones(6, cu.float6e3m2); (a + w), (w + a)", SINGLE, SIGNED_FLOATS),
    ("add another integer", "w = np.ones(6, cu.int4); a + w, w + a", WIDE, INTS),
    ("add float to integer", "w = np.ones(6, cu.bfloat16); a + w, w + a", SINGLE, INTS),
    ("add twin", "w = a if twin is None else a.astype(twin); a == w", OWN),
    ("compare with twin", "w = b if twin is None else b.astype(twin); a < w, w < a", OWN),
    ("add object", "a + np.array([1] * 6, object)", WIDE),
    ("scalar with scalar", "x + x, x * x, x - x", WIDE),
    ("scalar with Python numbers", "x + 1, 1 + x, x * 2, 2 * x", WIDE),
    ("scalar with Python float", "x + 1.5, 1.5 + x", SINGLE),
    ("scalar with NumPy scalars", "x + np.float64(1), np.float64(1) + x", NARROW),
    ("scalar with array", "x + a, a + x", WIDE),
    ("0-d with array", "o + a, a + o", WIDE),
    ("own with datetime", "a + np.datetime64('2000-01-01', 's')",
     raising("UFuncTypeError"), FLOATS),
    ("stack of two types", "np.stack([a, b.astype('f8')]), np.stack([b.astype('f8'), a])", NARROW),
    ("e8m0 with floats", "np.result_type(a, cu.bfloat16)", Like("float32"), POWERS),
)  # fmt: skip

ROWS = BOTH_ORDERS + TYPES + OPERANDS
