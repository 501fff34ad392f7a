"""Theory chapter 8: domination lemmas on exact random tables, genuine signed heads, bounds, certificates."""

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from tests.corruption import storm, verdict
from tests.test_counting import probability
from verifier.amplification import amplify
from verifier.certificate import (
    as_json,
    decode_integer,
    encode_integer,
    render,
    signed_code_bound,
    signed_lower_bound,
)
from verifier.codes.catalog import NAMED
from verifier.codes.code import pair_histogram
from verifier.codes.layers import graham_sloane
from verifier.domination import gap_factor
from verifier.explicit import entries
from verifier.minip import complement, difference, overlap
from verifier.signed import SignedBound, best_signed, signed_trace, signed_trace_shifted
from verifier.strongest import SignedCodeBound

HALF = Fraction(1, 2)
Json = dict[str, Any]


def some(rng: random.Random, size: int = 12) -> Fraction:
    return Fraction(rng.choice((-1, 1)) * rng.randint(1, size), rng.randint(1, size))


@pytest.mark.parametrize("n", [3, 4, 7])
def test_theorem_8_2_on_random_tables(n: int) -> None:
    """D, D' of any signs; values with small errors; the bound must hold whenever g > 2 epsilon."""
    rng = random.Random(n)
    useful = opposite = 0
    for _ in range(6000):
        g = rng.randint(1, 12)
        s, s2 = 0, g
        d, d2 = some(rng) * rng.choice((1, 10, 100)), some(rng)
        a, b = some(rng, 8), some(rng, 8)
        mixed = d + (n - 2) * d2
        if mixed == 0:
            continue
        f = ((s + a) * d + (n - 2) * (s2 + b) * d2) / mixed
        error = max(abs(a), abs(b), abs(f - s))
        if g > 2 * error:
            useful += 1
            opposite += d * d2 < 0
            ratio = g if d * d2 < 0 else g - 2 * error
            assert 2 * error * abs(d) >= (n - 2) * ratio * abs(d2)
    assert useful > 100
    assert opposite > 30


@pytest.mark.parametrize("n", [3, 4, 5])
def test_lemma_8_4_on_random_tables(n: int) -> None:
    """Position-dependent: every mixture of z and Y is evaluated, at random signed denominators."""
    rng = random.Random(n)
    useful = 0
    for _ in range(9000):
        g = rng.randint(2, 14)
        base = some(rng)
        steps = [some(rng) * rng.choice((1, 5, 30)) for _ in range(n - 1)]
        singles = [base + step for step in steps]
        a = some(rng, 6)
        target = g + rng.randint(0, 2)  # the least overlap of Y; z has overlap 0
        numerator = (target + a) * base
        changes = [some(rng, 6) * single / 2 - numerator for single in singles]
        subsets = [
            t for k in range(1, n) for t in itertools.combinations(range(n - 1), k)
        ]  # non-empty sets of positions
        dens = {t: base + sum(steps[p] for p in t) for t in subsets}
        if any(value == 0 for value in dens.values()):
            continue
        nums = {t: numerator + sum(changes[p] for p in t) for t in subsets}
        error = max(abs(a), *(abs(nums[t] / dens[t]) for t in subsets))
        if g > 2 * error:
            useful += 1
            largest = max(abs(value) for value in dens.values())
            assert (n - 2) * (g - 2 * error) * abs(base) <= 2 * error * largest
    assert useful > 30


M = 4
TOKENS = range(1 << M)
Table = dict[tuple[int, int, int], Fraction]  # (position, query, key)


def signed_tables(rng: random.Random, positional: bool) -> tuple[Table, Table, dict[int, Fraction]]:
    """Kernel and values of a signed head for n = 3: alpha falls quickly with the overlap, with random signs.

    The values make the output on constant companions s - 1/10.
    """
    kernel: Table = {}
    values: Table = {}
    signs = {(p, x, s): rng.choice((-1, 1)) for p in (0, 1) for x in TOKENS for s in range(M + 1)}
    for x, z, p in itertools.product(TOKENS, TOKENS, (0, 1)):
        s, which = overlap(x, z), p * positional
        # sizes of the two positions differ, so that equal overlaps of opposite signs do not cancel
        size = Fraction(rng.randint(10, 19) + 30 * which, 10) / 200**s
        kernel[p, x, z] = signs[which, x, s] * size if positional or p == 0 else kernel[0, x, z]
        values[p, x, z] = s - Fraction(1, 10)
    own = {x: Fraction(rng.choice((-1, 1)), 10**13) if positional else kernel[0, x, x] for x in TOKENS}
    return kernel, values, own


def largest_error(kernel: Table, values: Table, own: dict[int, Fraction]) -> Fraction | None:
    """The exact error over all inputs with n = 3; None if a denominator is 0."""
    worst = Fraction(0)
    for x, a, b in itertools.product(TOKENS, TOKENS, TOKENS):
        den = own[x] + kernel[0, x, a] + kernel[1, x, b]
        if den == 0:
            return None
        num = (
            own[x] * (x.bit_count() - Fraction(1, 10))
            + kernel[0, x, a] * values[0, x, a]
            + kernel[1, x, b] * values[1, x, b]
        )
        worst = max(worst, abs(num / den - min(overlap(x, a), overlap(x, b))))
    return worst


