"""From ratios to rank (theory chapter 5): trace, projection and diagonal dominance.

Each bound takes the histogram H_d of d = |x \\ y| over ordered pairs of distinct words of a code of K words
and h_d = 1/R(d) <= 1 for each d that occurs, and returns the largest rank that its theorem proves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

MOST_DENOMINATOR = 10**200  # of a multiplier in a certificate

Histogram = Mapping[int, int]
Entries = Mapping[int, Fraction]


@dataclass(frozen=True)
class RankBound:
    """rank >= r by the named method (trace, projection or dominance); lam is projection's multiplier."""

    r: int
    method: str
    lam: Fraction | None = None


def trace_bound(size: int, histogram: Histogram, h: Entries) -> RankBound:
    """Theorem 5.2: the largest r <= K with K^2 >= (r-1)(K + sum_d H_d h_d^2)."""
    total = size + sum(count * h[d] ** 2 for d, count in histogram.items())
    return RankBound(min(size, int(size**2 // total) + 1), "trace")


def dominance_bound(size: int, histogram: Histogram, h: Entries) -> RankBound:
    """Theorem 5.4 from the histogram: r = K if (K-1) max_d h_d <= 1, else nothing (r = 1)."""
    worst = max((h[d] for d in histogram), default=Fraction(0))
    return RankBound(size if (size - 1) * worst <= 1 else 1, "dominance")


def projection_slack(size: int, histogram: Histogram, h: Entries, r: int, lam: Fraction) -> Fraction:
    """Right side minus left side of the inequality of Theorem 5.3; positive proves rank >= r."""
    rest = r - 2
    excess = sum((count * h[d] * max(Fraction(0), h[d] - lam) for d, count in histogram.items()), Fraction(0))
    left = (2 * (size - 1 - rest) + rest * lam * size) ** 2
    return 4 * (1 + rest) * ((size - 1) * (size - 1 - rest) - rest * excess) - left


def best_multiplier(size: int, histogram: Histogram, h: Entries, r: int) -> Fraction:
    """The lambda >= 0 that maximises projection_slack, exactly.

    The slack is concave in lambda and quadratic between the breakpoints h_d: on each piece the zero of the
    derivative, moved into the piece, is a candidate, and the best candidate is the maximum.
    """
    rest = r - 2
    if rest == 0:
        return Fraction(0)
    ends = sorted({Fraction(0), *(h[d] for d in histogram)})
    candidates = []
    for low, high in zip(ends, [*ends[1:], ends[-1]], strict=True):
        slope = sum((count * h[d] for d, count in histogram.items() if h[d] > low), Fraction(0))
        stationary = (2 * (1 + rest) * slope / size - 2 * (size - 1 - rest)) / (rest * size)
        candidates.append(min(max(stationary, low), high))
    return max(candidates, key=lambda lam: projection_slack(size, histogram, h, r, lam))


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The rational of least denominator in the closed interval [low, high] (Stern-Brocot)."""
    floor = low.numerator // low.denominator
    if floor == low:
        return low
    if floor + 1 <= high:
        return Fraction(floor + 1)
    return floor + 1 / simplest_between(1 / (high - floor), 1 / (low - floor))


def simple_multiplier(size: int, histogram: Histogram, h: Entries, r: int, best: Fraction) -> Fraction:
    """A lambda of small denominator that proves r, found around the best one by widening intervals."""
    width = best
    while width > 0:
        lam = simplest_between(max(Fraction(0), best - width), best + width)
        if projection_slack(size, histogram, h, r, lam) > 0:
            return lam
        width /= 2
        if width.denominator > 1 << 80:
            break
    return best


def projection_bound(size: int, histogram: Histogram, h: Entries) -> RankBound:
    """Theorem 5.3: the largest r that some multiplier lambda proves; r = 1 if none does."""

    def provable(r: int) -> bool:
        return projection_slack(size, histogram, h, r, best_multiplier(size, histogram, h, r)) > 0

    # the provable r form an initial segment of 3..K in practice; the search relies on that for strength
    # only, never for truth
    low, high = 2, size + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if provable(middle) else (low, middle)
    for r in range(low, 2, -1):
        best = best_multiplier(size, histogram, h, r)
        lam = simple_multiplier(size, histogram, h, r, best)
        if lam.denominator < MOST_DENOMINATOR and provable(r):
            return RankBound(r, "projection", lam)
    return RankBound(1, "projection", Fraction(0))


METHODS = {"trace": trace_bound, "projection": projection_bound, "dominance": dominance_bound}
