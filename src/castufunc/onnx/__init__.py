"""
ONNX models: operators for its reference evaluator, a backend, and tensors in and out.

This part needs the onnx package, which nothing else does: ``pip install "castufunc[onnx]"``.

OPS : list of type
    Cast, CastLike and BitCast, all versions, for
    ``onnx.reference.ReferenceEvaluator(model, new_ops=castufunc.onnx.OPS)``.
backend : module
    An ``onnx.backend.base.Backend``.
to_array, from_array : function
    From a TensorProto to an array and back, for all 28 element types.
VERSIONS : mapping
    What each version of the operators takes.

Examples
--------
>>> import numpy as np
>>> import castufunc.onnx
>>> from onnx import parser, reference
>>> model = parser.parse_model('''
... <ir_version: 10, opset_import: ["" : 21]>
... agraph (float[N] x) => (float8e5m2[N] y) { y = Cast <to = 19, saturate = 0> (x) }
... ''')
>>> evaluator = reference.ReferenceEvaluator(model, new_ops=castufunc.onnx.OPS)
>>> print(*evaluator.run(None, {"x": np.array([1.2, 61440], np.float32)}))
[1.25 inf]
"""

try:
    import onnx.reference as _reference
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        'castufunc.onnx needs the onnx package: pip install "castufunc[onnx]"', name=error.name
    ) from error

from . import backend
from .operators import OPS
from .tensors import from_array, to_array
from .versions import VERSIONS

__all__ = ["OPS", "VERSIONS", "backend", "from_array", "to_array"]

del _reference
