"""``report`` of .npy and .npz files: read in pieces, with the same figures, whatever is in them."""

from __future__ import annotations

import io
import os
import re
import struct
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

import castufunc
from castufunc import _npy
from castufunc._progress import Progress
from castufunc.cli import main
from castufunc.report import Meter, format_table, measure

FLOATS = [name for name, info in castufunc.FORMATS.items() if info.kind == "float"]
MAGIC = b"\x93NUMPY"


def npy(x: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, x, allow_pickle=True)
    return stream.getvalue()


def made(header: str | bytes, data: bytes = b"", version: tuple[int, int] = (1, 0)) -> bytes:
    """The content of a .npy file with any header."""
    text = header if isinstance(header, bytes) else header.encode()
    length = struct.pack("<H" if version == (1, 0) else "<I", len(text))
    return MAGIC + bytes(version) + length + text + data


def header(descr: object = "<f4", shape: object = (4,), *, fortran: object = False) -> str:
    return repr({"descr": descr, "fortran_order": fortran, "shape": shape})


def archive(path: Path, *members: tuple[str, bytes], method: int = zipfile.ZIP_STORED) -> str:
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w", method) as file:
        warnings.simplefilter("ignore")  # of names that are there twice
        for name, content in members:
            file.writestr(name, content)
    return str(path)


