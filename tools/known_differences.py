"""Write the page of known differences anew, by asking the libraries that are installed.

::

    pip install . onnx onnxruntime torch
    python tools/known_differences.py

Without one of the libraries the page says so; the one that is kept here is made with all of them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from differences import asking
from differences.page import Peer, page
from differences.peers import PEERS
from differences.subjects import SUBJECTS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "differences.md"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=PAGE, help="default: docs/differences.md")
    arguments = parser.parse_args()
    cases = [case for subject in SUBJECTS for case in subject.cases]
    peers, absent = [], []
    for name in PEERS:
        version, answers = asking.ask(name, cases)
        if version is None:
            absent.append(name)
        else:
            peers.append(Peer(name, version, dict(zip(cases, answers, strict=True))))
    arguments.output.write_text(page(peers, absent), encoding="utf-8")
    if absent:
        print(f"not installed, and so not asked: {', '.join(absent)}", file=sys.stderr)


if __name__ == "__main__":
    main()
