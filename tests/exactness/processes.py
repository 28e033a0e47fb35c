"""Python in a process of its own, with a cap on the instruction-set target."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]


def _command(arguments, target):
    path = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "CASTUFUNC_TARGET": target, "PYTHONPATH": path}
    return {"args": [sys.executable, *arguments], "env": environment, "text": True}


def python(*arguments, target):
    return subprocess.run(**_command(arguments, target), capture_output=True, check=False)


def start_python(*arguments, target):
    """The process while it runs: `communicate` has what it prints."""
    return subprocess.Popen(
        **_command(arguments, target), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
