"""Objects that stand for a number: decimals, ratios, and those with __index__ or __float__."""

import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

import castufunc as cu
from exactness.harness import codes_of, every_target
from oracle import INF, NAN, OURS, Value, encode, modes


class Index:
    """An integer that is not an int, with a __float__ that must not be asked."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number

    def __float__(self):
        raise AssertionError


class Float:
    """A float that is not a float; as a tensor of floats does, it has an __index__ for nothing."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        raise TypeError("only tensors of integers can be converted to an index")

    def __float__(self):
        return self.number


class LyingDecimal(Decimal):
    def __str__(self):
        return "12"

    def __float__(self):
        return 12.0


def objects(*items):
    array = np.empty(len(items), object)
    for i, item in enumerate(items):
        array[i] = item
    return array


def exact_value(item):
    """The exact value, by the rules of the oracle."""
    if isinstance(item, (Index, Float)):
        item = item.number
    if isinstance(item, float):
        item = Decimal(item)  # exact, and it has a sign whatever it is
    if not isinstance(item, Decimal):
        return Value(item < 0, abs(Fraction(item)))
    if item.is_finite():
        return Value(item.is_signed(), Fraction(item.copy_abs()))
    return Value(item.is_signed(), NAN if item.is_nan() else INF)


def ratios():
    """Fractions that no decimal ends, and the neighbours of what formats can and cannot hold."""
    rng = random.Random(8)
    found = [Fraction(0), Fraction(1, 3), Fraction(-9), Fraction(-2, 7), Fraction(10**40, 3)]
    for exponent in [-1080, -1075, -1074, -1022, -150, -149, -127, -126, -24, -16, -9, -6, -2, 0, 2,
                     3, 8, 15, 16, 63, 64, 65, 127, 128, 1023, 1024, 1030]:  # fmt: skip
        for significand in [
            1,
            Fraction(3, 2),
            *(Fraction(rng.randrange(256, 512), 256) for _ in "1234"),
        ]:
            x = significand * Fraction(2) ** exponent
            for off in 0, Fraction(1, 3 * 2**90), Fraction(-1, 10**40):
                found.append(rng.choice([1, -1]) * x * (1 + off))
    return found


def decimals():
    texts = ["1.00390625000000000000000000000001", "-300.9", "0", "-0", "NaN", "-NaN", "sNaN",
             "-sNaN17", "Infinity", "-Infinity", "1e400", "-1e-400", "464", "0.1",
             "464.00000000000000000000000000000001", "123456789012345678901234567890",
             "1e999999999", "-1e-999999999"]  # fmt: skip
    return [Decimal(text) for text in texts] + [LyingDecimal("-1.5"), LyingDecimal("nan")]


NUMBERS = {
    "ratios": ratios(),
    "integers": [Index(n) for n in (0, 1, -9, 2**24 + 1, 2**53 + 1, -(2**63) - 1, 2**64, 3**700)],
    "floats": [
        Float(x) for x in (0.0, -0.0, 0.1, -1.5, 1e300, 5e-324, math.inf, -math.inf, math.nan)
    ],
}


@every_target
@pytest.mark.parametrize("kind", NUMBERS)
def test_exact_values(target, kind):
    for saturate, round_mode in modes(target):
        expected = [encode(target, exact_value(x), saturate, round_mode) for x in NUMBERS[kind]]
        got = cu.cast(objects(*NUMBERS[kind]), target, saturate=saturate, round_mode=round_mode)
        assert codes_of(got).tolist() == expected


@every_target
def test_decimals(target):
    for item in decimals():
        nearer = item
        if item.is_finite() and abs(item.adjusted()) > 5000:
            # The oracle's Fraction of it would not fit in memory; these are out of range alike.
            nearer = Decimal((item.is_signed(), (1,), 4000 if item.adjusted() > 0 else -4000))
        for saturate, round_mode in modes(target):
            expected = encode(target, exact_value(nearer), saturate, round_mode)
            got = cu.cast(objects(item), target, saturate=saturate, round_mode=round_mode)
            assert codes_of(got).tolist() == [expected], item


