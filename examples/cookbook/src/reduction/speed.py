import cookbook
import numpy as np

ROW = "`log_sum_exp`, 1024 rows of 1024, f32"
X = np.random.default_rng(1).standard_normal((1024, 1024), np.float32)


def ours() -> object:
    return cookbook.log_sum_exp(X)


def numpy() -> object:
    largest = X.max(-1, keepdims=True)
    return np.log(np.exp(X - largest).sum(-1)) + largest[:, 0]
