"""All models of all versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from castufunc.onnx import VERSIONS
from castufunc.onnx.versions import Version

from .inputs import BY_NAME, TEXTS, numbers
from .reasons import UNDEFINED, Difference, reason
from .running import by_castufunc, by_onnxruntime, model

FIRST_OPSET = 7  # of those that onnxruntime takes


@dataclass
class Results:
    """What came out of a version of an operator; `taken` and `refused` are pairs of types."""

    models: int = 0
    elements: int = 0
    taken: set[tuple[str, str]] = field(default_factory=set)
    refused: set[tuple[str, str]] = field(default_factory=set)
    differences: list[Difference] = field(default_factory=list)


def modes(version: Version, target: str) -> list[dict[str, Any]]:
    """The attributes that make a difference to a target. None stands for the defaults."""
    every: list[dict[str, Any]] = [{}]
    if target.startswith("float8") and "saturate" in version.attributes:
        every.append({"saturate": 0})
    if target == "float8e8m0" and version.operator == "Cast":
        # CastLike has no use for round_mode: ONNX's function body does not pass it on.
        more = [{"round_mode": mode} for mode in ("down", "nearest")]
        every += more + [{"saturate": 0, **mode} for mode in more]
    return every


def same(a: Any, b: Any) -> bool:
    if a is None or b is None or isinstance(a, str):
        return a is b or a == b
    return a.tobytes() == b.tobytes()


def inputs(source: str) -> list[np.ndarray]:
    if source == "string":
        return [np.array([text], object) for text in TEXTS]
    return [numbers(BY_NAME[source])]


def compare(version: Version) -> Results:
    """Run every pair of types in every mode."""
    results = Results()
    for source, target in product(sorted(version.types), repeat=2):
        if version.operator == "BitCast" and BY_NAME[source].bits != BY_NAME[target].bits:
            continue
        for mode in modes(version, target):
            _compare(version, source, target, mode, results)
    return results


def _compare(
    version: Version, source: str, target: str, mode: dict[str, Any], results: Results
) -> None:
    opset = max(version.since, FIRST_OPSET)
    answers = []
    for x in inputs(source):
        proto = model(version.operator, opset, x, target, mode)
        answers.append((x, by_castufunc(proto), by_onnxruntime(proto)))
    if all(theirs is None for _, _, theirs in answers):
        results.refused.add((source, target))
        return
    results.taken.add((source, target))
    for x, ours, theirs in answers:
        results.models += 1
        results.elements += x.size
        for i in range(x.size):
            a = None if ours is None else ours[i]
            b = None if theirs is None else theirs[i]
            if not same(a, b):
                results.differences.append(Difference(source, target, mode, x[i], a, b))


def all_versions() -> Iterator[Version]:
    """Every version, the newest of each operator first."""
    for versions in VERSIONS.values():
        for i in reversed(range(len(versions))):
            newer = versions[i + 1].since if i + 1 < len(versions) else FIRST_OPSET + 1
            if newer > FIRST_OPSET:
                yield versions[i]


def versions_that_differ(results: dict[Version, Results]) -> list[str]:
    """
    What is not as in the newest Cast: in the other versions, and in CastLike.

    BitCast must not differ at all.
    """
    newest = results[VERSIONS["Cast"][-1]]
    found = []
    for version, own in results.items():
        wanted, refused = Counter[str](), set()
        if version.operator != "BitCast":
            wanted = told(d for d in newest.differences if is_in(version, d))
            refused = {pair for pair in newest.refused if version.types.issuperset(pair)}
            if own.refused != refused:
                found.append(f"{version} refuses other types than the newest Cast")
        given = told(own.differences)
        found += [f"{version}, not in the newest Cast: {line}" for line in given - wanted]
        found += [f"the newest Cast, not in {version}: {line}" for line in wanted - given]
    return found


def is_in(version: Version, d: Difference) -> bool:
    return version.types.issuperset((d.source, d.target)) and d.attributes in modes(
        version, d.target
    )


def told(differences: Iterable[Difference]) -> Counter[str]:
    return Counter(str(d) for d in differences if reason(d) != UNDEFINED)
