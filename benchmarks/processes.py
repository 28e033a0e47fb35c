"""Measurements in processes of their own, since the target is chosen at import.

The process keeps to one processor, so that every contestant has one thread and no more. Requests
and their times go through its standard input and output as JSON, a line each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Request = dict[str, Any]
ROOT = Path(__file__).parents[1]
SINGLE = {"OMP_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}


def measure(target: str | None, requests: Iterable[Request]) -> Iterator[dict[str, Any]]:
    """The answers to requests (``task`` and its arguments) with a target, or the best one."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, **SINGLE, "PYTHONPATH": path}
    if target:
        environment["CASTUFUNC_TARGET"] = target
    command = [sys.executable, "-m", __name__]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, text=True, **pipes) as process:
        assert process.stdin
        assert process.stdout
        for request in requests:
            print(json.dumps(request), file=process.stdin, flush=True)
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"no answer to {request}")
            answer = json.loads(line)
            if "error" in answer:
                raise RuntimeError(f"{request}: {answer['error']}")
            yield answer
        process.stdin.close()


def main() -> None:
    # Before the libraries count the processors.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the libraries print is no answer
    warnings.simplefilter("ignore")

    from .race import TASKS

    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer: Any = TASKS[request.pop("task")](**request)
        except Exception as error:
            answer = {"error": repr(error)}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
