"""Evaluate a row's expression for one type and say what is wrong with the outcome."""

import ast
import re
import tempfile
import warnings

import castufunc as cu

from .compare import Raised, difference, in_dtype, in_own_type
from .operands import names, stand_in
from .rows import Error, Like


def evaluate(text, variables):
    """Run the statements of a text; the last one is an expression, and its value is returned."""
    tree = ast.parse(text)
    last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, text, "exec"), variables)
    return eval(compile(last, text, "eval"), variables)


def run(text, type_name, scalar_type):
    """The value, or what was raised; and the categories of warnings that were given."""
    with (
        tempfile.TemporaryDirectory() as folder,
        warnings.catch_warnings(record=True) as caught,
    ):
        variables = names(type_name, scalar_type, folder)
        warnings.simplefilter("always")
        try:
            value = evaluate(text, variables)
        except Exception as error:
            value = Raised(error)
        return value, {warning.category for warning in caught}


def judge(text, type_name, outcome):
    """None if the outcome is the expected one, else a complaint."""
    own = cu.FORMATS[type_name].type
    value, warned = run(text, type_name, own)
    if isinstance(outcome, Error):
        return _judge_error(value, outcome)
    if isinstance(outcome, Like):
        stands_for = stand_in(type_name, outcome.stand_in)
        expected, allowed = run(text, type_name, stands_for)
        if outcome.raises:
            return _judge_refusal(value, expected, outcome.raises)
        if outcome.own:
            expected = in_own_type(expected, stands_for, own)
        if outcome.dtype:
            expected = in_dtype(expected, outcome.dtype)
    else:
        expected, allowed = run(outcome.text, type_name, own)
    if isinstance(value, Raised) or isinstance(expected, Raised):
        return f"gives {value!r}, expected {expected!r}"
    complaint = difference(value, expected, close=getattr(outcome, "close", False))
    if complaint is None and warned - allowed:
        complaint = f"warns: {', '.join(sorted(c.__name__ for c in warned - allowed))}"
    return complaint


def _judge_error(value, outcome):
    if not isinstance(value, Raised):
        return f"gives {value!r}, should raise {outcome.exception}"
    if re.fullmatch(outcome.exception, value.name) and re.search(outcome.pattern, str(value.error)):
        return None
    return f"raises {value}, not {outcome.exception} with {outcome.pattern!r}"


def _judge_refusal(value, expected, exception):
    if not isinstance(expected, Raised) or expected.name != exception:
        return f"the stand-in gives {expected!r}, should raise {exception}"
    if not isinstance(value, Raised) or not value.is_like(expected):
        return f"gives {value!r}, expected {expected!r}"
    return None
