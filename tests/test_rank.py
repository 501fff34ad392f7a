"""Theory chapter 5: the rank bounds, against published figures, other algorithms and genuine matrices."""

import random
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.amplification import amplify
from verifier.codes.catalog import NAMED
from verifier.codes.code import pair_histogram
from verifier.explicit import entries
from verifier.rank import (
    METHODS,
    best_multiplier,
    dominance_bound,
    projection_bound,
    projection_slack,
    simplest_between,
    trace_bound,
)

HALF = Fraction(1, 2)

# theory chapter 5 and the worked examples there; each was computed there by other means
FIGURES = [
    ("paley-23", 3, 13, 19),
    ("witness", 3, 13, 19),
    ("hadamard-24", 3, 17, 30),
    ("octads", 3, 16, 30),
    ("dodecads", 3, 21, 43),
    ("dodecads", 4, 121, 201),
    ("dodecads", 5, 308, 420),
]


@pytest.mark.parametrize(("name", "n", "by_trace", "by_projection"), FIGURES)
def test_figures_from_explicit_words(name: str, n: int, by_trace: int, by_projection: int) -> None:
    code = NAMED[name]()
    histogram = pair_histogram(code)
    h = entries(histogram, amplify(24, n, HALF))
    assert trace_bound(len(code.words), histogram, h).r == by_trace
    assert projection_bound(len(code.words), histogram, h).r == by_projection


histograms = st.dictionaries(st.integers(2, 30), st.integers(1, 60), min_size=1, max_size=5)


@settings(max_examples=80, deadline=None)
@given(st.integers(2, 40), histograms, st.randoms(use_true_random=False))
def test_the_multiplier_is_optimal(size: int, histogram: dict[int, int], rng: random.Random) -> None:
    """No lambda of a fine grid proves more than the exact optimum; sympy agrees on the stationary value."""
    h = {d: Fraction(1, rng.randint(1, 30)) for d in histogram}
    for r in (3, size // 2 + 2, size):
        best = projection_slack(size, histogram, h, r, best_multiplier(size, histogram, h, r))
        assert all(projection_slack(size, histogram, h, r, Fraction(k, 97)) <= best for k in range(0, 140))


def test_the_slack_against_the_discriminant_by_sympy() -> None:
    """Theorem 5.3: the slack is minus the discriminant of the quadratic in t = T/K."""
    t, k, r0, lam, e = sympy.symbols("t K r0 lam E")
    gap = (k - 1 - t) ** 2 - r0 * (k + lam * k * t + e - (1 + t) ** 2)
    discriminant = sympy.discriminant(sympy.expand(gap), t)
    for size, r, lam_value, excess in (
        (24, 19, Fraction(1, 5), 0),
        (9, 4, Fraction(1, 3), 5),
        (50, 7, 0, 11),
    ):
        histogram = {2: excess, 3: 10} if excess else {3: 10}
        h = {2: Fraction(1), 3: Fraction(0)}
        value = discriminant.subs(
            {k: size, r0: r - 2, lam: sympy.Rational(lam_value), e: excess * (1 - sympy.Rational(lam_value))}
        )
        assert -value == projection_slack(size, histogram, h, r, Fraction(lam_value))


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**9), st.integers(4, 9), st.integers(1, 4), st.integers(1, 3))
def test_no_genuine_matrix_beats_a_bound(seed: int, rank: int, weight: int, classes: int) -> None:
    """M[x,y] = |x & y| / |x| for distinct sets of one size has rank at most the number of points.

    Its entries are below 1; each class of pairs gets a bound just above its largest entry, and no method may
    then claim more than the true rank.
    """
    rng = random.Random(seed)
    sets = [x for x in range(1 << rank) if x.bit_count() == min(weight, rank - 1)]
    sets = rng.sample(sets, min(len(sets), rng.randint(2, 16)))
    value = [[(x & y).bit_count() for y in sets] for x in sets]
    pairs = [(x, y) for x in range(len(sets)) for y in range(len(sets)) if x != y]
    kind = {pair: rng.randrange(classes) + 2 for pair in pairs}
    histogram = {d: list(kind.values()).count(d) for d in set(kind.values())}
    h = {
        d: max(Fraction(value[x][y], value[x][x]) for (x, y), c in kind.items() if c == d) + Fraction(1, 1000)
        for d in histogram
    }
    true_rank = sympy.Matrix(value).rank()
    for method in METHODS.values():
        assert method(len(sets), histogram, h).r <= true_rank <= rank


def test_equal_entries_against_the_exact_answer() -> None:
    """M = I + h(J - I) with h < 1 has full rank; dominance proves it exactly when (K-1) h <= 1."""
    assert dominance_bound(6, {4: 30}, {4: Fraction(1, 5)}).r == 6
    assert dominance_bound(6, {4: 30}, {4: Fraction(1, 4)}).r == 1
    assert trace_bound(2, {2: 2}, {2: Fraction(1)}).r == 2
    assert trace_bound(1, {}, {}).r == 1


def test_trace_never_claims_more_than_the_words() -> None:
    assert trace_bound(5, {9: 20}, {9: Fraction(1, 10**9)}).r == 5


@given(st.fractions(0, 5), st.fractions(0, 5))
def test_simplest_between(a: Fraction, b: Fraction) -> None:
    low, high = min(a, b), max(a, b)
    found = simplest_between(low, high)
    assert low <= found <= high
    for denominator in range(1, min(found.denominator, 60)):
        assert -(-low.numerator * denominator // low.denominator) > high * denominator
