"""Files, bytes, views, memory maps, pickles, and exchange with others."""

from ..rows import BYTES, OWN, Error, Value, table

BUFFERS = Error("ValueError|TypeError", "(in|as) a buffer", "`memoryview(a)`")

FILES = table(
    "storage",
    ("save", "np.save(path / 'a', a); np.load(path / 'a.npy')", OWN),
    ("save in Fortran order", "np.save(path / 'a', m.T); np.load(path / 'a.npy')", OWN),
    ("save without pickle", "np.save(path / 'a', m, allow_pickle=False); np.load(path / 'a.npy')",
     OWN),
    ("save 0-d and empty", "np.save(path / 'a', o); np.save(path / 'b', a[:0]); "
     "np.load(path / 'a.npy'), np.load(path / 'b.npy')", OWN),
    ("save to memory", "f = io.BytesIO(); np.save(f, a); f.seek(0); np.load(f)", OWN),
    ("load as a map", "np.save(path / 'a', m); c = np.load(path / 'a.npy', mmap_mode='r'); "
     "np.array(c), type(c).__name__", OWN),
    ("load as a map to write", "np.save(path / 'a', m); c = np.load(path / 'a.npy', "
     "mmap_mode='r+'); "
     "c[0] = 1; c.flush(); np.load(path / 'a.npy')", OWN),
    ("open_memmap", "c = np.lib.format.open_memmap(path / 'a', 'w+', t, (6,)); c[:] = a; "
     "c.flush(); "
     "np.load(path / 'a')", OWN),
    ("savez", "np.savez(path / 'a', p=a, r=m); np.load(path / 'a.npz')['r']", OWN),
    ("savez_compressed", "np.savez_compressed(path / 'a', a); np.load(path / 'a.npz')['arr_0']",
     OWN),
    ("header", "f = io.BytesIO(); np.save(f, a); f.seek(0); np.lib.format.read_magic(f); "
     "np.lib.format.read_array_header_1_0(f)[2]", OWN),
    ("descr_to_dtype", "np.lib.format.descr_to_dtype(np.lib.format.dtype_to_descr(a.dtype))", OWN),
    ("tofile", "a.tofile(path / 'a'); np.fromfile(path / 'a', t)", OWN),
    ("fromfile part", "a.tofile(path / 'a'); np.fromfile(path / 'a', t, 2, offset=a.itemsize)",
     OWN),
    ("memmap", "c = np.memmap(path / 'a', t, 'w+', shape=(2, 3)); c[:] = m; c.flush(); "
     "np.array(np.memmap(path / 'a', t, 'r', shape=(2, 3)))", OWN),
    ("memmap arithmetic", "c = np.memmap(path / 'a', t, 'w+', shape=6); c[:] = a; np.array(c[1:3])",
     OWN),
)  # fmt: skip

