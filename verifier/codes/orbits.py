"""Constant-weight codes with prescribed automorphisms: orbits of words, their compatibility graph, cliques.

A code that a group maps to itself is a union of orbits.  An orbit is good if its own words are far enough
apart, two good orbits are compatible if their words are, and codes are the cliques, weighted by orbit size.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from verifier.codes.clique import Adjacency
from verifier.codes.groups import Group, Words, orbit_labels
from verifier.codes.layers import layer

MAX_LAYER = 3_000_000  # words of one weight that are listed
MAX_ORBITS = 6_000  # good orbits, the vertices of a graph
MAX_COUNTS = 1 << 31  # word pairs that are compared


class TooLarge(ValueError):
    """The words of this length and weight, or their orbits, are too many; the message is one sentence."""


@dataclass(frozen=True)
class OrbitGraph:
    """Good orbits of words under a group: orbit i is words[starts[i]:starts[i + 1]]."""

    words: Words
    starts: NDArray[np.intp]
    adjacency: Adjacency

    @property
    def weights(self) -> list[int]:
        """The sizes of the orbits."""
        return [int(size) for size in np.diff(self.starts)]

    def code(self, vertices: tuple[int, ...]) -> tuple[int, ...]:
        """The words of some orbits."""
        parts = [self.words[self.starts[v] : self.starts[v + 1]] for v in vertices]
        return tuple(sorted(int(word) for part in parts for word in part))

    def vertices(self, words: tuple[int, ...]) -> tuple[int, ...]:
        """The orbits all of whose words are among the given ones."""
        inside = np.isin(self.words, np.array(words, dtype=np.uint64))
        whole = np.logical_and.reduceat(inside, self.starts[:-1])
        return tuple(int(v) for v in np.flatnonzero(whole))


def orbit_graph(length: int, difference: int, weight: int, group: Group) -> OrbitGraph:
    """The compatibility graph of the good orbits for |x \\ y| >= difference.

    Raises TooLarge if it is beyond what fits.
    """
    if comb(length, weight) > MAX_LAYER:
        raise TooLarge(f"there are {comb(length, weight)} words of length {length} and weight {weight}")
    words = layer(length, weight)
    labels = orbit_labels(words, length, group.generators)
    order = np.argsort(labels, kind="stable")
    heads, starts = np.unique(labels[order], return_index=True)
    sizes = np.diff(np.append(starts, len(words)))
    most = weight - difference
    # no code has more words than this (every `most + 1` coordinates lie in at most one word)
    limit = comb(length, most + 1) // comb(weight, most + 1)
    # one word of an orbit sees all: |gx \ y| = |x \ g^-1 y|
    apart = np.bitwise_count(words & words[labels]) <= most
    apart[heads] = True
    good = np.logical_and.reduceat(apart[order], starts) & (sizes <= limit)
    chosen = [words[order[a : a + size]] for a, size in zip(starts[good], sizes[good], strict=True)]
    if len(chosen) > MAX_ORBITS:
        raise TooLarge(f"the group {group.name} has {len(chosen)} good orbits, more than {MAX_ORBITS}")
    if len(chosen) * sum(map(len, chosen)) > MAX_COUNTS:
        raise TooLarge(f"the good orbits of the group {group.name} are too large to compare")
    flat = np.concatenate(chosen) if chosen else np.zeros(0, dtype=np.uint64)
    bounds = np.concatenate([[0], np.cumsum([len(part) for part in chosen])]).astype(np.intp)
    adjacency = np.zeros((len(chosen), len(chosen)), dtype=bool)
    for i, part in enumerate(chosen):
        compatible = np.bitwise_count(part[0] & flat) <= most
        adjacency[i] = np.logical_and.reduceat(compatible, bounds[:-1])
        adjacency[i, i] = False
    return OrbitGraph(flat, bounds, adjacency & adjacency.T)
