"""Options for how much to try, and what tests of several folders share."""

import sys
import zlib

import pytest

OPTIONS = {
    "long": "more data: ten minutes",
    "exhaustive": "every float32 value to every narrow type, on every target: ten minutes",
}


def pytest_addoption(parser):
    group = parser.getgroup("castufunc")
    for name, text in OPTIONS.items():
        group.addoption(f"--{name}", action="store_true", help=text)
    group.addoption("--sample", type=int, default=1, metavar="N",
                    help="of the cases of each test function only every N-th")  # fmt: skip


def pytest_configure(config):
    for name, text in OPTIONS.items():
        config.addinivalue_line("markers", f"{name}: runs with --{name} only ({text})")


def pytest_collection_modifyitems(config, items):
    leave_out(config, items)
    for item in items:
        for name in OPTIONS:
            if item.get_closest_marker(name) and not config.getoption(f"--{name}"):
                item.add_marker(pytest.mark.skip(reason=f"needs --{name}"))


def leave_out(config, items):
    """All but every N-th case of a function, at least one; which, depends on its name alone."""
    step = config.getoption("--sample")
    functions = {}
    for item in items:
        functions.setdefault(item.nodeid.partition("[")[0], []).append(item)
    kept = set()
    for name, cases in functions.items():
        kept.update(cases[zlib.crc32(name.encode()) % min(step, len(cases)) :: step])
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


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
