"""Cases whose file has another code than the rules, by the reason. Nothing else may differ.

docs/differences.md tells of each reason under its name. For each case stand the places that differ
and what the rules want there; a test sees to it that the file still has something else.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Category:
    """A reason, and the cases: id, to place in the flat array, to the code by the rules."""

    reason: str
    cases: dict[str, dict[int, int]]


DOCUMENT = "doc/Cast-21"
CAST_TEST = "ort/cast_op_test.cc"
PYTHON_TEST = "ort/onnxruntime_test_float8.py"

CATEGORIES = {
    "int4-rounding": Category(
        "onnxruntime rounds a float to the nearest integer before it keeps the low 4 or 2 bits, "
        "ties away from zero; the rules truncate, as for all integers",
        {
            f"{CAST_TEST}/FloatToInt4x2": {0: 0x6, 3: 0xF, 7: 0xF},
            f"{CAST_TEST}/DoubleToUInt4x2": {0: 0x4, 3: 0x1, 4: 0x7, 7: 0xF},
            f"{CAST_TEST}/MLFloat16ToInt4x2": {0: 0x6, 3: 0xF, 4: 0x3, 7: 0xF},
            f"{CAST_TEST}/MLFloat16ToUInt4x2": {0: 0x4, 3: 0x1, 4: 0x7, 7: 0xF},
            f"{CAST_TEST}/MLFloat16ToInt4x2BoundaryValues": {4: 0x0, 5: 0x1},
            f"{CAST_TEST}/MLFloat16ToUInt4x2BoundaryValues": {5: 0x5},
            f"{CAST_TEST}/BFloat16ToInt4x2": {0: 0x6, 3: 0xF, 4: 0x3, 7: 0xF},
            f"{CAST_TEST}/BFloat16ToUInt4x2": {0: 0x4, 3: 0x1, 4: 0x7, 7: 0xF},
            f"{CAST_TEST}/BFloat16ToUInt4x2BoundaryValues": {5: 0x5},
            f"{CAST_TEST}/FloatToInt2x4": {1: 0x1, 3: 0x3, 7: 0x3},
            f"{CAST_TEST}/FloatToUInt2x4": {1: 0x3, 3: 0x2, 7: 0x3},
            f"{CAST_TEST}/DoubleToInt2x4": {1: 0x1, 3: 0x3, 7: 0x3},
            f"{CAST_TEST}/DoubleToUInt2x4": {1: 0x3, 3: 0x2, 7: 0x3},
            f"{CAST_TEST}/MLFloat16ToInt2x4BoundaryValues": {2: 0x0, 3: 0x1},
            f"{CAST_TEST}/MLFloat16ToUInt2x4BoundaryValues": {3: 0x1},
            f"{CAST_TEST}/BFloat16ToUInt2x4BoundaryValues": {3: 0x1},
        },
    ),
    "nan-code": Category(
        "onnxruntime writes float8e5m2's NaN as 0x7F; the rules have 0x7E, quiet without payload",
        {
            f"{CAST_TEST}/Float8_Opset25_Cuda#2": {0: 0x7E},
            f"{CAST_TEST}/ToFloat8_FLOAT8E5M2_sat1_FLOAT": {0: 0x7E},
            f"{CAST_TEST}/ToFloat8_FLOAT8E5M2_sat1_FLOAT16": {0: 0x7E},
            f"{CAST_TEST}/ToFloat8_FLOAT8E5M2_sat0_FLOAT": {0: 0x7E},
            f"{CAST_TEST}/ToFloat8_FLOAT8E5M2_sat0_FLOAT16": {0: 0x7E},
            "ort/float_8_test.cc/NanE5M2_sat1": {2: 0x7E, 3: 0xFE, 4: 0x7E, 5: 0xFE},
        },
    ),
    "nan-sign": Category(
        "-inf and a negative overflow give -NaN; the source prints NaN without its sign, and the "
        "code was rebuilt as positive",
        {
            f"{DOCUMENT}/test_cast_no_saturate_FLOAT_to_FLOAT8E4M3FN": {11: 0xFF, 14: 0xFF},
            f"{DOCUMENT}/test_cast_no_saturate_FLOAT16_to_FLOAT8E4M3FN": {11: 0xFF, 14: 0xFF},
            f"{PYTHON_TEST}/FLOAT8E4M3FN_sat0_FLOAT": {14: 0xFF},
            f"{PYTHON_TEST}/FLOAT8E4M3FN_sat0_FLOAT16": {14: 0xFF},
        },
    ),
    "fnuz-nan": Category(
        "the FNUZ types' one NaN reads as negative; the document prints no sign, and the code was "
        "rebuilt as positive",
        {
            f"{DOCUMENT}/test_cc_cast_FLOAT8E4M3FNUZ_to_FLOAT": {8: 0xFFC00000},
            f"{DOCUMENT}/test_cc_cast_FLOAT8E4M3FNUZ_to_FLOAT16": {8: 0xFE00},
            f"{DOCUMENT}/test_cc_cast_FLOAT8E5M2FNUZ_to_FLOAT": {8: 0xFFC00000},
            f"{DOCUMENT}/test_cc_cast_FLOAT8E5M2FNUZ_to_FLOAT16": {8: 0xFE00},
        },
    ),
    "nan-to-float4": Category(
        "onnxruntime's float4 class gives 6 for NaN of either sign, as the prose of ONNX's page on "
        "float4 says; the rules give the zero of the other sign, as ONNX's node tests have it",
        {
            f"{CAST_TEST}/FloatToFloat4E2M1x2": {6: 0x8, 7: 0x0},
            "ort/float_4_test.cc/NaN": {0: 0x8, 1: 0x0},
        },
    ),
}

BY_CASE = {id: places for category in CATEGORIES.values() for id, places in category.cases.items()}
