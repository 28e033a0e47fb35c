"""Linear algebra, transforms and polynomials."""

from ..rows import (
    FLOATS,
    INTS,
    OWN,
    SIGNED,
    SINGLE,
    WIDE,
    Error,
    Like,
    Surprise,
    raising,
    since,
    table,
)

CLOSE = Like("wide", close=True)


def not_in_linalg(name):
    return Error("TypeError", "unsupported in linalg", f"`np.linalg.{name}`")


def no_dot(see):
    return Error("ValueError", "dot not available for this type", see)


PRODUCTS = table(
    "algebra",
    ("matmul", "m @ m.T, m @ b[:3], b[:2] @ m, a @ b, np.matmul(q, q)", WIDE),
    ("matmul with float64", "m @ np.ones((3, 2)), np.ones((3, 2)) @ m", WIDE),
    ("matmul of stacks", "np.ones((2, 2, 2), t) @ q", WIDE),
    ("matmul out", "np.matmul(q, q, out=np.empty((2, 2)))", WIDE),
    ("matmul of nothing", "m[:0].T @ m[:0]", WIDE),
    ("matmul of many", "np.ones((40, 300), t) @ np.ones((300, 40), t)", WIDE),
    ("vecdot", "np.vecdot(a, b), np.linalg.vecdot(m, m)", WIDE),
    ("dot", "np.dot(a, b)", no_dot("`np.dot`")),
    ("dot with float32", "np.dot(a, b.astype('f4'))", SINGLE),
    ("dot with a scalar", "np.dot(a, x), np.dot(2, a)", WIDE),
    ("inner", "np.inner(a, b)", no_dot("`np.inner`")),
    ("vdot", "np.vdot(a, b)", Error("ValueError", "not available", "`np.vdot`")),
    ("tensordot", "np.tensordot(m, m, 2)", no_dot("`np.tensordot`")),
    ("multi_dot", "np.linalg.multi_dot([m, m.T, m])", no_dot("`np.linalg.multi_dot`")),
    ("einsum", "np.einsum('ij,kj->ik', m, m)", Error("TypeError", "[Cc]annot cast", "`np.einsum`")),
    ("einsum in float32", "np.einsum('ij,kj->ik', m, m, dtype='f4', casting='unsafe')", SINGLE),
    ("einsum_path", "np.einsum_path('ij,kj->ik', m, m)[0]", WIDE),
    ("matmul of a stack with a vector", "np.ones((2, 3, 3), t) @ b[:3], b[:3] @ np.ones((2, 3, "
     "2), t)", WIDE),
    ("matmul of views", "m[:, ::-1] @ m.T, m.T @ m, q.T @ q", WIDE),
    ("matmul with booleans", "m @ np.ones((3, 2), bool)", WIDE),
    ("matmul that doesn't fit", "m @ m", raising("ValueError")),
    ("matmul with a scalar", "m @ x", raising("ValueError")),
    ("matmul of lists", "m @ [1, 0, 1], [1, 0] @ m", WIDE),
    ("matvec", "(np.matvec(m, b[:3]), np.vecmat(b[:2], m)) if hasattr(np, 'matvec') else 0", WIDE),
    ("kron of 2-D", "np.kron(q, m)", WIDE),
    ("outer", "np.outer(a, b), np.linalg.outer(a, b)", WIDE),
    ("cross", "np.cross(np.array([1, 0, 0], t), np.array([0, 1, 0], t))", OWN, FLOATS[:5]),
    ("convolve", "np.convolve(a, b)", Error("ValueError", "not available", "`np.convolve`")),
    ("correlate", "np.correlate(a, b)", Error("ValueError", "not available", "`np.correlate`")),
    ("matrix_power", "np.linalg.matrix_power(q, 2)", WIDE),
    ("linalg views", "np.linalg.diagonal(m), np.linalg.matrix_transpose(m)", OWN),
    ("linalg trace", "np.linalg.trace(q)", WIDE),
    ("matmul in place", "q @= q; q", OWN, SIGNED),
)  # fmt: skip

SOLVERS = {
    "inv": "q", "det": "q", "solve": "q, b[:2]", "eigvals": "q", "svd": "m", "qr": "m",
    "lstsq": "m.T, b[:3]", "slogdet": "q", "eigh": "q", "matrix_rank": "m", "cond": "q",
}  # fmt: skip