MEMORY = table(
    "storage",
    ("savez of several", "np.savez(path / 'a', a, k=x); c = np.load(path / 'a.npz'); "
     "c['arr_0'], c['k']",
     OWN),
    ("save of a view", "np.save(path / 'a', m[:, ::2]); np.load(path / 'a.npy')", OWN),
    ("save of a scalar", "np.save(path / 'a', x); np.load(path / 'a.npy')", OWN),
    ("save twice", "f = io.BytesIO(); np.save(f, a); np.save(f, m); f.seek(0); np.load(f), "
     "np.load(f)",
     OWN),
    ("tofile of a view", "m.T.tofile(path / 'a'); np.fromfile(path / 'a', t)", OWN),
    ("memmap in Fortran order", "c = np.memmap(path / 'a', t, 'w+', shape=(2, 3), order='F'); "
     "c[:] = m; "
     "np.array(c)", OWN),
    ("memmap with offset", "a.tofile(path / 'a'); "
     "np.array(np.memmap(path / 'a', t, 'r', offset=a.itemsize))", OWN),
    ("memmap read-only", "a.tofile(path / 'a'); np.memmap(path / 'a', t, 'r')[0] = 1", OWN),
    ("reduction of a memmap", "a.tofile(path / 'a'); c = np.memmap(path / 'a', t, 'r'); "
     "float(c.sum()), float(c.max())", OWN),
    ("tobytes", "np.frombuffer(a.tobytes(), t), np.frombuffer(m.T.tobytes(), t)", OWN),
    ("tobytes in order", "np.frombuffer(m.tobytes('F'), t)", OWN),
    ("scalar tobytes", "np.frombuffer(x.tobytes(), t), len(x.tobytes()) == x.itemsize", OWN),
    ("view as bytes and back", "a.view(np.uint8).view(t), m.view(np.uint8).view(t)", OWN),
    ("view of another size", "np.ones(8, t).view(np.uint64).view(t)", OWN),
    ("view of a uint8 array", "np.zeros(4, np.uint8).view(t).dtype", OWN),
    ("view of bytes writes through", "c = a.view('u1'); c[:a.itemsize] = c[-a.itemsize:]; a", OWN),
    ("view of twin", "a if twin is None else a.view(twin).view(t)", OWN),
    ("view of the same", "a.view(), a.view(t), np.shares_memory(a, a.view(t))", OWN),
    ("byteswap", "a.byteswap()", Value("a"), BYTES),
    ("byteswap of two bytes", "a.byteswap()", Value("a.view('u2').byteswap().view(t)"),
     ("bfloat16",)),
    ("newbyteorder", "a.view(a.dtype.newbyteorder('=')), a.dtype.isnative", OWN),
    ("newbyteorder of two bytes", "a.dtype.newbyteorder()",
     Error("ValueError", "own byte order", "`a.dtype.newbyteorder()`"), ("bfloat16",)),
    ("flags", "a.flags.c_contiguous, m.T.flags.f_contiguous, a.flags.aligned, a.flags.owndata",
     OWN),
    ("unaligned", "c = np.zeros(6 * a.itemsize + 1, np.uint8)[1:].view(t); c[:] = a; c", OWN),
    ("pickle", "[pickle.loads(pickle.dumps(m, k)) for k in range(6)]", OWN),
    ("pickle in Fortran order", "pickle.loads(pickle.dumps(m.T))", OWN),
    ("pickle of a scalar", "[pickle.loads(pickle.dumps(x, k)) for k in range(2, 6)]", OWN),
    ("pickle of a dtype", "pickle.loads(pickle.dumps(a.dtype)), pickle.loads(pickle.dumps(t)) is t",
     OWN),
    ("pickle out of band", "k = []; c = pickle.dumps(a, 5, buffer_callback=k.append); "
     "pickle.loads(c, buffers=k)", OWN),
    ("dump", "a.dump(path / 'a'); np.load(path / 'a', allow_pickle=True)", OWN),
    ("dumps", "pickle.loads(a.dumps())", OWN),
    ("copy", "import copy; copy.copy(a), copy.deepcopy(m), copy.deepcopy(x), copy.copy(a.dtype)",
     OWN),
    ("hash of bytes", "import hashlib; hashlib.sha1(a.tobytes()).hexdigest() != ''", OWN),
    ("array interface", "class C: __array_interface__ = a.__array_interface__\n"
     "np.asarray(C()).view(t).copy()", OWN),
    ("array interface of bytes", "c = a.view('u1')\nclass C: __array_interface__ = "
     "c.__array_interface__\nnp.asarray(C()).view(t).copy()", OWN),
    ("__array__", "class C:\n def __array__(self, dtype=None, "
     "copy=None): return a\nnp.asarray(C())",
     OWN),
    ("ctypes pointer", "a.ctypes.data == a.__array_interface__['data'][0]", OWN),
    ("memoryview", "memoryview(a)", BUFFERS),
    ("bytes()", "bytes(a)", BUFFERS),
    ("file.write", "f = io.BytesIO(); f.write(a); f.getvalue() == a.tobytes()", OWN),
    ("memoryview of a scalar", "memoryview(x)", BUFFERS),
    ("as_ctypes", "np.ctypeslib.as_ctypes(a)",
     Error("NotImplementedError", "ctypes", "`np.ctypeslib`")),
    ("dlpack", "np.from_dlpack(a)", Error("BufferError", "DLPack only supports", "DLPack")),
)  # fmt: skip

DTYPES = table(
    "dtypes",
    ("equality", "np.dtype(t) == t, np.dtype(t) == a.dtype, a.dtype != np.dtype('f8')", OWN),
    ("hash", "len({np.dtype(t), a.dtype, x.dtype})", OWN),
    ("sizes", "np.dtype(t).itemsize == a.itemsize, np.dtype(t).alignment == a.itemsize", OWN),
    ("name", "a.dtype.name", Value("cu.FORMATS[name].ml_dtypes")),
    ("str", "a.dtype.str, str(a.dtype), repr(a.dtype)", Value("('castufunc.' + name,) * 3")),
    ("type", "a.dtype.type, type(x), np.dtype(t).type is t", OWN),
    ("flags", "a.dtype.hasobject, a.dtype.isalignedstruct, a.dtype.shape, a.dtype.names", OWN),
    ("sub-array dtype", "np.zeros(2, np.dtype((t, (3,)))).shape, np.dtype((t, 3)).base", OWN),
    ("issubdtype", "np.issubdtype(t, np.generic), np.issubdtype(t, np.number), "
     "np.issubdtype(t, np.character)", OWN),
    ("isdtype", "np.isdtype(a.dtype, 'numeric')",
     Error("TypeError", "must be a NumPy dtype", "`np.isdtype`")),
    ("isscalar", "np.isscalar(x), isinstance(x, np.generic), isinstance(x, np.number)", OWN),
    ("copy", "np.dtype(np.dtype(t)), np.dtype(np.dtype(t), copy=True)", OWN),
    ("from an object", "class C: dtype = np.dtype(t)\nnp.dtype(C())", OWN),
    ("from a dict", "np.dtype({'names': ['p'], 'formats': [t]})['p']", OWN),
    ("metadata", "np.dtype(t, metadata={'k': 1}).itemsize == a.itemsize", OWN),
)  # fmt: skip

ROWS = FILES + MEMORY + DTYPES
