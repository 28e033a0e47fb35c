"""Estimators of scikit-learn take these types for text: numbers have to be widened first."""

import numpy as np
import pytest

import castufunc as cu
from neighbours.samples import every_type, same

pytest.importorskip("sklearn")

from sklearn import linear_model, metrics, model_selection, pipeline, preprocessing


def problem(info):
    x = np.random.default_rng(info.onnx).integers(0, 4, (60, 3)) / 2
    x = cu.cast(np.maximum(x, 0.5) if info.name == "float8e8m0" else x, info.dtype)
    return x, (x.astype("float32").sum(axis=1) > 2).astype(int)


@every_type
def test_estimators_take_them_for_text(info):
    x, y = problem(info)
    with pytest.raises(ValueError, match="not compatible with arrays of bytes/strings"):
        linear_model.LinearRegression().fit(x, y)
    with pytest.raises(ValueError, match="not compatible with arrays of bytes/strings"):
        linear_model.LogisticRegression().fit(x, y).predict(x)
    with pytest.raises(TypeError, match="must be a NumPy dtype"):
        metrics.mean_squared_error(x, x)


@every_type
def test_after_a_cast_all_is_as_for_float32(info):
    x, y = problem(info)
    wide = x.astype("float32")
    for model in [linear_model.LogisticRegression(), linear_model.Ridge()]:
        expected = model.fit(wide, y).predict(wide)
        widen = preprocessing.FunctionTransformer(cu.cast, kw_args={"to": "float32"})
        steps = pipeline.make_pipeline(widen, model)
        assert np.array_equal(steps.fit(x, y).predict(x), expected)
    assert metrics.mean_squared_error(cu.cast(x, "float32"), wide) == 0


@every_type
def test_estimators_that_want_floats_in_any_case(info):
    x, _ = problem(info)
    wide = x.astype("float64")
    for scaler in [preprocessing.StandardScaler(), preprocessing.MinMaxScaler()]:
        got = scaler.fit_transform(x)
        assert got.dtype.kind == "f"
        np.testing.assert_allclose(got, scaler.fit_transform(wide), rtol=1e-6, atol=1e-9)


@every_type
def test_parts_are_of_the_type_of_the_whole(info):
    x, _ = problem(info)
    first, second = model_selection.train_test_split(x, test_size=0.25, shuffle=False)
    assert same(first, x[:45])
    assert same(second, x[45:])
