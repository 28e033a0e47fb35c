"""The collected cases of packed forms."""

import numpy as np
import pytest

from cases.files import ALL
from cases.store import load
from castufunc import PackedArray, cast_pack, pack, unpack, unpack_cast

from .forms import PACKED, bytes_of, codes_of, own

CASES = [case for case in load("reported_cases") if case["op"] in ("pack", "unpack")]


def by_op(op):
    cases = [case for case in CASES if case["op"] == op]
    return pytest.mark.parametrize("case", cases, ids=lambda case: case["id"])


def codes(side):
    return np.array([int(number, 16) for number in side["bits"]], np.uint8)


def test_counts():
    assert [case["op"] for case in CASES].count("pack") == 4
    assert len(CASES) == 6
    assert sorted(case["id"] for case in CASES) == sorted(
        case.id for case in ALL if case.left_out == "packing"
    )


@by_op("pack")
def test_pack(case):
    name, data = case["from"], bytes.fromhex(case["expected"]["bytes"])
    given = codes(case["input"])
    assert bytes_of(given, PACKED[name]) == data
    assert pack(given.view(own(name))).tobytes() == data
    values = [int(text) for text in case["input"]["elements"]]
    assert cast_pack(values, name).tobytes() == data
    assert PackedArray.from_array(values, name).data.tobytes() == data


@by_op("unpack")
def test_unpack(case):
    name, data, count = case["to"], bytes.fromhex(case["input"]["bytes"]), case["input"]["count"]
    got = unpack(data, name, count)
    assert codes_of(got).tolist() == codes(case["expected"]).tolist()
    values = [int(text) for text in case["expected"]["values"]]
    assert got.tolist() == values
    assert unpack_cast(data, name, count, "int64").tolist() == values
