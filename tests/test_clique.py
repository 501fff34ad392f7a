"""Maximum-weight cliques against networkx and by definition."""

import time

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.codes.clique import Adjacency, heaviest_clique, is_clique, tabu_clique


def random_graph(size: int, density: float, seed: int) -> Adjacency:
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((size, size)) < density, 1)
    adjacency: Adjacency = upper | upper.T
    return adjacency


def reference(adjacency: Adjacency, weights: list[int]) -> int:
    graph = nx.from_numpy_array(adjacency)
    nx.set_node_attributes(graph, dict(enumerate(weights)), "w")
    return int(nx.max_weight_clique(graph, weight="w")[1])


@given(st.integers(1, 22), st.floats(0, 1), st.integers(0, 10**6), st.booleans())
@settings(deadline=None)
def test_exact_against_networkx(size: int, density: float, seed: int, unit: bool) -> None:
    adjacency = random_graph(size, density, seed)
    weights = [1] * size if unit else np.random.default_rng(seed).integers(1, 30, size).tolist()
    found = heaviest_clique(adjacency, weights)
    assert found.optimal
    assert is_clique(adjacency, found.vertices)
    assert sum(weights[v] for v in found.vertices) == found.weight == reference(adjacency, weights)


@given(st.integers(1, 30), st.floats(0, 1), st.integers(0, 10**6))
@settings(deadline=None, max_examples=30)
def test_tabu_finds_cliques(size: int, density: float, seed: int) -> None:
    adjacency = random_graph(size, density, seed)
    weights = np.random.default_rng(seed).integers(1, 30, size).tolist()
    found = tabu_clique(adjacency, weights, 300, seed)
    assert is_clique(adjacency, found.vertices)
    assert (
        sum(weights[v] for v in found.vertices) == found.weight <= heaviest_clique(adjacency, weights).weight
    )
    again = tabu_clique(adjacency, weights, 300, seed)
    assert again == found
    further = tabu_clique(adjacency, weights, 50, seed + 1, found.vertices)
    assert further.weight >= found.weight


def test_nothing_above() -> None:
    adjacency = random_graph(12, 0.5, 0)
    best = heaviest_clique(adjacency, [1] * 12)
    nothing = heaviest_clique(adjacency, [1] * 12, above=best.weight)
    assert nothing.vertices == ()
    assert nothing.weight == best.weight
    assert nothing.optimal


def test_no_vertex() -> None:
    empty = np.zeros((0, 0), dtype=bool)
    assert heaviest_clique(empty, []).weight == 0
    assert tabu_clique(empty, [], 10, 0).vertices == ()


def test_the_deadline_ends_it() -> None:
    adjacency = random_graph(300, 0.9, 1)
    began = time.monotonic()
    found = heaviest_clique(adjacency, [1] * 300, deadline=began + 0.2)
    assert not found.optimal
    assert time.monotonic() - began < 5
    assert tabu_clique(adjacency, [1] * 300, 10**9, 0, deadline=time.monotonic() + 0.2).weight > 10


@pytest.mark.parametrize("goal", [1, 5])
def test_the_goal_ends_it(goal: int) -> None:
    adjacency = ~np.eye(10, dtype=bool)
    assert goal <= tabu_clique(adjacency, [1] * 10, 10**6, 0, goal=goal).weight <= 10
