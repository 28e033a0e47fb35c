"""Every row on the installed NumPy, each for all its types, in processes that may crash."""

from collections import Counter

import pytest

from .pool import judge_all
from .rows import Error
from .tables import ROWS


@pytest.fixture(scope="session")
def complaints():
    """By row and type, without those that are as expected. All are run once."""
    keys = [(row, type_name) for row in ROWS for type_name in row.types]
    found = judge_all(row.job(type_name) for row, type_name in keys)
    return {key: complaint for key, complaint in zip(keys, found, strict=True) if complaint}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_row(row, complaints):
    wrong = [f"{name}: {complaints[row, name]}" for name in row.types if (row, name) in complaints]
    assert not wrong, "\n".join([row.text, *wrong])


def test_nearly_all_is_as_for_numpys_own_types():
    errors = sum(isinstance(row.outcome, Error) for row in ROWS)
    assert errors <= 0.05 * len(ROWS)
    # Those that work in another way count as well here, and each row for every type it is for.
    runs = Counter()
    for row in ROWS:
        runs[row.works] += len(row.types)
    assert runs[True] >= 0.95 * runs.total()


def test_there_are_enough_rows():
    assert len(ROWS) >= 400
    assert len({row.text for row in ROWS}) >= 400
