"""Memory between pages that nobody may touch: a step outside ends the process."""

import ctypes
import mmap

import numpy as np

HAS_PAGES = hasattr(mmap, "PROT_READ")
NO_ACCESS = 0


class Page:
    """`bytes` is a page; to read or write beside it is a fault. A place is its start and memory."""

    def __init__(self):
        memory = np.frombuffer(mmap.mmap(-1, 3 * mmap.PAGESIZE), np.uint8)
        self.bytes = memory[mmap.PAGESIZE :][: mmap.PAGESIZE]
        start = self.bytes.ctypes.data
        for guard in (start - mmap.PAGESIZE, start + mmap.PAGESIZE):
            forbid(guard, mmap.PAGESIZE)

    def at(self, start, size):
        return start, self.bytes[start : start + size]

    def to_end(self, size):
        return self.at(self.bytes.size - size, size)


def forbid(address, size):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), NO_ACCESS):
        raise OSError(ctypes.get_errno(), "mprotect")
