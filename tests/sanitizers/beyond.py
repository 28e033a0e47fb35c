"""Reads beyond an array, as only a caller who lies about its size can make castufunc do.

AddressSanitizer must end this: if it does not, it does not look.
"""

import numpy as np

import castufunc

x = np.ones(100, np.float32)
castufunc.cast(np.lib.stride_tricks.as_strided(x, (101,)), "int4")
