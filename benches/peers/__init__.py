"""What the rows measure against, each in its best form for one thread."""

# Column of the rows' files: its title.
PEERS = {
    "numpy": "NumPy",
    "pillow": "Pillow, NumPy",
    "numexpr": "numexpr",
    "numba": "Numba, fastmath",
    "numba_exact": "Numba",
    "torch": "torch",
    "compiled": "torch.compile",
    "jax": "JAX",
    "cython": "Cython",
    "pythran": "Pythran",
    "halide": "Halide",
    "plain": "Rust loop",
    "wide": "wide",
    "arch": "core::arch",
    "without": "without",
    "reused": "out=",
    "mmh3": "mmh3",
    "xxhash": "xxhash",
    "hashlib": "hashlib",
}
# Those that are there without `--peers`.
ALWAYS = ("numpy", "plain", "wide", "arch", "reused")
