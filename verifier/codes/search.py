"""The search for large constant-weight codes: families, prescribed automorphisms, cliques, local search."""

import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from verifier.codes.clique import heaviest_clique, tabu_clique
from verifier.codes.families import family_codes
from verifier.codes.groups import Group, schedule, subgroups, trivial
from verifier.codes.layers import layer
from verifier.codes.orbits import MAX_COUNTS, MAX_LAYER, MAX_ORBITS, OrbitGraph, TooLarge, orbit_graph
from verifier.codes.upper import upper_bound
from verifier.codes.verify import NotACode, verify

MAX_LENGTH = 63  # coordinates of a word in the arrays of the search
NODES = 200  # of the branch and bound on a first visit
EXACT = 400  # vertices up to which the branch and bound is tried on a graph
POOL = 3000  # words beside a code that exchanges may use
DESCEND, POLISH = 3, 12  # how often, in groups, a subgroup of the best one is tried, and exchanges of words
KEPT = 6  # graphs that are searched again


@dataclass(frozen=True)
class Cell:
    """The codes of one length and weight with |x \\ y| >= difference (Hamming distance 2 difference)."""

    length: int
    difference: int
    weight: int

    @property
    def distance(self) -> int:
        """The minimum Hamming distance."""
        return 2 * self.difference


@dataclass(frozen=True)
class Found:
    """A verified code of a cell and where it comes from."""

    words: tuple[int, ...]
    origin: str


class CellError(ValueError):
    """Parameters without a sensible code; the message is one sentence."""


