"""Options for how much to try, and what tests of several folders share."""

import sys

import pytest

OPTIONS = {
    "long": "more data: ten minutes",
    "exhaustive": "every float32 value to every narrow type, on every target: ten minutes",
}


def pytest_addoption(parser):
    group = parser.getgroup("castufunc")
    for name, text in OPTIONS.items():
        group.addoption(f"--{name}", action="store_true", help=text)


def pytest_configure(config):
    for name, text in OPTIONS.items():
        config.addinivalue_line("markers", f"{name}: runs with --{name} only ({text})")


def pytest_collection_modifyitems(config, items):
    for item in items:
        for name in OPTIONS:
            if item.get_closest_marker(name) and not config.getoption(f"--{name}"):
                item.add_marker(pytest.mark.skip(reason=f"needs --{name}"))


@pytest.fixture(scope="session")
def amount(request):
    """amount(usual, long): how much to try in this run."""
    is_long = request.config.getoption("--long")
    return lambda usual, long: long if is_long else usual


@pytest.fixture
def eager_switching():
    """Threads that change places as often as Python lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)
