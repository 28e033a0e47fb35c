"""The list of known differences, as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from prose import filled

import castufunc

from .comparing import Results
from .reasons import REASONS, UNDEFINED, Difference, is_float, reason

COLUMNS = ("input", "from", "to", "attributes", "castufunc", "onnxruntime")

HEAD = (
    "# What onnxruntime gives",
    """{models} models were run by onnxruntime {onnxruntime} and by castufunc: from every type to
    every type, in every mode and version, with all codes of the types of up to 8 bits and, of the
    wider ones, inputs where libraries go astray. Of their {elements} elements these are the ones
    for which Cast gives something else.""",
    """The page is made by `python tools/compare_onnxruntime.py --update`, with onnx {onnx}, the CPU
    provider and no graph optimizations. Without `--update` that compares and changes nothing: it
    fails if anything differs that is not here, or does not differ any more.""",
    """Cast-6 to Cast-28 of onnxruntime all give the same, and CastLike the same as Cast with
    `round_mode="up"` (which is all that ONNX's function body of CastLike leaves). What BitCast of
    onnxruntime takes it gives as castufunc does. The rules and the reasons are told in
    [Known differences](differences.md).""",
)

NOTES = {
    "number-to-text": """onnxruntime writes 8 significant digits, from float64 too. castufunc writes
        the shortest decimal that reads back to the same number, in the layout of Python.""",
    "text-to-number": """castufunc takes the decimal at its value for every type, then rounds it
        once, or cuts off its fraction; and takes no hexadecimal numbers, and nothing behind a
        number. onnxruntime reads integers up to the first character that is none of theirs, and
        refuses what is out of range.""",
    UNDEFINED: """What onnxruntime gives for these depends on the processor and on the place in the
        array, as the conversion is not defined in C++; here on x86-64. Other results are no error
        of the comparison.""",
}


def in_words(scalar: Any, name: str) -> str:
    """A number or a text; NaN with its code, as there are several."""
    if scalar is None:
        return "refused"
    if name == "string":
        return f"`{str(scalar)!r}`"
    if not is_float(name):
        return str(scalar)
    text = castufunc.cast(scalar, "string").item()
    if text != "NaN":
        return text
    code = int.from_bytes(scalar.tobytes(), "little")
    return f"NaN `0x{code:0{2 * scalar.nbytes}X}`"


def rows(differences: Iterable[Difference]) -> list[str]:
    """The lines of a table; types for which all else is the same share one."""
    by_number: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for d in differences:
        attributes = " ".join(f"{k}={v}" for k, v in sorted(d.attributes.items()))
        ours, theirs = in_words(d.ours, d.target), in_words(d.theirs, d.target)
        key = (in_words(d.given, d.source), attributes, ours, theirs)
        by_number.setdefault(key, {}).setdefault(d.source, []).append(d.target)
    lines = []
    for (given, attributes, ours, theirs), targets in by_number.items():
        sources: dict[str, list[str]] = {}
        for source, some in targets.items():
            sources.setdefault(", ".join(some), []).append(source)
        lines += [
            f"| {given} | {', '.join(some)} | {to} | {attributes} | {ours} | {theirs} |"
            for to, some in sources.items()
        ]
    return lines


def sections(differences: Iterable[Difference]) -> dict[str, list[str]]:
    """The lines by reason; under "" what has none."""
    by_reason: dict[str, list[Difference]] = {name: [] for name in ("", *REASONS)}
    for d in differences:
        by_reason[reason(d) or ""].append(d)
    return {name: rows(some) for name, some in by_reason.items()}


def page(lines: dict[str, list[str]], newest: dict[str, Results], facts: dict[str, Any]) -> str:
    return "\n\n".join([*_head(facts), *_refusals(newest), *_tables(lines)]) + "\n"


def _head(facts: dict[str, Any]) -> Iterator[str]:
    title, *paragraphs = HEAD
    yield title
    for paragraph in paragraphs:
        yield filled(paragraph.format(**facts))


def _refusals(newest: dict[str, Results]) -> Iterator[str]:
    yield "## Not implemented"
    for operator, results in newest.items():
        yield filled(f"{operator}: {', '.join(in_short(results)) or 'nothing'}.")


def in_short(results: Results) -> list[str]:
    """The pairs of types that are refused; types of which all are, alone."""
    taken = {name for pair in results.taken for name in pair}
    alone = sorted({name for pair in results.refused for name in pair} - taken)
    rest = sorted(pair for pair in results.refused if taken.issuperset(pair))
    return [*alone, *(f"{source} to {target}" for source, target in rest)]


def _tables(lines: dict[str, list[str]]) -> Iterator[str]:
    for name, heading in REASONS.items():
        if lines[name]:
            yield f"## {name}"
            if heading:
                anchor = heading.lower().replace(" ", "-").replace(",", "").replace("'", "")
                yield f"See [{heading}](differences.md#{anchor})."
            if name in NOTES:
                yield filled(NOTES[name])
            head = [f"| {' | '.join(COLUMNS)} |", f"|{' --- |' * len(COLUMNS)}"]
            yield "\n".join([*head, *lines[name]])


def comparable(text: str) -> list[str]:
    """The lines of a page, without those that depend on the processor."""
    parts = text.split("\n## ")
    return "\n## ".join(part for part in parts if not part.startswith(UNDEFINED)).splitlines()
