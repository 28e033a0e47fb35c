"""Importing the package, and what it must not break."""

import subprocess
import sys

import pytest


def run(code):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("first", ["numpy", "ml_dtypes", "numpy.ma", "castufunc.ufuncs"])
def test_any_order_of_imports(first):
    run(f"import {first}, castufunc, numpy.ma, numpy as np; np.unique(np.ones(2, castufunc.int4))")


def test_the_package_alone_is_enough():
    run("import castufunc; castufunc.cast([1], 'int4'); castufunc.ufuncs.to_int4(1)")


def test_peers_are_not_imported():
    run(
        "import castufunc, sys; "
        "assert not {'onnx', 'torch', 'jax', 'dask', 'zarr', 'safetensors'} & set(sys.modules)"
    )


def test_names_of_ml_dtypes_stay_theirs():
    run(
        "import ml_dtypes, numpy as np; before = {n: np.dtype(n) for n in ['bfloat16', 'int4']}; "
        "import castufunc; assert before == {n: np.dtype(n) for n in before}"
    )


def test_dir_lists_the_public_names():
    import castufunc

    assert set(castufunc.__all__) <= set(dir(castufunc)) | {"ufuncs"}
    for name in castufunc.__all__:
        assert getattr(castufunc, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = castufunc.nothing
