"""NumPy's helpers: testing, iterators, functional tools, random numbers, limits."""

from ..rows import (
    FLOATS,
    INTS,
    OWN,
    WIDE,
    WITH_NAN,
    WITH_ZERO,
    Error,
    Value,
    raising,
    since,
    table,
)

UNEQUAL = Error("AssertionError", "not equal", "`np.testing.assert_array_equal`")
NOT_DRAWN = Error("TypeError", "[Uu]nsupported dtype", "`Generator.random`, `Generator.integers`")

TESTING = table(
    "testing",
    ("assert_array_equal", "np.testing.assert_array_equal(a, a.copy())", OWN),
    ("assert_array_equal fails", "np.testing.assert_array_equal(a, b)", raising("AssertionError")),
    ("assert_array_equal of NaN", "np.testing.assert_array_equal(n, n.copy())",
     since("2.4", OWN, before=UNEQUAL), WITH_NAN),
    ("assert_array_equal with a number", "np.testing.assert_array_equal(np.ones(3, t), 1)", OWN),
    ("assert_array_equal of types", "np.testing.assert_array_equal(a, a.astype('f8'))", OWN),
    ("assert_array_equal strict", "np.testing.assert_array_equal(a, a.astype('f8'), strict=True)",
     raising("AssertionError")),
    ("assert_equal", "np.testing.assert_equal(a, a.copy()); np.testing.assert_equal(x, x)", OWN),
    ("assert_equal fails", "np.testing.assert_equal(x, a[1])", raising("AssertionError")),
    ("assert_equal of NaN", "np.testing.assert_equal(n[1], n[5])", OWN, WITH_NAN),
    ("assert_allclose", "np.testing.assert_allclose(a, a.astype('f8'))", OWN),
    ("assert_allclose fails", "np.testing.assert_allclose(a, b)", raising("AssertionError")),
    ("assert_allclose of NaN", "np.testing.assert_allclose(n, n)", OWN, WITH_NAN),
    ("assert_array_almost_equal", "np.testing.assert_array_almost_equal(a, a.astype('f4'))", OWN),
    ("assert_almost_equal", "np.testing.assert_almost_equal(x, x.item())", OWN),
    ("assert_array_less", "np.testing.assert_array_less(a, a.astype('f8') + 1)", OWN),
    ("assert_array_max_ulp", "np.testing.assert_array_max_ulp(a, a)",
     Error("TypeError", "can't get common type", "`np.testing.assert_array_max_ulp`"), FLOATS),
    ("assert_array_almost_equal_nulp", "np.testing.assert_array_almost_equal_nulp(a, a)",
     OWN, FLOATS),
    ("assert_equal of lists", "np.testing.assert_equal([x, a[1]], [x, a[1]]); "
     "np.testing.assert_equal({'k': a}, {'k': a.copy()})", OWN),
    ("assert_array_less fails", "np.testing.assert_array_less(a, a)", raising("AssertionError")),
    ("assert_array_almost_equal fails", "np.testing.assert_array_almost_equal(a, a + 1)",
     raising("AssertionError")),
    ("assert_allclose by tolerance", "np.testing.assert_allclose(a, a + 0.25, atol=0.25)", OWN),
    ("assert_allclose of scalars", "np.testing.assert_allclose(x, x.item()); "
     "np.testing.assert_allclose(x, float(x) + 9)", raising("AssertionError")),
    ("assert_array_equal of shapes", "np.testing.assert_array_equal(a, m)",
     raising("AssertionError")),
    ("assert_array_equal of nothing", "np.testing.assert_array_equal(a[:0], b[:0])", OWN),
    ("assert_approx_equal", "np.testing.assert_approx_equal(x, x)", OWN),
)  # fmt: skip

