"""The rows by subject, a module each."""

from . import (
    algebra,
    arithmetic,
    casting,
    containers,
    creation,
    indexing,
    printing,
    promotion,
    reductions,
    scalars,
    shapes,
    sorting,
    statistics,
    storage,
    text,
    tools,
)

ROWS = [
    row
    for module in [
        creation, casting, promotion, indexing, shapes, sorting, reductions, statistics, arithmetic,
        algebra, containers, storage, printing, scalars, tools, text,
    ]
    for row in module.ROWS
]  # fmt: skip


assert len({row.id for row in ROWS}) == len(ROWS)
