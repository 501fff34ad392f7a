"""Theory chapter 6: classes and pair counts by enumeration, bounds by exact rationals, explicit classes."""

import itertools
import random
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb, factorial
from typing import Any

import pytest

from tests.corruption import storm, verdict
from verifier.amplification import amplify
from verifier.certificate import as_json, counting_lower_bound, decode_integer, encode_integer, render
from verifier.codes.code import Code, pair_histogram
from verifier.codes.upper import johnson_eigenvalue
from verifier.counting import (
    CountingBound,
    best_counting,
    entry_bounds,
    exact_share,
    least_difference,
    primitive_parts,
)
from verifier.explicit import entries
from verifier.rank import projection_bound, projection_slack

HALF = Fraction(1, 2)
Json = dict[str, Any]


def layer_words(length: int, weight: int) -> list[int]:
    return [x for x in range(1 << length) if x.bit_count() == weight]


def times_gf8(a: int, b: int) -> int:
    """Product in GF(8) = GF(2)[X] / (X^3 + X + 1)."""
    total = 0
    for k in range(3):
        if b >> k & 1:
            total ^= a << k
    for k in (4, 3):
        if total >> k & 1:
            total ^= 0b1011 << (k - 3)
    return total


def key_cyclic(labels: list[int], q: int) -> int:
    return sum(labels) % q


def key_gf8(labels: list[int], difference: int) -> tuple[int, ...]:
    """The first difference - 1 elementary symmetric functions over GF(8)."""
    e = [1] + [0] * len(labels)
    for a in labels:
        for k in range(len(labels), 0, -1):
            e[k] ^= times_gf8(a, e[k - 1])
    e += [0] * difference
    return tuple(e[1:difference])


def classes(words: list[int], labels: tuple[int, ...], q: int, difference: int) -> dict[Any, list[int]]:
    out = defaultdict(list)
    for x in words:
        mine = [a for j, a in enumerate(labels) if x >> j & 1]
        out[key_cyclic(mine, q) if difference == 2 else key_gf8(mine, difference)].append(x)
    return out


@pytest.mark.parametrize(
    ("length", "weight", "q", "difference"),
    [(4, 2, 4, 2), (5, 2, 5, 2), (6, 3, 6, 2), (5, 2, 7, 2), (6, 3, 8, 3), (6, 2, 8, 3), (6, 3, 8, 4)],
)
def test_classes_and_pairs_over_all_labellings(length: int, weight: int, q: int, difference: int) -> None:
    """Lemma 6.1 (a), (b), (c), by enumerating every injection of the coordinates into the group."""
    words = layer_words(length, weight)
    together: Counter[int] = Counter()
    labellings = list(itertools.permutations(range(q), length))
    for labels in labellings[:: 1 if len(labellings) < 800 else 29]:
        found = classes(words, labels, q, difference)
        assert len(found) <= q ** (difference - 1)
        for members in found.values():
            for x in members:
                partners = Counter((x & ~y).bit_count() for y in members if y != x)
                for i, count in partners.items():
                    assert i >= difference
                    most = comb(weight, i) * comb(length - weight, i - difference + 1)
                    assert count * comb(i, difference - 1) <= most
                together += partners
    total = len(labellings[:: 1 if len(labellings) < 800 else 29])
    if total == len(labellings):  # the average is exact only over all of them
        for i in range(1, min(weight, length - weight) + 1):
            pairs = len(words) * comb(weight, i) * comb(length - weight, i)
            allowed = Fraction(1, comb(q - 2 * i + difference - 1, difference - 1)) if i >= difference else 0
            assert Fraction(together[i], total * pairs) <= allowed


def test_pair_probability_over_the_field_of_7_elements() -> None:
    """Lemma 6.1(b) for delta = 3: x = {1,2,3}, y = {4,5,6} over all injections into GF(7).

    They are in one class if sums and sums of products of two agree, as for {1,2,4} and {3,5,6}.
    """

    def key(a: int, b: int, c: int) -> tuple[int, int]:
        return (a + b + c) % 7, (a * b + a * c + b * c) % 7

    labellings = list(itertools.permutations(range(7), 6))
    hits = sum(key(*p[:3]) == key(*p[3:]) for p in labellings)
    assert key(1, 2, 4) == key(3, 5, 6)
    assert 0 < Fraction(hits, len(labellings)) <= Fraction(1, comb(7 - 6 + 2, 2))


