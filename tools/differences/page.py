"""The questions and answers as a page in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from prose import filled

import castufunc

from .asking import Answer, array_of, code_of, code_type, ours, ours_in_all_modes
from .peers import OPSET
from .subjects import SUBJECTS, Case, Subject

WITHOUT_ARGUMENTS = ("NumPy", "ml_dtypes", "torch")

HEAD = (
    """Where other libraries give something else than this package. Made by
    `python tools/known_differences.py`, which asks the libraries themselves, each in a process of
    its own: change the inputs in `tools/differences`, not this page. The word in front of each
    section is the reason's name; `tests/cases/differences.py` lists by it the examples of ONNX's
    documents and the cases of onnxruntime's own tests that want something else.""",
    """Asked were {peers}. The ONNX models have opset {opset}; onnxruntime ran them with its CPU
    provider and without graph optimizations.""",
    """A cell holds a number and its code. "same" is the code that castufunc gives; "-" means that
    the library has no such conversion; "another mode" that it has no arguments `saturate` and
    `round_mode` and gives what castufunc gives with others. Inputs for which all agree are left
    out, and so are, in each section, libraries that never differ.""",
)

SPELLING = {"Cast": "cast", "CastLike": "cast_like", "BitCast": "bit_cast"}


@dataclass(frozen=True)
class Peer:
    name: str
    version: str
    answers: Mapping[Case, Answer]


def codes_in_words(name: str, codes: Sequence[int]) -> str:
    return " or ".join(f"{in_words(name, code)} `{in_bits(name, code)}`" for code in codes)


def in_bits(name: str, code: int) -> str:
    return f"0x{code:0{2 * code_type(name).itemsize}X}"


def in_words(name: str, code: int) -> str:
    """The number, in as many digits as its type needs; NaN with its sign."""
    array = array_of(name, code)
    if name == "bool" or array.dtype.kind in "iu":
        return str(array.item())
    if np.isnan(castufunc.cast(array, "float64"))[0]:
        negative = name != "float8e8m0" and code >> (8 * array.itemsize - 1)
        return "-NaN" if negative else "NaN"
    return str(array[0])


def call(case: Case) -> str:
    words = []
    for name, value in case.attributes.items():
        words.append(f"{name}={bool(value) if name == 'saturate' else value}")
    return " ".join([SPELLING[case.op], *words])


def cell(subject: Subject, case: Case, peer: Peer) -> str:
    """What the table says of a peer's answer; "same", "-" and "another mode" are no difference."""
    answer, wanted = peer.answers[case], ours(case)
    if answer.error:
        if wanted.error:
            return "same"
        is_told = subject.refusals or answer.error.startswith("crash")
        return answer.error if is_told and answer.error != "NotOffered" else "-"
    if answer == wanted:
        return "same"
    has_no_arguments = peer.name in WITHOUT_ARGUMENTS and case.op == "Cast"
    if has_no_arguments and not subject.choice and answer in ours_in_all_modes(case):
        return "another mode"
    return codes_in_words(case.target, answer.codes)


AGREEING = {"same", "-", "another mode"}


def section(subject: Subject, peers: Sequence[Peer]) -> Iterator[str]:
    if subject.choice:
        peers = [peer for peer in peers if peer.name in WITHOUT_ARGUMENTS]
    cells = {case: [cell(subject, case, peer) for peer in peers] for case in subject.cases}
    rows = {case: row for case, row in cells.items() if not AGREEING.issuperset(row)}
    shown = [i for i in range(len(peers)) if any(row[i] not in AGREEING for row in rows.values())]
    yield f"## {subject.title}"
    yield filled(f"`{subject.id}`: {subject.rule}")
    if not rows:
        yield f"None of the {len(cells)} inputs that were tried differs."
        return
    yield f"Differing inputs: {len(rows)} of {len(cells)} that were tried."
    headings = ["input", "bits", "from", "to", "call", "castufunc"]
    headings += [f"{peers[i].name} {peers[i].version}" for i in shown]
    table = [headings, ["---"] * len(headings)]
    for case, row in rows.items():
        code, result = code_of(case), ours(case)
        table.append(
            [
                in_words(case.source, code),
                f"`{in_bits(case.source, code)}`",
                case.source,
                case.target,
                f"`{call(case)}`",
                result.error or codes_in_words(case.target, result.codes),
                *[row[i] for i in shown],
            ]
        )
    yield "\n".join(f"| {' | '.join(line)} |" for line in table)


def page(peers: Sequence[Peer], absent: Sequence[str]) -> str:
    asked = ", ".join(f"{peer.name} {peer.version}" for peer in peers)
    if absent:
        asked += f" (not installed, and so not asked: {', '.join(absent)})"
    parts = ["# Known differences"]
    parts += [filled(paragraph.format(peers=asked, opset=OPSET)) for paragraph in HEAD]
    for subject in SUBJECTS:
        parts += section(subject, peers)
    return "\n\n".join(parts) + "\n"
