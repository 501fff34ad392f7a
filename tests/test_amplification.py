"""Theory chapter 4: amplification as longest path, against all compositions, networkx and the table."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import prod

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.amplification import ENOUGH, amplify
from verifier.domination import gap_factor

HALF = Fraction(1, 2)
errors = st.fractions(Fraction(1, 20), Fraction(3), max_denominator=20)


def compositions(d: int) -> Iterator[tuple[int, ...]]:
    if d == 0:
        yield ()
    for first in range(1, d + 1):
        for rest in compositions(d - first):
            yield (first, *rest)


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 12), errors)
def test_against_all_compositions(n: int, error: Fraction) -> None:
    result = amplify(10, n, error)
    for d in range(11):
        products = [
            prod((gap_factor(g, n, error) for g in parts), start=Fraction(1))
            for parts in compositions(d)
            if all(gap_factor(g, n, error) > 0 for g in parts)
        ]
        assert result.ratios[d] == max(products, default=0)


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 9), errors)
def test_against_networkx_longest_path(n: int, error: Fraction) -> None:
    """Longest path of logarithms, found by networkx in floats; its exact product cannot beat ours."""
    from math import log

    length = 24
    graph = nx.DiGraph()
    for a in range(length):
        for b in range(a + 1, length + 1):
            factor = gap_factor(b - a, n, error)
            if factor > 0:
                graph.add_edge(a, b, weight=log(factor) + 1000 * (b - a))
    path = nx.dag_longest_path(graph)
    assert path[0] == 0
    assert path[-1] == length
    product = prod((gap_factor(b - a, n, error) for a, b in pairwise(path)), start=Fraction(1))
    best = amplify(length, n, error).ratios[length]
    assert product <= best
    assert log(best) == pytest.approx(log(product))


@given(st.integers(3, 40), errors, st.integers(1, 90))
def test_the_composition_carries_the_ratio(n: int, error: Fraction, d: int) -> None:
    result = amplify(d, n, error)
    gaps = result.gaps(d)
    assert sum(gaps) <= d
    if gaps:
        assert all(gap_factor(g, n, error) > 0 for g in gaps)
        assert prod((gap_factor(g, n, error) for g in gaps), start=Fraction(1)) == result.ratios[d]
    else:
        assert result.ratios[d] == 0


def test_the_table_of_chapter_four() -> None:
    assert list(amplify(12, 3, HALF).ratios) == [1, 0, 1, 2, 3, 4, 5, 6, 9, 12, 16, 20, 27]
    assert list(amplify(12, 4, HALF).ratios) == [1, 0, 2, 4, 6, 8, 16, 24, 36, 64, 96, 144, 256]


def test_ratios_are_not_raised_without_end() -> None:
    result = amplify(2000, 5, HALF)
    assert ENOUGH <= result.ratios[2000] < ENOUGH * gap_factor(2000, 5, HALF)
    assert sum(result.gaps(2000)) <= 2000


@pytest.mark.parametrize(("n", "error"), [(2, HALF), (1, HALF), (3, Fraction(0)), (3, Fraction(-1))])
def test_what_is_refused(n: int, error: Fraction) -> None:
    with pytest.raises(ValueError, match="n >= 3"):
        amplify(5, n, error)
