"""A row of the matrix: an expression, the types it is for, and what must come of it."""

from dataclasses import asdict, dataclass

import numpy as np

from castufunc import FORMATS

from .operands import VALUES


def _types(choose):
    return tuple(info.name for info in FORMATS.values() if choose(info))


ALL = _types(lambda info: True)
FLOATS = _types(lambda info: info.kind == "float")
INTS = _types(lambda info: info.kind == "integer")
SIGNED_FLOATS = _types(lambda info: info.kind == "float" and info.signed)
SIGNED = _types(lambda info: info.signed)
WITH_ZERO = _types(lambda info: info.has_zero)
WITH_NAN = _types(lambda info: info.nan is not None)
WITH_NAN_AND_ZERO = _types(lambda info: info.nan is not None and info.has_zero)
WITH_INF = _types(lambda info: info.inf is not None)
SATURATING = _types(lambda info: info.nan is not None and info.modes != "plain")
POWERS = _types(lambda info: info.special == "power")
FINITE = _types(lambda info: info.special == "finite")
OVERFLOWING = FINITE + SATURATING
BYTES = _types(lambda info: info.itemsize == 1)
FOUR_BITS_AND_MORE = _types(lambda info: info.bits >= 4 and info.has_zero)

assert set(VALUES) == set(ALL)


@dataclass(frozen=True)
class Like:
    """
    What the expression gives for a stand-in, which NumPy has had for long.

    The stand-in of the floats is float32; for the integers it is int8 or uint8 ("narrow"), int64
    ("wide"), or float32 too ("float32").
    """

    stand_in: str
    own: bool = False  # where a result has the stand-in's dtype, the own one is expected
    dtype: str = ""  # of the result, if it is not the stand-in's
    close: bool = False  # the last bits may differ
    raises: str = ""  # both raise: the stand-in an exception of this name


@dataclass(frozen=True)
class Value:
    """The value of another expression, its dtype and Python type included."""

    text: str


@dataclass(frozen=True)
class Surprise:
    """Another result than a stand-in gives. `see` is what docs/limits.md calls it."""

    text: str
    see: str


@dataclass(frozen=True)
class Error:
    """An exception with a name and a message of these patterns. `see`: as in Surprise."""

    exception: str
    pattern: str
    see: str


Outcome = Like | Value | Surprise | Error

OWN = Like("narrow", own=True)
NARROW = Like("narrow")
WIDE = Like("wide")
SINGLE = Like("float32")


def raising(exception, stand_in="narrow"):
    """What is refused for the stand-in too, and in the same manner."""
    return Like(stand_in, raises=exception)


@dataclass(frozen=True)
class Row:
    id: str
    text: str
    outcome: Outcome
    types: tuple[str, ...]

    @property
    def works(self):
        return isinstance(self.outcome, (Like, Value))

    @property
    def see(self):
        return "" if self.works else self.outcome.see

    def job(self, type_name):
        """All a worker needs to know, as what JSON can say."""
        outcome = {"class": type(self.outcome).__name__, **asdict(self.outcome)}
        return {"text": self.text, "type": type_name, "outcome": outcome}


def outcome_of_job(job):
    fields = dict(job["outcome"])
    return {c.__name__: c for c in (Like, Value, Surprise, Error)}[fields.pop("class")](**fields)


def numpy_has(version):
    """Whether the installed NumPy is at least this one, its pre-releases included."""
    return np.lib.NumpyVersion(np.__version__) >= f"{version}.0.dev0"


# What docs/limits.md has to say for the sake of other versions of NumPy.
SEE_ELSEWHERE = set()


def since(version, outcome, *, before):
    """The outcome from a version of NumPy on, and the one it had before."""
    chosen, other = (outcome, before) if numpy_has(version) else (before, outcome)
    if isinstance(other, (Surprise, Error)):
        SEE_ELSEWHERE.add(other.see)
    return chosen


def table(subject, *rows):
    """Rows given as (id, text, outcome) or (id, text, outcome, types)."""
    return [Row(f"{subject}/{row[0]}", *row[1:3], row[3] if row[3:] else ALL) for row in rows]
