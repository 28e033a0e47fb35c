"""Text converted to numbers and back. Printing is another table."""

from ..rows import FLOATS, OWN, SIGNED_FLOATS, WITH_NAN, Error, Value, raising, table

# Text of a number: the shortest that reads back, without a trailing `.0`.
TEXTS = "[str(k).removesuffix('.0') for k in a.astype('f4').tolist()]"

ROWS = table(
    "text",
    ("astype U", "a.astype('U').tolist()", Value(TEXTS)),
    ("astype S", "a.astype('S20').astype('U').tolist()", Value(TEXTS)),
    ("astype StringDType", "a.astype(np.dtypes.StringDType()).tolist()", Value(TEXTS)),
    ("astype str", "a.astype(str).astype(t)", OWN),
    ("too narrow", "np.array([1, 0, -1.5], t).astype('U1')",
     Error("ValueError", "does not fit in U1", "`a.astype('U1')`"), SIGNED_FLOATS),
    ("from U", "np.array(['1', '0', ' 1 ']).astype(t)", Value("np.array([1, 0, 1], t)")),
    ("from S", "np.array([b'1', b'0']).astype(t)", Value("np.array([1, 0], t)")),
    ("from StringDType", "np.array(['1', '0'], np.dtypes.StringDType()).astype(t)",
     Value("np.array([1, 0], t)")),
    ("not a number", "np.array(['one']).astype(t)", raising("ValueError")),
    ("scalar of text", "t('1'), t('1.0')", Value("t(1), t(1)")),
    ("set text", "a[0] = '1'; a", Value("a[0] = 1; a")),
    ("list of text", "np.array(['1', '0'], t)", Value("np.array([1, 0], t)")),
    ("objects of text", "np.array(['1', 1], object).astype(t)", Value("np.array([1, 1], t)")),
    ("promotion", "np.result_type(t, 'U3').kind, np.result_type('S3', t).kind", OWN),
    ("NaN", "n.astype('U')[[1, 5]].tolist()", Value("['NaN', 'NaN']"), WITH_NAN),
    ("from nan", "np.isnan(np.array(['nan', '1']).astype(t))", OWN, WITH_NAN),
    ("negative zero", "str(np.array([-0.0], t).astype('U')[0])",
     Value("'-0' if cu.FORMATS[name].has_negative_zero else '0'"), SIGNED_FLOATS),
    ("loadtxt", "np.loadtxt(io.StringIO('1 0\\n0 1'), t)", Value("np.array([[1, 0], [0, 1]], t)")),
    ("loadtxt by columns", "np.loadtxt(io.StringIO('1,x'), [('p', t), ('r', 'U1')], "
     "delimiter=',')['p']",
     OWN),
    ("genfromtxt", "np.genfromtxt(io.StringIO('1 0'), t)", OWN),
    ("savetxt and back", "f = io.StringIO(); np.savetxt(f, m); f.seek(0); np.loadtxt(f, t)",
     OWN, FLOATS),
)  # fmt: skip
