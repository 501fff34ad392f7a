"""The topological bound (theory chapter 9): m - 2k + 2 features, from the order of the kernel alone."""

from dataclasses import dataclass
from fractions import Fraction

from verifier.amplification import amplify

LARGEST_GAP = 512  # bits; gaps beyond this are not tried


@dataclass(frozen=True)
class TopologicalBound:
    """r*_pos(m,n;error) >= r = m - 2 gap + 2 (Theorem 9.1); parts is a composition of the gap."""

    r: int
    gap: int
    parts: tuple[int, ...]


def topological_bound(m: int, n: int, error: Fraction) -> TopologicalBound | None:
    """The bound from the least gap k (bits) with a ratio of at least 1, or None if it is not above r = 1."""
    ratios = amplify(min(m, LARGEST_GAP), n, error)
    gap = next((d for d, ratio in enumerate(ratios.ratios) if d and ratio >= 1), None)
    if gap is None or m - 2 * gap + 2 < 2:
        return None
    return TopologicalBound(m - 2 * gap + 2, gap, ratios.gaps(gap))
