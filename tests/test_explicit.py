"""The search over explicit codes: an answer for every m and n, never less than a simple second search."""

import time
from fractions import Fraction
from itertools import combinations

import pytest

from verifier.amplification import amplify
from verifier.codes.code import Code, pair_histogram
from verifier.codes.hadamard import hadamard_code
from verifier.codes.layers import product
from verifier.explicit import UnusableCode, best_explicit, bound_of_code, convolution
from verifier.rank import METHODS

HALF = Fraction(1, 2)


def test_convolution_is_the_histogram_of_the_product() -> None:
    a, b = hadamard_code(4), hadamard_code(8)
    assert a is not None
    assert b is not None
    direct = pair_histogram(product(a, b))
    assert convolution(pair_histogram(a), len(a.words), pair_histogram(b), len(b.words)) == direct


@pytest.mark.parametrize("m", [1, 2, 3, 4, 5])
def test_small_m_against_all_codes(m: int) -> None:
    """The best trace bound over every code of up to 4 words of any weights, found by brute force."""
    for n in (3, 4, 6):
        ratios = amplify(m, n, HALF)
        best = 1
        for size in (2, 3, 4):
            for words in combinations(range(1 << m), size):
                try:
                    best = max(best, bound_of_code(Code("", m, words), ratios, METHODS).bound.r)
                except UnusableCode:
                    continue
        assert best_explicit(m, n, HALF, METHODS).best.bound.r >= best


@pytest.mark.parametrize("n", [3, 4, 5, 8])
def test_never_weaker_with_more_bits_in_reach(n: int) -> None:
    found = [best_explicit(m, n, HALF, METHODS).best.bound.r for m in (4, 8, 12, 16, 20, 24)]
    assert found == sorted(found)


def test_known_values_are_reached() -> None:
    """Theory chapter 5: at least 43, 201 and 420 at m = 24."""
    assert [
        best_explicit(24, n, HALF, METHODS).best.bound.r >= r for n, r in ((3, 43), (4, 201), (5, 420))
    ] == [True] * 3


def test_deterministic_without_a_budget() -> None:
    assert best_explicit(11, 5, HALF, METHODS, seed=4) == best_explicit(11, 5, HALF, METHODS, seed=4)


def test_a_budget_ends_the_search() -> None:
    start = time.monotonic()
    outcome = best_explicit(12, 3, HALF, METHODS, budget=0.5)
    assert outcome.ended == "budget"
    assert time.monotonic() - start < 20


def test_interruption_keeps_the_best_so_far() -> None:
    def watch(codes):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        for i, code in enumerate(codes):
            if i == 12:
                raise KeyboardInterrupt
            yield code

    outcome = best_explicit(12, 4, HALF, METHODS, watch=watch)
    assert outcome.ended == "interrupt"
    assert outcome.best.bound.r >= 2


def test_every_difference_needs_a_ratio_of_one() -> None:
    """At error 1/2 words may not differ in one coordinate; at error 1/4 they may, in every method."""
    near = Code("near", 4, (0b0011, 0b0101))
    for method in METHODS:
        with pytest.raises(UnusableCode, match="= 1"):
            bound_of_code(near, amplify(4, 3, HALF), (method,))
        assert bound_of_code(near, amplify(4, 3, Fraction(1, 4)), (method,)).bound.r == (
            1 if method == "projection" else 2
        )
    with pytest.raises(UnusableCode, match="inside"):
        bound_of_code(Code("nested", 4, (0b0001, 0b0111)), amplify(4, 3, HALF), METHODS)
