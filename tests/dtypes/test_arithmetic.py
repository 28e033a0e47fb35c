"""`dtype=` of an own type in NumPy's ufuncs: computed in float32 or int64, rounded or wrapped once.

Without `dtype=` NumPy computes as it does without these loops.
"""

import ml_dtypes
import numpy as np
import pytest

import castufunc as cu
from exactness.harness import array_of, codes_of, dtype_of
from oracle import FOREIGN, FORMATS, OURS, Float, Scale, cast_codes, code_type

BINARY = ["add", "subtract", "multiply", "maximum", "minimum", "fmax", "fmin"]
UNARY = ["negative", "absolute"]
NARROW = [name for name in OURS if name != "bfloat16"]

each_type = pytest.mark.parametrize("name", OURS)
each_binary = pytest.mark.parametrize("operation", BINARY)


def is_float(name):
    return isinstance(FORMATS[name], (Float, Scale))


def wide(name):
    return np.float32 if is_float(name) else np.int64


def in_wide(operation, *operands):
    """What NumPy gives in float32 or int64, with a rule where NumPy's loops differ."""
    with np.errstate(all="ignore"):
        result = getattr(np, operation)(*operands)
    if len(operands) == 2 and result.dtype == np.float32:
        a, b = operands
        if operation.startswith("f"):
            result = np.where(np.isnan(a) & np.isnan(b), a, result)
        else:
            result = np.where(np.isnan(a), a, np.where(np.isnan(b), b, result))
        if "m" in operation[:2]:  # of two zeros the second
            result = np.where((a == b) & (operation != "multiply"), b, result)
    return result.astype(operands[0].dtype)


def expected_codes(name, result):
    """By the oracle."""
    source = "float32" if is_float(name) else "int64"
    return cast_codes(source, name, codes_of(np.ascontiguousarray(result)))


def widened(name, codes):
    """The numbers of codes, by the oracle."""
    target = "float32" if is_float(name) else "int64"
    return cast_codes(name, target, codes).view(wide(name))


def samples(name):
    """Codes: all of them, or the edges and some at random."""
    if FORMATS[name].bits <= 8:
        return np.arange(1 << FORMATS[name].bits, dtype=np.uint8)
    edges = [0, 1, 2, 0x7F, 0x80, 0x81, 0x3F80, 0x3F7F, 0x3F81, 0x7F7F, 0x7F80, 0x7FC0, 0x4000]
    random = np.random.default_rng(5).integers(0, 1 << 15, 100)
    positive = np.concatenate([edges, random, random + 0x80]).astype(np.uint16) & 0x7FFF
    return np.concatenate([positive, positive | 0x8000])


def assert_same(name, got, expected):
    assert got.dtype == dtype_of(name)
    assert codes_of(got).ravel().tolist() == expected.ravel().tolist()


@each_type
@each_binary
def test_all_pairs_of_codes(name, operation):
    codes = samples(name)
    a, b = (np.ascontiguousarray(x) for x in np.meshgrid(codes, codes))
    result = in_wide(operation, widened(name, a), widened(name, b))
    got = getattr(np, operation)(array_of(name, a), array_of(name, b), dtype=dtype_of(name))
    assert_same(name, got, expected_codes(name, result))


@each_type
@pytest.mark.parametrize("operation", UNARY)
def test_all_codes(name, operation):
    codes = samples(name)
    expected = expected_codes(name, in_wide(operation, widened(name, codes)))
    got = getattr(np, operation)(array_of(name, codes), dtype=dtype_of(name))
    assert_same(name, got, expected)


@each_type
@each_binary
def test_wider_operands_are_not_rounded_first(name, operation):
    random = np.random.default_rng(3)
    function, to = getattr(np, operation), dtype_of(name)
    if is_float(name):
        x = random.standard_normal(5000).astype(np.float32)
        y = (random.standard_normal(5000) * 2.0 ** random.integers(-9, 9, 5000)).astype(np.float32)
        others = [(x, y), (x, y.astype(np.float16)), (x, y.astype(np.int8)), (x, np.float32(3.3)),
                  (x.astype(">f4"), y), (x.astype(ml_dtypes.bfloat16), y),
                  (x.astype(np.float64), cu.cast(y, "float8e5m2"))]  # fmt: skip
    else:
        x, y = random.integers(-(2**63), 2**63 - 1, (2, 5000))
        others = [(x, y), (x, y.astype(np.int8)), (x, cu.cast(y, "int4")), (x.astype(">i8"), y)]
    for a, b in others:
        operands = np.broadcast_arrays(a.astype(wide(name)), np.asarray(b).astype(wide(name)))
        expected = expected_codes(name, in_wide(operation, *operands))
        assert_same(name, function(a, b, dtype=to), expected)
    expected = expected_codes(name, in_wide(operation, x, np.full_like(x, 3)))
    assert_same(name, function(x, 3, dtype=to), expected)