LINALG = [
    row
    for name, arguments in SOLVERS.items()
    for row in table(
        "algebra",
        (f"{name} of integers", f"np.linalg.{name}({arguments})", CLOSE, INTS),
        (f"{name} of floats", f"np.linalg.{name}({arguments})",
         not_in_linalg(name), FLOATS),
    )
] + table(
    "algebra",
    ("norm", "np.linalg.norm(a)", CLOSE, INTS),
    ("norm of floats", "np.linalg.norm(a)", no_dot("`np.linalg.norm`"), FLOATS),
    ("pinv of integers", "np.linalg.pinv(m)", CLOSE, INTS),
    ("pinv of floats", "np.linalg.pinv(m)",
     since("2.5", not_in_linalg("pinv"), before=CLOSE), FLOATS),
    ("cholesky of a product", "np.linalg.cholesky(q @ q.T)", CLOSE),
    ("norm by axis", "np.linalg.norm(m, axis=1), np.linalg.norm(a, 1), np.linalg.norm(a, np.inf)",
     CLOSE),
    ("vector_norm", "np.linalg.vector_norm(m, axis=0)", CLOSE),
    ("matrix_norm", "np.linalg.matrix_norm(q, ord=1)", CLOSE),
)  # fmt: skip

BACK = Error("TypeError", "No loop matching", "`np.fft.ifft`, `np.fft.irfft`")

TRANSFORMS = table(
    "algebra",
    *((name, f"np.fft.{name}(a), np.fft.{name}(m)", CLOSE)
      for name in ["fft", "rfft", "hfft"]),
    *((f"{name} of floats", f"np.fft.{name}(a)", BACK, FLOATS) for name in ["ifft", "irfft"]),
    ("fft of floats by norm", "np.fft.fft(a, norm='ortho')", BACK, FLOATS),
    ("ifft of integers", "np.fft.ifft(a), np.fft.irfft(m), np.fft.fft(m, norm='ortho')",
     CLOSE, INTS),
    ("fft of length", "np.fft.fft(a, 4), np.fft.rfft(a, 8), np.fft.fft(a, 8)", CLOSE),
    ("fftn", "np.fft.fft2(m), np.fft.fftn(m), np.fft.rfft2(m), np.fft.rfftn(m)", CLOSE),
    ("fftshift", "np.fft.fftshift(a), np.fft.ifftshift(m)", OWN),
    ("polyfit", "np.polyfit([0, 1, 2], b[:3], 1)", CLOSE),
    ("polyval", "np.polyval(b[:3], a), np.polyval(b[:3], 2)", WIDE),
    ("poly", "np.poly(b[:2])", Like("wide", dtype="f8")),
    ("roots", "np.roots(np.array([1, 1, -1], t))", Like("wide", dtype="f8", close=True), SIGNED),
    ("polyadd, polymul", "np.polyadd(a, b), np.polysub(a, b)", WIDE),
    ("polyint", "np.polyint(b)", CLOSE),
    ("polymul", "np.polymul(b, b)", Error("ValueError", "not available", "`np.polymul`")),
    ("polydiv", "np.polydiv(b[:3], b[3:5])", Like("float32", close=True)),
    ("legval, hermval", "np.polynomial.legendre.legval(0.5, b), "
     "np.polynomial.hermite.hermval(0.5, b)",
     WIDE, FLOATS),
    ("polyder", "np.polyder(b)", WIDE),
    ("Polynomial of integers", "np.polynomial.Polynomial(b[:3])(2.0)", CLOSE, INTS),
    ("Polynomial of floats", "np.polynomial.Polynomial(b[:3])",
     Error("ValueError", "no common type", "`np.polynomial.Polynomial`"), FLOATS),
    ("polynomial.polyval", "np.polynomial.polynomial.polyval(2.0, b)", SINGLE),
    ("polynomial.polyder", "np.polynomial.polynomial.polyder(b)", OWN, FLOATS),
    ("polynomial.polyder of integers", "np.polynomial.polynomial.polyder(b)",
     Surprise("(b[1:] * np.arange(1, 6)).astype(t)", "`np.polynomial.polynomial.polyder`"), INTS),
    ("chebyshev", "np.polynomial.chebyshev.chebval(0.5, b)", CLOSE),
    ("poly1d", "np.poly1d(b[:3])(a)", WIDE),
    ("window", "np.hanning(6) * a", WIDE, SIGNED),
)  # fmt: skip

ROWS = PRODUCTS + LINALG + TRANSFORMS
