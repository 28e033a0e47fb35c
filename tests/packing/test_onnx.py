"""The bytes of onnx's own helpers, and their tensors read by `unpack`."""

import numpy as np
import pytest

from castufunc import pack, unpack

from .forms import PACKED, codes_of, every_packed, own, random_array, twin

onnx = pytest.importorskip("onnx", minversion="1.19")
numpy_helper = pytest.importorskip("onnx.numpy_helper")

SHAPES = [(1,), (2,), (3,), (4,), (5,), (7,), (8,), (9,), (3, 5), (2, 3, 7), (0,), (64,), (129,)]


def number_of(name):
    """The type's number in this onnx; not all of them have the 2- and 6-bit types."""
    number = getattr(onnx.TensorProto, name.upper(), None)
    if number is None:
        pytest.skip(f"onnx {onnx.__version__} has no {name.upper()}")
    return number


@every_packed
def test_from_array(name):
    number = number_of(name)
    for shape in SHAPES:
        x = random_array(name, shape)
        tensor = numpy_helper.from_array(x.view(twin(name)))
        assert tensor.data_type == number
        assert tensor.raw_data == pack(x).tobytes()
        back = unpack(tensor.raw_data, tensor.data_type, tuple(tensor.dims))
        assert back.dtype == own(name)
        assert codes_of(back).tolist() == codes_of(x).tolist()


@every_packed
def test_to_array(name):
    """Our bytes, read by onnx."""
    number = number_of(name)
    for shape in SHAPES:
        x = random_array(name, shape)
        tensor = onnx.helper.make_tensor("x", number, shape, pack(x).tobytes(), raw=True)
        back = numpy_helper.to_array(tensor)
        assert back.shape == shape
        assert codes_of(back).tolist() == codes_of(x).tolist()


@pytest.mark.parametrize("name", [name for name, bits in PACKED.items() if bits != 6])
def test_make_tensor(name):
    """int32_data has one packed byte an item; of the 6-bit types it has a code an item."""
    number = number_of(name)
    for shape in SHAPES:
        x = random_array(name, shape)
        tensor = onnx.helper.make_tensor("x", number, shape, x.view(twin(name)).ravel())
        assert list(tensor.int32_data) == pack(x).tolist()
        data = np.array(tensor.int32_data, np.uint8)
        assert codes_of(unpack(data, number, shape)).tolist() == codes_of(x).tolist()