@pytest.mark.parametrize("positional", [False, True])
def test_genuine_signed_heads(positional: bool) -> None:
    """Heads with both signs that solve length 3 on all inputs obey the theorems and the rank inequality."""
    solved = 0
    for seed in range(14):
        kernel, values, own = signed_tables(random.Random(seed), positional)
        error = largest_error(kernel, values, own)
        if error is None or error >= HALF:
            continue
        solved += 1
        assert any(value < 0 for value in kernel.values())
        if not positional:
            for x, z, z2 in itertools.product(TOKENS, TOKENS, TOKENS):
                g = overlap(x, z2) - overlap(x, z)
                if g > 2 * error:
                    d, d2 = own[x] + 2 * kernel[0, x, z], own[x] + 2 * kernel[0, x, z2]
                    assert abs(d) > gap_factor(g, 3, HALF) * abs(d2)
        else:
            for x in TOKENS:  # Theorem 8.5(a) with g_0 = 3, R'_3 = 2, R'_4 = 3
                if x.bit_count() < 3:
                    continue

                def total(z: int, x: int = x, table: Table = kernel) -> Fraction:
                    ones = (1 << M) - 1
                    return sum((abs(table[p, x, z] - table[p, x, ones]) for p in (0, 1)), Fraction(0))

                own_side = total(complement(x, M))
                assert own_side > 0
                for z in TOKENS:
                    if overlap(x, z) >= 3:
                        ratio = {3: 2, 4: 3}[overlap(x, z)]
                        assert total(z) <= 2 / (HALF * ratio) * own_side
    assert solved >= 10


def test_figures_of_explicit_codes() -> None:
    """The dodecads at n = 3: 20 by (a), 19 by (b) with eta = 1/81."""
    code = NAMED["dodecads"]()
    histogram = pair_histogram(code)
    h = entries(histogram, amplify(24, 3, HALF))
    assert signed_trace(len(code.words), histogram, h) == 20
    assert signed_trace_shifted(len(code.words), histogram, h, Fraction(1, 3 * 27)) == 19


def proves(b: SignedBound, n: int, error: Fraction, r: int) -> bool:
    """Theorem 8.3(c) or 8.5(b) from the definitions, in exact rationals."""
    depth, free = min(b.weight, b.length - b.weight), b.difference - 1
    ratios = list(amplify(depth, n, error).ratios)
    scale, rank = Fraction(1), r
    if b.positions == "dependent":
        factor = gap_factor(b.difference, n, error)
        if factor <= 1 or b.weight < b.difference:
            return False
        scale, rank = 4 / (1 - 1 / factor) ** 2, (n - 1) * (r - 1)
        ratios = [
            max(
                (
                    gap_factor(g, n, error) * max((ratios[k] for k in range(i - g + 1)), default=Fraction(0))
                    for g in range(b.difference, i + 1)
                ),
                default=Fraction(0),
            )
            for i in range(depth + 1)
        ]
    total = Fraction(b.classes**free)
    for i in range(b.difference, depth + 1):
        if ratios[i] < 1:
            return False
        p = b.classes**free * probability(b.classes, b.difference, i)
        total += scale * comb(b.weight, i) * comb(b.length - b.weight, i) * p / ratios[i] ** 2
    return rank * total < comb(b.length, b.weight)


