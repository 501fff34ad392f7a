"""Theory chapter 12: lemmas on random feature vectors and classes, (N) in exact rationals, growth rates."""

import json
import random
from fractions import Fraction
from itertools import combinations
from math import comb, log2
from typing import Any

import mpmath
import pytest

from tests.corruption import storm, verdict
from verifier.amplification import amplify
from verifier.certificate import (
    as_json,
    counting_lower_bound,
    decode_integer,
    encode_integer,
    exponent_bound,
    nonnegative_lower_bound,
    render,
)
from verifier.counting import best_counting
from verifier.growth import growth
from verifier.nonnegative import (
    Mixture,
    NonnegativeBound,
    best_mixture,
    best_nonnegative,
    partner_counts,
    proves_mixture,
)

HALF = Fraction(1, 2)
Json = dict[str, Any]


def test_lemma_12_1_on_random_features() -> None:
    """sum_k sqrt(d_k(x) d_k(y)) <= sqrt(M[x,y] M[y,x]) for rational factorisations, by 60 digits."""
    mpmath.mp.dps = 60
    rng = random.Random(1)
    for _ in range(60):
        size, r = rng.randint(2, 5), rng.randint(1, 6)
        a = [[Fraction(rng.randint(0, 9), rng.randint(1, 9)) for _ in range(r)] for _ in range(size)]
        b = [[Fraction(rng.randint(0, 9), rng.randint(1, 9)) for _ in range(r)] for _ in range(size)]
        for row_a, row_b in zip(a, b, strict=True):
            row_a[0] = row_b[0] = Fraction(1)
            total = sum(p * q for p, q in zip(row_a, row_b, strict=True))
            row_a[:] = [p / total for p in row_a]
        product = [[sum(p * q for p, q in zip(x, y, strict=True)) for y in b] for x in a]
        for x, y in combinations(range(size), 2):
            left = mpmath.fsum(
                mpmath.sqrt(mpmath.mpf(d.numerator) / d.denominator)
                for d in (a[x][k] * b[x][k] * a[y][k] * b[y][k] for k in range(r))
            )
            right = product[x][y] * product[y][x]
            assert left**2 <= mpmath.mpf(right.numerator) / right.denominator + mpmath.mpf(10) ** -50


@pytest.mark.parametrize(
    ("length", "weight", "low", "high"), [(7, 3, 2, 2), (8, 4, 2, 3), (8, 3, 1, 2), (8, 4, 3, 3)]
)
def test_lemma_12_2_by_greedy_and_random_families(length: int, weight: int, low: int, high: int) -> None:
    """Families with all |x \\ y| in low..high have at most C(L, high-low+1) words."""
    words = [x for x in range(1 << length) if x.bit_count() == weight]
    rng = random.Random(2)
    for _ in range(60):
        rng.shuffle(words)
        family: list[int] = []
        for x in words:
            if all(low <= (x & ~y).bit_count() <= high for y in family):
                family.append(x)
        assert len(family) <= comb(length, high - low + 1)