def test_the_decimals_context_does_not_matter():
    item = Decimal("1.00390625000000000000000000000001")
    with localcontext() as context:
        context.prec = 2
        context.traps = dict.fromkeys(context.traps, True)
        assert cu.cast(objects(item, Decimal("sNaN")), "bfloat16").tolist()[0] == 1.0078125


@pytest.mark.parametrize("name", OURS)
def test_scalars_items_and_lists(name):
    cls = getattr(cu, name)
    for item in [Fraction(-4, 3), Decimal("1.5"), Index(2**70 + 1), Float(-0.5)]:
        expected = [encode(name, exact_value(item))]
        array = np.zeros(1, cls)
        array[0] = item
        filled = np.zeros(1, cls)
        filled.fill(item)
        for got in cls(item), array, filled, np.array([item], cls), cu.cast([item], name):
            assert codes_of(np.asarray(got)).ravel().tolist() == expected
        assert codes_of(objects(item).astype(cls)).tolist() == expected


def test_texts():
    items = objects(
        Decimal("-300.9"), Fraction(1, 3), Fraction(-9), Index(3**80), Float(0.1),
        Decimal("sNaN"), Decimal("-inf"), Fraction(10**400), np.ma.array(2.5),
    )  # fmt: skip
    assert cu.cast(items, "string").tolist() == [
        "-300.9", "0.3333333333333333", "-9", str(3**80), "0.1", "NaN", "-INF", "INF", "2.5",
    ]  # fmt: skip


@pytest.mark.parametrize("to", ["float32", "int4", "bool", "string", "S"])
def test_masked_elements_are_refused(to):
    for masked in np.ma.masked, np.ma.array(3.0, mask=True), np.ma.array(3, mask=True):
        with pytest.raises(TypeError, match=r"a masked element has no value, at index \(1, 0\)"):
            cu.cast(objects(1, 2, masked, 4).reshape(2, 2), to)
    assert cu.cast(objects(np.ma.array(1.0)), to).tolist() in ([1], [True], ["1"], [b"1"])


def test_masked_elements_of_scalars():
    with pytest.raises(TypeError, match="masked"):
        cu.int4(np.ma.masked)
    with pytest.raises(TypeError, match="masked"):
        objects(np.ma.masked).astype(cu.bfloat16)


class Raises:
    def __init__(self, error):
        self.error = error

    def __index__(self):
        raise self.error


class RaisesFloat(Raises):
    __index__ = None

    def __float__(self):
        raise self.error


@pytest.mark.parametrize("cls", [Raises, RaisesFloat])
@pytest.mark.parametrize("to", ["bfloat16", "int8", "string"])
def test_what_their_methods_raise_comes_through(cls, to):
    with pytest.raises(ValueError, match=r"^mine, at index 1$"):
        cu.cast(objects(0, cls(ValueError("mine"))), to)
    error = ZeroDivisionError("mine")
    with pytest.raises(ZeroDivisionError) as caught:
        cu.cast(objects(0, cls(error)).reshape(2, 1), to)
    assert caught.value is error
    assert error.__notes__ == ["at index (1, 0)"]
    with pytest.raises(KeyboardInterrupt):
        cu.cast(objects(0, cls(KeyboardInterrupt())), to)


def test_a_denominator_of_zero():
    import numbers

    class Ratio:
        numerator, denominator = 1, 0

    numbers.Rational.register(Ratio)
    with pytest.raises(ValueError, match=r"a Ratio has the denominator 0, at index 0"):
        cu.cast(objects(Ratio()), "float32")
    Ratio.numerator, Ratio.denominator = -3, -2
    assert cu.cast(objects(Ratio()), "float32").tolist() == [1.5]
    Ratio.denominator = 2.0
    with pytest.raises(TypeError, match=r"integer.*, at index 0"):
        cu.cast(objects(Ratio()), "float32")


def test_a_class_of_integers_without_a_numerator():
    import numbers

    class Whole(Index):
        pass

    numbers.Integral.register(Whole)
    assert cu.cast(objects(Whole(2**70 + 1)), "int8").tolist() == [1]
    assert cu.bfloat16(Whole(3)) == 3