CASES = [(24, 3, HALF), (24, 4, HALF), (60, 3, HALF), (60, 5, Fraction(1, 4)), (80, 5, Fraction(2, 3))]
POSITIONS = ["independent", "dependent"]


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize(("m", "n", "error"), CASES)
def test_counting_bounds_from_the_definition(m: int, n: int, error: Fraction, positions: str) -> None:
    bound = best_signed(m, n, error, positions)
    assert bound.r == 1 or proves(bound, n, error, bound.r)
    assert not proves(bound, n, error, bound.r + 2 + bound.r // 10**9)


def test_sizes() -> None:
    assert best_signed(24, 3, HALF, "independent").r == 19
    assert best_signed(100, 3, HALF, "independent").r > 380_000
    assert best_signed(100, 3).r > 5_000
    assert best_signed(2, 3).r == best_signed(30, 3, Fraction(40)).r == 1
    with pytest.raises(ValueError, match="counting needs"):
        best_signed(30, 2)


def test_some_explicit_class_proves_as_much() -> None:
    """The best Graham-Sloane class of length 12, listed, against the average that counting uses."""
    for n in (5, 8):
        bound = best_signed(12, n, HALF, "independent")
        code = graham_sloane(12, 6)
        histogram = pair_histogram(code)
        h = entries(histogram, amplify(12, n, HALF))
        assert signed_trace(len(code.words), histogram, h) >= bound.r - 1


def document(m: int, n: int, error: Fraction, positions: str) -> Json:
    return as_json(signed_lower_bound(m, n, error, best_signed(m, n, error, positions), {}))


def code_document(name: str, n: int, shifted: bool) -> Json:
    code = NAMED[name]()
    histogram, ratios = pair_histogram(code), amplify(24, n, HALF)
    h = entries(histogram, ratios)
    weight = min(word.bit_count() for word in code.words)
    own = ratios.gaps(weight) if shifted else ()
    eta = 1 / (n * ratios.ratios[weight])
    size = len(code.words)
    r = signed_trace_shifted(size, histogram, h, eta) if shifted else signed_trace(size, histogram, h)
    gaps = {d: ratios.gaps(d) for d in histogram}
    return as_json(signed_code_bound(24, n, HALF, SignedCodeBound(r, code, gaps, own), {}))


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize(("m", "n", "error"), [*CASES, (2, 3, HALF), (1000, 16, HALF)])
def test_certificates(m: int, n: int, error: Fraction, positions: str) -> None:
    found = best_signed(m, n, error, positions)
    assert len(render(signed_lower_bound(m, n, error, found, {}))) < 4096
    assert verdict(document(m, n, error, positions)) == "verified"
    more = document(m, n, error, positions)
    more["claim"]["r"] = encode_integer(found.r + 2 + found.r // 10**9)
    assert verdict(more) == "unproved"
    if positions == "independent" and found.r > 10:
        wider = document(m, n, error, positions)
        wider["claim"]["positions"] = "dependent"
        assert verdict(wider) == "unproved"


@pytest.mark.parametrize("shifted", [False, True])
@pytest.mark.parametrize(
    ("name", "n", "want"), [("witness", 3, 12), ("hadamard-24", 5, None), ("octads", 3, None)]
)
def test_code_certificates(name: str, n: int, want: int | None, shifted: bool) -> None:
    good = code_document(name, n, shifted)
    assert verdict(good) == "verified"
    assert want is None or good["claim"]["r"] >= want - shifted
    for key, value in (("r", good["claim"]["r"] + 1), ("positions", "dependent")):
        bad = code_document(name, n, shifted)
        bad["claim"][key] = value
        assert verdict(bad) == "unproved"


def test_methods_for_nonnegative_kernels_refuse_signed_ones() -> None:
    for method in ("trace", "projection", "dominance"):
        bad = code_document("witness", 3, False)
        bad["evidence"]["method"] = method
        bad["claim"]["r"] = 2
        if method == "projection":
            bad["evidence"]["lambda"] = "1/5"
        assert verdict(bad) == "unproved"


def still_proved(mutant: Json) -> bool:
    claim, evidence = mutant["claim"], mutant["evidence"]
    n, error, r = claim["n"], Fraction(claim["error"]), decode_integer(claim["r"])
    if n < 3 or error <= 0:
        return False
    if r == 1:
        return True
    classes = decode_integer(evidence["classes"])
    bound = SignedBound(
        r, claim["positions"], evidence["length"], evidence["weight"], evidence["difference"], classes, (), 0
    )
    sound = bound.length <= claim["m"] and 0 < bound.weight < bound.length
    labels = classes == 1 if bound.difference == 1 else classes >= bound.length
    field = bound.difference <= 2 or classes.bit_count() == 1
    return sound and labels and field and proves(bound, n, error, r)


def code_still_proved(mutant: Json) -> bool:
    """Theorem 8.3(a), (b) with plain loops."""
    claim, evidence = mutant["claim"], mutant["evidence"]
    n, error, r = claim["n"], Fraction(claim["error"]), claim["r"]
    words = [int(word, 16) for word in evidence["code"]["words"]]
    size = len(words)

    def ratio(parts: list[int], d: int) -> Fraction:
        product = Fraction(sum(parts) <= d)
        for g in parts:
            product *= max(Fraction(0), gap_factor(g, n, error))
        return product

    if n < 3 or error <= 0 or len(set(words)) < size or claim["positions"] != "independent":
        return False
    if r == 1:
        return True
    eta = Fraction(0)
    if "self" in evidence:
        eta = 1 / (n * ratio(evidence["self"], min(word.bit_count() for word in words)))
    total = Fraction(size)
    for x, y in itertools.permutations(words, 2):
        d = difference(x, y)
        certified = ratio(evidence["gaps"][str(d)], d)
        if certified < 1:
            return False
        total += ((1 / certified + eta) / (1 - eta)) ** 2
    return r <= size and size**2 >= (r - 1 if "self" in evidence else r) * total


STORMS: list[tuple[Json, Callable[[Json], bool], int]] = [
    (document(24, 4, HALF, "independent"), still_proved, 300),
    (document(30, 9, Fraction(1, 4), "independent"), still_proved, 300),
    (document(30, 6, HALF, "dependent"), still_proved, 300),
    (document(60, 5, Fraction(2, 3), "dependent"), still_proved, 300),
    (code_document("witness", 4, False), code_still_proved, 300),
    (code_document("witness", 4, True), code_still_proved, 300),
]


@pytest.mark.parametrize("case", range(len(STORMS)))
def test_corrupted_certificates(case: int) -> None:
    good, proved, count = STORMS[case]
    assert proved(good)
    assert storm(good, proved, count, case) > count // 3
