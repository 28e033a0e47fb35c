"""Compare two results of any kind, arrays within tuples within dicts."""

import numpy as np

import castufunc as cu


class Raised:
    """The outcome of an expression that raised."""

    def __init__(self, error):
        self.error = error

    @property
    def name(self):
        return type(self.error).__name__

    def is_like(self, other):
        """NumPy has finer exceptions where it knows its own types: an ancestor will do."""
        one, two = type(self.error), type(other.error)
        return (issubclass(one, two) or issubclass(two, one)) and Exception not in (one, two)

    def __repr__(self):
        return f"{self.name}({str(self.error)[:200]!r})"


def in_own_type(value, stand_in, own):
    """The value with the own type in every place where it has the stand-in."""
    if isinstance(value, np.ma.MaskedArray):
        return np.ma.array(in_own_type(value.data, stand_in, own), mask=value.mask)
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype.names:
            return value.astype([(n, own if value.dtype[n] == stand_in else value.dtype[n])
                                 for n in value.dtype.names])  # fmt: skip
        if value.dtype != stand_in:
            return value
        array = np.asarray(cu.cast(np.asarray(value), own))
        return array.view(type(value)) if isinstance(value, np.ndarray) else array[()]
    if isinstance(value, np.dtype):
        return np.dtype(own) if value == stand_in else value
    if value is stand_in:
        return own
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(in_own_type(part, stand_in, own) for part in value))
    if isinstance(value, (list, tuple)):
        return type(value)(in_own_type(part, stand_in, own) for part in value)
    if isinstance(value, dict):
        return {key: in_own_type(part, stand_in, own) for key, part in value.items()}
    return value


def in_dtype(value, dtype):
    """The array, or each of a tuple of arrays, as another dtype."""
    if isinstance(value, tuple):
        return tuple(in_dtype(part, dtype) for part in value)
    return value.astype(dtype)


def difference(value, expected, *, close=False):
    """None if the two are equal in kind, dtype, shape and every element, else what differs."""
    if isinstance(value, np.dtype) and value == expected:
        return None
    if type(value) is not type(expected):
        return f"is {value!r} of {type(value)}, expected {expected!r} of {type(expected)}"
    if isinstance(value, (list, tuple)):
        return _difference_of_parts(value, expected, close)
    if isinstance(value, dict):
        return _difference_of_parts(sorted(value.items()), sorted(expected.items()), close)
    if isinstance(value, (np.ndarray, np.generic)):
        return _difference_of_arrays(value, expected, close)
    same = value == expected or (value != value and expected != expected)
    return None if same else f"is {value!r}, expected {expected!r}"


def _difference_of_parts(value, expected, close):
    if len(value) != len(expected):
        return f"has {len(value)} parts, expected {len(expected)}: {value!r}, {expected!r}"
    complaints = (difference(*pair, close=close) for pair in zip(value, expected, strict=True))
    return next(filter(None, complaints), None)


def _difference_of_arrays(value, expected, close):
    for what in ["dtype", "shape"]:
        if getattr(value, what) != getattr(expected, what):
            return f"is {value!r} with another {what}, expected {expected!r}"
    if isinstance(value, np.ma.MaskedArray):
        mask, wanted = np.ma.getmaskarray(value), np.ma.getmaskarray(expected)
        if not np.array_equal(mask, wanted):
            return f"has the mask {mask!r}, expected {wanted!r}"
        return _difference_of_arrays(value.data[~mask], expected.data[~mask], close)
    value, expected = np.asarray(value), np.asarray(expected)
    if value.dtype.names:
        fields = [([value[n], expected[n]]) for n in value.dtype.names]
        return next(filter(None, (_difference_of_arrays(*f, close) for f in fields)), None)
    if value.dtype == object:
        return _difference_of_parts(value.ravel().tolist(), expected.ravel().tolist(), close)
    same = _same_elements(value, expected, close)
    return None if same else f"is {value!r}, expected {expected!r}"


def _same_elements(value, expected, close):
    if value.dtype.num in _OWN_NUMBERS:
        value, expected = value.astype(np.float64), expected.astype(np.float64)
    if value.dtype.kind not in "fc":
        return bool((value == expected).all())
    if value.dtype.kind == "c":
        return all(_same_elements(getattr(value, part), getattr(expected, part), close)
                   for part in ["real", "imag"])  # fmt: skip
    if close:
        return np.allclose(value, expected, rtol=1e-5, atol=1e-6, equal_nan=True)
    nan = np.isnan(expected)
    equal = (value == expected) & (np.signbit(value) == np.signbit(expected))
    return bool(np.where(nan, np.isnan(value), equal).all())


_OWN_NUMBERS = {info.dtype.num for info in cu.FORMATS.values()}
