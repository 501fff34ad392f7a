"""Maximum-weight cliques: an exact bitset branch and bound, and a tabu search for what is beyond it.

Vertices are 0..N-1 with positive integer weights; a graph is its boolean adjacency matrix (N x N, no loops).
"""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Adjacency = NDArray[np.bool_]


@dataclass(frozen=True)
class Clique:
    """Vertices of a clique, their total weight, and whether no clique is heavier."""

    vertices: tuple[int, ...]
    weight: int
    optimal: bool


def bitsets(adjacency: Adjacency) -> list[int]:
    """The neighbours of each vertex as an integer, bit v for vertex v."""
    packed = np.packbits(adjacency, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def is_clique(adjacency: Adjacency, vertices: Sequence[int]) -> bool:
    """Are the vertices distinct and adjacent in pairs?"""
    chosen = np.array(sorted(vertices), dtype=np.intp)
    part = adjacency[np.ix_(chosen, chosen)]
    return len(set(vertices)) == len(vertices) and int(part.sum()) == len(chosen) * (len(chosen) - 1)


class _Branching:
    """The state of one branch and bound; vertices are renumbered so that a first colouring is tight."""

    def __init__(
        self,
        adjacency: Adjacency,
        weights: Sequence[int],
        best: int,
        deadline: float | None,
        limit: int | None,
    ) -> None:
        degrees = adjacency.sum(axis=1)
        self.order = np.lexsort((-degrees, -np.asarray(weights)))
        self.rows = bitsets(adjacency[np.ix_(self.order, self.order)])
        self.weights = [int(weights[v]) for v in self.order]
        self.best = best
        self.found: tuple[int, ...] = ()
        self.deadline, self.limit, self.nodes, self.stopped = deadline, limit, 0, False

    def colour(self, candidates: int) -> list[tuple[int, int]]:
        """(vertex, bound) so that the candidates up to a vertex hold no clique heavier than its bound.

        Independent sets are taken off greedily, heaviest weight first; a set of weight w adds w to the bound,
        and what is left of heavier vertices stays for later sets.
        """
        rows, weights = self.rows, self.weights
        left: dict[int, int] = {}
        listed: list[tuple[int, int]] = []
        bound = 0
        while candidates:
            free, chosen = candidates, []
            while free:
                low = free & -free
                v = low.bit_length() - 1
                chosen.append(v)
                free &= ~(rows[v] | low)
            least = min(left.get(v, weights[v]) for v in chosen)
            bound += least
            for v in chosen:
                rest = left.get(v, weights[v]) - least
                if rest:
                    left[v] = rest
                else:
                    listed.append((v, bound))
                    candidates ^= 1 << v
        return listed

    def search(self, candidates: int, clique: tuple[int, ...], weight: int) -> None:
        self.nodes += 1
        if self.deadline is not None and self.nodes % 256 == 0 and time.monotonic() > self.deadline:
            self.stopped = True
        if self.limit is not None and self.nodes > self.limit:
            self.stopped = True
        if self.stopped:
            return
        if not candidates:
            if weight > self.best:
                self.best, self.found = weight, clique
            return
        for v, bound in reversed(self.colour(candidates)):
            if weight + bound <= self.best or self.stopped:
                return
            self.search(candidates & self.rows[v], (*clique, v), weight + self.weights[v])
            candidates ^= 1 << v


def heaviest_clique(
    adjacency: Adjacency,
    weights: Sequence[int],
    above: int = 0,
    deadline: float | None = None,
    nodes: int | None = None,
) -> Clique:
    """The heaviest clique, if it is heavier than `above`, by branch and bound.

    `above` is a weight already reached: without a heavier clique the result is empty with weight `above`,
    and `optimal` says that there is none.  `deadline` is a time.monotonic() value; when it passes, or after
    `nodes` nodes of the search tree, the best clique so far is returned with optimal = False.
    """
    state = _Branching(adjacency, weights, above, deadline, nodes)
    state.search((1 << len(weights)) - 1, (), 0)
    vertices = tuple(int(state.order[v]) for v in state.found)
    return Clique(vertices, state.best, not state.stopped)


def tabu_clique(
    adjacency: Adjacency,
    weights: Sequence[int],
    steps: int,
    seed: int,
    start: Sequence[int] = (),
    deadline: float | None = None,
    goal: int | None = None,
) -> Clique:
    """A heavy clique by tabu search; `optimal` is False.

    A step takes in the vertex with the largest gain, its weight less that of the members it is not adjacent
    to, and puts those out; members put out may not return for a few steps.  After a long time without
    progress the search starts again from the best clique with a part of it taken out.  Ends after `steps`,
    at the deadline (time.monotonic()) or at the weight `goal`.  Deterministic given the seed, unless the
    deadline ends it.
    """
    rng = random.Random(seed)
    noise = np.random.default_rng(seed)
    size = len(weights)
    if size == 0:
        return Clique((), 0, True)
    weight = np.asarray(weights, dtype=np.int64)
    # against[v]: weight of the members that v is not adjacent to; far[u] lists them for a member u
    opposed = ~adjacency
    np.fill_diagonal(opposed, False)
    against = np.zeros(size, dtype=np.int64)
    member = np.zeros(size, dtype=bool)
    barred = np.zeros(size, dtype=np.int64)
    total = best = 0
    kept: NDArray[np.bool_] = member.copy()
    patience, stale = max(400, min(4000, 20 * size)), 0

    def put(v: int, sign: int) -> None:
        nonlocal total
        member[v] = sign > 0
        total += sign * int(weight[v])
        against[opposed[v]] += sign * weight[v]

    for v in start:
        put(v, 1)
    if start:
        best, kept = total, member.copy()
    for step in range(1, steps + 1):
        if deadline is not None and step % 64 == 0 and time.monotonic() > deadline:
            break
        gain = weight - against
        gain[member | (barred > step)] = -(1 << 40)
        top = int(gain.max())
        if top <= -(1 << 40):
            barred[:] = 0
            continue
        ties = np.flatnonzero(gain == top)
        v = int(ties[int(noise.integers(len(ties)))]) if len(ties) > 1 else int(ties[0])
        for u in np.flatnonzero(member & opposed[v]).tolist() if against[v] else ():
            put(u, -1)
            barred[u] = step + 7 + rng.randrange(6)
        put(v, 1)
        if total > best:
            best, kept, stale = total, member.copy(), 0
            if goal is not None and best >= goal:
                break
        else:
            stale += 1
        if stale >= patience:
            stale = 0
            members = np.flatnonzero(kept).tolist()
            drop = set(rng.sample(members, rng.randint(len(members) // 4, len(members))))
            for u in np.flatnonzero(member).tolist():
                put(u, -1)
            for u in members:
                if u not in drop:
                    put(u, 1)
            barred[:] = 0
            if not member.any():
                put(rng.randrange(size), 1)
    return Clique(tuple(int(v) for v in np.flatnonzero(kept)), best, False)
