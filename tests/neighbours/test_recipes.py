"""docs/neighbours.md and the pages below it: what they show is what happens."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

import castufunc
from neighbours.samples import fresh

DOCS = Path(__file__).parents[2] / "docs" / "neighbours.md"
pytestmark = pytest.mark.skipif(not DOCS.is_file(), reason="needs the source tree")

# Title -> the modules that it needs.
SECTIONS = {
    "ml_dtypes": [], "dask": ["dask.array"], "torch": ["torch"], "JAX": ["jax"],
    "safetensors": ["safetensors"], "zarr": ["zarr"], "Loading data": [],
    "Pickle, copies and processes": [],
}  # fmt: skip


# Page -> the modules that it needs.
PAGES = {
    "arrow": ["pandas", "pyarrow.parquet"], "hdf5": ["h5py"],
    "onnxruntime": ["onnx", "onnxruntime"],
    "pandas": ["pandas", "pyarrow.parquet"], "polars": ["polars", "pyarrow"],
    "scikit-learn": ["sklearn"], "xarray": ["xarray"],
}  # fmt: skip


def text():
    return DOCS.read_text(encoding="utf-8")


def page(name):
    return DOCS.with_suffix("") / f"{name}.md"


@pytest.mark.parametrize("title", SECTIONS)
def test_examples(title, tmp_path, monkeypatch):
    for module in SECTIONS[title]:
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    introduction, *sections = re.split(r"^## ", text(), flags=re.MULTILINE)
    (section,) = [s for s in sections if s.startswith(f"{title}\n")]
    parser = doctest.DocTestParser()
    examples = parser.get_doctest(introduction + section, {}, title, str(DOCS), 0)
    assert len(examples.examples) > 4
    assert doctest.DocTestRunner().run(examples).failed == 0


@pytest.mark.parametrize("name", PAGES)
def test_examples_of_pages(name, tmp_path, monkeypatch):
    for module in PAGES[name]:
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    examples = doctest.DocTestParser().get_doctest(
        page(name).read_text(encoding="utf-8"), {}, name, str(page(name)), 0
    )
    assert len(examples.examples) > 4
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_all_sections_and_pages_are_run():
    assert re.findall(r"^## (.*)$", text(), flags=re.MULTILINE) == list(SECTIONS)
    assert sorted(path.stem for path in DOCS.with_suffix("").iterdir()) == list(PAGES)
    linked = re.findall(r"\]\(neighbours/([^)]*)\.md\)", text())
    assert sorted(linked) == list(PAGES)


def anchors(document):
    titles = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", [DOCS, *map(page, PAGES)], ids=lambda path: path.stem)
def test_links_lead_somewhere(document):
    places = re.findall(r"\]\(([^)]*)\)", document.read_text(encoding="utf-8"))
    assert places or document != DOCS
    for place in places:
        path, _, anchor = place.partition("#")
        target = document.parent / path if path else document
        assert "://" in place or target.is_file(), place
        assert not anchor or "://" in place or anchor in anchors(target), place


def test_all_types_of_the_format_are_told():
    from castufunc.interop import safetensors

    own = {name for own, name in safetensors._NAMES.items() if own in castufunc.FORMATS}
    assert own == {name for name in re.findall(r"`(\w+)`", text()) if re.match(r"B?F\d", name)}


@pytest.mark.parametrize(
    ("module", "library"),
    [("", "numpy"), ("._arrow", "pyarrow"), ("._torch", "torch"), (".safetensors", "safetensors")],
)
def test_docstrings(tmp_path, monkeypatch, module, library):
    pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    found = importlib.import_module(f"castufunc.interop{module}")
    assert doctest.testmod(found).failed == 0


def test_nothing_is_imported_before_it_is_needed():
    code = (
        "import sys, castufunc.interop.safetensors\n"
        "names = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(names & {'torch', 'zarr', 'jax', 'dask', 'safetensors', 'distributed',\n"
        "                     'pyarrow', 'pandas', 'polars'}))"
    )
    assert fresh(code) == "[]\n"


def test_what_is_not_installed_is_named():
    code = (
        "import sys, castufunc, castufunc.interop.safetensors as st\n"
        "from castufunc import interop\n"
        "sys.modules.update(dict.fromkeys(['torch', 'zarr', 'safetensors', 'pyarrow']))\n"
        "for call in [lambda: interop.to_torch([1]), lambda: interop.from_torch([1]),\n"
        "             interop.register_zarr, lambda: st.load_file('x'),\n"
        "             lambda: interop.to_arrow(castufunc.cast([1], 'int4')),\n"
        "             lambda: interop.from_arrow([1])]:\n"
        "    try:\n"
        "        call()\n"
        "    except ImportError as error:\n"
        "        print(error.name.partition('.')[0])"
    )
    assert fresh(code).split() == [
        "torch", "torch", "zarr", "safetensors", "pyarrow", "pyarrow"
    ]  # fmt: skip