@pytest.mark.parametrize("error", [HALF, Fraction(1, 3), Fraction(2, 3), Fraction(3, 2)])
@pytest.mark.parametrize("n", [3, 4, 9])
def test_entries_against_exact_ratios(n: int, error: Fraction) -> None:
    """H_d / 2^bits is an upper bound of 1/R(d) and close to it where R(d) is not tiny."""
    parts, bits = primitive_parts(60, n, error), 200
    bounds, exact = entry_bounds(60, n, error, parts, bits), amplify(60, n, error).ratios
    for d in range(1, 61):
        bound = bounds[d]
        if bound is None:
            assert exact[d] == 0
        else:
            assert 1 / exact[d] <= Fraction(bound, 1 << bits) <= 1 / exact[d] * (1 + Fraction(1, 1 << 60))
    first = next((d for d in range(1, 61) if exact[d] >= 1), None)
    assert least_difference(bounds, bits) == first


def probability(q: int, difference: int, i: int) -> Fraction:
    """p_i of Lemma 6.1(b); of Lemma 6.7, by counting subsets by size and sum, where that applies."""
    free = difference - 1
    if difference == 2 and q < 4096 and q in PRIMES:
        return equal_sums(q)[i]
    return Fraction(1, comb(q - 2 * i + free, free)) if free else Fraction(1)


PRIMES = [q for q in range(3, 4096) if all(q % k for k in range(2, int(q**0.5) + 1))]


