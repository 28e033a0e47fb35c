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

from benchmarks.cells import Scope
from benchmarks.goals import rows
from benchmarks.peers import installed
from benchmarks.report import fulfil, heading, table

SCOPES = {
    "fast": Scope(dram="32M", seconds=0.03, limit=4, peers=tuple(installed())),
    "full": Scope(dram="64M", seconds=0.15, limit=None, peers=tuple(installed())),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="all casts; else some, in a minute")
    parser.add_argument("--only", default="", metavar="WORDS", help="rows with this in their name")
    parser.add_argument("--misses", action="store_true", help="list the cases that miss the goal")
    parser.add_argument("--write", action="store_true", help="bring docs/performance.md up to date")
    arguments = parser.parse_args()
    start = time.perf_counter()
    scope = SCOPES["full" if arguments.full else "fast"]
    chosen = [row for row in rows(scope) if arguments.only in row.what and row.cases]
    results = fulfil(chosen)
    print(heading())
    print(table(results, misses=arguments.misses))
    print(f"\n{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
