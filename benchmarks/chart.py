"""Throughput against size: what is drawn, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from castufunc import _core

from .cells import Scope, Wish
from .operands import SIZES
from .timing import Times

CASTS = ("float32 to float8e4m3fn", "float8e4m3fn to float32")
TICKS = ("1k", "4k", "16k", "64k", "256k", "1M", "4M", "16M", "64M")
PEERS_UP_TO = SIZES["4M"]
PEERS = ("ml_dtypes", "torch", "onnxruntime", "jax")


@dataclass(frozen=True)
class Curve:
    """One contestant at all sizes; a peer beside the best target."""

    contestant: str
    target: str | None = None

    @property
    def is_peer(self) -> bool:
        return self.contestant in PEERS

    @property
    def label(self) -> str:
        if self.contestant == "ours":
            return f"castufunc, {self.target}"
        return "copy of as many bytes" if self.contestant == "roof" else self.contestant

    def wishes(self, scope: Scope, cast: str) -> Iterator[tuple[int, Wish]]:
        names = (self.contestant,) if self.is_peer else ("ours", "roof")
        fixed = {"cast": cast, "names": names, "seconds": scope.seconds}
        peer = self.contestant if self.is_peer else None
        for size in TICKS:
            if not self.is_peer or SIZES[size] <= PEERS_UP_TO:
                arguments = tuple({**fixed, "size": size}.items())
                yield SIZES[size], Wish("race", arguments, self.target, peer)


def curves(scope: Scope) -> list[Curve]:
    targets = _core._targets()
    return [
        Curve("roof", targets[-1]),
        *(Curve("ours", target) for target in reversed(targets)),
        *(Curve(peer) for peer in PEERS if peer in scope.peers),
    ]


def wishes(scope: Scope) -> list[Wish]:
    return [
        wish for cast in CASTS for curve in curves(scope) for _, wish in curve.wishes(scope, cast)
    ]


def draw(path: Path, scope: Scope, answers: Mapping[Wish, Times], title: str) -> None:
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(
        1, len(CASTS), figsize=(12, 4.8), sharey=True, layout="constrained"
    )
    for panel, cast in zip(panels, CASTS, strict=True):
        for curve in curves(scope):
            draw_curve(panel, scope, cast, curve, answers)
        panel.set_title(cast)
        panel.set_xscale("log", base=2)
        panel.set_xticks([SIZES[name] for name in TICKS], TICKS)
        panel.set_yscale("log")
        panel.set_xlabel("elements")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("10⁹ elements a second")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right center", fontsize=8)
    figure.suptitle(title, fontsize=9)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_curve(
    panel: object, scope: Scope, cast: str, curve: Curve, answers: Mapping[Wish, Times]
) -> None:
    points = [
        (size, size / median(answers[wish][curve.contestant]) / 1e9)
        for size, wish in curve.wishes(scope, cast)
        if curve.contestant in answers[wish]
    ]
    if not points:
        return
    style = {
        "ours": {"linestyle": "-", "marker": "o", "markersize": 3},
        "roof": {"linestyle": "-", "color": "black", "linewidth": 0.8},
    }.get(curve.contestant, {"linestyle": "--"})
    panel.plot(*zip(*points, strict=True), label=curve.label, **style)
