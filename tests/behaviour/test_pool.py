"""The judgement itself: what is wrong is found, and neither a crash nor a loop stops the rest."""

import pytest

from .pool import judge_all
from .rows import NARROW, OWN, SINGLE, WIDE, Error, Like, Row, Surprise, Value, raising

GOOD = Row("good", "np.sort(a)", OWN, ("int4",))


def judged(text, outcome, type_name="bfloat16"):
    return judge_all([Row("row", text, outcome, ()).job(type_name)], workers=1)[0]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("a", OWN),
        ("a + b", WIDE),
        ("a[0]", Value("x")),
        ("1 / 0", raising("ZeroDivisionError")),
        ("np.dot(a, a)", Error("ValueError", "dot not available", "")),
        ("np.log(a)", SINGLE),  # warns for both
        ("np.zeros(3, t), [{'k': x}], np.dtype(t)", OWN),
        ("n", OWN),
    ],
)
def test_what_is_right_passes(text, outcome):
    assert judged(text, outcome) is None


@pytest.mark.parametrize(
    ("text", "outcome", "complaint"),
    [
        ("a", NARROW, "another dtype"),
        ("a + b", OWN, "another dtype"),
        ("np.sort(a)[::-1]", Value("np.sort(a)"), "expected"),
        ("a[:2]", Value("a[:3]"), "another shape"),
        ("a[0]", Value("a[:1]"), "expected"),
        ("x.item()", Value("x"), "of <class 'float'>"),
        ("0.0", Value("1.0"), "expected"),
        ("np.array([0.0], t)", Value("np.array([-0.0], t)"), "expected"),
        ("n", Value("a"), "expected"),
        ("a, a", Value("a, b"), "expected"),
        ("a, a", Value("a, a, a"), "2 parts, expected 3"),
        ("{'k': a}", Value("{'k': b}"), "expected"),
        ("ma", Value("np.ma.array(a)"), "the mask"),
        ("st", Value("st[::-1]"), "expected"),
        ("np.array([x, x], object)", Value("np.array([x, 1], object)"), "expected"),
        ("a + 0.125", Like("wide", dtype="f8"), "another dtype"),
        ("1 / 0", OWN, "ZeroDivisionError"),
        ("1 / 0", Value("1 / 0"), "ZeroDivisionError"),
        ("unknown", WIDE, "NameError"),
        ("a", raising("IndexError"), "the stand-in gives"),
        ("1 / 0", raising("IndexError"), "the stand-in gives"),
        ("a if t is cu.bfloat16 else a[9]", raising("IndexError"), "gives array"),
        ("a[9]", Surprise("a[9]", ""), "IndexError"),
        ("a", Error("ValueError", "", ""), "should raise ValueError"),
        ("a[9]", Error("ValueError", "", ""), "raises IndexError"),
        ("a[9]", Error("IndexError", "too many", ""), "with 'too many'"),
        ("import warnings; warnings.warn('new'); a", Value("a"), "warns: UserWarning"),
        ("a +", OWN, "SyntaxError"),
    ],
)
def test_what_is_wrong_is_found(text, outcome, complaint):
    assert complaint in judged(text, outcome)


def test_a_crash_is_reported_and_the_rest_goes_on():
    crash = Row("crash", "import ctypes; ctypes.string_at(0)", OWN, ())
    leave = Row("leave", "import os; os._exit(3)", OWN, ())
    jobs = [row.job("int4") for row in [GOOD, crash, GOOD, leave, crash, GOOD]]
    complaints = judge_all(jobs, workers=1)
    assert complaints[0] is complaints[2] is complaints[5] is None
    assert complaints[1] == complaints[4] == "CRASH with SIGSEGV"
    assert complaints[3] == "CRASH with exit code 3"


def test_a_loop_without_end_is_stopped():
    loop = Row("loop", "while True: pass\na", OWN, ())
    complaints = judge_all([row.job("int4") for row in [loop, GOOD]], workers=1, seconds=5)
    assert complaints == ["TIMEOUT after 5 s", None]


def test_what_a_row_prints_is_no_answer():
    assert judged("print('null'); import os; os.write(1, b'null\\n'); a", NARROW) is not None
