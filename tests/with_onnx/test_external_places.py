"""Where external data may lie: in the model's folder, and elsewhere only if the caller says so."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("onnx")

import onnx

from castufunc.onnx import from_array, to_array

from .test_external_data import tensor_at

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and FIFOs")

DATA = np.arange(4, dtype="<f4")


def refused(words, tensor, *arguments, **keywords):
    with pytest.raises(ValueError, match=words) as caught:
        to_array(tensor, *arguments, **keywords)
    assert str(caught.value).startswith("tensor 't': ")
    assert len(str(caught.value)) < 1000
    return str(caught.value)


@pytest.mark.parametrize(
    "location",
    ["../outside", "", "a/../../outside", "a/../../model/../outside", "..", "//etc/hostname",
     "{folder}/w", "{folder}/../outside"],
)  # fmt: skip
@pytest.mark.parametrize("base", ["folder", "model", "allowed"])
def test_a_location_does_not_lead_out_of_the_folder(location, base, tmp_path):
    """Whatever is allowed to links."""
    (tmp_path / "outside").write_bytes(bytes(16))
    folder = tmp_path / "model"
    (folder / "a").mkdir(parents=True)
    (folder / "w").write_bytes(bytes(16))
    (tmp_path / "m.onnx").write_bytes(b"")
    (folder / "m.onnx").symlink_to("../m.onnx")
    tensor = tensor_at(location.format(folder=folder))
    base_dir = folder / "m.onnx" if base == "model" else folder
    links = [tmp_path, "/"] if base == "allowed" else []
    refused("that is no place in", tensor, base_dir, link_dirs=links)


def test_what_is_in_the_folder(tmp_path, monkeypatch):
    folder = tmp_path / "model"
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "w").write_bytes(DATA.tobytes())
    (folder / "in").symlink_to("a/w")
    (folder / "by way of outside").symlink_to("../model/a/w")
    (folder / "b").symlink_to("a")
    (folder / "m.onnx").write_bytes(b"")
    (tmp_path / "link").symlink_to("model")
    places = ["a/w", "in", "by way of outside", "b/w", "a/../a/w", "./a//w", "../model/a/w"]
    for base in folder, str(folder), folder / "m.onnx", tmp_path / "link", os.fsencode(folder):
        for location in places:
            assert to_array(tensor_at(location), base).tolist() == [0, 1, 2, 3]
    monkeypatch.chdir(folder)
    for base in "", ".", "m.onnx":
        assert to_array(tensor_at("a/w"), base).tolist() == [0, 1, 2, 3]


@pytest.fixture
def hub(tmp_path):
    """A model and its data as a hub's cache has them: links into a folder of blobs."""
    blobs = tmp_path / "hub" / "blobs"
    snapshot = tmp_path / "hub" / "snapshots" / "1" / "onnx"
    blobs.mkdir(parents=True)
    snapshot.mkdir(parents=True)
    graph = onnx.helper.make_graph([], "g", [], [], [from_array(DATA, "t")])
    onnx.save(onnx.helper.make_model(graph), tmp_path / "m.onnx", save_as_external_data=True,
              location="m.onnx_data", size_threshold=0)  # fmt: skip
    for name, blob in [("m.onnx", "0a"), ("m.onnx_data", "0b")]:
        (tmp_path / name).rename(blobs / blob)
        (snapshot / name).symlink_to(f"../../../blobs/{blob}")
    return snapshot


def test_a_model_in_the_cache_of_a_hub(hub, tmp_path):
    """microsoft/onnxruntime#27374"""
    (tensor,) = onnx.load(hub / "m.onnx", load_external_data=False).graph.initializer
    message = refused("a link leads out of", tensor, hub)
    assert str(tmp_path / "hub" / "blobs" / "0b") in message
    assert "base_dir" in message
    assert "link_dirs" in message
    blobs = tmp_path / "hub" / "blobs"
    for arguments in [
        {"base_dir": hub / "m.onnx"},
        {"base_dir": str(hub / "m.onnx")},
        {"base_dir": hub, "link_dirs": blobs},
        {"base_dir": hub, "link_dirs": [str(tmp_path / "nowhere"), str(blobs)]},
        {"base_dir": hub, "link_dirs": iter([tmp_path])},
    ]:
        assert to_array(tensor, **arguments).tolist() == [0, 1, 2, 3]
    # The data's own file is not the model's, so these say nothing.
    for arguments in [
        {"base_dir": hub, "link_dirs": tmp_path / "hub" / "blob"},
        {"base_dir": hub, "link_dirs": [hub, tmp_path / "hub" / "snapshots"]},
        {"base_dir": hub, "link_dirs": ""},
        {"base_dir": hub, "link_dirs": []},
    ]:
        refused("a link leads out of", tensor, **arguments)