ITERATORS = table(
    "iterators",
    ("nditer", "[k.copy() for k in np.nditer(m)]", OWN),
    ("nditer in order", "[k.item() for k in np.nditer(m, order='F')]", OWN),
    ("nditer with casts", "[k.copy() for k in np.nditer(a, op_dtypes=['f8'], flags=['buffered'])]",
     OWN),
    ("nditer external loop", "[k.copy() for k in np.nditer(m, flags=['external_loop'])]", OWN),
    ("nditer buffered", "[k.copy() for k in np.nditer(m.T, flags=['external_loop', 'buffered'], "
     "order='C')]", OWN),
    ("nditer writes", "with np.nditer(a, op_flags=['readwrite']) as k:\n"
     " for e in k: e[...] = 1\na", OWN),
    ("nditer of two", "[(p.item(), r.item()) for p, r in np.nditer([m, b[:3]])]", OWN),
    ("nditer allocates", "k = np.nditer([a, None]); k.operands[1].dtype", OWN),
    ("nditer common type", "np.nditer([a, np.ones(6, 'f8')], flags=['common_dtype', 'buffered'])"
     ".dtypes", OWN),
    ("multi_index", "k = np.nditer(m, flags=['multi_index']); k.multi_index, k[0].copy()", OWN),
    ("ndenumerate", "list(np.ndenumerate(m))", OWN),
    ("broadcast", "[p + r for p, r in np.broadcast(m, b[:3])]", WIDE),
    ("vectorize", "np.vectorize(lambda k: k + 1)(a)", WIDE),
    ("vectorize to own type", "np.vectorize(lambda k: 1, otypes=[t])(a)", OWN),
    ("vectorize with a signature", "np.vectorize(np.sum, signature='(k)->()')(m)", WIDE),
    ("frompyfunc", "np.frompyfunc(lambda k, l: k + l, 2, 1)(a, b)", WIDE),
    ("apply_along_axis", "np.apply_along_axis(lambda k: k[::-1], 1, m)", OWN),
    ("apply_along_axis sum", "np.apply_along_axis(np.sum, 0, m)", WIDE),
    ("nested_iters", "[[k.item() for k in np.nested_iters(m, [[0], [1]])[1]]]", OWN),
    ("nditer reversed", "[k.item() for k in np.nditer(a[::-1], order='C')]", OWN),
    ("nditer with an index", "k = np.nditer(a, flags=['c_index']); k.iternext(), k.index, k.value",
     OWN),
    ("nditer ranged", "k = np.nditer(a, flags=['ranged']); k.iterrange = (2, 4); "
     "[e.item() for e in k]",
     OWN),
    ("nditer writes casts", "with np.nditer(a, flags=['buffered'], op_flags=['readwrite'], "
     "op_dtypes=['f8'], casting='same_kind') as k:\n for e in k: e[...] = 1\na", OWN, FLOATS),
    ("nditer refuses casts", "np.nditer(a, op_dtypes=['i1'], flags=['buffered'])",
     raising("TypeError"), FLOATS),
    ("nditer copies", "np.nditer(a, op_dtypes=['f8'], op_flags=[['readonly', 'copy']]).operands[0]",
     OWN),
    ("nditer of nothing", "list(np.nditer(a[:0], flags=['zerosize_ok']))", OWN),
    ("broadcast shapes", "np.broadcast(m, b[:3]).shape, np.broadcast(a, x).size", OWN),
    ("fromfunction of own", "np.fromfunction(lambda k: k, (2,), dtype=t)", OWN, WITH_ZERO),
    ("map", "list(map(float, a)), [k for k in a if k > 1]", OWN),
    ("zip", "[(p, r) for p, r in zip(a, b)][:2], dict(zip('pr', a))['p']", OWN),
    ("enumerate", "[k for j, k in enumerate(m)][1]", OWN),
    ("errstate", "with np.errstate(all='raise'): c = a + b\nc", WIDE),
    ("__array_function__", "np.sum.__wrapped__(a) if hasattr(np.sum, '__wrapped__') else np.sum(a)",
     WIDE),
)  # fmt: skip

