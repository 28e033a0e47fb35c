"""Arrays as text. A float prints as its float32 scalar does: NumPy aligns its own floats only."""

from ..rows import (
    FLOATS,
    INTS,
    OWN,
    SIGNED_FLOATS,
    WITH_INF,
    WITH_NAN,
    Surprise,
    Value,
    raising,
    since,
    table,
)

OPTIONS = "`np.set_printoptions`"

# NumPy 2.5 spells a dtype in a repr by its name, in quotes if it is more than letters and digits.
DTYPE = since(
    "2.5",
    "(a.dtype.name if a.dtype.name.isalnum() else repr(a.dtype.name))",
    before="('castufunc.' + name)",
)
# ... and prints the numbers of all user types one by one, so that it doesn't align integers.
INTEGERS = since(
    "2.5", Value("'[' + ' '.join(str(k) for k in a.tolist()) + ']'"), before=OWN
)  # fmt: skip
# ... and since NumPy 2.2 the shape too where elements are left out.
SHAPE = since("2.2", "shape=(2000,),", before="")


def floats(array):
    """What an array of them prints as, in one line."""
    return f"'[' + ' '.join(str(np.float32(k)) for k in {array}.tolist()) + ']'"


ROWS = table(
    "printing",
    ("str of floats", "str(a)", Value(floats("a")), FLOATS),
    ("str of floats, typed out", "str(np.array([1.5, -2, 0, 0.5], t))",
     Value("'[1.5 -2.0 0.0 0.5]'"),
     SIGNED_FLOATS),
    ("str of integers", "str(a)", INTEGERS, INTS),
    ("str of integers, typed out", "str(np.array([0, 1, 1], t))", Value("'[0 1 1]'"), INTS),
    ("str of NaN", "str(n)", Value(floats("n")), WITH_NAN),
    ("str of infinities", "str(v)", Value(floats("v")), WITH_INF),
    ("str of 2-D", "str(np.ones((2, 2), t))", Value("'[[1.0 1.0]\\n [1.0 1.0]]'"), FLOATS),
    ("str of 2-D integers", "str(np.ones((2, 2), t))", Value("'[[1 1]\\n [1 1]]'"), INTS),
    ("str of 0-d", "str(o), f'{o}'", Value("str(x), str(x)")),
    ("format of 0-d", "f'{o:.2f}'", Value("f'{o.item():.2f}'")),
    ("format of an array", "f'{a}' == str(a)", Value("True")),
    ("format of an array with a spec", "f'{a:.2f}'", raising("TypeError")),
    ("str of nothing", "str(a[:0])", OWN),
    ("repr of floats", "repr(np.ones(2, t))",
     Value(f"'array([1.0, 1.0], dtype=' + {DTYPE} + ')'"), FLOATS),
    ("repr of integers", "repr(np.ones(2, t))",
     Value(f"'array([1, 1], dtype=' + {DTYPE} + ')'"), INTS),
    ("repr of 0-d", "repr(np.array(1, t))",
     Value(f"'array(' + str(t(1)) + ', dtype=' + {DTYPE} + ')'")),
    ("repr of nothing", "repr(np.array([], t))", Value(f"'array([], dtype=' + {DTYPE} + ')'")),
    ("repr of many", "''.join(repr(np.ones(2000, t)).split())",
     Value("'array([' + ','.join([str(t(1))] * 3 + ['...'] + [str(t(1))] * 3) + "
           f"'],{SHAPE}dtype=' + {DTYPE} + ')'")),
    ("str of many", "str(np.ones(2000, t))",
     Value("'[' + ' '.join([str(t(1))] * 3) + ' ... ' + ' '.join([str(t(1))] * 3) + ']'")),
    ("lines", "str(np.ones(100, t)).splitlines()[0]",
     Value("'[' + ' '.join([str(t(1))] * (18 if str(t(1)) == '1.0' else 37))")),
    ("array_str, array_repr", "np.array_str(a) == str(a), np.array_repr(a) == repr(a)", OWN),
    ("array2string", "np.array2string(np.ones(2, t), separator=', ')",
     Value("'[' + str(t(1)) + ', ' + str(t(1)) + ']'")),
    ("formatter for all", "np.array2string(a, formatter={'all': lambda k: f'<{float(k)}>'})",
     Value("'[' + ' '.join(f'<{k}>' for k in a.astype('f8').tolist()) + ']'")),
    ("precision", "np.array2string(np.array([1.5, 0.5], t), precision=0)",
     Surprise("'[1.5 0.5]'", OPTIONS), SIGNED_FLOATS),
    ("threshold", "with np.printoptions(threshold=3, edgeitems=1): c = str(np.ones(9, t))\nc",
     Value("'[' + str(t(1)) + ' ... ' + str(t(1)) + ']'")),
    ("repr of a structure", "repr(st[:1])", Value("f'array([({x}, 0)], {repr(st.dtype)})'"
     ".replace('dtype(', 'dtype=').replace('))', ')')")),
    ("str of a structure", "str(st[:1])", Value("f'[({x}, 0)]'")),
    ("str of objects", "str(np.array([x], object))", Value("f'[{x}]'")),
    ("str of a mask", "str(ma)", Value("str(ma.astype(object))")),
    ("savetxt", "f = io.StringIO(); np.savetxt(f, m); f.getvalue()", OWN),
    ("savetxt with a format", "f = io.StringIO(); np.savetxt(f, a, fmt='%.2f'); f.getvalue()", OWN),
    ("savetxt of integers", "f = io.StringIO(); np.savetxt(f, m, fmt='%d', delimiter=','); "
     "f.getvalue()", OWN, INTS),
    ("tofile as text", "a.tofile(path / 'a', sep=' '); (path / 'a').read_text()",
     Value("' '.join(map(str, a.tolist()))")),
    ("tofile with a format", "a.tofile(path / 'a', sep=';', format='%.1f'); "
     "(path / 'a').read_text()",
     OWN),
)  # fmt: skip