def cell(length: int, distance: int, weight: int) -> Cell:
    """The cell of these parameters; raises CellError if they are impossible or beyond the search."""
    if length < 1:
        raise CellError(f"a word has at least one coordinate, so the length cannot be {length}")
    if not 0 <= weight <= length:
        raise CellError(f"the weight lies between 0 and the length {length}, so it cannot be {weight}")
    if distance < 1:
        raise CellError(f"different words have a distance of at least 1, so it cannot be {distance}")
    if length > MAX_LENGTH:
        raise CellError(f"the search takes words of at most {MAX_LENGTH} coordinates, not {length}")
    if distance > 2 * min(weight, length - weight):
        raise CellError(
            f"words of length {length} and weight {weight} have distances of at most "
            f"{2 * min(weight, length - weight)}, so the distance cannot be {distance}"
        )
    # words of one weight have even distances
    return Cell(length, -(-distance // 2), weight)


@dataclass
class _Trial:
    """A graph that was searched, its best clique, and how often it was visited."""

    graph: OrbitGraph
    group: Group
    clique: tuple[int, ...]
    weight: int
    visits: int = 1
    settled: bool = False


def improvements(
    where: Cell,
    seed: int = 0,
    deadline: float | None = None,
    group: Group | None = None,
    start: tuple[int, ...] = (),
    rounds: int | None = None,
) -> Iterator[Found]:
    """Better and better codes of a cell, each verified; ends at the upper bound, the deadline or `rounds`.

    `group` prescribes the automorphisms, otherwise families of codes are tried first and then group after
    group (`rounds` of them).  `start` is a code to improve on.  `deadline` is a time.monotonic() value.
    """
    rng = random.Random(seed)
    ceiling = upper_bound(where.length, where.difference, where.weight).size
    best = 0

    def better(words: tuple[int, ...], origin: str) -> Iterator[Found]:
        nonlocal best
        if len(words) > best:
            try:
                best = verify(words, where.length, where.distance, where.weight)
            except NotACode:
                return
            yield Found(tuple(sorted(words)), origin)

    def over() -> bool:
        return best >= ceiling or (deadline is not None and time.monotonic() > deadline)

    kept_words = start
    if start:
        yield from better(start, "resumed")
    if group is None:
        for code in family_codes(where.length, where.difference, where.weight):
            for found in better(code.words, code.name):
                kept_words = found.words
                yield found
            if over():
                return
    polished = group is not None
    trials: list[_Trial] = []
    pending: list[Group] = []  # subgroups of the group that gave the best code
    groups = schedule(where.length, rng) if group is None else itertools.repeat(group)
    if comb(where.length, where.weight) <= MAX_ORBITS and group is None:
        groups = _with_trivial(groups, where.length)
    for count in range(1, rounds + 1) if rounds is not None else itertools.count(1):
        if over():
            return
        if count % POLISH == 0 and not polished:
            polished = True
            for found in better(_polish(where, kept_words, rng, deadline), "exchanges of words"):
                kept_words = found.words
                yield found
        chosen = pending.pop(0) if pending and count % DESCEND == 0 else next(groups)
        trial = _visit(where, chosen, trials, rng, deadline, kept_words)
        if trial is None:
            if group is not None and count == 1:
                orbit_graph(where.length, where.difference, where.weight, group)  # says why it is too large
                return
            continue
        for found in better(trial.graph.code(trial.clique), f"orbits of {trial.group.name}"):
            kept_words, polished = found.words, group is not None
            pending = list(subgroups(trial.group)) if group is None else []
            yield found
        if group is not None and trial.settled:
            return


def _with_trivial(groups: Iterator[Group], length: int) -> Iterator[Group]:
    """The groups, with the trivial one after every tenth."""
    for i, group in enumerate(groups, 1):
        yield group
        if i % 10 == 0:
            yield trivial(length)


def _visit(
    where: Cell,
    group: Group,
    trials: list[_Trial],
    rng: random.Random,
    deadline: float | None,
    known: tuple[int, ...],
) -> _Trial | None:
    """Search the orbits of one group, and one of the best graphs so far again; the better of the two."""
    again = None
    if len(trials) > 2 and rng.random() < 0.25:
        again = rng.choice(trials)
        _deepen(again, rng, deadline)
    old = next((trial for trial in trials if trial.group.generators == group.generators), None)
    if old is not None:
        _start_from(old, known)
        _deepen(old, rng, deadline)
        return max((trial for trial in (old, again) if trial), key=lambda trial: trial.weight)
    try:
        graph = orbit_graph(where.length, where.difference, where.weight, group)
    except TooLarge:
        return again
    if not graph.weights:
        return again
    trial = _Trial(graph, group, (), 0)
    _start_from(trial, known)
    _deepen(trial, rng, deadline)
    if not trial.settled or not trials:
        trials.append(trial)
        trials.sort(key=lambda entry: -entry.weight)
        del trials[KEPT:]
    return max((entry for entry in (trial, again) if entry), key=lambda entry: entry.weight)


def _polish(
    where: Cell, words: tuple[int, ...], rng: random.Random, deadline: float | None
) -> tuple[int, ...]:
    """The code after exchanges with the words that are too close to the fewest of its words.

    The graph is that of the code and those words; codes beyond MAX_COUNTS / all words are left alone.
    """
    count = comb(where.length, where.weight)
    if count > MAX_LAYER or count * len(words) > MAX_COUNTS:
        return words
    pool, most = layer(where.length, where.weight), where.weight - where.difference
    close = np.zeros(len(pool), dtype=np.int32)
    for word in np.array(words, dtype=np.uint64):
        close += np.bitwise_count(pool & word) > most
    chosen = np.isin(pool, np.array(words, dtype=np.uint64))
    close[chosen] = 0
    tolerated = int(np.searchsorted(np.cumsum(np.bincount(close)), POOL, side="right")) - 1
    candidates = pool[chosen | (close <= max(tolerated, 0))]
    if not len(words) < len(candidates) <= 2 * POOL:
        return words
    adjacency = np.array([np.bitwise_count(candidates & word) <= most for word in candidates])
    start = np.flatnonzero(np.isin(candidates, np.array(words, dtype=np.uint64))).tolist()
    steps = 20_000
    found = tabu_clique(adjacency, [1] * len(candidates), steps, rng.randrange(1 << 30), start, deadline)
    return tuple(int(candidates[v]) for v in found.vertices)


def _start_from(trial: _Trial, known: tuple[int, ...]) -> None:
    """Let the trial go on from the part of a known code that its group maps to itself, if that is better."""
    if known:
        vertices = trial.graph.vertices(known)
        weight = sum(trial.graph.weights[v] for v in vertices)
        if weight > trial.weight:
            trial.clique, trial.weight = vertices, weight


def _deepen(trial: _Trial, rng: random.Random, deadline: float | None) -> None:
    """Search the graph of a trial further, with twice the effort of the last visit."""
    if trial.settled:
        return
    weights = trial.graph.weights
    if len(weights) <= EXACT:
        # counted in nodes, not seconds, so that a run without a deadline is a function of its seed
        exact = heaviest_clique(
            trial.graph.adjacency, weights, trial.weight, deadline, NODES << min(trial.visits, 5)
        )
        if exact.vertices:
            trial.clique, trial.weight = exact.vertices, exact.weight
        trial.settled = exact.optimal
    if not trial.settled:
        steps = 1000 << min(trial.visits, 5)
        result = tabu_clique(
            trial.graph.adjacency, weights, steps, rng.randrange(1 << 30), trial.clique, deadline
        )
        if result.weight > trial.weight:
            trial.clique, trial.weight = result.vertices, result.weight
    trial.visits += 1
