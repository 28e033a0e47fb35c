"""Every public name has a numpydoc docstring, and its examples are right."""

import ast
import doctest
import importlib.util
import inspect
import pkgutil

import pytest

import castufunc
from castufunc import interop, report, ufuncs

FUNCTIONS = ["bit_cast", "cast", "cast_like", "cast_pack", "dtype", "from_ml_dtypes", "pack",
             "to_ml_dtypes", "unpack", "unpack_cast"]  # fmt: skip
CLASSES = ["FormatInfo", "PackedArray", "finfo", "iinfo"]


def run(text, name):
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert runner.failures == 0
    return len(test.examples)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    doc = inspect.getdoc(getattr(castufunc, name))
    for section in ["Parameters\n-----", "Returns\n-----", "Raises\n-----", "Examples\n-----"]:
        assert section in doc, section
    assert run(doc, name) > 0
    # Every parameter is told of.
    signature = inspect.signature(getattr(castufunc, name))
    for parameter in signature.parameters:
        assert parameter in doc, parameter


@pytest.mark.parametrize("name", CLASSES)
def test_classes(name):
    assert run(inspect.getdoc(getattr(castufunc, name)), name) > 0


@pytest.mark.parametrize("module", [interop, report, ufuncs], ids=lambda m: m.__name__)
def test_modules(module):
    result = doctest.testmod(module)
    assert result.failed == 0


def test_every_module_tells_its_subject():
    # Those that need a neighbour are read, not imported.
    for found in pkgutil.walk_packages(castufunc.__path__, "castufunc.", onerror=lambda name: None):
        source = importlib.util.find_spec(found.name).loader.get_source(found.name)
        if source is not None:
            assert ast.get_docstring(ast.parse(source)), found.name
