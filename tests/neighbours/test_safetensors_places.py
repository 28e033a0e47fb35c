"""What is at the path of a safetensors file: links, and things that are not files."""

import os
import socket
import stat

import numpy as np
import pytest

import castufunc as cu
from castufunc.interop.safetensors import load_file, save_file
from neighbours.samples import fresh

pytest.importorskip("safetensors")
pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")

TENSORS = {"x": np.ones(9, cu.bfloat16)}


def make_fifo(path):
    os.mkfifo(path)


def make_folder(path):
    path.mkdir()


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))


def make_device(path):
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 7))
    except (AttributeError, PermissionError):
        pytest.skip("may not make devices")


KINDS = {
    "a FIFO": make_fifo, "a folder": make_folder, "a socket": make_socket, "a device": make_device,
}  # fmt: skip


@pytest.mark.parametrize("through_link", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_save_file_replaces_files_only(kind, through_link, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # paths of sockets are short
    place = tmp_path / "place"
    KINDS[kind](place)
    before = os.stat(place)
    path = place
    if through_link:
        path = tmp_path / "link"
        path.symlink_to(place)
    with pytest.raises(ValueError, match=f"this is {kind}, not a regular file"):
        save_file(TENSORS, path)
    assert os.path.samestat(os.stat(place), before)
    assert os.stat(place).st_mode == before.st_mode
    assert {p.name for p in tmp_path.iterdir()} <= {"place", "link"}


LOADING = """
import os, sys
from castufunc.interop.safetensors import load_file
path, told = sys.argv[1:]
if told:  # it was a file when it was looked at, and has become another thing since
    look = os.stat
    os.stat = lambda name, *args, **kwargs: look(told if name == path else name, *args, **kwargs)
try:
    load_file(path)
except (ValueError, OSError) as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("kind", KINDS)
def test_load_file_waits_for_nothing(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    KINDS[kind](tmp_path / "place")
    message = fresh(LOADING, tmp_path / "place", "")
    assert message.startswith("ValueError ")
    assert f"place: this is {kind}, not a regular file" in message


def test_load_file_waits_for_nothing_that_has_come_since(tmp_path):
    make_fifo(tmp_path / "fifo")
    (tmp_path / "file").write_bytes(b"")
    message = fresh(LOADING, tmp_path / "fifo", tmp_path / "file")
    assert "fifo: this is a FIFO, not a regular file" in message


def test_the_file_that_was_checked_is_the_one_that_is_mapped(tmp_path, monkeypatch):
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("needs names of open files")
    import safetensors

    path = tmp_path / "x"
    save_file(TENSORS, path)
    look = safetensors.safe_open

    def replaced_meanwhile(name, **kwargs):
        path.unlink()
        path.write_bytes(b"not a file of safetensors")
        return look(name, **kwargs)

    monkeypatch.setattr(safetensors, "safe_open", replaced_meanwhile)
    assert load_file(path)["x"].tolist() == [1] * 9


def test_links_are_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    link, far = tmp_path / "link", tmp_path / "folder" / "file"
    link.symlink_to(far)
    for _ in range(2):  # first to nothing, then to a file
        save_file(TENSORS, link)
        assert link.is_symlink()
        assert not far.is_symlink()
        assert load_file(link)["x"].tolist() == load_file(far)["x"].tolist() == [1] * 9
    assert [p.name for p in far.parent.iterdir()] == ["file"]


def test_links_to_nowhere(tmp_path):
    loop, lost = tmp_path / "loop", tmp_path / "lost"
    loop.symlink_to("loop")
    lost.symlink_to(tmp_path / "no folder" / "file")
    for path in loop, lost:
        with pytest.raises(OSError, match=f"{path.name}'$") as caught:
            save_file(TENSORS, path)
        assert caught.value.filename == str(path)
        with pytest.raises(OSError, match=path.name):
            load_file(path)
        assert path.is_symlink()
    assert {p.name for p in tmp_path.iterdir()} == {"loop", "lost"}


def test_long_names(tmp_path):
    path = tmp_path / ("n" * 255)
    save_file(TENSORS, path)
    assert load_file(path)["x"].tolist() == [1] * 9
    for path in tmp_path / ("n" * 256), tmp_path / "no folder" / "x":
        with pytest.raises(OSError, match=path.name) as caught:
            save_file(TENSORS, path)
        assert caught.value.filename == str(path)


def test_kinds_of_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in "x", b"y", tmp_path / "z":
        save_file(TENSORS, path)
        assert load_file(path)["x"].tolist() == [1] * 9
    assert {p.name for p in tmp_path.iterdir()} == {"x", "y", "z"}
    for path in 0, None, 1.5, ["x"]:
        with pytest.raises(TypeError):
            load_file(path)
        with pytest.raises(TypeError):
            save_file(TENSORS, path)
