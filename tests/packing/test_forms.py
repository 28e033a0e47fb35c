"""The whole numbers that the other tests compare with, by examples written out."""

import pytest

from .forms import PACKED, bytes_of, codes_of_bytes, size_of


def test_the_seven_types():
    assert PACKED == {"float6e2m3": 6, "float6e3m2": 6, "float4e2m1": 4,
                      "int4": 4, "uint4": 4, "int2": 2, "uint2": 2}  # fmt: skip


@pytest.mark.parametrize(
    ("bits", "codes", "packed"),
    [
        (4, [1, 2], "21"),
        (4, [1, 2, 3], "2103"),
        (4, [0xF], "0f"),
        (2, [0, 1, 2, 3], "e4"),
        (2, [3, 0, 0, 0, 1], "0301"),
        # 0b111111 in the lowest 6 bits, then the highest 2 of the first byte, and so on.
        (6, [0x3F], "3f"),
        (6, [0, 0x3F], "c00f"),
        (6, [0, 0, 0x3F], "00f003"),
        (6, [0, 0, 0, 0x3F], "0000fc"),
        (6, [1, 2, 3, 4, 5], "81301005"),
        (6, [], ""),
    ],
)
def test_examples(bits, codes, packed):
    assert bytes_of(codes, bits).hex() == packed
    assert codes_of_bytes(bytes.fromhex(packed), bits, len(codes)) == codes
    assert size_of(bits, len(codes)) == len(packed) // 2