@each_type
def test_layouts(name):
    random = np.random.default_rng(4)
    x, y = random.integers(-99, 99, (2, 40, 30)).astype(wide(name))
    to = dtype_of(name)
    expected = expected_codes(name, in_wide("add", x, y))
    bytes_ = np.zeros(x.nbytes + 1, np.uint8)
    unaligned = bytes_[1:].view(x.dtype).reshape(x.shape)
    unaligned[...] = x
    swapped = x.astype(x.dtype.newbyteorder())
    for a, b in [(x, y), (x.T.copy().T, y), (unaligned, y), (swapped, y)]:
        assert_same(name, np.add(a, b, dtype=to), expected)
    out = np.zeros((80, 30), to)[::2]
    assert np.add(x, y, dtype=to, out=out) is out
    assert_same(name, out, expected)
    where = random.integers(0, 2, x.shape).astype(bool)
    kept = np.zeros(x.shape, to)
    before = codes_of(kept).copy()
    np.add(x, y, dtype=to, out=kept, where=where)
    assert_same(name, kept, np.where(where, expected, before))
    own = cu.cast(x, to)
    aside = own.copy()
    np.add(own[:, 1:], own[:, :-1], dtype=to, out=own[:, 1:])
    expected = np.add(aside[:, 1:], aside[:, :-1], dtype=to)
    assert_same(name, np.ascontiguousarray(own[:, 1:]), codes_of(expected))
    for empty in np.add(x[:0], y[:0], dtype=to), np.add(x[0, 0], y[0, 0], dtype=to)[None][:0]:
        assert empty.dtype == to


@each_type
def test_what_is_refused(name):
    to = dtype_of(name)
    x = np.ones(3)
    for bad in np.ones(3, complex), np.array(["1"] * 3), np.ones(3, object):
        with pytest.raises(TypeError):
            np.add(bad, x, dtype=to)
    with pytest.raises(TypeError):
        np.divide(x, x, dtype=to)
    if not is_float(name):
        with pytest.raises(TypeError, match="casting"):
            np.add(x, x, dtype=to)


# --- without dtype= -------------------------------------------------------------------------


@each_type
@pytest.mark.parametrize("operation", BINARY + UNARY)
def test_without_dtype_results_are_wide(name, operation):
    a = np.ones(3, dtype_of(name))
    function = getattr(np, operation)
    if operation in UNARY:
        assert function(a).dtype == wide(name)
        return
    assert function(a, a).dtype == wide(name)
    assert function(a, a, out=np.ones(3, a.dtype), casting="unsafe").dtype == a.dtype
    assert function.reduce(a).dtype == wide(name)
    assert function.accumulate(a).dtype == wide(name)
    for other, floats, integers in [(np.float32, "f4", "f4"), (np.float64, "f8", "f8"),
                                    (np.int64, "f8", "i8"), (np.int8, "f4", "i8")]:  # fmt: skip
        expected = np.dtype(floats if is_float(name) else integers)
        if operation not in ("maximum", "minimum", "fmax", "fmin") or is_float(name):
            assert function(a, np.ones(3, other)).dtype == expected
            assert function(np.ones(3, other), a).dtype == expected


@pytest.mark.parametrize("operation", BINARY)
def test_numpy_s_own_types_are_left_alone(operation):
    function = getattr(np, operation)
    for a in "bhilqBHILQefdgFDG?":
        for b in "bhilqBHILQefdgFDG?":
            if operation == "subtract" and a == b == "?":
                continue
            x, y = np.ones(2, a), np.ones(2, b)
            assert function(x, y).dtype == np.result_type(x, y)
            assert function(x, y, dtype=np.complex128).dtype == np.complex128 \
                if operation in ("add", "subtract", "multiply") else True  # fmt: skip
    if operation == "add":
        assert np.add(np.array(["a"]), np.array(["b"])).tolist() == ["ab"]
        days = np.array(["2000-01-01"], "M8[D]") + np.array([1], "m8[D]")
        assert days.astype(str).tolist() == ["2000-01-02"]


# --- reductions -----------------------------------------------------------------------------

BFLOAT16 = np.dtype(cu.bfloat16)


# These releases move a result from their buffer to its place before the last piece of a reduction,
# so that it is rounded twice.
IN_PIECES = np.lib.NumpyVersion(np.__version__) < "2.3.0"


def allowed(x, result):
    """How many codes a sum may be off."""
    return 2 if IN_PIECES and x.size > np.getbufsize() and result.size == 1 else 0


