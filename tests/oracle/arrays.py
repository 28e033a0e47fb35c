"""Arrays of codes: taken apart into sign and key, and put together again."""

from typing import NamedTuple

import numpy as np

from .formats import FORMATS, Float, Integer, Scale, code_bytes
from .values import inf_key, max_key, sign_bit


class Parts(NamedTuple):
    """Sign, key (uint64, in order of magnitude), and what isn't finite; its keys mean nothing."""

    negative: np.ndarray
    key: np.ndarray
    nan: np.ndarray
    inf: np.ndarray


def code_type(name):
    """The unsigned NumPy dtype that holds codes."""
    return np.dtype(f"u{code_bytes(name)}")


def canonical_codes(name, codes):
    """The codes with unused high bits cleared; bool as 0 or 1."""
    codes = np.array(codes, code_type(name))
    if name == "bool":
        codes[codes != 0] = 1
    codes &= codes.dtype.type((1 << FORMATS[name].bits) - 1)
    return codes


def split(name, codes):
    """Take canonical codes apart."""
    fmt = FORMATS[name]
    codes = codes.astype(np.uint64)
    none = np.zeros(codes.shape, bool)
    if isinstance(fmt, Scale):
        return Parts(none, codes, codes > max_key(name), none)
    sign = np.uint64(sign_bit(name))
    if isinstance(fmt, Integer):
        negative = codes >= sign if fmt.signed else none
        # 2**64 - code for a negative of 64 bits wraps on purpose.
        opposite = (np.uint64(1 << fmt.bits & 0xFFFF_FFFF_FFFF_FFFF)) - codes
        return Parts(negative, np.where(negative, opposite, codes), none, none)
    negative, key = codes >= sign, codes & (sign - np.uint64(1))
    if fmt.specials == "fnuz":
        return Parts(negative, key, codes == sign, none)
    inf = key == inf_key(fmt) if fmt.specials == "ieee" else none
    return Parts(negative, key, (key > max_key(name)) & ~inf, inf)


def join(name, negative, keys):
    """Codes of keys with a sign each; dropped where there is no such code (an unsigned zero)."""
    fmt = FORMATS[name]
    keys = np.asarray(keys, np.uint64)
    if isinstance(fmt, Integer) and fmt.signed:
        codes = np.where(negative, np.uint64(0) - keys, keys)
    elif isinstance(fmt, Float):
        signless = (keys == 0) & (fmt.specials == "fnuz")
        codes = keys | np.where(negative & ~signless, np.uint64(sign_bit(name)), np.uint64(0))
    else:
        codes = keys
    return canonical_codes(name, codes)
