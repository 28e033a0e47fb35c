"""Putting the questions: to this package, and to each peer in a process that may die."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import castufunc

from .subjects import Case

PEERS = Path(__file__).with_name("peers.py")


@dataclass(frozen=True)
class Answer:
    """The codes that came out, or in words why there are none."""

    codes: tuple[int, ...] = ()
    error: str = ""


def code_type(name: str) -> np.dtype[Any]:
    return np.dtype(f"u{castufunc.dtype(name).itemsize}")


def array_of(name: str, code: int) -> np.ndarray:
    return np.array([code], code_type(name)).view(castufunc.dtype(name))


def code_of(case: Case) -> int:
    """The code of the input; a number is rounded to the source type."""
    if isinstance(case.given, str):
        return int(case.given, 16)
    dtype = castufunc.dtype(case.source)
    array = np.array([case.given], dtype if dtype.kind in "iu" and dtype.itemsize == 8 else None)
    return int(castufunc.cast(array, dtype, saturate=False).view(code_type(case.source))[0])


# --- this package -------------------------------------------------------------------------------


def ours(case: Case, **modes: Any) -> Answer:
    """What castufunc gives, with the attributes of the case or with others."""
    array = array_of(case.source, code_of(case))
    attributes = modes or case.attributes
    try:
        if case.op == "BitCast":
            result = castufunc.bit_cast(array, case.target)
        elif case.op == "CastLike":
            target = np.empty(0, castufunc.dtype(case.target))
            result = castufunc.cast_like(array, target, **attributes)
        else:
            result = castufunc.cast(array, case.target, **attributes)
    except TypeError:
        return Answer(error="TypeError")
    return Answer(tuple(result.view(code_type(case.target)).tolist()))


def ours_in_all_modes(case: Case) -> set[Answer]:
    return {
        ours(case, saturate=saturate, round_mode=round_mode)
        for saturate, round_mode in product((True, False), ("up", "down", "nearest"))
    }


# --- the peers ----------------------------------------------------------------------------------


def names_of(name: str) -> dict[str, Any]:
    """A type, for those who don't know this package."""
    own = castufunc.FORMATS.get(name)
    if own:
        return {
            "name": name, "ml_dtypes": own.ml_dtypes, "onnx": own.onnx, "bits": own.bits,
            "itemsize": own.itemsize,
        }  # fmt: skip
    itemsize = np.dtype(name).itemsize
    return {
        "name": name, "ml_dtypes": None, "onnx": ONNX_NUMBERS[name], "bits": 8 * itemsize,
        "itemsize": itemsize,
    }  # fmt: skip


ONNX_NUMBERS = {castufunc.dtype(number).name: number for number in (1, *range(2, 8), *range(9, 14))}


def question(case: Case) -> dict[str, Any]:
    return {
        "op": case.op,
        "source": names_of(case.source),
        "target": names_of(case.target),
        "code": code_of(case),
        "attributes": case.attributes,
    }


def ask(peer: str, cases: Iterable[Case]) -> tuple[str | None, list[Answer]]:
    """The peer's version, None if it isn't installed, and its answer to each case."""
    questions = [json.dumps(question(case)) for case in cases]
    answers: list[Answer] = []
    version = None
    while version is None or len(answers) < len(questions):
        done = subprocess.run(
            [sys.executable, str(PEERS), peer],
            input="\n".join(questions[len(answers) :]),
            capture_output=True,
            text=True,
            check=False,
        )
        if not done.stdout:
            raise RuntimeError(f"{peer} gave no answer at all:\n{done.stderr}")
        first, *rest = map(json.loads, done.stdout.splitlines())
        if "absent" in first:
            return None, []
        version = first["version"]
        answers += [Answer(tuple(a.get("codes", ())), a.get("error", "")) for a in rest]
        if len(answers) < len(questions):
            if done.returncode >= 0:
                raise RuntimeError(f"{peer} failed:\n{done.stderr}")
            answers.append(Answer(error=f"crash ({signal.Signals(-done.returncode).name})"))
    return version, answers
