import cookbook
import numpy as np

ROW = "8 lists of 1000, of 10^5 items"
LISTS = np.stack([np.random.default_rng(k).permutation(100_000)[:1000] for k in range(8)])
WEIGHTS = np.linspace(0.5, 2, 8, dtype=np.float32)
OUT = np.empty(100_000, np.float32)


def ours() -> object:
    return cookbook.fuse(LISTS, WEIGHTS, out=OUT)


def numpy() -> object:
    OUT[:] = 0
    np.add.at(OUT, LISTS, WEIGHTS[:, None] / np.arange(61, 1061, dtype=np.float32))
    return OUT
