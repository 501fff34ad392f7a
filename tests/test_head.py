"""Theory chapter 1: the head, evaluated exactly."""

import random
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.random_heads import random_head
from verifier.head import DenominatorError, Head, dot, matrix_rank, output


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.lists(st.integers(0, 7), min_size=1, max_size=5))
def test_output_is_an_average_of_effective_values(seed: int, positional: bool, sequence: list[int]) -> None:
    """Lemma 1.4: readout folded into effective values, added up in another order than `output` does."""
    head = random_head(seed, r=2, d=3, positional=positional)
    i = len(sequence) - 1
    a, b = head.readout(sequence[i])
    weights = [dot(head.query(i, sequence[i]), head.key(j, z)) for j, z in enumerate(sequence)]
    effective = [dot(a, head.value(j, z)) + b for j, z in enumerate(sequence)]
    average = sum(w / sum(weights) * u for w, u in zip(weights, effective, strict=True))
    result = output(head, sequence, i)
    assert result == average
    assert min(effective) <= result <= max(effective)


def test_a_denominator_that_is_not_positive_is_named() -> None:
    head = Head(
        query=lambda _i, _x: [Fraction(1)],
        key=lambda _j, z: [Fraction(z - 1)],
        value=lambda _j, _z: [Fraction(0)],
        readout=lambda _x: ([Fraction(0)], Fraction(0)),
    )
    with pytest.raises(DenominatorError, match="query 0x1"):
        output(head, (1, 1), 0)


def test_matrix_rank_against_sympy() -> None:
    rng = random.Random(5)
    for _ in range(40):
        rows, columns, rank = rng.randint(1, 6), rng.randint(1, 6), rng.randint(1, 4)
        left = [[Fraction(rng.randint(-3, 3), rng.randint(1, 3)) for _ in range(rank)] for _ in range(rows)]
        right = [[Fraction(rng.randint(-3, 3)) for _ in range(columns)] for _ in range(rank)]
        matrix = [[dot(row, [r[c] for r in right]) for c in range(columns)] for row in left]
        assert matrix_rank(matrix) == sympy.Matrix(matrix).rank()
    assert matrix_rank([]) == 0
