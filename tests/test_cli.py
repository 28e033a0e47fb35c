"""``python -m castufunc``: output, messages and exit codes, in this process and in its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import castufunc
from byte_order import SWAPPED
from castufunc.cli import main
from castufunc.report import format_table, measure

FLOATS = [name for name, info in castufunc.FORMATS.items() if info.kind == "float"]


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "castufunc", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def rows(output: str) -> dict[str, list[str]]:
    """Return the figures of every row, by the name of the format."""
    fields = [line.split() for line in output.splitlines()]
    return {name: figures for name, *figures in filter(None, fields) if name in FLOATS}


def save(folder: Path, x: object, name: str = "x.npy") -> str:
    np.save(folder / name, x, allow_pickle=True)
    return str(folder / name)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the message of a run that has to fail."""
    assert main(["report", *arguments]) == 2
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert captured.err.startswith("castufunc report: ")
    assert captured.err.count("\n") == 1
    return captured.err


def test_shipped_sample(tmp_path: Path) -> None:
    done = run("report", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("digits_classifier.npz (shipped sample): 6 arrays of floats")
    table = rows(done.stdout)
    assert list(table) == FLOATS
    assert table["bfloat16"][0] == str(2 * 6570)
    assert table["float4e2m1"][0] == str(6570 // 2)
    # The weights are below 1.5 in magnitude: nothing saturates, but where there is no sign.
    assert {name for name, figures in table.items() if figures[4] != "0"} == {"float8e8m0"}


def test_sample_is_small_and_float32() -> None:
    sample = Path(castufunc.__file__).parent / "data" / "digits_classifier.npz"
    assert sample.stat().st_size < 64 * 1024
    with np.load(sample) as arrays:
        assert {x.dtype for x in arrays.values()} == {np.dtype(np.float32)}
        assert arrays["layer1_weight"].shape == (64, 64)


def test_file(tmp_path: Path) -> None:
    x = np.array([[1, -500, 1e-9]], np.float32)
    done = run("report", save(tmp_path, x), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{tmp_path / 'x.npy'}: float32, shape (1, 3), 3 values in 12 b")
    assert format_table(measure(x)) in done.stdout
    assert rows(done.stdout)["float8e4m3fn"] == ["3", "52", "17.3", "19.66", "1", "1", "0"]


@pytest.mark.parametrize(
    "x",
    [
        np.float64(0.3),
        np.full((2, 3, 4), 0.3, f"{SWAPPED}f8"),
        np.asfortranarray(np.full((3, 4), 0.3, np.float16)),
        np.full(3, 0.25).astype(castufunc.dtype("float8e5m2")),
        np.full(3, 0.25).astype(castufunc.dtype("bfloat16")),
    ],
    ids=["0-d", "big-endian", "Fortran order", "float8e5m2", "bfloat16"],
)
def test_kinds_of_arrays(x: np.ndarray, tmp_path: Path, capsys) -> None:
    assert main(["report", save(tmp_path, x)]) == 0
    assert format_table(measure(x)) in capsys.readouterr().out


def test_empty_array(tmp_path: Path, capsys) -> None:
    assert main(["report", save(tmp_path, np.zeros((0, 4), np.float32))]) == 0
    output = capsys.readouterr().out
    assert "shape (0, 4), 0 values in 0 bytes" in output
    assert rows(output)["float8e5m2"] == ["0", "-", "-", "-", "0", "0", "0"]


def test_special_values(tmp_path: Path, capsys) -> None:
    x = np.array([np.nan, -np.nan, np.inf, 1e30, 2.0])
    assert main(["report", save(tmp_path, x)]) == 0
    table = rows(capsys.readouterr().out)
    assert table["float8e5m2"][4:] == ["2", "0", "2"]
    assert table["float4e2m1"][4:] == ["2", "2", "0"]
    assert table["bfloat16"][4:] == ["0", "0", "2"]


def test_several_arrays(tmp_path: Path, capsys) -> None:
    weight, bias = np.linspace(-2, 2, 10), np.float32([0.1, 300])
    labels = np.arange(3)
    file = str(tmp_path / "model.npz")
    np.savez(file, weight=weight, labels=labels, bias=bias, names=np.array([None, {}]))
    assert main(["report", file]) == 0
    output = capsys.readouterr().out
    assert f"{file}, weight: float64, shape (10,), 10 values in 80 bytes" in output
    assert f"{file}, bias: float32" in output
    assert format_table(measure(weight)) in output
    assert format_table(measure(bias)) in output
    assert "labels: int64 is no float type that can be measured" in output
    assert "names: an object array, which only pickle could load, is refused" in output

    assert main(["report", "--together", file]) == 0
    output = capsys.readouterr().out
    assert output.startswith(f"{file}: 2 arrays of floats, 12 values in 88 bytes\n")
    both = np.concatenate([weight, bias.astype(np.float64)])
    assert format_table(measure(both)) in output
    assert "labels: int64" in output


def test_missing_file(tmp_path: Path) -> None:
    done = run("report", "nowhere.npy", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "castufunc report: nowhere.npy: No such file or directory\n"


def test_folder(tmp_path: Path, capsys) -> None:
    assert str(tmp_path) in refused(capsys, str(tmp_path))


@pytest.mark.parametrize("content", [b"", b"hello", b"\x80\x04]."], ids=["empty", "text", "pickle"])
def test_other_files(content: bytes, tmp_path: Path, capsys) -> None:
    (tmp_path / "x.npy").write_bytes(content)
    assert "x.npy: not a .npy or .npz file" in refused(capsys, str(tmp_path / "x.npy"))


def test_damaged_files(tmp_path: Path, capsys) -> None:
    whole = Path(save(tmp_path, np.ones(1000))).read_bytes()
    for length in 6, 9, 40, 1000:
        (tmp_path / "short.npy").write_bytes(whole[:length])
        assert "short.npy: " in refused(capsys, str(tmp_path / "short.npy"))
    (tmp_path / "x.npz").write_bytes(b"PK\x03\x04 but no more")
    assert "x.npz: File is not a zip file" in refused(capsys, str(tmp_path / "x.npz"))

    np.savez_compressed(tmp_path / "y.npz", x=np.random.default_rng(1).random(1000))
    content = bytearray((tmp_path / "y.npz").read_bytes())
    content[3000:3100] = bytes(100)
    (tmp_path / "y.npz").write_bytes(content)
    assert "y.npz, x: Bad CRC-32" in refused(capsys, str(tmp_path / "y.npz"))


@pytest.mark.parametrize("dtype", ["int64", "bool", "complex128", "<U5", "datetime64[s]"])
def test_arrays_of_other_types(dtype: str, tmp_path: Path, capsys) -> None:
    message = refused(capsys, save(tmp_path, np.zeros(3, dtype)))
    assert f"x.npy: {dtype} is no float type that can be measured" in message


def test_narrow_integers(tmp_path: Path, capsys) -> None:
    file = save(tmp_path, np.zeros(3, castufunc.dtype("int4")))
    assert "no float type that can be measured" in refused(capsys, file)


def test_objects_are_never_unpickled(tmp_path: Path, capsys) -> None:
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "sprung"),)

    file = save(tmp_path, np.array([Trap()], object))
    assert "an object array, which only pickle could load, is refused" in refused(capsys, file)
    np.savez(tmp_path / "x.npz", x=np.array([Trap()], object))
    assert "no array of floats" in refused(capsys, str(tmp_path / "x.npz"))
    assert not (tmp_path / "sprung").exists()


def test_types_lost_in_the_file(tmp_path: Path, capsys) -> None:
    file = save(tmp_path, np.zeros(3, ml_dtypes.bfloat16))
    assert "but not those of ml_dtypes" in refused(capsys, file)


def test_archive_without_floats(tmp_path: Path, capsys) -> None:
    file = tmp_path / "x.npz"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("notes.txt", "no array")
        stream = io.BytesIO()
        np.save(stream, np.arange(3))
        archive.writestr("counts.npy", stream.getvalue())
    assert main(["report", str(file)]) == 2
    captured = capsys.readouterr()
    assert "notes.txt: not an array" in captured.out
    assert "counts: int64" in captured.out
    assert captured.err == f"castufunc report: {file}: no array of floats in it\n"


def test_version(tmp_path: Path) -> None:
    done = run("--version", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, castufunc.__version__ + "\n")


def test_config(tmp_path: Path) -> None:
    done = run("config", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert castufunc.__version__ in done.stdout


@pytest.mark.parametrize("arguments", [[], ["unknown"], ["report", "a", "b"], ["report", "--no"]])
def test_wrong_arguments(arguments: list[str], capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: python -m castufunc" in capsys.readouterr().err


def test_help_explains_the_columns(capsys) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["report", "--help"])
    assert caught.value.code == 0
    output = capsys.readouterr().out
    heading = format_table([]).split("  ")
    assert all(column.strip() in output for column in heading if column != "format")
