"""docs/neighbours.md: what it shows is what happens, section by section."""

from __future__ import annotations

import doctest
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


def text():
    return DOCS.read_text(encoding="utf-8")


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


def test_all_sections_are_run():
    assert re.findall(r"^## (.*)$", text(), flags=re.MULTILINE) == list(SECTIONS)


def test_links_lead_somewhere():
    places = re.findall(r"\]\(([^)]*)\)", text())
    assert places
    anchors = {f"#{title.lower()}" for title in SECTIONS}
    for place in places:
        assert place in anchors or "://" in place or (DOCS.parent / place).is_file(), place


def test_all_types_of_the_format_are_told():
    from castufunc.interop import safetensors

    own = {name for own, name in safetensors._NAMES.items() if own in castufunc.FORMATS}
    assert own == {name for name in re.findall(r"`(\w+)`", text()) if re.match(r"B?F\d", name)}


def test_docstrings(tmp_path, monkeypatch):
    import castufunc.interop._torch as torch_module
    from castufunc.interop import safetensors

    monkeypatch.chdir(tmp_path)
    for module in [castufunc.interop, torch_module, safetensors]:
        assert doctest.testmod(module).failed == 0


def test_nothing_is_imported_before_it_is_needed():
    code = (
        "import sys, castufunc.interop.safetensors\n"
        "names = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(names & {'torch', 'zarr', 'jax', 'dask', 'safetensors', 'distributed'}))"
    )
    assert fresh(code) == "[]\n"


def test_what_is_not_installed_is_named():
    code = (
        "import sys, castufunc.interop.safetensors as st\n"
        "from castufunc import interop\n"
        "sys.modules.update(dict.fromkeys(['torch', 'zarr', 'safetensors']))\n"
        "for call in [lambda: interop.to_torch([1]), lambda: interop.from_torch([1]),\n"
        "             interop.register_zarr, lambda: st.load_file('x')]:\n"
        "    try:\n"
        "        call()\n"
        "    except ImportError as error:\n"
        "        print(error.name.partition('.')[0])"
    )
    assert fresh(code).split() == ["torch", "torch", "zarr", "safetensors"]
