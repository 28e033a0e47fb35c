"""NumPy's containers of text, and texts in each of them."""

import numpy as np
import pytest

STRING = np.dtypes.StringDType()

# As `to` takes them: an array of objects, U and S of the width that is needed, StringDType.
CONTAINERS = {"object": object, "U": "U", "S": "S", "StringDType": STRING}

every_container = pytest.mark.parametrize("container", CONTAINERS)


def array_of_texts(container, texts):
    """Texts, in nested lists, as an array of the container."""
    if container == "S":
        return np.array(texts, "S")
    return np.array(texts, CONTAINERS[container])


def texts_of(array):
    """The texts of an array of any container, flat, as a list of str."""
    items = array.astype(object).ravel().tolist()
    return [item.decode("ascii") if isinstance(item, bytes) else item for item in items]


def kind_of(container):
    return {"object": "O", "U": "U", "S": "S", "StringDType": "T"}[container]