@cache
def equal_sums(q: int) -> list[Fraction]:
    """The probability that two random disjoint i-subsets of Z_q have equal sums, for i <= q/2.

    By Lemma 6.7, with the power sums s_q of its proof from their recurrence.
    """
    before, now = [2], [1]
    for _ in range(q - 1):
        lower = [0, *before]
        size = max(len(now), len(lower))
        before, now = (
            now,
            [(now[k] if k < len(now) else 0) - (lower[k] if k < len(lower) else 0) for k in range(size)],
        )
    out = []
    for i in range(q // 2 + 1):
        pairs = factorial(q) // (factorial(i) ** 2 * factorial(q - 2 * i))
        out.append(Fraction(pairs + (q - 1) * now[i], q * pairs))
    return out


@pytest.mark.parametrize("q", [3, 5, 7, 11, 13])
def test_exact_probabilities_by_enumeration(q: int) -> None:
    """Lemma 6.7 against dynamic programming over the residues: pairs of disjoint subsets by sizes and sum."""
    states = Counter({(0, 0, 0): 1})
    for j in range(q):
        more: Counter[tuple[int, int, int]] = Counter()
        for (a, b, total), count in states.items():
            more[a, b, total] += count
            more[a + 1, b, (total + j) % q] += count
            more[a, b + 1, (total - j) % q] += count
        states = more
    for i in range(1, q // 2 + 1):
        both = sum(states[i, i, total] for total in range(q))
        want = Fraction(states[i, i, 0], both)
        share, pairs = exact_share(q, i)
        assert Fraction(share, q * pairs) == want == equal_sums(q)[i]
        assert want <= Fraction(1, q - 2 * i + 1)


def proves(b: CountingBound, n: int, error: Fraction, r: int) -> bool:
    """(C) of Theorem 6.3 or (Z) of Theorem 6.6 in exact rationals, with the best ratios of Definition 4.3."""
    ratios = amplify(min(b.weight, b.length - b.weight), n, error).ratios
    if b.zonal:
        return proves_zonal(b, ratios, r)
    size, lam = comb(b.length, b.weight), Fraction(b.multiplier, 1 << b.bits)
    total = b.classes ** (b.difference - 1) * (1 - lam)
    for i in range(b.difference, min(b.weight, b.length - b.weight) + 1):
        if ratios[i] < 1:
            return False
        free = b.difference - 1
        p = probability(b.classes, b.difference, i)
        pairs = comb(b.weight, i) * comb(b.length - b.weight, i)
        total += pairs * b.classes**free * p / ratios[i] * max(Fraction(0), 1 / ratios[i] - lam)
    q = total / size
    return (r - 2) * (q + lam**2 / 4) + q + lam < 1


def zonal_value(b: CountingBound, i: int) -> Fraction:
    """G(i) by the eigenvalues of the Johnson scheme."""
    return sum(
        (
            Fraction(c, 1 << b.bits)
            * Fraction(
                johnson_eigenvalue(b.length, b.weight, k, i), comb(b.weight, i) * comb(b.length - b.weight, i)
            )
            for k, c in enumerate(b.zonal)
        ),
        Fraction(0),
    )


def proves_zonal(b: CountingBound, ratios: Sequence[Fraction], r: int) -> bool:
    """(Z) of Theorem 6.6 in exact rationals."""
    gamma = sum((Fraction(c, 1 << b.bits) for c in b.zonal), Fraction(0))
    if not (
        0 <= gamma < 1 and min(b.zonal) >= 0 and 2 * b.weight <= b.length and len(b.zonal) <= b.weight + 1
    ):
        return False
    free = b.difference - 1
    total = Fraction(b.classes**free)
    for i in range(b.difference, b.weight + 1):
        if ratios[i] < 1:
            return False
        p = probability(b.classes, b.difference, i)
        pairs = comb(b.weight, i) * comb(b.length - b.weight, i) * b.classes**free * p
        value = zonal_value(b, i)
        total += pairs * max(value**2, (1 / ratios[i] - value) ** 2) / (1 - gamma) ** 2
    return (r - 1) * total < comb(b.length, b.weight)


CASES = [
    (12, 3, HALF), (17, 3, HALF), (24, 3, HALF), (24, 5, HALF), (24, 100, HALF), (40, 4, HALF),
    (100, 3, HALF), (60, 3, Fraction(1, 4)), (60, 3, Fraction(1, 3)), (90, 3, Fraction(2, 3)),
    (90, 8, Fraction(3, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("m", "n", "error"), CASES)
def test_bounds_in_exact_rationals(m: int, n: int, error: Fraction) -> None:
    """The bound is proved by (C) itself, and rounding costs nothing but the last units."""
    bound = best_counting(m, n, error)
    assert bound.r >= 3
    assert proves(bound, n, error, bound.r)
    assert not proves(bound, n, error, bound.r + 2 + bound.r // 10**9)


def test_lemma_6_2_is_the_projection_inequality() -> None:
    """(P) of Theorem 5.3 holds exactly where the inequality of Lemma 6.2 fails."""
    rng = random.Random(3)
    seen = Counter[bool]()
    for _ in range(3000):
        size, rho = rng.randint(2, 40), rng.randint(1, 30)
        lam = Fraction(rng.randint(0, 20), 20)
        histogram = {3: rng.randint(0, size * size), 4: rng.randint(0, size)}
        h = {3: Fraction(1, rng.randint(1, 30)), 4: Fraction(1, rng.randint(1, 4))}
        excess = sum(c * h[d] * max(Fraction(0), h[d] - lam) for d, c in histogram.items())
        fails = size**2 * (1 - lam - rho * lam**2 / 4) > (1 + rho) * ((1 - lam) * size + excess)
        assert fails == (projection_slack(size, histogram, h, rho + 2, lam) > 0)
        seen[fails] += 1
    assert min(seen[True], seen[False]) > 300


@pytest.mark.parametrize(("m", "n"), [(10, 4), (11, 6), (12, 3), (12, 8), (13, 5)])
def test_some_explicit_class_proves_as_much(m: int, n: int) -> None:
    """The averaged bound is at most what the best class of some labellings proves when it is listed."""
    bound = best_counting(m, n, HALF)
    rng = random.Random(m * 100 + n)
    ratios = amplify(m, n, HALF)
    gamma = sum((Fraction(c, 1 << bound.bits) for c in bound.zonal), Fraction(0))
    squares = {
        i: max(zonal_value(bound, i) ** 2, (1 / ratios.ratios[i] - zonal_value(bound, i)) ** 2)
        for i in range(2, bound.weight + 1)
    }
    words = layer_words(m, bound.weight)
    best = 0
    for _ in range(6):
        labels = tuple(rng.sample(range(bound.classes), m))
        for members in classes(words, labels, bound.classes, 2).values():
            size = len(members)
            histogram = pair_histogram(Code("class", m, tuple(members)))
            found = projection_bound(size, histogram, entries(histogram, ratios)).r
            if bound.zonal:
                spread = sum((c * squares[d] for d, c in histogram.items()), Fraction(0))
                found = max(found, int(((1 - gamma) * size) ** 2 / ((1 - gamma) ** 2 * size + spread)) + 1)
            best = max(best, found)
    assert bound.r <= best


# (C) and (Z) of theory chapter 6 minimised by a separate program in floating point with q -> infinity
@pytest.mark.parametrize(
    ("m", "n", "low", "high"),
    [
        (24, 3, 38, 40),
        (64, 3, 10_800, 11_300),
        (100, 3, 1_320_000, 1_340_000),
        (100, 4, 2_290_000_000, 2_330_000_000),
        (200, 3, 590_000_000_000, 595_000_000_000),
    ],
)
def test_sizes(m: int, n: int, low: int, high: int) -> None:
    assert low <= best_counting(m, n).r <= high


def test_more_bits_longer_sequences_smaller_errors_need_more() -> None:
    values = [best_counting(m, 3).r for m in range(12, 40)]
    assert all(a <= b for a, b in zip(values, values[2:], strict=False))
    assert best_counting(30, 3).r < best_counting(30, 4).r < best_counting(30, 8).r
    errors = (Fraction(1, 8), Fraction(1, 4), HALF, Fraction(1), Fraction(2))
    by_error = [best_counting(120, 3, e).r for e in errors]
    assert by_error == sorted(by_error, reverse=True)


def test_nothing_to_prove() -> None:
    assert best_counting(2, 3).r == 1
    assert best_counting(30, 3, Fraction(40)).r == 1
    assert best_counting(30, 3, Fraction(9)).r == 1
    for m, n, error in ((1, 3, HALF), (9, 2, HALF), (9, 3, Fraction(0))):
        with pytest.raises(ValueError, match="counting needs"):
            best_counting(m, n, error)


def document(m: int, n: int, error: Fraction) -> Json:
    return as_json(counting_lower_bound(m, n, error, best_counting(m, n, error), {}))


@pytest.mark.parametrize(
    ("m", "n", "error"), [*CASES, (2, 3, HALF), (30, 3, Fraction(40)), (100, 1000, HALF), (1000, 16, HALF)]
)
def test_certificates_are_verified(m: int, n: int, error: Fraction) -> None:
    found = best_counting(m, n, error)
    text = render(counting_lower_bound(m, n, error, found, {}))
    assert len(text) < 4096
    assert verdict(document(m, n, error)) == "verified"
    more = document(m, n, error)
    more["claim"]["r"] = encode_integer(found.r + 2 + found.r // 10**9)
    assert verdict(more) == "unproved"


def still_proved(mutant: Json) -> bool:
    """Is a counting claim proved by its evidence, by (C) in exact rationals?"""
    claim, evidence = mutant["claim"], mutant["evidence"]
    n, error, r = claim["n"], Fraction(claim["error"]), decode_integer(claim["r"])
    if claim["kernel"] != "nonnegative" or n < 3 or error <= 0:
        return False
    if r == 1:
        return True
    b = CountingBound(
        r,
        evidence["length"],
        evidence["weight"],
        evidence["difference"],
        decode_integer(evidence["classes"]),
        tuple(evidence["parts"]),
        evidence["bits"],
        decode_integer(evidence.get("lambda", 0)),
        tuple(decode_integer(c) for c in evidence.get("zonal", ())),
    )
    sound = b.length <= claim["m"] and 0 < b.weight < b.length and 0 <= b.multiplier < 1 << b.bits
    labels = b.classes == 1 if b.difference == 1 else b.classes >= b.length
    field = b.difference <= 2 or b.classes.bit_count() == 1
    return sound and labels and field and (r > 2 or not b.multiplier) and proves(b, n, error, r)


@pytest.mark.parametrize(
    ("m", "n", "error"), [(24, 3, HALF), (30, 3, Fraction(1, 4)), (60, 8, Fraction(2, 3)), (60, 9, HALF)]
)
def test_corrupted_certificates(m: int, n: int, error: Fraction) -> None:
    assert storm(document(m, n, error), still_proved, 400, m + n) > 200


def test_checker_is_fast_at_20000_bits() -> None:
    found = best_counting(20_000, 3)
    text = render(counting_lower_bound(20_000, 3, HALF, found, {}))
    start = time.perf_counter()
    assert verdict(as_json(counting_lower_bound(20_000, 3, HALF, found, {}))) == "verified"
    assert time.perf_counter() - start < 10
    assert len(text) < 4096


@pytest.mark.parametrize(
    "change",
    [
        {"difference": 1, "classes": 1},  # |x \ y| = 1 has ratio 0 at error 1/2
        {"difference": 1},
        {"difference": 3},  # not a field
        {"classes": 23},
        {"length": 25},
        {"parts": [1, 2]},
        {"parts": [3]},
        {"lambda": "0x" + "f" * 40},
        {"bits": 1 << 15},
    ],
)
def test_wrong_evidence(change: Json) -> None:
    bad = document(24, 3, HALF)
    if "lambda" in change:
        bad["evidence"].pop("zonal", None)
    bad["evidence"].update(change)
    assert verdict(bad) == "unproved"