RANDOM = table(
    "random",
    ("permutation", "np.random.default_rng(1).permutation(a)", OWN),
    ("permutation of rows", "np.random.default_rng(1).permutation(m, axis=1)", OWN),
    ("permuted", "np.random.default_rng(1).permuted(m, axis=1)", OWN),
    ("permuted out", "np.random.default_rng(1).permuted(m, axis=1, out=m); m", OWN),
    ("shuffle", "np.random.default_rng(1).shuffle(a); a", OWN),
    ("shuffle of rows", "np.random.default_rng(1).shuffle(m); m", OWN),
    ("choice", "np.random.default_rng(1).choice(a, 4)", OWN),
    ("choice without replacement", "np.random.default_rng(1).choice(a, 4, replace=False)", OWN),
    ("choice of rows", "np.random.default_rng(1).choice(m, 2, axis=1)", OWN),
    ("choice with weights", "np.random.default_rng(1).choice(6, 3, p=np.ones(6, t) / 6)", OWN,
     FLOATS),
    ("one choice", "np.random.default_rng(1).choice(a)", OWN),
    ("RandomState", "k = np.random.RandomState(1); k.shuffle(a); k.permutation(b), a, "
     "k.choice(b, 2)",
     OWN),
    ("parameters", "np.random.default_rng(1).normal(a, 1), "
     "np.random.default_rng(1).uniform(a, np.abs(a) + 1)", WIDE),
    ("bounds", "np.random.default_rng(1).integers(0, np.abs(b) + 1)", WIDE, INTS),
    ("seed", "np.random.default_rng(np.abs(a)).integers(9, size=3)", WIDE, INTS),
    ("multivariate_normal", "np.random.default_rng(1).multivariate_normal(b[:2], np.eye(2))", WIDE),
    ("shuffle of columns", "np.random.default_rng(1).shuffle(m, axis=1); m", OWN),
    ("shuffle of a list", "c = list(a); np.random.default_rng(1).shuffle(c); c", OWN),
    ("poisson, exponential", "k = np.random.default_rng(1); k.poisson(np.abs(a)), "
     "k.exponential(np.abs(a))",
     WIDE),
    ("binomial", "np.random.default_rng(1).binomial(np.abs(b), 0.5)", WIDE, INTS),
    ("gamma", "np.random.default_rng(1).gamma(np.abs(b)), np.random.default_rng(1).normal(x)",
     WIDE),
    ("choice with given sizes", "np.random.default_rng(1).choice(a, (2, 2)), "
     "np.random.default_rng(1).choice(m, 3)", OWN),
    ("legacy seed", "np.random.seed(3); np.random.shuffle(a); np.random.choice(a, 3), a", OWN),
    ("random in own type", "np.random.default_rng(1).random(3, dtype=t)",
     NOT_DRAWN, FLOATS),
    ("integers in own type", "np.random.default_rng(1).integers(0, 2, 3, dtype=t)",
     NOT_DRAWN, INTS),
)  # fmt: skip

NAME = r"castufunc\.float|castufunc\.bfloat"

LIMITS = table(
    "limits",
    ("finfo", "k = np.finfo(t); float(k.max), float(k.min), float(k.eps)",
     since("2.5", Value("k = cu.finfo(t); float(k.max), float(k.min), float(k.eps)"),
           before=Error("KeyError|ValueError", NAME, "`np.finfo`")), FLOATS),
    ("iinfo", "np.iinfo(t)",
     Error("ValueError", "[Ii]nvalid integer data type", "`np.iinfo`"), INTS),
    ("nan_to_num", "np.nan_to_num(n)",
     since("2.5", OWN, before=Error("KeyError|ValueError", NAME, "`np.nan_to_num`")), WITH_NAN),
)  # fmt: skip

ROWS = TESTING + ITERATORS + RANDOM + LIMITS
