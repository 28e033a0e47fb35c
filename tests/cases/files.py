"""The files of cases, brought to one form.

document_cases   every example of ONNX's documents of Cast, CastLike and BitCast
onnx_node_cases  onnx 1.23.2's node tests of the three operators
ort_cases        the values of onnxruntime's own unit tests
reported_cases   inputs of faults that were reported of other libraries, with the right results
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

import castufunc

from .store import load, mode_of, type_name

NAMES = ("document_cases", "onnx_node_cases", "ort_cases", "reported_cases")
ANY_NAN = "nan"


@dataclass(frozen=True)
class Case:
    """A call and what its file wants of it.

    Attributes
    ----------
    op : str
        "cast", "castlike", "bitcast"; "pack" and "unpack" are left out.
    source, target : str
        Names of types, ONNX's in lower case.
    to : int or str
        The target as the operators take it: ONNX's number where the file has it.
    mode : tuple
        saturate and round_mode.
    given : array of codes, or None
    wanted : list of int
        Codes; ANY_NAN where the file leaves open which.
    shape : tuple of int
    like_shape : tuple of int
        Of CastLike's second input.
    is_error : bool
        Whether the whole call has to be refused.
    left_out : str
        "text" or "packing" if the case is of that class, else "".
    """

    file: str
    id: str
    op: str
    source: str
    target: str
    to: int | str
    mode: tuple[bool, str]
    given: np.ndarray | None
    wanted: list[int | str]
    shape: tuple[int, ...]
    like_shape: tuple[int, ...]
    is_error: bool
    left_out: str
    notes: str

    def __str__(self):
        return self.id


def code_type(name):
    """The unsigned dtype of a type's codes; of the complex types too, which the oracle lacks."""
    return np.dtype(f"u{castufunc.dtype(name).itemsize}")


def operator_case(file, case: dict[str, Any]):
    given, wanted = case["input"], case["expected"]
    source, target = type_name(given["dtype"]), type_name(wanted["dtype"])
    assert type_name(case["to"]) == target, case["id"]
    left_out = "text" if "string" in (source, target) else ""
    shape = tuple(wanted["shape"])
    return Case(
        file=file,
        id=case["id"],
        op=case["op"].lower(),
        source=source,
        target=target,
        to=case["attrs"].get("to", target),
        mode=mode_of(case["attrs"]),
        given=None if left_out else np.array(given["bits"], code_type(source)).reshape(shape),
        wanted=wanted.get("bits", []),
        shape=shape,
        like_shape=tuple(case["target"]["shape"]) if "target" in case else (),
        is_error=False,
        left_out=left_out,
        notes="",
    )


def number(text):
    return text if text == ANY_NAN else int(text, 16)


def reported_case(file, case: dict[str, Any]):
    given, wanted = case["input"], case["expected"]
    is_error = "error" in wanted
    left_out = ""
    if case["op"] in ("pack", "unpack"):
        left_out = "packing"
    elif case["from"] == "string" or (case["to"] == "string" and not is_error):
        left_out = "text"
    codes = None if left_out else [number(text) for text in given["bits"]]
    return Case(
        file=file,
        id=case["id"],
        op=case["op"],
        source=case["from"],
        target=case["to"],
        to=case["to"],
        mode=mode_of(case["attributes"]),
        given=None if left_out else np.array(codes, code_type(case["from"])),
        wanted=[] if left_out or is_error else [number(text) for text in wanted["bits"]],
        shape=() if left_out else (len(codes),),
        like_shape=(0,),
        is_error=is_error,
        left_out=left_out,
        notes=f"{case['kind']}; {case['notes']}",
    )


def read(file):
    read_case = reported_case if file == "reported_cases" else operator_case
    return [read_case(file, case) for case in load(file)]


ALL = [case for file in NAMES for case in read(file)]


def run(*ops, is_error=False):
    """The cases of some operators that are run."""
    return [
        case for case in ALL
        if case.op in ops and not case.left_out and case.is_error == is_error
    ]  # fmt: skip


def counts(file):
    """How many cases of a file are run, by operator, and left out, by class."""
    return Counter(
        case.left_out or ("error" if case.is_error else case.op)
        for case in ALL
        if case.file == file
    )
