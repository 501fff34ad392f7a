"""Codes for the rank bound instead of the size: the whole histogram of |x \\ y| counts.

Orbits of words under a group are taken in, out and exchanged to raise K^2 / (K + sum of pair costs).  With
the pair cost h_d^2 that is the trace bound (Theorem 5.2); with h_d max(0, h_d - lambda) it stands in for the
projection bound at that multiplier.  What a code proves is computed from its words afterwards.
"""

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from verifier.amplification import Amplification, amplify
from verifier.codes.code import Code
from verifier.codes.families import family_codes
from verifier.codes.groups import Group, schedule
from verifier.codes.orbits import OrbitGraph, TooLarge, orbit_graph
from verifier.explicit import CodeBound, UnusableCode, bound_of_code
from verifier.rank import METHODS

FORBIDDEN = 1e9
MAX_WORDS = 6_000  # beyond this a code is slow to evaluate and to check


@dataclass(frozen=True)
class Proposal:
    """A code, the rank bound that it proves, and where it comes from."""

    bound: CodeBound
    origin: str


class OrbitClimb:
    """Chosen orbits, and for each orbit its pair costs against those: floats, which only propose."""

    def __init__(self, graph: OrbitGraph, weight: int, costs: Mapping[int, Fraction]) -> None:
        self.sizes = np.array(graph.weights, dtype=np.float64)
        table = np.full(weight + 1, FORBIDDEN)
        for d, cost in costs.items():
            if d <= weight:
                table[d] = float(cost)
        table[0] = 0.0
        heads = graph.words[graph.starts[:-1]]
        rows = []
        for head in heads:
            entries = table[weight - np.bitwise_count(head & graph.words).astype(np.intp)]
            rows.append(np.add.reduceat(entries, graph.starts[:-1]))
        # pairs between orbits i and j: each word of i has the same costs against j
        one_way = np.array(rows) * self.sizes[:, None]
        self.cost: NDArray[np.float64] = one_way + one_way.T
        self.inner = one_way.diagonal().copy()
        np.fill_diagonal(self.cost, 0.0)
        self.chosen = np.zeros(len(heads), dtype=bool)
        self.against = self.inner.copy()
        self.size, self.sigma = 0.0, 0.0

    def flip(self, i: int) -> None:
        """Take orbit i in, or out if it is in."""
        sign = -1.0 if self.chosen[i] else 1.0
        self.sigma += sign * float(self.against[i])
        self.size += sign * float(self.sizes[i])
        self.against += sign * self.cost[i]
        self.chosen[i] = not self.chosen[i]

    def value(self) -> float:
        """K^2 / (K + sum of pair costs); 0 for no word."""
        return self.size**2 / (self.size + self.sigma) if self.size else 0.0

    def climb(self) -> None:
        """Flip the orbit that raises the value most, until none does."""
        while True:
            sign = np.where(self.chosen, -1.0, 1.0)
            size = self.size + sign * self.sizes
            sigma = self.sigma + sign * self.against
            values = np.divide(size**2, size + sigma, out=np.zeros_like(size), where=size > 0.5)
            i = int(values.argmax())
            if values[i] <= self.value() * (1 + 1e-12):
                return
            self.flip(i)

    def disturb(self, rng: random.Random) -> None:
        """Take in a random orbit, put out those it may not stand beside, and sometimes one more."""
        outside = np.flatnonzero(~self.chosen).tolist()
        if not outside:
            return
        i = rng.choice(outside)
        for j in np.flatnonzero(self.chosen & (self.cost[i] >= FORBIDDEN)):
            self.flip(int(j))
        self.flip(i)
        inside = np.flatnonzero(self.chosen).tolist()
        if rng.random() < 0.5 and len(inside) > 1:
            self.flip(rng.choice(inside))

    def restore(self, chosen: NDArray[np.bool_]) -> None:
        """Go back to an earlier choice."""
        for i in np.flatnonzero(self.chosen != chosen):
            self.flip(int(i))


def best_orbits(climb: OrbitClimb, steps: int, rng: random.Random, deadline: float | None) -> tuple[int, ...]:
    """The orbits of the best value found in `steps` disturbances."""
    climb.climb()
    best, kept = climb.value(), climb.chosen.copy()
    for _ in range(steps):
        if deadline is not None and time.monotonic() > deadline:
            break
        climb.disturb(rng)
        climb.climb()
        if climb.value() >= best:
            best, kept = climb.value(), climb.chosen.copy()
        else:
            climb.restore(kept)
    return tuple(int(i) for i in np.flatnonzero(kept))


def rank_improvements(
    length: int,
    n: int,
    error: Fraction,
    weights: Sequence[int] = (),
    seed: int = 0,
    deadline: float | None = None,
    group: Group | None = None,
    rounds: int | None = None,
    methods: Sequence[str] = tuple(METHODS),
) -> Iterator[Proposal]:
    """Codes of this length with better and better certified rank bounds at sequence length n.

    First the families of codes of every difference, then group after group (`rounds` of them, or the given
    one again and again).  `weights` restricts the search (default: those near half the length).
    """
    rng = random.Random(seed)
    ratios = amplify(length, n, error)
    usable = [d for d in range(1, length + 1) if ratios.ratios[d] >= 1]
    if not usable:
        return
    weights = weights or sorted({length // 2, max(1, length // 2 - 1), max(1, length // 2 - 2)})
    best: CodeBound | None = None

    def better(code: Code, origin: str) -> Iterator[Proposal]:
        nonlocal best
        if not 2 <= len(code.words) <= MAX_WORDS:
            return
        try:
            found = bound_of_code(code, ratios, methods)
        except UnusableCode:
            return
        if best is None or found.strength > best.strength:
            best = found
            yield Proposal(found, origin)

    def over() -> bool:
        return deadline is not None and time.monotonic() > deadline

    for weight in weights if group is None else ():
        for difference in [d for d in usable if d <= weight]:
            for code in family_codes(length, difference, weight):
                yield from better(code, code.name)
                if over():
                    return
    groups = schedule(length, rng)
    for _ in range(rounds if rounds is not None else 1 << 40):
        chosen = next(groups) if group is None else group
        for weight in weights:
            if over():
                return
            try:
                graph = orbit_graph(length, min(usable), weight, chosen)
            except TooLarge:
                if group is not None:
                    raise
                continue
            if len(graph.weights):
                costs = _pair_costs(ratios, usable, rng)
                orbits = best_orbits(OrbitClimb(graph, weight, costs), 60, rng, deadline)
                name = f"orbits of {chosen.name}, weight {weight}"
                yield from better(Code(name, length, graph.code(orbits)), name)


def _pair_costs(ratios: Amplification, usable: Sequence[int], rng: random.Random) -> dict[int, Fraction]:
    """The costs of pairs for a random choice of method: h^2, or h max(0, h - lambda) for a lambda."""
    h = {d: 1 / ratios.ratios[d] for d in usable}
    lam = rng.choice([Fraction(0), *sorted(set(h.values()))[-6:]])
    return {d: entry * max(Fraction(0), entry - lam) for d, entry in h.items()}
