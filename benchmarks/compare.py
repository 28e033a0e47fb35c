"""Print the goals for speed with what is measured here: ``python benchmarks/compare.py``.

Every figure is a ratio of times that were taken in turns, in one process with one thread: the
median over the rounds. A row tells its worst case, and the geometric mean of all its cases.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import chart, memory
from benchmarks.cells import Scope
from benchmarks.goals import rows
from benchmarks.peers import installed
from benchmarks.report import answers_to, heading, misses, result_of, table, wishes_of

SCOPES = {
    "fast": Scope(dram="64M", seconds=0.03, limit=4, peers=tuple(installed())),
    "full": Scope(dram="64M", seconds=0.15, limit=None, peers=tuple(installed())),
}
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
PLOT = PAGE.with_suffix(".png")
START, END = "<!-- {} -->\n", "<!-- end of {} -->\n"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="all casts; else some, in a minute")
    parser.add_argument("--only", default="", metavar="WORDS", help="rows with this in their name")
    parser.add_argument("--misses", action="store_true", help="list the cases that miss their goal")
    parser.add_argument("--plot", action="store_true", help=f"draw {PLOT.name}")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    return parser.parse_args()


def write(**sections: str) -> None:
    """Replace what was measured before, section by section."""
    text = PAGE.read_text()
    for name, content in sections.items():
        start, end = START.format(name), END.format(name)
        before, _, rest = text.partition(start)
        _, _, after = rest.partition(end)
        text = f"{before}{start}{content}\n{end}{after}"
    PAGE.write_text(text)


def main() -> None:
    begin = time.perf_counter()
    options = arguments()
    scope = SCOPES["full" if options.full else "fast"]
    chosen = [row for row in rows(scope) if options.only in row.what and row.cases]
    answers = answers_to(
        [
            *wishes_of(chosen),
            *memory.wishes(scope).values(),
            *(chart.wishes(scope) if options.plot else ()),
        ]
    )
    results = [result_of(row, answers) for row in chosen]
    results = [result for result in results if result.figures]
    title = heading(scope.peers)
    goals = f"{title}\n\n{table(results)}"
    new_results = memory.table(scope, answers)
    print(goals, new_results, *([misses(results)] if options.misses else []), sep="\n\n")
    if options.write:
        write(goals=goals, memory=new_results)
    if options.plot:
        chart.draw(PLOT, scope, answers, title.partition(";")[0])
    print(f"\n{time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
