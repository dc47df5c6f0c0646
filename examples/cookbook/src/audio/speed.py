import cookbook
import numpy as np
from scipy import signal

ROW = "one second of 44.1 kHz to 48 kHz"
X = np.sin(np.arange(44_100, dtype=np.float32) * np.float32(0.06))
OUT = np.empty(48_000, np.float32)


def ours() -> object:
    return cookbook.gain_resample(X, 6.0, out=OUT)


def scipy() -> object:
    return signal.resample_poly(X, 160, 147) * np.float32(10 ** (6 / 20))


# At the ends, and by the filter: both are within 1 % of the sine.
MAY_DIFFER = 0.02
TOLERANCE = 0.02