def proves(b: NonnegativeBound, n: int, error: Fraction, r: int) -> bool:
    """(N) of Theorem 12.3 from its definition, with the best ratios and square roots of 60 digits."""
    mpmath.mp.dps = 60
    depth = min(b.weight, b.length - b.weight)
    ratios = amplify(depth, n, error).ratios
    if any(ratios[i] < 1 for i in range(b.difference, depth + 1)):
        return False
    free = b.difference - 1
    size = -(-comb(b.length, b.weight) // b.classes**free)
    total = mpmath.mpf(r - 1) / 2**b.levels
    for j in range(b.levels):
        t = max((i for i in range(b.difference, depth + 1) if ratios[i] < 2 ** (j + 1)), default=free)
        spread = 1 + sum(
            (
                Fraction(comb(b.weight, i) * comb(b.length - b.weight, i - free), comb(i, free)) / ratios[i]
                for i in range(b.difference, t + 1)
            ),
            Fraction(0),
        )
        first = Fraction((r - 1) * comb(b.length, t - free), size << j)
        square = 2 * (r - 1) * spread / (size << j)
        root = mpmath.sqrt(mpmath.mpf(square.numerator) / square.denominator)
        total += min(mpmath.mpf(first.numerator) / first.denominator, root)
    return total < 1 - mpmath.mpf(10) ** -50


CASES = [(24, 4, HALF), (40, 8, HALF), (100, 3, HALF), (80, 5, Fraction(1, 4)), (120, 5, Fraction(2, 3))]


@pytest.mark.parametrize(("m", "n", "error"), CASES)
def test_bounds_from_the_definition(m: int, n: int, error: Fraction) -> None:
    bound = best_nonnegative(m, n, error)
    assert bound.r >= 3
    assert proves(bound, n, error, bound.r)
    assert not proves(bound, n, error, bound.r + 2 + bound.r // 10**9)


def test_partner_counts_are_those_of_lemma_6_1() -> None:
    assert partner_counts(8, 4, 2) == [0, 0, 6 * 4 // 2, 4 * 6 // 3, 4 // 4]
    assert partner_counts(6, 3, 1) == [0, 9, 9, 1]


def test_larger_than_counting_for_many_bits() -> None:
    """The asymptotics of Theorem 12.4 show from m = 300 on."""
    for m, n in ((300, 3), (600, 3), (600, 5)):
        assert best_nonnegative(m, n).r > best_counting(m, n).r
    assert best_nonnegative(2, 3).r == 1
    assert best_nonnegative(30, 3, Fraction(50)).r == 1
    with pytest.raises(ValueError, match="counting needs"):
        best_nonnegative(9, 2)


# f_1 = f_2 at the crossing, solved independently by mpmath in the test below
@pytest.mark.parametrize(
    ("n", "digits"), [(3, "0.224200"), (4, "0.337747"), (5, "0.409096"), (10, "0.592533"), (100, "0.869584")]
)
def test_exponents(n: int, digits: str) -> None:
    mpmath.mp.dps = 40
    g = growth(n, HALF)
    log_sigma = mpmath.log(mpmath.mpf(g.factor.numerator), 2) / g.gap

    def entropy(p: mpmath.mpf) -> mpmath.mpf:
        return -p * mpmath.log(p, 2) - (1 - p) * mpmath.log(1 - p, 2)

    def second(tau: mpmath.mpf) -> mpmath.mpf:
        inner = min(tau, 1 / (1 + mpmath.power(2, log_sigma / 2)) / 2)
        return 1 + tau * log_sigma - (entropy(2 * inner) - inner * log_sigma)

    low, high = mpmath.mpf("1e-6"), mpmath.mpf("0.4999")
    for _ in range(120):
        middle = (low + high) / 2
        if 1 + middle * log_sigma - entropy(middle) > second(middle):
            low = middle
        else:
            high = middle
    want = second(low)
    found = best_mixture(g)
    got = mpmath.log(mpmath.mpf(found.base.numerator) / found.base.denominator, 2)
    assert mpmath.nstr(mpmath.floor(got * 10**6) / 10**6, 6)[: len(digits)].ljust(8, "0") == digits
    assert 0 <= want - got < mpmath.mpf("1e-6")


def exponent_document(n: int, error: Fraction) -> Json:
    g = growth(n, error)
    mixture = best_mixture(g, 8, 256)
    return as_json(exponent_bound(g, mixture.base, mixture, "nonnegative", {}))


@pytest.mark.parametrize("error", [HALF, Fraction(1, 3), Fraction(2), Fraction(1, 20)])
@pytest.mark.parametrize("n", [3, 6, 100])
def test_exponent_certificates(n: int, error: Fraction) -> None:
    g = growth(n, error)
    mixture = best_mixture(g)
    assert proves_mixture(g.factor, mixture)
    good = exponent_bound(g, mixture.base, mixture, "nonnegative", {})
    assert verdict(as_json(good)) == "verified"
    assert len(render(good)) < 1000
    for change in (
        {"base": str(mixture.base + Fraction(1, 10**6))},
        {"features": "real"},
    ):
        bad = json.loads(render(good))
        bad["claim"].update(change)
        assert verdict(bad) == "unproved"


def exponent_still_proved(mutant: Json) -> bool:
    """Theorem 12.4 by logarithms of 80 digits; equality cannot occur for the mutants met."""
    mpmath.mp.dps = 80
    claim, evidence = mutant["claim"], mutant["evidence"]
    n, error, gap = claim["n"], Fraction(claim["error"]), evidence["gap"]
    if n < 3 or error <= 0 or claim["features"] != "nonnegative" or claim["kernel"] != "nonnegative":
        return False
    factor = (n - 2) * (gap - 2 * error) / (2 * error)
    mix, p, y, base = (Fraction(text) for text in (*(evidence[k] for k in ("mix", "p", "y")), claim["base"]))
    if factor <= 1 or not (0 < mix < 1 and 0 < p < 1 and 0 < y <= HALF and 0 < base < 2):
        return False

    def log(value: Fraction) -> mpmath.mpf:
        return mpmath.log(mpmath.mpf(value.numerator) / value.denominator)

    beta = mpmath.mpf(mix.numerator) / mix.denominator
    sigma, odds_p, odds_y = log(factor) / gap, log(p / (1 - p)), log(y / (1 - y))
    slack = mpmath.mpf(10) ** -60
    return (
        -2 * odds_y >= sigma - slack
        and (2 - beta) * sigma + beta * odds_p + 2 * (1 - beta) * odds_y >= -slack
        and log(base) <= log(Fraction(2)) + beta * log(1 - p) + (1 - beta) * log(1 - y) + slack
    )


def document(m: int, n: int, error: Fraction) -> Json:
    return as_json(nonnegative_lower_bound(m, n, error, best_nonnegative(m, n, error), {}))


@pytest.mark.parametrize(("m", "n", "error"), [*CASES, (2, 3, HALF), (1000, 16, HALF), (3000, 3, HALF)])
def test_certificates(m: int, n: int, error: Fraction) -> None:
    found = best_nonnegative(m, n, error)
    assert len(render(nonnegative_lower_bound(m, n, error, found, {}))) < 4096
    good = document(m, n, error)
    assert verdict(good) == "verified"
    more = document(m, n, error)
    more["claim"]["r"] = encode_integer(found.r + 2 + found.r // 10**9)
    assert verdict(more) == "unproved"
    real = document(m, n, error)
    real["claim"]["features"] = "real"
    assert verdict(real) == "unproved"


def test_a_bound_for_real_features_covers_nonnegative_ones() -> None:
    found = best_counting(40, 3)
    assert (
        verdict(as_json(counting_lower_bound(40, 3, HALF, found, {}, features="nonnegative"))) == "verified"
    )


def still_proved(mutant: Json) -> bool:
    claim, evidence = mutant["claim"], mutant["evidence"]
    n, error, r = claim["n"], Fraction(claim["error"]), decode_integer(claim["r"])
    if claim["kernel"] != "nonnegative" or claim["features"] != "nonnegative" or n < 3 or error <= 0:
        return False
    if r == 1:
        return True
    classes = decode_integer(evidence["classes"])
    bound = NonnegativeBound(
        r, evidence["length"], evidence["weight"], evidence["difference"], classes, (), 0, evidence["levels"]
    )
    sound = bound.length <= claim["m"] and 0 < bound.weight < bound.length
    labels = classes == 1 if bound.difference == 1 else classes >= bound.length
    field = bound.difference <= 2 or classes.bit_count() == 1
    return sound and labels and field and proves(bound, n, error, r)


@pytest.mark.parametrize(
    ("m", "n", "error"), [(24, 6, HALF), (40, 8, Fraction(1, 4)), (90, 5, Fraction(2, 3))]
)
def test_corrupted_certificates(m: int, n: int, error: Fraction) -> None:
    assert storm(document(m, n, error), still_proved, 300, m + n) > 150


@pytest.mark.parametrize(("n", "error"), [(3, HALF), (10, HALF), (4, Fraction(2, 3))])
def test_corrupted_exponents(n: int, error: Fraction) -> None:
    assert storm(exponent_document(n, error), exponent_still_proved, 300, n) > 150


def test_mixture_of_no_use() -> None:
    useless = Mixture(5, HALF, Fraction(1, 3), Fraction(3, 5), Fraction(1))
    assert not proves_mixture(Fraction(4), useless)
    assert log2(best_mixture(growth(3, HALF)).base) > 0.2241
