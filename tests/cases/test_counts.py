"""Every case of the files is run, or is of a class that is left out: how many, file by file."""

import pytest

from .differences import BY_CASE, CATEGORIES
from .files import ALL, NAMES, counts

# What is left out: text, and packed forms.
COUNTS = {
    "document_cases": {"cast": 148, "castlike": 120, "bitcast": 14, "text": 44},
    "onnx_node_cases": {"cast": 116, "castlike": 56, "bitcast": 10},
    "ort_cases": {"cast": 376, "bitcast": 17, "text": 19},
    "reported_cases": {
        "cast": 118, "castlike": 2, "bitcast": 8, "error": 2, "packing": 6, "text": 11,
    },
}  # fmt: skip
SIZES = {
    "document_cases": 326,
    "onnx_node_cases": 182,
    "ort_cases": 412,
    "reported_cases": 147,
}


@pytest.mark.parametrize("file", NAMES)
def test_no_case_was_dropped(file):
    assert counts(file) == COUNTS[file]
    assert sum(COUNTS[file].values()) == SIZES[file]


def test_ids_are_unique():
    assert len({case.id for case in ALL}) == len(ALL) == sum(SIZES.values())


def test_every_difference_is_of_a_case_that_is_run():
    assert set(BY_CASE) <= {case.id for case in ALL if not case.left_out}
    assert len(BY_CASE) == sum(len(category.cases) for category in CATEGORIES.values())
    assert all(BY_CASE.values())