def codes_differ(a, b):
    """By how many codes positive numbers differ at most."""
    return int(np.abs(codes_of(a).astype(int) - codes_of(b).astype(int)).max())


def nearest(number):
    return cu.cast(np.float64(number), "bfloat16").item()


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 255, 256, 257, 5000, 100_001, 5_000_000])
@pytest.mark.parametrize("value", [1, 100, 0.1])
def test_sums_do_not_stop_growing(n, value):
    a = np.full(n, value, BFLOAT16)
    exact = n * float(a[0])
    for source in a, a.astype(np.float32), np.repeat(a, 2)[::2]:
        total = np.sum(source, dtype=BFLOAT16)
        assert total.dtype == BFLOAT16
        assert abs(float(total) - exact) <= exact * 2.0**-8
    assert float(np.mean(a, dtype=BFLOAT16)) == pytest.approx(float(a[0]), rel=2**-7)


def test_exact_sums_are_rounded_once():
    random = np.random.default_rng(6)
    for n in 3, 100, 10_000:
        a = cu.cast(random.integers(-100, 100, n), BFLOAT16)
        exact = float(a.astype(np.float64).sum())  # small integers: float32 holds them
        assert np.sum(a, dtype=BFLOAT16).item() == nearest(exact)
        steps = np.cumsum(a.astype(np.float64))
        got = np.cumsum(a, dtype=BFLOAT16)
        assert codes_of(got).tolist() == codes_of(cu.cast(steps, BFLOAT16)).tolist()
        cuts = [0, 1, n // 2]
        pieces = np.add.reduceat(a.astype(np.float64), cuts)
        got = np.add.reduceat(a, cuts, dtype=BFLOAT16)
        assert codes_of(got).tolist() == codes_of(cu.cast(pieces, BFLOAT16)).tolist()


@pytest.mark.parametrize("shape", [(5000, 7), (7, 5000), (3, 700, 5), (20_000, 1), (2, 30_000, 2)])
@pytest.mark.parametrize("form", ["C", "F", "strided", "reversed", "wider", "swapped"])
def test_sums_over_axes(shape, form):
    random = np.random.default_rng(7)
    numbers = cu.cast(random.integers(0, 100, shape), BFLOAT16)
    x = {
        "C": numbers, "F": np.asfortranarray(numbers), "reversed": numbers[::-1],
        "strided": np.repeat(numbers, 2, -1)[..., ::2], "wider": numbers.astype(np.float32),
        "swapped": numbers.astype(">f8"),
    }[form]  # fmt: skip
    mask = random.integers(0, 2, shape).astype(bool)
    exact = x.astype(np.float64)
    for axis in [None, *range(len(shape)), (0, -1)]:
        for keywords in {}, {"keepdims": True}, {"where": mask}, {"initial": 3}:
            expected = cu.cast(np.sum(exact, axis=axis, **keywords), BFLOAT16)
            got = np.asarray(np.sum(x, axis=axis, dtype=BFLOAT16, **keywords))
            assert got.dtype == BFLOAT16
            assert codes_differ(got, expected) <= allowed(x, got), (axis, keywords)
        out = np.ones_like(cu.cast(np.sum(exact, axis=axis), BFLOAT16))
        np.sum(x, axis=axis, dtype=BFLOAT16, out=out)
        expected = cu.cast(np.sum(exact, axis=axis), BFLOAT16)
        assert codes_differ(out, expected) <= allowed(x, out), axis


def test_other_reductions():
    a = cu.cast([[1, -2, 3], [4, 0.5, -6]], BFLOAT16)
    wide_ = a.astype(np.float64)
    for operation in BINARY:
        function = getattr(np, operation)
        for axis in 0, 1:
            got = function.reduce(a, axis=axis, dtype=BFLOAT16)
            assert got.dtype == BFLOAT16
            assert got.tolist() == function.reduce(wide_, axis=axis).tolist()
            got = function.accumulate(a, axis=axis, dtype=BFLOAT16)
            assert got.tolist() == function.accumulate(wide_, axis=axis).tolist()
    for values in [1, np.nan, 2], [np.nan], [-np.inf, np.inf]:
        a = cu.cast(values, BFLOAT16)
        for operation in BINARY[3:]:
            expected = getattr(np, operation).reduce(a.astype(np.float64))
            got = getattr(np, operation).reduce(a, dtype=BFLOAT16)
            assert np.array_equal(got.astype(np.float64), expected, equal_nan=True)


def test_nothing_and_signed_zeros():
    none = np.ones(0, BFLOAT16)
    assert np.sum(none, dtype=BFLOAT16).item() == 0
    assert np.prod(none, dtype=BFLOAT16).item() == 1
    with pytest.raises(ValueError, match="no identity"):
        np.max(none, initial=np._NoValue)
    zeros = np.full(300, -0.0, BFLOAT16)
    as_numpy = np.signbit(np.sum(zeros.astype(np.float16)))
    assert np.signbit(float(np.sum(zeros, dtype=BFLOAT16))) == as_numpy


@pytest.mark.parametrize("name", OURS)
def test_calls_do_not_depend_on_those_before(name):
    """NumPy remembers a loop by the types of operands and result, for ufuncs and reductions."""
    to = dtype_of(name)
    if is_float(name):
        own, x = np.ones(3, to), np.full(3, 1 + 2**-8 + 2**-20, np.float32)
    else:
        own, x = np.array([1, 2, 3], to), np.array([3, 300, -7])
    for operation in BINARY:
        function = getattr(np, operation)
        expected = expected_codes(name, in_wide(operation, own.astype(x.dtype), x))
        for call in function.reduce, function.accumulate, function.reduce:
            if name == "bfloat16" and call == function.reduce:
                assert call(x, dtype=to).dtype == to
            else:
                with pytest.raises(TypeError):
                    call(x, dtype=to)
            assert_same(name, function(own, x, dtype=to), expected)
            assert function(own, own, dtype=to).dtype == to
            assert function(own, own).dtype == wide(name)


def test_reductions_of_numpy_s_texts_and_dates():
    texts = np.array(["b", "a"], np.dtypes.StringDType())
    assert (texts.sum(), texts.max(), texts.min()) == ("ba", "b", "a")
    if np.lib.NumpyVersion(np.__version__) >= "2.3.0":  # the first releases cannot do it
        assert np.add.accumulate(texts).tolist() == ["b", "ba"]
    days = np.array(["2000-01-02", "2000-01-01"], "M8[D]")
    assert str(days.max()) == "2000-01-02"
    assert (days - days[0]).sum() == np.timedelta64(-1, "D")
    assert np.array([1, 2.5, "x"], object)[:2].sum() == 3.5


@pytest.mark.parametrize("name", NARROW)
def test_narrower_types_do_not_reduce(name):
    to = dtype_of(name)
    word, wide_name = ("saturate", "float32") if is_float(name) else ("wrap", "int64")
    message = rf"do not reduce or accumulate in {name}, where results soon {word}: .*a\.sum\(\).*"

    def reduceat(a, dtype):
        return np.add.reduceat(a, [0], dtype=dtype)

    accumulating = np.cumsum, np.cumprod, np.subtract.accumulate, reduceat
    for source in np.ones(3, to), np.ones((3, 4), wide(name)):
        for call in [np.sum, np.prod, np.mean, np.maximum.reduce, np.fmin.reduce, *accumulating]:
            expected = message + f"np.{wide_name}"
            if call in accumulating and source.dtype != to:
                expected = "not compatible with"  # NumPy itself wants three types alike of these
            with pytest.raises(TypeError, match=expected):
                call(source, dtype=to)
    assert np.ones(3, to).sum().dtype == wide(name)
    assert np.ones(3, to).max() == 1


def test_the_caller_s_floating_point_settings_do_not_matter():
    from castufunc import _core

    random = np.random.default_rng(8)
    x = random.standard_normal(1000).astype(np.float32) * np.float32(1e-38)
    own = cu.cast(x, BFLOAT16)
    factor = np.float32(0.3)
    calls = [lambda: np.add(x, x[::-1], dtype=BFLOAT16),
             lambda: np.multiply(x, factor, dtype=BFLOAT16),
             lambda: np.cumsum(own, dtype=BFLOAT16), lambda: np.sum(x, dtype=BFLOAT16)]  # fmt: skip
    expected = [codes_of(call()).tolist() for call in calls]
    before = _core._fp_state()
    try:
        for rounding in "nearest", "down", "up", "zero":
            state = _core._make_fp_state(flush=True, denormals_zero=True, rounding=rounding)
            got = []
            for call in calls:
                _core._set_fp_state(state)
                result = call()
                after = _core._fp_state()
                _core._set_fp_state(before)
                assert after == state
                got.append(codes_of(result).tolist())
            assert got == expected, rounding
    finally:
        _core._set_fp_state(before)


def test_codes_of_every_source():
    """Every number of every type is an operand."""
    for name in FORMATS:
        is_there = name not in FOREIGN or hasattr(ml_dtypes, name)
        if np.dtype(code_type(name)).itemsize > 1 or not is_there:
            continue
        a = array_of(name, np.arange(256, dtype=np.uint8))
        with np.errstate(all="ignore"):
            expected = cu.cast(a.astype(np.float32) + np.float32(1), BFLOAT16)
            got = np.add(a, np.float32(1), dtype=BFLOAT16)
        assert codes_of(got).tolist() == codes_of(expected).tolist(), name