def test_links_of_a_hub_do_not_lead_anywhere_else(hub, tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(bytes(16))
    blobs = tmp_path / "hub" / "blobs"
    (hub / "far").symlink_to(secret)
    (blobs / "0c").symlink_to("../../secret")
    (hub / "by way of blobs").symlink_to("../../../blobs/0c")
    (hub / "folder").symlink_to("../../../..")
    for location in "far", "by way of blobs", "folder/secret":
        for base, links in [(hub / "m.onnx", ()), (hub, blobs)]:
            refused("a link leads out of", tensor_at(location), base, link_dirs=links)
        assert to_array(tensor_at(location), hub, link_dirs=tmp_path).tolist() == [0] * 4
    refused("no place in", tensor_at("../../../blobs/0b"), hub / "m.onnx", link_dirs=blobs)


def test_a_model_that_is_no_link_allows_nothing_more(tmp_path):
    (tmp_path / "outside").write_bytes(bytes(16))
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "m.onnx").write_bytes(b"")
    (folder / "w").symlink_to("../outside")
    refused("a link leads out of", tensor_at("w"), folder / "m.onnx")


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("loop", "'loop': links lead in a circle"),
        ("ping", "'ping': links lead in a circle"),
        ("loop/w", "links lead in a circle"),
        ("n" * 5000, r"'n{1,80}\.\.\.: the name is too long"),
        ("n" * 300, r"'n{1,80}\.\.\.: the name is too long"),
        ("n/" * 5000, "the name is too long"),
        ("a\0b", r"'a\\x00b': a name cannot have a NUL"),
        ("a\0/../../outside", "a name cannot have a NUL"),
        ("fifo", "this is a FIFO, not a regular file"),
        ("to fifo", "this is a FIFO, not a regular file"),
        ("socket", "this is a socket, not a regular file"),
        (".", "this is a folder, not a regular file"),
        ("folder", "this is a folder, not a regular file"),
        ("device", "a link leads out of"),
    ],
)
def test_names_and_things_that_are_no_files(location, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.symlink("loop", "loop")
    os.symlink("pong", "ping")
    os.symlink("ping", "pong")
    os.mkfifo("fifo")
    os.symlink("fifo", "to fifo")
    os.symlink("/dev/zero", "device")
    os.mkdir("folder")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
    refused(words, tensor_at(location), tmp_path)
    refused(words, tensor_at(location))


def test_devices_are_refused_where_they_are_allowed_to_be(tmp_path):
    (tmp_path / "device").symlink_to("/dev/zero")
    refused("this is a device, not a", tensor_at("device"), tmp_path, link_dirs="/dev")


def test_a_fifo_that_comes_in_the_place_of_a_file(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "file").write_bytes(bytes(16))
    code = """
import os, sys
from onnx import TensorProto
from castufunc.onnx import to_array
look, (fifo, file) = os.stat, sys.argv[1:]
os.stat = lambda name, *args, **kwargs: look(file if name == fifo else name, *args, **kwargs)
tensor = TensorProto(data_type=1, dims=[4], data_location=TensorProto.EXTERNAL)
tensor.external_data.add(key="location", value="fifo")
try:
    to_array(tensor, os.path.dirname(fifo))
except ValueError as error:
    print(error)
"""
    names = [os.path.realpath(tmp_path / name) for name in ("fifo", "file")]
    done = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True,
                          timeout=60, check=True)  # fmt: skip
    assert "this is a FIFO, not a regular file" in done.stdout


def test_long_names_of_tensors_are_cut_off(tmp_path):
    tensor = tensor_at("w")
    tensor.name = "t" * 5000
    with pytest.raises(FileNotFoundError) as caught:
        to_array(tensor, tmp_path)
    assert str(caught.value).startswith("tensor 'ttt")
    assert len(str(caught.value)) < 1000


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read all")
def test_what_may_not_be_read(tmp_path):
    (tmp_path / "w").write_bytes(bytes(16))
    (tmp_path / "w").chmod(0)
    with pytest.raises(PermissionError) as caught:
        to_array(tensor_at("w"), tmp_path)
    assert str(caught.value).startswith("tensor 't': ")
