"""Python in a process of its own, with a cap on the instruction-set target."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]


def python(*arguments, target):
    path = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "CASTUFUNC_TARGET": target, "PYTHONPATH": path}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
