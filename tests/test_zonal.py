"""Theorem 6.6: zonal functions against eigenvalues and projectors, the rank inequality, coefficients."""

import random
from fractions import Fraction
from math import comb

import pytest

from tests.corruption import verdict
from verifier.certificate import as_json, counting_lower_bound, encode_integer
from verifier.codes.upper import johnson_eigenvalue
from verifier.counting import best_counting
from verifier.head import matrix_rank
from verifier.zonal import combination, zonal

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("length", "weight", "degree"), [(6, 3, 3), (9, 4, 4), (20, 10, 5), (31, 9, 3), (12, 6, 0)]
)
def test_values_against_eigenvalues(length: int, weight: int, degree: int) -> None:
    """phi_k(i) = p_i(k) / v_i of Lemma 11.4, computed there in another form."""
    functions = zonal(length, weight, degree)
    for k in range(degree + 1):
        for i in range(weight + 1):
            valency = comb(weight, i) * comb(length - weight, i)
            want = Fraction(johnson_eigenvalue(length, weight, k, i), valency)
            assert Fraction(functions.numerators[k][i], functions.denominator) == want
        assert functions.numerators[k][0] == functions.denominator


@pytest.mark.parametrize(("length", "weight"), [(5, 2), (6, 3), (7, 3)])
def test_matrices_are_multiples_of_projectors(length: int, weight: int) -> None:
    """Z^2 = c Z with c > 0 and Z symmetric: positive semidefinite, exactly."""
    words = [x for x in range(1 << length) if x.bit_count() == weight]
    functions = zonal(length, weight, weight)
    for k in range(weight + 1):
        row = [Fraction(value, functions.denominator) for value in functions.numerators[k]]
        matrix = [[row[(x & ~y).bit_count()] for y in words] for x in words]
        assert all(matrix[i][j] == matrix[j][i] for i in range(len(words)) for j in range(i))
        squares = [sum(a * b for a, b in zip(matrix[0], column, strict=True)) for column in matrix]
        factor = squares[0]
        assert factor > 0
        assert all(square == factor * entry for square, entry in zip(squares, matrix[0], strict=True))
        assert Fraction(len(words)) / factor == comb(length, k) - (comb(length, k - 1) if k else 0)


@pytest.mark.parametrize("seed", range(40))
def test_the_rank_inequality_on_genuine_matrices(seed: int) -> None:
    """(1-gamma)^2 K^2 <= rank ||M-G||^2 for M[x,y] = |x & y|^s / |x|^s on random words, exactly."""
    rng = random.Random(seed)
    length = rng.randint(5, 9)
    weight = rng.randint(2, length // 2)
    words = [x for x in range(1 << length) if x.bit_count() == weight]
    words = rng.sample(words, rng.randint(2, min(len(words), 30)))
    functions = zonal(length, weight, weight)
    coefficients = tuple(rng.choice((0, 1, 5, 20)) for _ in range(weight + 1))
    bits = 6 + rng.randint(1, 3)
    power = rng.choice((1, 2))
    matrix = [[Fraction((x & y).bit_count() ** power, weight**power) for y in words] for x in words]
    gamma = Fraction(sum(coefficients), 1 << bits)
    distance = sum(
        (
            entry
            - Fraction(
                combination(functions, coefficients, (x & ~y).bit_count()), functions.denominator << bits
            )
        )
        ** 2
        for x, row in zip(words, matrix, strict=True)
        for y, entry in zip(words, row, strict=True)
    )
    if gamma < 1:
        assert ((1 - gamma) * len(words)) ** 2 <= matrix_rank(matrix) * distance


@pytest.mark.parametrize(
    ("m", "n", "without"),
    [
        (24, 5, 497),
        (32, 3, 104),
        (64, 3, 6838),
        (100, 3, 625507),
        (100, 4, 807050723),
        (200, 3, 203770497698),
    ],
)
def test_more_than_the_multiplier_alone(m: int, n: int, without: int) -> None:
    """The bounds of Theorem 6.4 are beaten, by less than a factor of 4."""
    found = best_counting(m, n)
    assert found.zonal
    assert without < found.r < 4 * without
    assert sum(found.zonal) < 1 << found.bits


def test_coefficients_are_checked() -> None:
    found = best_counting(40, 4)
    good = as_json(counting_lower_bound(40, 4, HALF, found, {}))
    assert verdict(good) == "verified"
    changes: list[list[int | str]] = [
        [],
        [0] * 65,
        [encode_integer(1 << found.bits)],
        [0] * 22,
        [*good["evidence"]["zonal"][::-1]],
        [0],
    ]
    for change in changes:
        bad = as_json(counting_lower_bound(40, 4, HALF, found, {}))
        bad["evidence"]["zonal"] = change
        assert verdict(bad) != "verified"
    wide = as_json(counting_lower_bound(40, 4, HALF, found, {}))
    wide["evidence"]["weight"] = 21
    assert verdict(wide) == "unproved"
