"""The goals for speed, a row each."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import chain
from typing import Any

from .cases import (
    FLOAT4,
    FLOAT8,
    FLOATS,
    FNUZ,
    FORMATS,
    INT4,
    NARROW,
    SCALES,
    WIDE_FLOATS,
    Cast,
    casts,
    every_pair,
    without,
)
from .cells import (
    NET,
    Case,
    Row,
    Scope,
    Wish,
    of_roof,
    over_best_peer,
    ratio,
    seconds,
    slowdown,
)
from .operands import INPUT_LAYOUTS, OUTPUT_LAYOUTS

CACHE = ["32k", "1M"]
HALVES = ["float16", "bfloat16"]
PLAIN = partial(casts, modes=False)


def both_ways(names: Iterable[str]) -> list[Cast]:
    """float32 to each and back."""
    return PLAIN(["float32"], names) + PLAIN(names, ["float32"])


def race(scope: Scope, cast: Cast, size: str, names: Iterable[str], **more: Any) -> Wish:
    """A wish; of `more`, what is no argument of the task tells the process."""
    process = {key: more.pop(key) for key in ("target", "peer") if key in more}
    arguments = {"cast": str(cast), "size": size, "names": tuple(names), "seconds": scope.seconds}
    return Wish("race", tuple({**arguments, **more}.items()), **process)


def race_peer(scope: Scope, peer: str, cast: Cast, size: str) -> Wish:
    both_fresh = ("fresh", f"fresh {peer}") if peer == "ml_dtypes" else ()
    return race(scope, cast, size, ("ours", "roof", peer, *both_fresh), peer=peer)


def at_roof(
    scope: Scope, some: Iterable[Cast], sizes: Iterable[str], target: str | None = None
) -> list[Case]:
    return [
        Case(f"{cast}, {size}", (race(scope, cast, size, NET, target=target),), of_roof)
        for size in sizes
        for cast in scope.some(some)
    ]


def against(scope: Scope, peer: str, some: Iterable[Cast], size: str = "1M") -> list[Case]:
    """Ours into existing memory against the peer's way."""
    if peer not in scope.peers:
        return []
    return [
        Case(f"{cast}, {size}", (race_peer(scope, peer, cast, size),), ratio(peer, "ours"))
        for cast in scope.some(some)
    ]


def fresh_against_ml_dtypes(scope: Scope, some: Iterable[Cast]) -> list[Case]:
    """Both into new memory."""
    figure = ratio("fresh ml_dtypes", "fresh")
    return [Case(case.label, case.wishes, figure) for case in against(scope, "ml_dtypes", some)]


def against_all(scope: Scope, handicap: bool) -> list[Case]:
    pairs = [*every_pair(), *PLAIN(["float16"], ["float32"]), *PLAIN(["float32"], ["float16"])]
    figure = over_best_peer(scope.peers, handicap=handicap)
    return [
        Case(
            f"{cast}, {size}",
            tuple(race_peer(scope, peer, cast, size) for peer in scope.peers),
            figure,
        )
        for size in ("64k", "1M")
        for cast in scope.some(pairs, 3)
    ]


def in_layouts(scope: Scope, layouts: Iterable[str], rival: str) -> list[Case]:
    floats = ["float32", "float16"]
    names = ("ours", "roof", "ml_dtypes")
    return [
        Case(
            f"{cast}, {layout}",
            (race(scope, cast, "32k", names, layout=layout),),
            ratio(rival, "ours"),
        )
        for cast in PLAIN(floats, FLOAT8[:1]) + PLAIN(FLOAT8[:1], floats)
        for layout in layouts
    ]


def task(name: str, label: str, figure: Any, **arguments: Any) -> Case:
    return Case(label, (Wish(name, tuple(arguments.items())),), figure)


def roof_rows(scope: Scope) -> list[Row]:
    encode = casts(["float32"], FLOATS)
    encode_fnuz = casts(["float32"], FNUZ)
    encode_others = casts(["float32"], without(FLOATS, FNUZ))
    to_eight = PLAIN(NARROW, WIDE_FLOATS) + PLAIN(NARROW, [*NARROW, "int8", "uint8"])
    halves = casts(HALVES, [*FLOAT8, *FLOAT4])
    doubles = casts(["float64"], [*FLOAT8, "bfloat16"])
    others = [
        *casts(["int32", "int64"], [*FLOAT8, "bfloat16"]),
        *casts(["float32"], ["int8", *INT4]),
        *casts(["float32"], HALVES),
        *casts(HALVES, ["float32"]),
    ]
    dram = [scope.dram]
    roof = partial(at_roof, scope)
    encoders = "float32 to float8, float6, float4, e8m0"
    return [
        Row(f"{encoders}: DRAM", 0.95, roof(encode, dram)),
        Row(f"{encoders}: DRAM, not fnuz", 0.85, roof(encode_others, dram, "x86_v3"), "x86_v3"),
        Row(f"{encoders}: DRAM, fnuz", 0.7, roof(encode_fnuz, dram, "x86_v3"), "x86_v3"),
        Row(f"{encoders}: DRAM, not fnuz", 0.5, roof(encode_others, dram, "baseline"), "baseline"),
        Row(f"{encoders}: DRAM, fnuz", 0.4, roof(encode_fnuz, dram, "baseline"), "baseline"),
        Row("float32 to float8: L2, L3", 0.5, roof(casts(["float32"], FLOAT8), CACHE)),
        Row(
            "float32 to float6, float4, e8m0: L2, L3",
            0.4,
            roof(casts(["float32"], without(FLOATS, FLOAT8)), CACHE),
        ),
        Row("8 bits or less to 32, 16 and 8: L2, L3, DRAM", 0.9, roof(to_eight, CACHE + dram)),
        Row(
            "8 bits or less to float32: DRAM",
            0.95,
            roof(PLAIN(NARROW, ["float32"]), dram, "x86_v3"),
            "x86_v3",
        ),
        Row("float16, bfloat16 to float8, float4: DRAM", 0.95, roof(halves, dram)),
        Row(
            "float16, bfloat16 to float8, float4: DRAM", 0.5, roof(halves, dram, "x86_v3"), "x86_v3"
        ),
        Row("float64 to float8, bfloat16: DRAM", 0.9, roof(doubles, dram)),
        Row(
            "int32, int64 to float8, bfloat16; float32 to int8, int4; "
            "float32 from and to float16, bfloat16: DRAM",
            0.8,
            roof(others, dram),
        ),
    ]


