"""The codes of the catalogue, against their parameters in the literature and brute force."""

from collections import Counter
from itertools import combinations
from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.codes.catalog import NAMED, candidates, factors
from verifier.codes.code import Code, pair_histogram
from verifier.codes.golay import golay_layer, golay_words
from verifier.codes.hadamard import (
    character_matrix,
    hadamard_code,
    hadamard_core,
    hadamard_matrix,
    prime_power,
)
from verifier.codes.improve import improve
from verifier.codes.layers import graham_sloane, layer, lexicode, product, shortened
from verifier.minip import difference


def histogram_by_loops(words: tuple[int, ...]) -> Counter[int]:
    return Counter(difference(x, y) for x in words for y in words if x != y)


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, 2**130 - 1), min_size=1, max_size=25))
def test_pair_histogram_by_a_double_loop(words: set[int]) -> None:
    code = Code("random", 130, tuple(words))
    assert pair_histogram(code) == histogram_by_loops(code.words)


def test_pair_histogram_counts_words_inside_others() -> None:
    assert pair_histogram(Code("nested", 3, (0b001, 0b011))) == {0: 1, 1: 1}


@pytest.mark.parametrize("order", [1, 2, *range(4, 92, 4)])
def test_hadamard_matrices(order: int) -> None:
    matrix = hadamard_matrix(order)
    assert matrix is not None
    assert set(np.unique(matrix)) <= {-1, 1}
    assert (matrix @ matrix.T == order * np.eye(order, dtype=int)).all()


@pytest.mark.parametrize("order", [3, 6, 92])
def test_orders_without_a_construction(order: int) -> None:
    assert hadamard_matrix(order) is None
    assert hadamard_core(order) is None
    assert hadamard_code(order) is None


@pytest.mark.parametrize("q", [3, 5, 7, 9, 13, 25, 27])
def test_quadratic_character(q: int) -> None:
    """Rows add up to 0, half the non-zero elements are squares, and Q Q^T = qI - J."""
    matrix = character_matrix(q)
    assert (matrix.sum(axis=1) == 0).all()
    assert (matrix @ matrix.T == q * np.eye(q, dtype=int) - 1).all()
    assert (matrix == (1 if q % 4 == 1 else -1) * matrix.T).all()


def test_character_of_a_prime_by_euler() -> None:
    assert list(character_matrix(23)[:, 0]) == [
        0 if a == 0 else (1 if pow(a, 11, 23) == 1 else -1) for a in range(23)
    ]
    with pytest.raises(ValueError, match="not an odd prime power"):
        character_matrix(15)
    assert [prime_power(q) for q in (1, 6, 49, 64)] == [None, None, (7, 2), (2, 6)]


@pytest.mark.parametrize("order", [8, 12, 20, 24, 28, 36])
def test_hadamard_codes(order: int) -> None:
    core, code = hadamard_core(order), hadamard_code(order)
    assert core is not None
    assert code is not None
    assert (len(core.words), core.weight) == (order - 1, order // 2)
    assert pair_histogram(core) == {order // 4: (order - 1) * (order - 2)}
    size = 2 * (order - 1)
    assert (len(code.words), code.weight) == (size, order // 2)
    assert pair_histogram(code) == {order // 4: size * (size - 2), order // 2: size}


def test_golay_weight_enumerator() -> None:
    assert Counter(word.bit_count() for word in golay_words()) == {0: 1, 8: 759, 12: 2576, 16: 759, 24: 1}
    assert all(golay_layer(w).weight == w for w in (8, 12, 16))
    with pytest.raises(ValueError, match="weight 10"):
        golay_layer(10)


def test_octads_are_a_steiner_system() -> None:
    """S(5,8,24): every 5 coordinates lie in exactly one octad."""
    counts: Counter[tuple[int, ...]] = Counter()
    for word in golay_layer(8).words[:]:
        points = [i for i in range(24) if word >> i & 1]
        counts.update(combinations(points, 5))
    assert len(counts) == comb(24, 5)
    assert set(counts.values()) == {1}


def test_shortened_golay_sizes() -> None:
    """253, 77, 21 and 506, 330 blocks through or off given points (Witt designs)."""
    octads = golay_layer(8)
    assert [len(shortened(octads, t, t).words) for t in (1, 2, 3)] == [253, 77, 21]  # type: ignore[union-attr]
    assert [len(shortened(octads, t, 0).words) for t in (1, 2)] == [506, 330]  # type: ignore[union-attr]
    assert shortened(octads, 9, 9) is None


@pytest.mark.parametrize(("length", "weight"), [(5, 2), (8, 4), (11, 3), (6, 0), (6, 6)])
def test_layer_is_all_words_in_order(length: int, weight: int) -> None:
    expected = [x for x in range(1 << length) if x.bit_count() == weight]
    assert layer(length, weight).tolist() == expected


@pytest.mark.parametrize(("length", "weight"), [(7, 3), (10, 5), (13, 6), (16, 8)])
def test_graham_sloane_class(length: int, weight: int) -> None:
    code = graham_sloane(length, weight)
    assert len(code.words) >= comb(length, weight) / length
    assert min(pair_histogram(code)) >= 2
    assert len({sum(i for i in range(length) if w >> i & 1) % length for w in code.words}) == 1


@pytest.mark.parametrize(
    ("length", "weight", "d", "size"),
    [(8, 4, 2, 14), (7, 3, 2, 7), (11, 5, 3, 11), (16, 8, 4, 30), (6, 3, 2, 4)],
)
def test_lexicodes_reach_known_optima(length: int, weight: int, d: int, size: int) -> None:
    code = lexicode(length, weight, d)
    assert len(code.words) == size  # A(length, 2d, weight), Brouwer's table
    assert min(histogram_by_loops(code.words)) >= d


def test_product_histogram() -> None:
    a, b = lexicode(7, 3, 2), lexicode(6, 3, 2)
    code = product(a, b)
    assert len(code.words) == len(a.words) * len(b.words)
    assert code.length == 13
    assert pair_histogram(code) == histogram_by_loops(code.words)


def test_improving_search_finds_the_best_small_code() -> None:
    """Costs of zero make the search maximise the size: A(8,4,4) = 14, found by networkx as a clique."""
    from fractions import Fraction

    costs = {d: Fraction(0) for d in range(2, 5)}
    found = improve(8, 4, costs, steps=400, seed=3)
    graph = nx.Graph()
    words = layer(8, 4).tolist()
    graph.add_nodes_from(words)
    graph.add_edges_from((x, y) for x, y in combinations(words, 2) if difference(x, y) >= 2)
    clique, _ = nx.max_weight_clique(graph, weight=None)
    assert len(found.words) == len(clique) == 14
    assert min(histogram_by_loops(found.words)) >= 2
    assert improve(8, 4, costs, steps=400, seed=3) == found


@pytest.mark.parametrize("m", [1, 2, 3, 4, 7, 16, 19, 23, 24, 25, 64, 70, 600])
def test_catalogue_codes_are_codes(m: int) -> None:
    for code in [*candidates(m), *factors(min(m, 30))]:
        assert code.length <= max(m, 1)
        assert len(set(code.words)) == len(code.words) > 0
        assert all(0 <= word < 1 << code.length for word in code.words)


def test_witness_is_paleys_with_one_complement() -> None:
    words = NAMED["witness"]().words
    residues = {i * i % 23 for i in range(1, 23)}
    translates = {sum(1 << (i + s) % 23 for i in range(23) if i not in residues) for s in range(23)}
    assert set(words[:23]) == translates
    assert words[23] == words[0] ^ (1 << 24) - 1
