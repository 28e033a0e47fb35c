"""An ml_dtypes that has none of the types, as if all had gone in some release: all else works."""

import os
import subprocess
import sys

import pytest

from exactness.processes import TESTS


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("without")
    (folder / "ml_dtypes").mkdir()
    (folder / "ml_dtypes" / "__init__.py").touch()
    path = os.pathsep.join([str(folder), str(TESTS)])

    def run(code):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    return run


def test_every_pair_in_every_mode(run):
    """Against the oracle, which needs no ml_dtypes."""
    run(
        "import ml_dtypes\n"
        "assert not hasattr(ml_dtypes, 'bfloat16')\n"
        "from exactness.harness import PAIRS, check\n"
        "from oracle.samples import mixed_codes\n"
        "for source, target in PAIRS:\n"
        "    check(source, target, mixed_codes(source, target, 60))\n"
    )


def test_all_else(run):
    run(
        "import pickle\n"
        "import numpy as np\n"
        "import castufunc as cu\n"
        "from castufunc import report\n"
        "for info in cu.FORMATS.values():\n"
        "    x = cu.cast(np.arange(1, 9), info.name)\n"
        "    assert cu.dtype(info.ml_dtypes) is info.dtype is x.dtype\n"
        "    assert cu.from_ml_dtypes(x) is x\n"
        "    try:\n"
        "        cu.to_ml_dtypes(x)\n"
        "    except TypeError as error:\n"
        "        assert 'has no equivalent in ml_dtypes' in str(error)\n"
        "    else:\n"
        "        raise AssertionError(info.name)\n"
        "    assert (pickle.loads(pickle.dumps(x)) == x).all()\n"
        "    assert (np.sort(x[::-1]) == np.sort(x)).all()\n"
        "    if info.bits < 8:\n"
        "        assert (cu.unpack(cu.pack(x), info.name, 8) == x).all()\n"
        "assert 'bfloat16' in report.format_table(report.measure(np.ones(9, np.float32)))\n"
        "assert cu.cast(['1.5'], 'float8_e5m2').tolist() == [1.5]\n"
    )
