"""The search for large constant-weight codes: families, prescribed automorphisms, cliques, local search."""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from math import comb

from verifier.codes.clique import heaviest_clique, tabu_clique
from verifier.codes.families import family_codes
from verifier.codes.groups import Group, schedule, trivial
from verifier.codes.orbits import MAX_ORBITS, OrbitGraph, TooLarge, orbit_graph
from verifier.codes.upper import upper_bound
from verifier.codes.verify import NotACode, verify

MAX_LENGTH = 63  # coordinates of a word in the arrays of the search
EXACT = 400  # vertices up to which the branch and bound is tried on a graph
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
    name: str
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
    trials: list[_Trial] = []
    groups = schedule(where.length, rng) if group is None else repeat(group)
    if comb(where.length, where.weight) <= MAX_ORBITS and group is None:
        groups = _with_trivial(groups, where.length)
    for count, chosen in enumerate(groups, 1):
        if over() or (rounds is not None and count > rounds):
            return
        trial = _visit(where, chosen, trials, rng, deadline, kept_words)
        if trial is None:
            if group is not None:
                orbit_graph(where.length, where.difference, where.weight, group)  # says why it is too large
                return
            continue
        for found in better(trial.graph.code(trial.clique), f"orbits of {trial.name}"):
            kept_words = found.words
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
    if len(trials) > 2 and rng.random() < 0.4:
        again = rng.choice(trials)
        _deepen(again, rng, deadline)
    old = next((trial for trial in trials if trial.name == group.name), None)
    if old is not None:
        if group.generators == ():
            old.clique = _as_vertices(old.graph, known) or old.clique
        _deepen(old, rng, deadline)
        return max((trial for trial in (old, again) if trial), key=lambda trial: trial.weight)
    try:
        graph = orbit_graph(where.length, where.difference, where.weight, group)
    except TooLarge:
        return again
    if not len(graph.weights):
        return again
    trial = _Trial(graph, group.name, (), 0)
    if group.generators == ():
        trial.clique = _as_vertices(graph, known)
    _deepen(trial, rng, deadline)
    if not trial.settled or len(trials) == 0:
        trials.append(trial)
        trials.sort(key=lambda entry: -entry.weight)
        del trials[KEPT:]
    return max((entry for entry in (trial, again) if entry), key=lambda entry: entry.weight)


def _as_vertices(graph: OrbitGraph, words: tuple[int, ...]) -> tuple[int, ...]:
    """The words as vertices of the graph of the trivial group."""
    if not words:
        return ()
    places = {int(word): v for v, word in enumerate(graph.words)}
    return tuple(places[word] for word in words)


def _deepen(trial: _Trial, rng: random.Random, deadline: float | None) -> None:
    """Search the graph of a trial further, with twice the effort of the last visit."""
    if trial.settled:
        return
    weights = trial.graph.weights
    steps = min(200_000, 1500 * 2 ** min(trial.visits, 6))
    result = tabu_clique(
        trial.graph.adjacency, weights, steps, rng.randrange(1 << 30), trial.clique, deadline
    )
    if result.weight > trial.weight:
        trial.clique, trial.weight = result.vertices, result.weight
    if len(weights) <= EXACT:
        soon = time.monotonic() + 0.02 * 2 ** min(trial.visits, 6)
        end = soon if deadline is None else min(soon, deadline)
        exact = heaviest_clique(trial.graph.adjacency, weights, trial.weight, end)
        if exact.vertices:
            trial.clique, trial.weight = exact.vertices, exact.weight
        trial.settled = exact.optimal
    trial.visits += 1
