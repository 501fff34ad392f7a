"""A simple improving search: add, swap and drop words of one weight to raise K^2/(K + sum of pair costs).

With the pair cost h_d^2 the objective is the trace bound itself (Theorem 5.2); with h_d max(0, h_d - lambda)
it stands in for the projection bound at that multiplier.  The search only proposes codes; what a code proves
is computed from its words afterwards.
"""

import random
import time
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from verifier.codes.code import Code
from verifier.codes.layers import layer

SCALE = 1 << 24  # pair costs are rounded up to multiples of 1/SCALE
FORBIDDEN = 1 << 40


class Search:
    """The state of one search: a pool of words, which are chosen, and each word's cost against those."""

    def __init__(self, length: int, weight: int, costs: Mapping[int, Fraction]) -> None:
        self.pool = layer(length, weight)
        table = np.full(length + 1, FORBIDDEN, dtype=np.int64)
        for d, cost in costs.items():
            table[d] = -(-cost.numerator * SCALE // cost.denominator)
        table[0] = 0
        overlaps = np.bitwise_count(self.pool[:, None] & self.pool[None, :])
        self.cost: NDArray[np.int64] = 2 * table[weight - overlaps.astype(np.int64)]
        self.chosen = np.zeros(len(self.pool), dtype=bool)
        self.against = np.zeros(len(self.pool), dtype=np.int64)
        self.size, self.sigma = 0, 0

    def flip(self, i: int) -> None:
        """Take word i in, or out if it is in."""
        sign = -1 if self.chosen[i] else 1
        self.sigma += sign * int(self.against[i])
        self.size += sign
        self.against += sign * self.cost[i]
        self.chosen[i] = not self.chosen[i]

    def better(self, size: int, sigma: int, than: tuple[int, int]) -> bool:
        """Is the objective size^2/(size + sigma) above that of `than`?  Decided in integers."""
        return size**2 * (than[0] * SCALE + than[1]) > than[0] ** 2 * (size * SCALE + sigma)

    def climb(self) -> None:
        """Take in the cheapest word while that raises the objective."""
        while self.size < len(self.pool):
            i = int(np.where(self.chosen, np.iinfo(np.int64).max, self.against).argmin())
            cost = int(self.against[i])
            now = (self.size, self.sigma)
            if cost >= FORBIDDEN or not (
                self.size == 0 or self.better(self.size + 1, self.sigma + cost, now)
            ):
                return
            self.flip(i)

    def force(self, i: int) -> None:
        """Take word i in and put out every chosen word that may not stand beside it."""
        for j in np.flatnonzero(self.chosen & (self.cost[i] >= FORBIDDEN)):
            self.flip(int(j))
        self.flip(i)

    def restore(self, chosen: NDArray[np.bool_]) -> None:
        for i in np.flatnonzero(self.chosen != chosen):
            self.flip(int(i))


def improve(
    length: int,
    weight: int,
    costs: Mapping[int, Fraction],
    steps: int,
    seed: int,
    deadline: float | None = None,
) -> Code:
    """A code of this length (bits) and weight found in `steps` perturbations, or until the deadline.

    `costs` gives the cost of an ordered pair for each allowed d = |x \\ y|; other d are forbidden.
    Deterministic given the seed, unless the deadline (time.monotonic) ends it.
    """
    rng = random.Random(seed)
    search = Search(length, weight, costs)
    search.climb()
    best = (search.size, search.sigma)
    kept = search.chosen.copy()
    for _ in range(steps):
        if search.size == len(search.pool) or (deadline is not None and time.monotonic() > deadline):
            break
        search.force(int(rng.choice(np.flatnonzero(~search.chosen).tolist())))
        if rng.random() < 0.5 and search.size > 2:
            search.flip(int(rng.choice(np.flatnonzero(search.chosen).tolist())))
        search.climb()
        if search.better(*best, than=(search.size, search.sigma)):
            search.restore(kept)
        else:
            best, kept = (search.size, search.sigma), search.chosen.copy()
    words = tuple(int(word) for word in search.pool[kept])
    return Code(f"improved code of length {length}, weight {weight}, seed {seed}", length, words)
