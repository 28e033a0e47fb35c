"""Print the README's table of formats, as it follows from ``castufunc.FORMATS``.

::

    python tools/format_table.py
"""

from __future__ import annotations

from castufunc import FORMATS
from castufunc.formats import FormatInfo

HEADINGS = (
    "type",
    "ONNX",
    "bits",
    "sign, exponent, mantissa",
    "bias",
    "least above 0",
    "largest",
    "inf, NaN",
    "in ml_dtypes",
)


def row(info: FormatInfo) -> tuple[str, ...]:
    """Return the cells of one format."""
    if info.kind == "float":
        fields = f"{int(info.signed)}, {info.exponent_bits}, {info.mantissa_bits}"
        bias = str(info.bias)
        least = info.smallest_normal if info.smallest_subnormal is None else info.smallest_subnormal
        specials = ", ".join("no" if code is None else "yes" for code in (info.inf, info.nan))
    else:
        fields = f"{int(info.signed)}, -, -"
        bias, least, specials = "-", 1, "no, no"
    return (
        f"`{info.name}`",
        str(info.onnx),
        str(info.bits),
        fields,
        bias,
        f"{least:.5g}",
        f"{info.max:.5g}",
        specials,
        f"`{info.ml_dtypes}`",
    )


def format_table() -> str:
    """Return the table in Markdown."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *map(row, FORMATS.values())]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


if __name__ == "__main__":
    print(format_table())
