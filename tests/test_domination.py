"""Theory chapter 3: gap domination, checked on exact heads and against an exhaustive search."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.random_heads import random_head
from verifier.domination import gap_factor
from verifier.head import dot, output
from verifier.minip import overlap


@given(st.integers(1, 40), st.integers(3, 30), st.fractions(Fraction(1, 100), 10))
def test_factor_by_its_definition(gap: int, n: int, error: Fraction) -> None:
    """F(g) is the c with 2e c = (n-2)(g - 2e), increasing in g and in n where it is positive."""
    factor = gap_factor(gap, n, error)
    assert 2 * error * factor == (n - 2) * (gap - 2 * error)
    assert gap_factor(gap + 1, n, error) > factor
    assert (factor > 0) == (gap > 2 * error)


def test_factor_at_error_one_half() -> None:
    assert [gap_factor(g, 3, Fraction(1, 2)) for g in range(1, 6)] == [0, 1, 2, 3, 4]
    assert [gap_factor(g, 5, Fraction(1, 2)) for g in range(1, 4)] == [0, 3, 6]


@pytest.mark.parametrize("positional", [False, True])
@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**9), st.integers(3, 5), st.integers(1, 3))
def test_every_head_obeys_gap_domination_at_its_own_error(
    positional: bool, seed: int, n: int, r: int
) -> None:
    """Theorem 3.1 with eps the largest error on the constant and the mixed sequences of one pair.

    The heads are random, so the error is large; the theorem holds at any error, and the sum over the mixed
    sequences is what position-dependent keys need.
    """
    head = random_head(seed, r, d=2, positional=positional)
    x, z, better = 0b1111, 0b0111, 0b0001
    gap = overlap(x, z) - overlap(x, better)
    constant = {t: (*[t] * (n - 1), x) for t in (z, better)}
    mixed = [(*[better if p == q else z for p in range(n - 1)], x) for q in range(n - 1)]
    errors = [abs(output(head, s, n - 1) - overlap(x, t)) for t, s in constant.items()]
    errors += [abs(output(head, s, n - 1) - overlap(x, better)) for s in mixed]
    error = max(errors)
    query = head.query(n - 1, x)
    big_d = {t: sum(dot(query, head.key(j, y)) for j, y in enumerate(s)) for t, s in constant.items()}
    assert 2 * error * big_d[better] >= (n - 2) * (gap - 2 * error) * big_d[z]
