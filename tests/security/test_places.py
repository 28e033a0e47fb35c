"""External data that is no regular file of the model's folder is not opened."""

import os

import pytest

onnx = pytest.importorskip("onnx")

from castufunc.onnx import to_array  # noqa: E402

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no FIFO")


def tensor_at(location):
    tensor = onnx.TensorProto(name="t", data_type=1, dims=[4])
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    return tensor


@pytest.fixture
def folder(tmp_path):
    """Of a model; with a file beside it."""
    (tmp_path / "outside").write_bytes(bytes(16))
    folder = tmp_path / "model"
    (folder / "a").mkdir(parents=True)
    return folder


def refuses(folder, location):
    with pytest.raises((ValueError, OSError)) as info:
        to_array(tensor_at(location), folder)
    assert len(str(info.value)) < 1000


NAMES = ["../outside", "a/../../outside", "./../outside", "//etc/passwd", "/etc/passwd"]


@pytest.mark.parametrize("location", [*NAMES, "..", "a", "\0", "outside\0", ""])
def test_names(folder, location):
    refuses(folder, location)


@pytest.mark.parametrize("target", ["../outside", "../../outside", "/dev/zero", "/dev/stdin", "/"])
def test_links(folder, target):
    (folder / "a" / "link").symlink_to(target)
    refuses(folder, "a/link")


def test_a_link_of_a_folder(folder):
    (folder / "up").symlink_to("..")
    refuses(folder, "up/outside")


def test_a_fifo(folder):
    """Opening it would wait for a writer."""
    os.mkfifo(folder / "fifo")
    (folder / "link").symlink_to("fifo")
    refuses(folder, "fifo")
    refuses(folder, "link")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root for mknod")
def test_a_device(folder):
    try:
        os.mknod(folder / "zero", 0o666 | 0o020000, os.makedev(1, 5))
    except OSError:
        pytest.skip("the system lets nobody make a device")
    refuses(folder, "zero")
