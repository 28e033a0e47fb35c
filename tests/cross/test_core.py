"""core/ alone under AddressSanitizer, with a long double of 8 bytes as Apple's and Windows' is.

So compiled it also takes the way of processors without kernels of their own. The programs are those
that `.ci/run cross` compiles for other processors (see run.py).
"""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CORE = HERE.parents[1] / "src" / "castufunc" / "core"
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def runs(*command, **options):
    return subprocess.run(
        [*map(str, command)], capture_output=True, text=True, check=False, timeout=300, **options
    )


def sources():
    c = [path for path in CORE.glob("*.c") if not path.name.startswith(("kernels_x86", "x86"))]
    return [*sorted(c), *sorted(CORE.glob("*.cpp")), HERE / "inputs.c"]


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """A function that links a program with core/, which is compiled once."""
    cc, cxx = shutil.which("cc"), shutil.which("c++")
    if cc is None or cxx is None:
        pytest.skip("needs compilers")
    folder = tmp_path_factory.mktemp("core")
    common = ["-O1", "-g", "-mlong-double-64", "-I", CORE.parent, "-I", HERE, *SANITIZERS]
    trial = folder / "trial.c"
    trial.write_text("int main(void) { return 0; }\n")
    program = trial.with_suffix("")
    if runs(cc, *common, trial, "-o", program).returncode or runs(program).returncode:
        pytest.skip("needs a compiler with -mlong-double-64 and AddressSanitizer")

    def compiled(source):
        compiler = [cxx, "-std=c++17"] if source.suffix == ".cpp" else [cc, "-std=c11"]
        made = folder / (source.name + ".o")
        done = runs(*compiler, *common, "-DCUF_TARGET=baseline", "-c", source, "-o", made)
        assert done.returncode == 0, done.stderr
        return made

    objects = [compiled(source) for source in sources()]

    def link(name):
        program = folder / name
        done = runs(cxx, *SANITIZERS, compiled(HERE / f"{name}.c"), *objects, "-lm", "-o", program)
        assert done.returncode == 0, done.stderr
        return program

    return link


@pytest.mark.parametrize("name", ["facts", "digest"])
def test_program(build, name):
    done = runs(build(name))
    assert done.returncode == 0, done.stderr[:3000]
    assert done.stderr == ""
