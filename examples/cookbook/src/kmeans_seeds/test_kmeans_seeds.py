import cookbook
import numpy as np

MASK = 0xFFFF_FFFF


def philox(seed: int, counter: int) -> list[int]:
    """Philox-4x32-10 in Python's integers (Salmon et al., 2011)."""
    c = [counter & MASK, counter >> 32, 0, 0]
    k = [seed & MASK, seed >> 32]
    for _ in range(10):
        left, right = 0xD251_1F53 * c[0], 0xCD9E_8D57 * c[2]
        c = [(right >> 32) ^ c[1] ^ k[0], right & MASK, (left >> 32) ^ c[3] ^ k[1], left & MASK]
        k = [(k[0] + 0x9E37_79B9) & MASK, (k[1] + 0xBB67_AE85) & MASK]
    return c


def uniform(seed: int, counter: int) -> float:
    a, b, _, _ = philox(seed, counter)
    return ((a >> 5) * 2**26 + (b >> 6)) / 2**53


def seeds(points: np.ndarray, seed: int, k: int) -> list[int]:
    chosen = [int(uniform(seed, 0) * len(points))]
    for c in range(1, k):
        d = np.min([((points - points[i]) ** 2).sum(-1) for i in chosen], axis=0)
        chosen.append(int(np.searchsorted(np.cumsum(d, dtype=float), uniform(seed, c) * d.sum(dtype=float), side="right")))
    return chosen


def test_against_numpy() -> None:
    # Small integers: their sums are exact in any order.
    points = np.random.default_rng(1).integers(0, 20, (500, 3)).astype(np.float32)
    for seed in [0, 7, 2**40 + 3]:
        indices, left = cookbook.kmeans_seeds(points.T, seed, out=(np.empty(6, np.int64), None))
        assert indices.tolist() == seeds(points, seed, 6)
        assert (left[indices[:5]] == 0).all()


def test_far_points_are_chosen() -> None:
    centres = np.array([[0, 0], [1000, 0], [0, 1000], [1000, 1000]], np.float32)
    points = (centres[:, None] + np.random.default_rng(2).standard_normal((4, 50, 2))).astype(np.float32).reshape(200, 2)
    for seed in range(20):
        indices, _ = cookbook.kmeans_seeds(points.T, seed, out=(np.empty(4, np.int64), None))
        assert sorted(indices // 50) == [0, 1, 2, 3]