def ml_dtypes_rows(scope: Scope) -> list[Row]:
    groups = [
        group
        for what, narrow in (("float8, float6, float4", without(FLOATS, SCALES)), ("e8m0", SCALES))
        for group in (
            (f"float32, float16, bfloat16 to {what}", 45, PLAIN(WIDE_FLOATS, narrow)),
            (f"float64 to {what}", 30, PLAIN(["float64"], narrow)),
            (f"{what} to float32, float16, bfloat16", 100, PLAIN(narrow, WIDE_FLOATS)),
            (f"{what} to float64", 15, PLAIN(narrow, ["float64"])),
        )
    ]
    others = [
        ("float32 to bfloat16", 3, PLAIN(["float32"], ["bfloat16"])),
        ("int8 from and to int4", 0.9, PLAIN(["int8"], INT4[:1]) + PLAIN(INT4[:1], ["int8"])),
    ]
    forms = {
        "": partial(against, scope, "ml_dtypes"),
        ", new results": partial(fresh_against_ml_dtypes, scope),
    }
    return [
        *(
            Row(f"against ml_dtypes, 1M{form}: {what}", goal, cases(some), unit="x")
            for form, cases in forms.items()
            for what, goal, some in groups + others
        ),
        Row(
            "against ml_dtypes, 1k: wide floats from and to narrow ones",
            5,
            against(scope, "ml_dtypes", chain.from_iterable(some for *_, some in groups), "1k"),
            unit="x",
        ),
    ]


def peer_rows(scope: Scope) -> list[Row]:
    e5m2 = [name for name in FLOAT8 if FORMATS[name].exponent_bits == 5]
    table = {
        "torch": [
            ("wide floats to float8, e8m0", 2, PLAIN(WIDE_FLOATS, FLOAT8 + SCALES)),
            ("float8, e8m0 to wide floats", 15, PLAIN(FLOAT8 + SCALES, WIDE_FLOATS)),
            ("float32 from and to bfloat16", 1, both_ways(["bfloat16"])),
        ],
        "onnxruntime": [
            ("float32 from and to float8 e4m3", 40, both_ways(without(FLOAT8, e5m2))),
            ("float32 from and to float8 e5m2", 30, both_ways(e5m2)),
            ("float32 from and to float16, bfloat16", 1.5, both_ways(HALVES)),
            ("float32 from and to int4, uint4", 10, both_ways(INT4)),
        ],
    }
    return [
        *(
            Row(f"against {peer}, 1M: {what}", goal, against(scope, peer, some), unit="x")
            for peer, groups in table.items()
            for what, goal, some in groups
        ),
        Row("against the best peer, 64k and 1M: each pair", 1, against_all(scope, True), unit="x"),
        Row(
            "against the best peer, 64k and 1M: geometric mean",
            8,
            against_all(scope, False),
            of_mean=True,
            unit="x",
        ),
    ]


def layout_rows(scope: Scope) -> list[Row]:
    layouts = {
        "strided input": (0.6, INPUT_LAYOUTS),
        "strided output": (0.4, OUTPUT_LAYOUTS),
    }
    return [
        row
        for what, (goal, some) in layouts.items()
        for row in (
            Row(f"{what}: of a strided copy", goal, in_layouts(scope, some, "roof")),
            Row(f"{what}: against ml_dtypes", 3, in_layouts(scope, some, "ml_dtypes"), unit="x"),
        )
    ]


def other_rows(scope: Scope) -> list[Row]:
    one = partial(task, "one_element", seconds=scope.seconds)
    kinds = partial(task, "values", figure=slowdown, seconds=scope.seconds)
    encoders = casts([*WIDE_FLOATS, "float64"], FLOATS)
    return [
        Row(
            "one element by astype: against NumPy's float32 to float16",
            1,
            [one(f"to {name}", ratio("numpy", "astype"), target=name) for name in FLOATS],
            unit="x",
        ),
        Row(
            "one element by cast: against NumPy's float32 to float16",
            0.5,
            [one(f"to {name}", ratio("numpy", "cast"), target=name) for name in FLOATS],
            unit="x",
        ),
        Row(
            "kinds of values, 64k: the slowest takes",
            1.05,
            [kinds(str(cast), cast=str(cast)) for cast in scope.some(encoders)],
            at_most=True,
            unit="x",
        ),
        Row(
            "import after NumPy and ml_dtypes takes",
            0.030,
            [task("importing", "", seconds("import"), seconds=scope.seconds)],
            at_most=True,
            unit="s",
        ),
    ]


def rows(scope: Scope) -> list[Row]:
    parts = (roof_rows, ml_dtypes_rows, peer_rows, layout_rows, other_rows)
    return [row for part in parts for row in part(scope)]
