"""Text and an own type together: the common type is text, in both orders."""

import numpy as np
import pytest

import castufunc
from byte_order import SWAPPED
from oracle import OURS

from .containers import STRING, every_container, kind_of, texts_of

every_own = pytest.mark.parametrize("dtype", list(map(castufunc.dtype, OURS)), ids=str)


def width_of(dtype):
    """What a text of any value of the type takes."""
    codes = np.arange(1 << min(16, 8 * dtype.itemsize), dtype=f"u{dtype.itemsize}").view(dtype)
    return max(map(len, castufunc.cast(codes, "string")))


@pytest.mark.parametrize("kind", ["U", "S"])
@every_own
def test_fixed_width(dtype, kind):
    enough = width_of(dtype)
    for width in 1, 2, 3, 17, 40:
        text = np.dtype(f"{kind}{width}")
        common = np.result_type(dtype, text)
        assert common == np.result_type(text, dtype) == np.promote_types(text, dtype)
        assert common.kind == kind
        assert common.itemsize >= text.itemsize
        assert common.itemsize // np.dtype(f"{kind}1").itemsize >= enough
    swapped = np.result_type(dtype, f"{SWAPPED}U40")
    assert swapped == np.result_type(f"{SWAPPED}U40", dtype)
    assert swapped.itemsize == 160


@every_own
def test_string_dtype_and_objects(dtype):
    for text in STRING, np.dtypes.StringDType(na_object=None), np.dtype(object):
        assert np.result_type(dtype, text) == np.result_type(text, dtype) == text


@every_own
@every_container
def test_concatenate(dtype, container):
    """With objects the numbers stay numbers."""
    numbers = castufunc.cast([1, 0.5, 3], dtype)
    words = np.array(
        ["ab", "", "cde"], {"object": object, "StringDType": STRING}.get(container, container)
    )
    printed = castufunc.cast(numbers, "string").tolist()
    for join in np.concatenate, np.hstack, lambda pair: np.stack(pair).ravel():
        there, back = join([numbers, words]), join([words, numbers])
        assert there.dtype == back.dtype
        assert there.dtype.kind == kind_of(container)
        if container == "object":
            assert there.tolist() == numbers.tolist() + words.tolist()
            assert back.tolist() == words.tolist() + numbers.tolist()
        else:
            assert texts_of(there) == printed + texts_of(words)
            assert texts_of(back) == texts_of(words) + printed


@every_own
def test_every_value_survives_concatenation(dtype):
    codes = np.arange(1 << min(12, 8 * dtype.itemsize), dtype=f"u{dtype.itemsize}")
    numbers = (codes * (1 << 4 if dtype.itemsize == 2 else 1)).astype(codes.dtype).view(dtype)
    for word in np.array(["x"]), np.array([b"x"]), np.array(["x"], STRING):
        joined = np.concatenate([numbers, word])
        assert texts_of(joined[:-1]) == castufunc.cast(numbers, "string").tolist()


@every_own
def test_levels(dtype):
    """To text safe, if there is room for every value; back unsafe."""
    for kind in "U", "S":
        for width in 17, 40:
            assert np.can_cast(dtype, f"{kind}{width}", "safe")
        assert np.can_cast(dtype, kind, "safe")
        enough = width_of(dtype)
        for width in range(1, enough):
            assert not np.can_cast(dtype, f"{kind}{width}", "safe")
        assert np.can_cast(dtype, f"{kind}1", "same_kind")
        assert not np.can_cast(f"{kind}3", dtype, "same_kind")
        assert np.can_cast(f"{kind}3", dtype, "unsafe")
    assert np.can_cast(dtype, STRING, "safe")
    assert np.can_cast(dtype, object, "safe")
    for text in STRING, np.dtype(object):
        assert not np.can_cast(text, dtype, "same_kind")
        assert np.can_cast(text, dtype, "unsafe")


@every_own
def test_copies(dtype):
    numbers = castufunc.cast([1, 0.5, 3], dtype)
    printed = castufunc.cast(numbers, "string").tolist()
    texts = np.zeros(3, "U20")
    np.copyto(texts, numbers)
    assert texts.tolist() == printed
    texts[:] = numbers
    assert texts.tolist() == printed
    with pytest.raises(TypeError, match=r"[Cc]annot cast"):
        np.copyto(numbers, texts)
    again = np.zeros(3, dtype)
    np.copyto(again, texts, casting="unsafe")
    assert again.tolist() == numbers.tolist()
    assert np.where([True, False, True], texts, numbers).tolist() == printed
    assert np.strings.add(numbers.astype("U"), "!").tolist() == [text + "!" for text in printed]