def report(capsys, *arguments: str) -> str:
    assert main(["report", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refused(capsys, *arguments: str) -> str:
    assert main(["report", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("castufunc report: ")
    assert captured.err.count("\n") == 1
    assert len(captured.err) < 1000
    return captured.err


def streamed(path: str) -> list:
    """The measurements of every array of a file."""
    found = []
    for x in _npy.read_arrays(Path(path), [], Progress(None)):
        meter = Meter()
        for piece in x.pieces:
            meter.add(piece)
        found.append(meter.measurements())
    return found


def variants() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    n = 3 * _npy._PIECE + 1001  # several pieces, and a part of one
    x = rng.standard_normal(n) * 2.0 ** rng.integers(-14, 12, n)
    x[:4] = np.inf, -np.inf, np.nan, 0
    wide = {"float16": x.astype(np.float16), "float32": x.astype(np.float32), "float64": x}
    swapped = {f"{name} swapped": a.astype(a.dtype.newbyteorder()) for name, a in wide.items()}
    narrow = {name: castufunc.cast(x, name) for name in FLOATS}
    shapes = {
        "matrix": x[:300_000].reshape(300, 1000).astype(np.float32),
        "Fortran order": np.asfortranarray(x[:300_000].reshape(3, 100, 1000)),
        "Fortran order, swapped": np.asfortranarray(x[:9000].reshape(90, 100)).astype(">f4"),
        "number": np.float64(0.3),
        "nothing": np.zeros((0, 3), np.float32),
        "64 dimensions": np.full((1,) * 63 + (2,), 0.3),
    }
    return wide | swapped | narrow | shapes


VARIANTS = variants()


@pytest.mark.parametrize("name", VARIANTS)
def test_figures_are_those_of_the_whole_array(name: str, tmp_path: Path) -> None:
    x = VARIANTS[name]
    np.save(tmp_path / "x.npy", x)
    np.savez(tmp_path / "x.npz", x)
    np.savez_compressed(tmp_path / "y.npz", x)
    expected = [repr(measure(x))]  # which has equal NaN
    for file in "x.npy", "x.npz", "y.npz":
        assert [repr(m) for m in streamed(str(tmp_path / file))] == expected


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_versions_of_the_format(version, tmp_path: Path, capsys) -> None:
    x = np.float32([1, -500, 1e-9, 0])
    content = made(header(), x.tobytes(), version)
    (tmp_path / "x.npy").write_bytes(content)
    archive(tmp_path / "x.npz", ("x.npy", content))
    for file in "x.npy", "x.npz":
        output = report(capsys, str(tmp_path / file))
        assert "float32, shape (4,), 4 values in 16 bytes" in output
        assert format_table(measure(x)) in output


BAD_HEADERS = {
    "long": (b"{" + b" " * 20_000, "its header has 20001 bytes, and that of an array of floats"),
    "no dict": (b"[]", r"its header is not that of an array: b'\[\]'"),
    "not a literal": (b"{'descr': open('x')}", "its header is not that of an array"),
    "nested": (b"(" * 9000, "its header is not that of an array"),
    "no UTF-8": (b"\xff\xfe", "its header is not that of an array"),
    "unknown type": (header("<q99"), "its header is not that of an array"),
    "no name of a type": (header(5), "its header is not that of an array"),
    "a key too many": (header()[:-1] + ", 'x': 1}", "its header is not that of an array"),
    "a shape that is none": (header(shape="4"), "its header is not that of an array"),
    "a size that is none": (header(shape=(1.0,)), "its header is not that of an array"),
    "an order that is none": (header(fortran=1), "its header is not that of an array"),
    "negative": (header(shape=(-1, 4)), r"its shape, \(-1, 4\), has a negative size"),
    "65 dimensions": (header(shape=(1,) * 65), "it has 65 dimensions, an array has at most 64"),
    "large": (header(shape=(2**58,)), r"ends within the data: \d+ bytes are needed, 16 are"),
    "huge": (header(shape=(2**62, 2**62)), "its shape, .* is too large for an array"),
    "huge and empty": (header(shape=(0, 2**62)), "its shape, .* is too large for an array"),
    "longer than Python prints": (header(shape=(0, 1)).replace("1)", "0x" + "f" * 5000 + ")"),
                                  r"its shape, \(0, 2\*\*19999\.\.\.\), is too large"),
    "too short": (header(shape=(5,)), "it ends within the data: 20 bytes are needed, 16 are there"),
    "objects": (header("|O"), "an object array, which only pickle could load, is refused"),
    "fields": (header([("a", "<f4")]), "is no float type that can be measured"),
    "many fields": (header([(f"f{i}", "<f4") for i in range(300)]), r"\.\.\. is no float type"),
    "elements that are arrays": (header(("<f4", (4,))), "is no float type|not that of an array"),
}  # fmt: skip
ADVICE = "pickle=", "allow_pickle", "max_header_size", "trusted", "np.load", "Traceback"


@pytest.mark.parametrize("name", BAD_HEADERS)
def test_headers_that_are_refused_in_our_own_words(name: str, tmp_path: Path, capsys) -> None:
    text, message = BAD_HEADERS[name]
    content = made(text, bytes(16))
    (tmp_path / "x.npy").write_bytes(content)
    file = archive(tmp_path / "x.npz", ("bad.npy", content), ("good.npy", npy(np.ones(3))))
    texts = [refused(capsys, str(tmp_path / "x.npy"))]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        output = report(capsys, file)
    assert "good: float64, shape (3,)" in output
    assert "skipped:\n  bad: " in output
    texts.append(output)
    for given in texts:
        assert re.search(message, given)
        assert not any(words in given for words in ADVICE)


def test_other_versions_and_headers_that_end(tmp_path: Path, capsys) -> None:
    content = made(header(), bytes(16))
    cases = [(made(header(), bytes(16), (4, 0)), "version 4.0 of the .npy format is unknown")]
    cases += [(content[:n], "it ends within the header") for n in (6, 7, 8, 9, 10, 11, 60)]
    for bad, message in cases:
        (tmp_path / "x.npy").write_bytes(bad)
        assert f"x.npy: {message}" in refused(capsys, str(tmp_path / "x.npy"))
        file = archive(tmp_path / "x.npz", ("x.npy", bad), ("y", npy(np.ones(1))))
        assert f"x: {message}" in report(capsys, file)


def test_bytes_behind_the_array_are_told_of(tmp_path: Path, capsys) -> None:
    x = np.linspace(-9, 9, 50)
    content = npy(x) + b"surplus"
    (tmp_path / "x.npy").write_bytes(content)
    file = archive(tmp_path / "x.npz", ("x.npy", content), method=zipfile.ZIP_DEFLATED)
    output = report(capsys, str(tmp_path / "x.npy"))
    assert format_table(measure(x)) in output
    assert "skipped:\n  7 bytes behind the array\n" in output
    output = report(capsys, file)
    assert format_table(measure(x)) in output
    assert "skipped:\n  x: 7 bytes behind the array\n" in output


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("surplus", [b"", b"surplus"])
def test_checksums(method: int, surplus: bytes, tmp_path: Path, capsys) -> None:
    x = np.random.default_rng(1).random(500_000)  # more than one piece
    file = Path(archive(tmp_path / "x.npz", ("x.npy", npy(x) + surplus), method=method))
    content = bytearray(file.read_bytes())
    at = content.rindex(b"PK\x01\x02") + 16
    content[at : at + 4] = bytes(4)
    file.write_bytes(content)
    assert "x.npz, x: Bad CRC-32" in refused(capsys, str(file))
    assert "x.npz, x: Bad CRC-32" in refused(capsys, "--together", str(file))


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_members_that_end_or_are_damaged(method: int, tmp_path: Path, capsys) -> None:
    x = np.random.default_rng(1).random(500_000)
    name = tmp_path / "x.npz"
    whole = Path(archive(name, ("x.npy", npy(x)), method=method)).read_bytes()
    directory = whole.index(b"PK\x01\x02")
    for at in 50, 1000, directory - 100_000:
        # Some of the data are gone, and the directory says nothing of it.
        damaged = whole[:at] + b"\0" * 20_000 + whole[at + 20_000 :]
        name.write_bytes(damaged)
        assert main(["report", str(name)]) == 2
        captured = capsys.readouterr()
        assert "x.npz" in captured.err
        assert "Traceback" not in captured.err
    # The directory, moved to the front of where it was, leaves the member without its end.
    end = bytearray(whole[directory:])
    eocd = end.index(b"PK\x05\x06")
    end[eocd + 16 : eocd + 20] = struct.pack("<I", 200_000)
    name.write_bytes(whole[:200_000] + end)
    assert "x.npz, x: " in refused(capsys, str(name))


def test_what_a_member_says_of_its_size(tmp_path: Path, capsys) -> None:
    x = np.ones(1000)
    for size, words in [(7000, "it ends within the data: 8000 bytes are needed, 6872 are"),
                        (20_000, "x.npz, x: ")]:  # fmt: skip
        name = Path(archive(tmp_path / "x.npz", ("x.npy", npy(x)), method=zipfile.ZIP_DEFLATED))
        content = bytearray(name.read_bytes())
        at = content.rindex(b"PK\x01\x02") + 24
        content[at : at + 4] = struct.pack("<I", size)
        name.write_bytes(content)
        status = main(["report", str(name)])
        captured = capsys.readouterr()
        if size < 8000:
            assert status == 2
            assert words in captured.out
        else:  # more is announced, and the compressed data have an end of their own
            assert "1000 values in 8000 bytes" in captured.out
            assert format_table(measure(x)) in captured.out


def test_members_of_one_name(tmp_path: Path, capsys) -> None:
    first, second, third = np.ones(3), np.full(5, 0.3), np.float32([7])
    file = archive(
        tmp_path / "x.npz", ("x.npy", npy(first)), ("x.npy", npy(second)), ("x", npy(third))
    )
    output = report(capsys, file)
    for name, x in [("x", first), ("x (no. 2 of this name)", second),
                    ("x (no. 3 of this name)", third)]:  # fmt: skip
        assert f"{file}, {name}: {x.dtype}, shape ({x.size},)" in output
        assert format_table(measure(x)) in output
    assert ": 3 arrays of floats, 9 values in 68 bytes" in report(capsys, "--together", file)


def test_members_that_are_no_arrays(tmp_path: Path, capsys) -> None:
    file = archive(
        tmp_path / "x.npz", ("a.txt", b"text"), ("folder/", b""), ("empty.npy", b""),
        ("object.npy", npy(np.array([None]))), ("\x1b[2J.npy", npy(np.ones(1, np.int8))),
        ("f/x.npy", npy(np.ones(2, np.float16))), ("n" * 5000, b""),
    )  # fmt: skip
    output = report(capsys, file)
    assert "f/x: float16, shape (2,)" in output
    assert output[output.index("skipped:") :].splitlines()[1:7] == [
        "  a.txt: not an array",
        "  folder/: not an array",
        "  empty: not an array",
        "  object: an object array, which only pickle could load, is refused",
        r"  \x1b[2J: int8 is no float type that can be measured",
        f"  {'n' * 197}...: not an array",
    ]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compressions_without_a_limit_are_refused(method: int, tmp_path: Path, capsys) -> None:
    file = archive(tmp_path / "x.npz", ("x.npy", npy(np.zeros(10**6))), method=method)
    assert main(["report", file]) == 2
    assert f"x: its compression, method {method}, is none that" in capsys.readouterr().out


def test_encrypted_members(tmp_path: Path, capsys) -> None:
    name = Path(archive(tmp_path / "x.npz", ("x.npy", npy(np.ones(3))), ("y", npy(np.ones(1)))))
    content = bytearray(name.read_bytes())
    for mark, offset in (b"PK\x03\x04", 6), (b"PK\x01\x02", 8):
        content[content.index(mark) + offset] |= 1
    name.write_bytes(content)
    assert "x: it is encrypted" in report(capsys, str(name))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_what_is_no_file(tmp_path: Path, capsys) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    (tmp_path / "loop").symlink_to("loop")
    for name in "fifo", "link":
        message = refused(capsys, str(tmp_path / name))
        assert f"{name}: this is a FIFO, not a regular file" in message
    assert "this is a folder" in refused(capsys, str(tmp_path))
    assert "Too many levels" in refused(capsys, str(tmp_path / "loop"))
    assert "too long" in refused(capsys, str(tmp_path / ("n" * 300)))


# --- memory -------------------------------------------------------------------------------------

# Of the process itself: what getrusage tells begins with the memory of its parent.
PEAK = Path("/proc/self/status")

BOMB = """
import pathlib, re, sys
from castufunc import cli, report
if sys.argv[1] == "quick":  # measuring takes its time, and no memory to speak of
    count = report.Meter.add
    report.Meter.add = lambda self, x: count(self, x[:1])
status = cli.main(["report", sys.argv[2]])
text = pathlib.Path("/proc/self/status").read_text()
print("kilobytes:", re.search(r"VmHWM:\\s*(\\d+) kB", text)[1])
raise SystemExit(status)
"""


def bomb(path: Path, nbytes: int) -> str:
    """A small .npz file with an array of zeros that takes so many bytes."""
    block = bytes(1 << 20)
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file,
        file.open("zeros.npy", "w", force_zip64=True) as member,
    ):
        member.write(made(header(shape=(nbytes // 4,)), b""))
        for _ in range(nbytes // len(block)):
            member.write(block)
    assert path.stat().st_size < nbytes / 500
    return str(path)


def peak(file: str, how: str) -> tuple[str, float]:
    """What ``report`` prints, and the most memory in megabytes that it had."""
    done = subprocess.run(
        [sys.executable, "-c", BOMB, how, file], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    output, _, kilobytes = done.stdout.rpartition("kilobytes: ")
    return output, int(kilobytes) / 1000


needs_peak = pytest.mark.skipif(
    not PEAK.is_file() or "VmHWM" not in PEAK.read_text(), reason="needs Linux"
)


@needs_peak
def test_a_bomb_takes_little_memory(tmp_path: Path) -> None:
    output, megabytes = peak(bomb(tmp_path / "x.npz", 1 << 28), "quick")
    assert "zeros: float32, shape (67108864,), 67108864 values in 268435456 bytes" in output
    assert megabytes < 200


@pytest.mark.long
@needs_peak
def test_a_large_bomb_takes_little_memory(tmp_path: Path) -> None:
    output, megabytes = peak(bomb(tmp_path / "x.npz", 1 << 31), "measured")
    assert "536870912 values in 2147483648 bytes" in output
    assert "bfloat16          1073741824          0           0     inf" in output
    assert megabytes < 200
