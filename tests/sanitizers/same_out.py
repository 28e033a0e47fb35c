"""Two threads cast into the same memory: a race of the caller's own making, left out of the tests.

ThreadSanitizer must report this: if it does not, it does not look.
"""

import threading

import numpy as np

import castufunc

x, out = np.ones(1 << 20, np.float32), np.zeros(1 << 20, castufunc.int4)
barrier = threading.Barrier(2)


def work():
    barrier.wait()
    for _ in range(20):
        castufunc.cast(x, "int4", out=out)


threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
