"""Train the small classifier whose weights ``castufunc report`` shows by default.

Writes ``src/castufunc/data/digits_classifier.npz``: weights and biases, in float32, of a
perceptron with two hidden layers that reads 8 x 8 grey images of handwritten digits.

Needs NumPy and scikit-learn, which is used for its copy of the images only::

    python tools/train_digits_classifier.py

The images are the test part of "Optical Recognition of Handwritten Digits" by E. Alpaydin and
C. Kaynak (1998), UCI Machine Learning Repository, https://doi.org/10.24432/C50P49, licence
CC BY 4.0. No image is in the file, only what was learned from them.

The seed is fixed and no step is random beyond it. Another BLAS may sum in another order, and so
may give other last bits.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

TARGET = Path(__file__).parents[1] / "src" / "castufunc" / "data" / "digits_classifier.npz"
SEED = 20
WIDTHS = (64, 64, 32, 10)  # pixels, two hidden layers, classes
EPOCHS, BATCH, RATE = 60, 32, 1e-3
TEST_SHARE = 0.25

Array = np.ndarray
Parameters = dict[str, Array]


def split(rng: np.random.Generator) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return (images, labels) for training and for the test, pixels scaled to 0..1."""
    images, labels = load_digits(return_X_y=True)
    order = rng.permutation(len(labels))
    images = (images[order] / 16).astype(np.float32)
    labels = labels[order]
    held_out = int(len(labels) * TEST_SHARE)
    return (images[held_out:], labels[held_out:]), (images[:held_out], labels[:held_out])


def initial(rng: np.random.Generator) -> Parameters:
    """Return zero biases and weights of variance 2 / fan-in (He et al., 2015)."""
    parameters: Parameters = {}
    for layer, (fan_in, fan_out) in enumerate(pairwise(WIDTHS), 1):
        weight = rng.standard_normal((fan_in, fan_out)) * np.sqrt(2 / fan_in)
        parameters[f"layer{layer}_weight"] = weight.astype(np.float32)
        parameters[f"layer{layer}_bias"] = np.zeros(fan_out, np.float32)
    return parameters


def activations(parameters: Parameters, images: Array) -> list[Array]:
    """Return the input, each hidden layer after ReLU, and the scores of the classes."""
    layers = len(WIDTHS) - 1
    values = [images]
    for layer in range(1, layers + 1):
        x = values[-1] @ parameters[f"layer{layer}_weight"] + parameters[f"layer{layer}_bias"]
        values.append(np.maximum(x, 0) if layer < layers else x)
    return values


def gradients(parameters: Parameters, images: Array, labels: Array) -> Parameters:
    """Return the gradient of the mean cross-entropy by every parameter."""
    values = activations(parameters, images)
    scores = values[-1] - values[-1].max(axis=1, keepdims=True)
    delta = np.exp(scores)
    delta /= delta.sum(axis=1, keepdims=True)
    delta[np.arange(len(labels)), labels] -= 1
    delta /= len(labels)
    result: Parameters = {}
    for layer in range(len(WIDTHS) - 1, 0, -1):
        below = values[layer - 1]
        result[f"layer{layer}_weight"] = below.T @ delta
        result[f"layer{layer}_bias"] = delta.sum(axis=0)
        delta = (delta @ parameters[f"layer{layer}_weight"].T) * (below > 0)
    return result


def train(parameters: Parameters, images: Array, labels: Array, rng: np.random.Generator) -> None:
    """Run Adam (Kingma and Ba, 2015) with its usual constants, in place."""
    first = {name: np.zeros_like(value) for name, value in parameters.items()}
    second = {name: np.zeros_like(value) for name, value in parameters.items()}
    step = 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(labels))
        for start in range(0, len(order), BATCH):
            step += 1
            batch = order[start : start + BATCH]
            for name, gradient in gradients(parameters, images[batch], labels[batch]).items():
                first[name] += 0.1 * (gradient - first[name])
                second[name] += 0.001 * (gradient * gradient - second[name])
                mean = first[name] / (1 - 0.9**step)
                spread = np.sqrt(second[name] / (1 - 0.999**step))
                parameters[name] -= np.float32(RATE) * mean / (spread + np.float32(1e-8))


def accuracy(parameters: Parameters, images: Array, labels: Array) -> float:
    """Return the share of images whose class has the highest score."""
    return float((activations(parameters, images)[-1].argmax(axis=1) == labels).mean())


def main() -> None:
    rng = np.random.default_rng(SEED)
    training, test = split(rng)
    parameters = initial(rng)
    train(parameters, *training, rng)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(TARGET, **parameters)
    print(f"training accuracy {accuracy(parameters, *training):.4f}")
    print(f"test accuracy     {accuracy(parameters, *test):.4f}")
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
