"""The mark of NumPy's dtypes for the byte order that is not this machine's."""

import sys

SWAPPED = ">" if sys.byteorder == "little" else "<"
