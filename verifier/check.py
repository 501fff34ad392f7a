#!/usr/bin/env python3
"""Independent checker of verifier certificates: one file, Python standard library only.

    python check.py FILE...           (or: python -m verifier.check FILE...)

Prints one line a file, `s VERIFIED FILE  claim` or `s REJECTED FILE  reason`.  Exit code 0: every claim
is proved; 1: some claim is not proved by its evidence; 2: some file is unreadable or malformed, or the
command line is wrong; the highest applies.  Nothing in a file is trusted but the claim's meaning: the
words are counted again, the ratios multiplied again, and every inequality is decided in exact rationals.
Theorem numbers refer to the chapters of theory/.  This file shares no code with the programs that write
certificates and needs Python 3.10 or later.
"""

import itertools
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import comb, isqrt, lcm, perm
from typing import Any, NamedTuple, NoReturn

MAX_BYTES = 1 << 24  # size of a certificate file
MAX_M = 1 << 20  # bits of a token
MAX_N = 1 << 20  # sequence length
MAX_WORK = 1 << 28  # word pairs, each counted once per 64 bits of length
MAX_RATIO_BITS = 1 << 18  # bits of all ratios together
MAX_IMAGES = 1 << 18  # coordinates of all generators together
MAX_MOVED = 1 << 24  # coordinates moved in expanding a code: words times generators times length
MAX_TRIPLES = 1 << 25  # word triples counted for Theorem 5.8, once per 64 bits of length
MAX_JOHNSON = 100  # length in Theorem 11.2
MAX_PRODUCT_BITS = 1 << 24  # bits of the products of coefficients in Theorem 5.8
MAX_R_BITS = 1 << 15  # bits of the number of features in a claim
MAX_LENGTH = 1 << 15  # bits of the words that are counted, not listed
MAX_PARTS = 64  # different gaps in a counting certificate
MAX_DIFFERENCE = 256
MAX_EXACT = 4096  # labels up to which Lemma 6.7 is used
MAX_ZONAL = 1 << 34  # weight * degree^2 * bits of the zonal functions
MAX_GAP = 1 << 16
MAX_TRANSCRIPT = 1 << 22  # queries, levels and bits of a transcript bound
MAX_FAMILY = 1 << 26  # bits of the targets that are compared one by one
MAX_DIGITS = 2000  # of the base in an exponent certificate
MAX_POWER_BITS = 1 << 22
MAX_COUNTING = 1 << 42  # depth * bits * bits of the integers in a counting certificate

Profiles = Counter[tuple[tuple[int, int], ...]]  # rows of (d, count), with how often each row occurs


class Malformed(Exception):
    """The file does not follow the format (exit code 2)."""


class Unproved(Exception):
    """The format is right, but the evidence does not prove the claim (exit code 1)."""


# ---- reading: exact types, no unknown keys, no duplicates ------------------------------------------------


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a JSON text, in which no key may stand twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed("an object has a duplicate key")
    return found


def no_constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is not JSON")


def keys(thing: Any, what: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """`thing` as an object with exactly the required keys and perhaps the optional ones."""
    if type(thing) is not dict:
        raise Malformed(f"{what} is not an object")
    for key in required:
        if key not in thing:
            raise Malformed(f"{what} lacks {key!r}")
    for key in thing:
        if key not in required and key not in optional:
            raise Malformed(f"{what} has the unknown key {key[:40]!a}")
    return thing


def integer(thing: Any, what: str, low: int, high: int) -> int:
    """A whole number in low..high."""
    if type(thing) is not int:
        raise Malformed(f"{what} is not a whole number")
    if not low <= thing <= high:
        raise Malformed(f"{what} is not between {low} and {high}")
    return thing


def positive(thing: Any, what: str, bits: int) -> int:
    """A whole number >= 1 of at most `bits` bits: a number of at most 15 digits, or "0x..." beyond that."""
    if type(thing) is not str:
        return integer(thing, what, 1, min(10**15 - 1, (1 << bits) - 1))
    if len(thing) > 3 + bits // 4 or not re.fullmatch("0x[1-9a-f][0-9a-f]*", thing, re.ASCII):
        raise Malformed(f"{what} is not a whole number '0x...' of at most {bits} bits")
    value = int(thing, 16)
    if value < 10**15 or value >> bits:
        raise Malformed(f"{what} is not a whole number '0x...' of 16 digits to {bits} bits")
    return value


def natural(thing: Any, what: str, bits: int) -> int:
    """Zero, or a positive integer as above."""
    return 0 if type(thing) is int and thing == 0 else positive(thing, what, bits)


def rational(thing: Any, what: str, digits: int = 30) -> Fraction:
    """A string "p/q" in lowest terms with q > 1, or "p", of at most `digits` digits each."""
    form = "(-?)(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?"
    match = re.fullmatch(form, thing, re.ASCII) if type(thing) is str and len(thing) < 3 * digits else None
    if not match or thing == "-0" or max(map(len, match.groups(""))) > digits:
        raise Malformed(f"{what} is not a rational 'p/q' or 'p' of at most {digits} digits")
    value = Fraction(int(match[2]), int(match[3] or 1))
    if match[3] and (value.denominator == 1 or value.denominator != int(match[3])):
        raise Malformed(f"{what} is not in lowest terms")
    return -value if match[1] else value


def one_of(thing: Any, what: str, allowed: tuple[str, ...]) -> str:
    if type(thing) is not str or thing not in allowed:
        raise Malformed(f"{what} is not one of {', '.join(allowed)}")
    return thing


# ---- codes -----------------------------------------------------------------------------------------------


class Code(NamedTuple):
    """Words as integers (bit i = coordinate i), and their orbits under the generators.

    Without generators every word is an orbit of its own.
    """

    length: int
    words: list[int]
    orbits: list[tuple[int, int]]  # a word of each orbit, and how many words the orbit has
    generators: list[list[int]]  # for each digit of a moved word, the digit that goes there


def moved(word: int, generator: list[int]) -> int:
    """The word with its coordinates permuted, in time linear in the length."""
    digits = f"{word:0{len(generator)}b}"
    return int("".join(map(digits.__getitem__, generator)), 2)


def orbit(word: int, generators: list[list[int]], limit: int) -> list[int]:
    """The words that products of the generators make of a word."""
    found, seen = [word], {word}
    for x in found:  # grows while it is walked through
        for generator in generators:
            y = moved(x, generator)
            if y not in seen:
                seen.add(y)
                found.append(y)
        if len(found) > limit:
            raise Unproved("the code is beyond the size that this checker takes")
    return found


def read_generators(thing: Any, length: int) -> list[list[int]]:
    """Permutations of the coordinates, each the list of their images, as permutations of binary digits."""
    if type(thing) is not list or not thing:
        raise Malformed("generators are not a list of at least one permutation")
    if len(thing) * length > MAX_IMAGES:
        raise Unproved("the generators are beyond the size that this checker takes")
    generators: dict[tuple[int, ...], None] = {}
    for images in thing:
        if type(images) is not list or len(images) != length:
            raise Malformed(f"a generator is not a list of {length} coordinates")
        source = [-1] * length  # digit k of a word is coordinate length - 1 - k
        for i, image in enumerate(images):
            source[length - 1 - integer(image, "an image of a generator", 0, length - 1)] = length - 1 - i
        if -1 in source:
            raise Malformed("a generator is not a permutation")
        generators[tuple(source)] = None
    return list(map(list, generators))


def read_code(thing: Any, m: int) -> Code:
    """A code: the words, or all words that the generators make of them.  Theorem 5.1 needs them distinct."""
    listed = read_words(thing, m)
    if "generators" not in thing:
        return Code(thing["length"], listed, [(x, 1) for x in listed], [])
    length = thing["length"]
    generators = read_generators(thing["generators"], length)
    words: dict[int, None] = {}
    orbits = []
    for x in listed:
        if x not in words:
            found = orbit(x, generators, MAX_MOVED // (len(generators) * length) - len(words))
            words.update(dict.fromkeys(found))
            orbits.append((x, len(found)))
    if len(words) * len(orbits) * (1 + length // 64) > MAX_WORK:
        raise Unproved("the code is beyond the size that this checker takes")
    return Code(length, list(words), orbits, generators)


def read_words(thing: Any, m: int) -> list[int]:
    """The listed words of a code as integers, all different."""
    keys(thing, "code", ("length", "words"), ("weight", "generators"))
    length = integer(thing["length"], "code length", 1, m)
    weight = integer(thing["weight"], "code weight", 0, length) if "weight" in thing else None
    if type(thing["words"]) is not list or not thing["words"]:
        raise Malformed("code words are not a list of at least one word")
    if len(thing["words"]) ** 2 * (1 + length // 64) > MAX_WORK:
        raise Unproved("the code is beyond the size that this checker takes")
    digits = -(-length // 4)
    pattern = re.compile(f"[0-9a-f]{{{digits}}}", re.ASCII)
    words = []
    for text in thing["words"]:
        if type(text) is not str or not pattern.fullmatch(text):
            raise Malformed(f"a word is not {digits} lower-case hexadecimal digits")
        words.append(int(text, 16))
        if words[-1] >> length:
            raise Malformed(f"word {text[:40]} has more than {length} bits")
        if weight is not None and words[-1].bit_count() != weight:
            raise Unproved(f"word {text[:40]} has weight {words[-1].bit_count()}, not {weight}")
    if len(set(words)) < len(words):
        raise Unproved("a word stands twice in the code")
    return words


def row_profiles(code: Code) -> Profiles:
    """For each word x the counts of d = |x \\ y| over the other words y, as a multiset of rows.

    Words of one orbit have one row, because |gx \\ gy| = |x \\ y|.
    """
    profiles: Profiles = Counter()
    for x, times in code.orbits:
        row = Counter(map(int.bit_count, map(x.__and__, code.words)))  # overlaps |x & y|
        weight = x.bit_count()
        row[weight] -= 1  # y = x
        if row[weight]:
            raise Unproved("a word lies inside another: |x \\ y| = 0 has no ratio (Theorem 5.1)")
        profiles[tuple(sorted((weight - s, c) for s, c in row.items() if c))] += times
    return profiles


def histogram(profiles: Profiles) -> Counter[int]:
    """H_d, the ordered pairs of different words with |x \\ y| = d."""
    total: Counter[int] = Counter()
    for row, times in profiles.items():
        for d, count in row:
            total[d] += times * count
    return total


def read_ratios(thing: Any, differences: set[int], n: int, error: Fraction) -> dict[int, Fraction]:
    """1/R(d) for every d that occurs, from its composition (Theorem 4.2)."""
    if type(thing) is not dict:
        raise Malformed("gaps is not an object")
    entries: dict[int, Fraction] = {}
    bits = 0
    for key, parts in thing.items():
        if not re.fullmatch("[1-9][0-9]{0,6}", key, re.ASCII):
            raise Malformed("a key of gaps is not a positive whole number")
        d = int(key)
        if type(parts) is not list or not parts:
            raise Malformed(f"gaps of {d} is not a list of at least one part")
        if sum(integer(part, f"a part of {d}", 1, d) for part in parts) > d:
            raise Unproved(f"the gaps of {d} add up to more than {d}")
        if d not in differences:
            raise Unproved(f"gaps are given for |x \\ y| = {d}, which does not occur")
        ratio = Fraction(1)
        for part, times in Counter(parts).items():
            factor = (n - 2) * (part - 2 * error) / (2 * error)  # Corollary 3.2
            if factor <= 0:
                raise Unproved(f"gap {part} has a factor that is not positive")
            bits += times * (factor.numerator.bit_length() + factor.denominator.bit_length())
            if bits > MAX_RATIO_BITS:
                raise Unproved("the ratios are beyond the size that this checker takes")
            ratio *= factor**times
        if ratio < 1:
            raise Unproved(f"the ratio of |x \\ y| = {d} is below 1 (Theorem 5.1)")
        entries[d] = 1 / ratio
    for d in differences:
        if d not in entries:
            raise Unproved(f"no gaps are given for |x \\ y| = {d}")
    return entries


# ---- rank lower bounds -----------------------------------------------------------------------------------


def trace(code: Code, r: int, h: dict[int, Fraction], profiles: Profiles, evidence: Any) -> None:
    """Theorem 5.2: K^2 >= (r-1)(K + sum h^2) proves rank >= r."""
    keys(evidence, "evidence", ("method", "code", "gaps"))
    size = len(code.words)
    total = sum(count * h[d] ** 2 for d, count in histogram(profiles).items())
    if size**2 < (r - 1) * (size + total):
        raise Unproved(f"K^2 >= (r-1)(K + sum h^2) fails at r = {r} (Theorem 5.2)")


def projection(code: Code, r: int, h: dict[int, Fraction], profiles: Profiles, evidence: Any) -> None:
    """Theorem 5.3: the quadratic in T/K has no real root, for the multiplier lambda."""
    keys(evidence, "evidence", ("method", "code", "gaps", "lambda"))
    lam = rational(evidence["lambda"], "lambda", 300)
    if lam < 0:
        raise Unproved("lambda is negative (Theorem 5.3)")
    if r < 2:
        return  # Lemma 1.8
    size, rest = len(code.words), r - 2
    above = {d: h[d] * max(Fraction(0), h[d] - lam) for d in h}
    slack = sum(count * above[d] for d, count in histogram(profiles).items())
    left = (2 * (size - 1 - rest) + rest * lam * size) ** 2
    right = 4 * (1 + rest) * ((size - 1) * (size - 1 - rest) - rest * slack)
    if not (rest < size and left < right):
        raise Unproved(f"the inequality of Theorem 5.3 fails at r = {r}")


def dominance(code: Code, r: int, h: dict[int, Fraction], profiles: Profiles, evidence: Any) -> None:
    """Theorem 5.4: every row of h adds up to at most 1, so the matrix is regular."""
    keys(evidence, "evidence", ("method", "code", "gaps"))
    if r == 1:
        return  # Lemma 1.8
    unit = lcm(*(entry.denominator for entry in h.values()))
    scaled = {d: int(entry * unit) for d, entry in h.items()}
    for row in profiles:
        if sum(count * scaled[d] for d, count in row) > unit:
            raise Unproved("a row of h adds up to more than 1 (Theorem 5.4)")


def signed_trace(
    claim: "Claim", code: Code, h: dict[int, Fraction], profiles: Profiles, evidence: Any
) -> None:
    """Theorem 8.3: (b) with a ratio R_0 for the weight, the parts `self`, else (a)."""
    keys(evidence, "evidence", ("method", "code", "gaps"), ("self",))
    if claim.positions != "independent":
        raise Unproved("signed-trace needs keys and values that do not depend on the position (Theorem 8.3)")
    if claim.r == 1:
        return  # Lemma 1.8
    size, rank, eta = len(code.words), claim.r, Fraction(0)
    if "self" in evidence:
        least = min(word.bit_count() for word in code.words)
        if least < 1:
            raise Unproved("a word is zero")
        eta = read_ratios({str(least): evidence["self"]}, {least}, claim.n, claim.error)[least] / claim.n
        eta = Fraction(-(-(eta.numerator << 256) // eta.denominator), 1 << 256)  # rounded up: a weaker bound
        rank -= 1
    total = sum(count * ((h[d] + eta) / (1 - eta)) ** 2 for d, count in histogram(profiles).items())
    if size**2 < rank * (size + total):
        raise Unproved(f"the inequality of Theorem 8.3 fails at r = {claim.r}")


def class_function(thing: Any, what: str, h: dict[int, Fraction]) -> dict[int, Fraction]:
    """A rational for the diagonal, "0", and for every |x \\ y| that occurs."""
    names = {str(d): d for d in (0, *h)}
    keys(thing, what, tuple(names))
    return {names[key]: rational(value, f"{what} {key}") for key, value in thing.items()}


def scheme(code: Code, r: int, h: dict[int, Fraction], profiles: Profiles, evidence: Any) -> None:
    """Theorem 5.9 (5.8 if p(t) = t): p(M) is too far from W to have the rank that rank M < r gives it."""
    keys(evidence, "evidence", ("method", "code", "gaps", "p", "mu", "W", "B", "V"))
    if type(evidence["p"]) is not list or not 2 <= len(evidence["p"]) <= 3:
        raise Malformed("p is not a list of two or three coefficients")
    p = [rational(c, "a coefficient of p") for c in evidence["p"]] + [Fraction(0)]
    mu = rational(evidence["mu"], "mu")
    w, b, v = (class_function(evidence[name], name, h) for name in "WBV")
    if len({x.bit_count() for x, _ in code.orbits}) > 1:
        raise Unproved("the words have different weights (Theorem 5.8)")
    if mu < 0:
        raise Unproved("mu is negative (Theorem 5.8)")
    if r < 2:
        return  # Lemma 1.8
    domination(code, mu, w, b, v)
    rank = sum(comb(r - 2 + i, i) for i in range(3) if p[i])  # of p(M), if rank M <= r - 1

    def farthest(low: Fraction, high: Fraction, point: Fraction) -> Fraction:
        """The largest (p(t) - point)^2 for low <= t <= high: at an end or where p' = 0."""
        at = [low, high]
        if p[2] and low < -p[1] / (2 * p[2]) < high:
            at.append(-p[1] / (2 * p[2]))
        return max((p[0] + p[1] * t + p[2] * t * t - point) ** 2 for t in at)

    one = Fraction(1)
    # ||p(M) - W||^2 - ||W||^2 + ||B||^2, at most, in a row: by |x \\ y|
    gain = {d: farthest(Fraction(0), h[d], w[d]) - w[d] ** 2 + b[d] ** 2 for d in h}
    diagonal = farthest(one, one, w[0]) - w[0] ** 2 + b[0] ** 2
    total = len(code.words) * diagonal
    total += sum(count * gain[d] for d, count in histogram(profiles).items())
    if not total + rank * mu < 0:
        raise Unproved(f"the inequality of Theorem 5.9 fails at r = {r}")


def domination(
    code: Code, mu: Fraction, w: dict[int, Fraction], b: dict[int, Fraction], v: dict[int, Fraction]
) -> None:
    """Theorem 5.8(b): mu I + B^2 - W^2 - V^2 is diagonally dominant, one row for each orbit of words."""
    unit = lcm(*(value.denominator for row in (w, b, v) for value in row.values()))
    if len(w) ** 2 * unit.bit_length() > MAX_PRODUCT_BITS:
        raise Unproved("the coefficients are beyond the size that this checker takes")
    iw, ib, iv = ({d: int(value * unit) for d, value in row.items()} for row in (w, b, v))
    product = {(i, j): ib[i] * ib[j] - iw[i] * iw[j] - iv[i] * iv[j] for i in w for j in w}
    work = 0
    for x, _ in code.orbits:
        weight = x.bit_count()
        spheres: dict[int, list[int]] = {}
        for z in code.words:
            spheres.setdefault(weight - (x & z).bit_count(), []).append(z)
        fixing = [generator for generator in code.generators if moved(x, generator) == x]
        left = mu * unit**2
        seen: set[int] = set()
        for y in code.words:
            if y in seen:
                continue
            # the row is the same at y and at gy for every g that fixes x (Theorem 5.8(c))
            same = orbit(y, fixing, len(code.words)) if fixing else [y]
            seen.update(same)
            work += len(code.words) * (1 + code.length // 64) + len(same) * len(fixing) * (20 + code.length)
            if work > MAX_TRIPLES:
                raise Unproved("the code is beyond the size that this checker takes")
            entry = 0
            for i, sphere in spheres.items():
                for overlap, count in Counter(map(int.bit_count, map(y.__and__, sphere))).items():
                    entry += count * product[i, weight - overlap]
            left += entry if y == x else -len(same) * abs(entry)
        if left < 0:
            raise Unproved("mu I + B^2 - W^2 - V^2 is not diagonally dominant (Theorem 5.8)")


METHODS = {"trace": trace, "projection": projection, "dominance": dominance, "scheme": scheme}


class Claim(NamedTuple):
    """What a rank lower bound is about."""

    m: int
    n: int
    error: Fraction
    kernel: str
    features: str
    positions: str
    r: int


# ---- counting: codes that are not listed (chapter 6) -----------------------------------------------------


class Layer(NamedTuple):
    """All words of one weight, cut into classes with |x \\ y| >= difference (Lemma 6.1)."""

    length: int
    weight: int
    difference: int
    classes: int  # q; there are at most q^(difference-1) classes
    bits: int  # of the fixed-point numbers
    entries: list[int]  # i -> H_i with h_i <= H_i / 2^bits, for 0 <= i <= min(w, L-w); 0 below the difference


COUNTED = ("length", "weight", "difference", "classes", "parts", "bits")


def read_layer(claim: Claim, evidence: dict[str, Any], first: bool = False) -> Layer:
    """The layer and its entries, which Theorem 6.4 composes of the parts.

    With `first` every composition needs a part of at least `difference` (Theorem 8.5).
    """
    length = integer(evidence["length"], "length", 2, MAX_LENGTH)
    weight = integer(evidence["weight"], "weight", 1, length - 1)
    difference = integer(evidence["difference"], "difference", 1, MAX_DIFFERENCE)
    classes = positive(evidence["classes"], "classes", 64)
    bits = integer(evidence["bits"], "bits", 0, MAX_LENGTH)
    parts = evidence["parts"]
    if type(parts) is not list or not 1 <= len(parts) <= MAX_PARTS:
        raise Malformed(f"parts is not a list of 1 to {MAX_PARTS} gaps")
    parts = [integer(part, "a part", 1, length) for part in parts]
    if length > claim.m:
        raise Unproved(f"words of length {length} say nothing about {claim.m} bits")
    if difference == 1 and classes != 1:
        raise Unproved("difference 1 needs one class (Lemma 6.1)")
    if difference > 1 and classes < length:
        raise Unproved("there are fewer labels than coordinates (Lemma 6.1)")
    if difference > 2 and classes & (classes - 1):
        raise Unproved("the labels do not form a field with a power of 2 elements (Lemma 6.1)")
    depth = min(weight, length - weight)
    if (depth + 1) * (bits + 64) * (length + bits + len(parts) + 64 * difference) > MAX_COUNTING:
        raise Unproved("the counting is beyond the size that this checker takes")
    factors = {part: (claim.n - 2) * (part - 2 * claim.error) / (2 * claim.error) for part in parts}
    for part, factor in factors.items():
        if factor <= 0:
            raise Unproved(f"gap {part} has a factor that is not positive")
    table = compose(depth, factors, None, bits)
    if first:
        table = compose(depth, {part: f for part, f in factors.items() if part >= difference}, table, bits)
    entries = []
    for d, entry in enumerate(table):
        if d >= difference and (entry is None or entry > 1 << bits):
            raise Unproved(f"the ratio of |x \\ y| = {d} is below 1 (Theorem 5.1)")
        entries.append(entry if entry is not None and d >= difference else 0)
    return Layer(length, weight, difference, classes, bits, entries)


def compose(
    depth: int, factors: dict[int, Fraction], rest: list[int | None] | None, bits: int
) -> list[int | None]:
    """H_0, ..., H_depth of Theorem 6.4; with `rest`, compositions of one part and a composition in `rest`."""
    table: list[int | None] = [1 << bits if rest is None else None]
    source = table if rest is None else rest
    for d in range(1, depth + 1):
        choices = [table[d - 1]] if d > 1 else []
        for part, factor in factors.items():
            if part <= d and (before := source[d - part]) is not None:
                choices.append(-(-before * factor.denominator // factor.numerator))
        table.append(min((choice for choice in choices if choice is not None), default=None))
    return table


def pair_share(layer: Layer) -> Callable[[int], tuple[int, int]]:
    """The function that gives q^(difference-1) p_i for i >= difference, as a fraction (Lemmas 6.1, 6.7)."""
    q, free = layer.classes, layer.difference - 1
    whole = int(q**free)
    if free == 1 and 2 < q < MAX_EXACT and all(q % k for k in range(2, q) if k * k <= q):

        def exact(i: int) -> tuple[int, int]:
            both = comb(q, i) * comb(q - i, i)
            return both + (-1) ** i * (q - 1) * (comb(q - i, i) + comb(q - i - 1, i - 1)), both

        return exact
    return lambda i: (whole, comb(q - 2 * i + free, free) if free else 1)


def omega(layer: Layer, multiplier: int = 0, scale: Fraction = Fraction(1)) -> int:
    """An upper bound of N 4^bits Q (Theorem 6.4), with the pairs counted `scale` times (Theorem 8.5)."""
    one, whole = 1 << layer.bits, int(layer.classes ** (layer.difference - 1))
    total, pairs = one * (one - multiplier) * whole, 1  # pairs: A_i = C(w,i) C(L-w,i)
    share = pair_share(layer)
    for i, entry in enumerate(layer.entries):
        if i >= layer.difference and entry > multiplier:
            top, bottom = share(i)
            product = pairs * top * entry * (entry - multiplier) * scale.numerator
            total += -(-product // (bottom * scale.denominator))
        pairs = pairs * (layer.weight - i) * (layer.length - layer.weight - i) // (i + 1) ** 2
    return total


def counting(claim: Claim, evidence: Any) -> None:
    """Theorem 6.4, inequality (C'), or Theorem 6.6, (Z'): the average class of the layer proves the rank."""
    by_zonal = "zonal" in evidence
    keys(evidence, "evidence", ("method", *COUNTED, "zonal" if by_zonal else "lambda"))
    if claim.kernel != "nonnegative":
        raise Unproved("counting needs a nonnegative kernel (Theorem 6.3)")
    rank = claim.r
    if rank == 1:
        return  # Lemma 1.8
    layer = read_layer(claim, evidence)
    if by_zonal:
        zonal_counting(rank, layer, evidence["zonal"])
        return
    multiplier = natural(evidence["lambda"], "lambda", MAX_LENGTH)
    if multiplier >> layer.bits:
        raise Unproved("lambda is not below 1 (Theorem 6.3)")
    if rank == 2 and multiplier:
        raise Unproved("rank 2 needs lambda = 0 (Theorem 6.3)")
    size = comb(layer.length, layer.weight)
    total = omega(layer, multiplier)
    left = (rank - 2) * (4 * total + size * multiplier**2) + 4 * total + (4 * size * multiplier << layer.bits)
    if not left < 4 * size << 2 * layer.bits:
        raise Unproved(f"(C') of Theorem 6.4 fails at r = {in_decimals(rank)}")


def zonal_counting(rank: int, layer: Layer, thing: Any) -> None:
    """Theorem 6.6, inequality (Z'), for the coefficients `thing` times 2^bits."""
    if type(thing) is not list or not 1 <= len(thing) <= MAX_PARTS:
        raise Malformed(f"zonal is not a list of 1 to {MAX_PARTS} coefficients")
    coefficients = [natural(c, "a coefficient", MAX_LENGTH) for c in thing]
    weight, zeros, free, degree = (
        layer.weight,
        layer.length - layer.weight,
        layer.difference - 1,
        len(thing) - 1,
    )
    if 2 * weight > layer.length or degree > weight:
        raise Unproved("the zonal functions need degree <= weight <= length/2 (Theorem 6.6)")
    if weight * (degree + 1) ** 2 * (layer.bits + 64 * (degree + 1)) > MAX_ZONAL:
        raise Unproved("the zonal functions are beyond the size that this checker takes")
    slack = (1 << layer.bits) - sum(coefficients)  # s
    if slack <= 0:
        raise Unproved("the coefficients add up to 1 or more (Theorem 6.6)")
    unit = perm(weight, degree) * perm(zeros, degree)  # u
    # U_i = sum over a, b of factor[a, b] (w-i)_a (i)_b
    factor = {
        (k - j, j): (-1) ** j * comb(k, j) * c * unit // (perm(weight, k - j) * perm(zeros, j))
        for k, c in enumerate(coefficients)
        for j in range(k + 1)
    }
    total, pairs = 0, 1  # pairs: A_i
    share = pair_share(layer)
    for i, entry in enumerate(layer.entries):
        if i > free:
            left, right = [1], [1]  # falling factorials of w-i and i
            for t in range(degree):
                left.append(left[-1] * (weight - i - t))
                right.append(right[-1] * (i - t))
            value = sum(f * left[a] * right[b] for (a, b), f in factor.items())
            far = max(value**2, (unit * entry - value) ** 2)
            top, bottom = share(i)
            total += -(-pairs * top * far // (unit**2 * bottom))
        pairs = pairs * (weight - i) * (zeros - i) // (i + 1) ** 2
    size = comb(layer.length, weight)
    if not (rank - 1) * (layer.classes**free * slack**2 + total) < size * slack**2:
        raise Unproved(f"(Z') of Theorem 6.6 fails at r = {in_decimals(rank)}")


def nonnegative_counting(claim: Claim, evidence: Any) -> None:
    """Theorem 12.3, inequality (N): features that are nonnegative themselves."""
    keys(evidence, "evidence", ("method", *COUNTED, "levels"))
    levels = integer(evidence["levels"], "levels", 1, MAX_LENGTH)
    if claim.kernel != "nonnegative" or claim.features != "nonnegative":
        raise Unproved("nonneg-counting needs nonnegative features (Lemma 12.1)")
    if claim.r == 1:
        return  # Lemma 1.8
    layer = read_layer(claim, evidence)
    if levels * (levels + layer.length + layer.bits) * (layer.length + layer.bits) > MAX_COUNTING:
        raise Unproved("the levels are beyond the size that this checker takes")
    length, weight, free, bits = layer.length, layer.weight, layer.difference - 1, layer.bits
    size = -(-comb(length, weight) // layer.classes**free)  # K
    rho, unit = claim.r - 1, 64  # the terms of (N) in units of 2^-64, rounded up
    total = -(-(rho << unit) // (1 << levels))
    t, clique, spread = free, 1, 1 << bits  # t_j, b_j and (1 + s_j) 2^bits
    removed, added = comb(weight, free), 1  # C(w,t) and C(L-w, t-free)
    for j in range(levels):
        while t < len(layer.entries) - 1 and layer.entries[t + 1] << (j + 1) > 1 << bits:
            removed = removed * (weight - t) // (t + 1)
            added = added * (length - weight - t + free) // (t + 1 - free)
            clique = clique * (length - t + free) // (t + 1 - free)
            t += 1
            spread += -(-removed * added * layer.entries[t] // comb(t, free))
        first = -(-(rho * clique << unit) // (size << j))
        square = -(-(2 * rho * spread << 2 * unit) // (size << (j + bits)))
        total += min(first, isqrt(square) + 1)
    if not total < 1 << unit:
        raise Unproved(f"(N) of Theorem 12.3 fails at r = {in_decimals(claim.r)}")


def signed_counting(claim: Claim, evidence: Any) -> None:
    """Theorem 8.3(c), or Theorem 8.5(b) if keys and values may depend on the position; any kernel."""
    keys(evidence, "evidence", ("method", *COUNTED))
    if claim.r == 1:
        return  # Lemma 1.8
    if claim.positions == "independent":
        layer = read_layer(claim, evidence)
        rank, total = claim.r, omega(layer)
    else:
        layer = read_layer(claim, evidence, first=True)
        factor = (claim.n - 2) * (layer.difference - 2 * claim.error) / (2 * claim.error)
        if factor <= 1 or layer.weight < layer.difference:
            raise Unproved("the difference is not a g_0 of Theorem 8.5")
        rank, total = (claim.n - 1) * (claim.r - 1), omega(layer, 0, 4 / (1 - 1 / factor) ** 2)
    if not rank * total < comb(layer.length, layer.weight) << 2 * layer.bits:
        which = "8.3(c)" if claim.positions == "independent" else "8.5(b)"
        raise Unproved(f"the inequality of Theorem {which} fails at r = {in_decimals(claim.r)}")


def topological(claim: Claim, evidence: Any) -> None:
    """Theorem 9.1: a gap k whose ratio is at least 1 forces m - 2k + 2 features."""
    keys(evidence, "evidence", ("method", "gap", "parts"))
    if claim.kernel != "nonnegative":
        raise Unproved("the topological bound needs a nonnegative kernel (Theorem 9.1)")
    gap = integer(evidence["gap"], "gap", 1, MAX_LENGTH)
    read_ratios({str(gap): evidence["parts"]}, {gap}, claim.n, claim.error)
    if claim.r > max(1, claim.m - 2 * gap + 2):
        raise Unproved(f"gap {gap} forces {max(1, claim.m - 2 * gap + 2)} features only (Theorem 9.1)")


# methods that list no code
UNLISTED = {
    "counting": counting,
    "nonneg-counting": nonnegative_counting,
    "signed-counting": signed_counting,
    "topological": topological,
}


def rank_lower_bound(claim: Any, evidence: Any) -> str:
    """A bound from a listed code (Theorem 5.1) or from counting (chapter 6), by the method's own theorem."""
    keys(claim, "claim", ("m", "n", "error", "kernel", "features", "positions", "r"))
    m = integer(claim["m"], "m", 1, MAX_M)
    n = integer(claim["n"], "n", 1, MAX_N)
    error = rational(claim["error"], "error")
    kernel = one_of(claim["kernel"], "kernel", ("nonnegative", "signed"))
    features = one_of(claim["features"], "features", ("real", "nonnegative"))
    positions = one_of(claim["positions"], "positions", ("dependent", "independent"))
    r = positive(claim["r"], "r", MAX_R_BITS)
    if type(evidence) is not dict or "method" not in evidence:
        raise Malformed("evidence has no method")
    method = one_of(evidence["method"], "method", (*METHODS, "signed-trace", *UNLISTED))
    for key in () if method in UNLISTED else ("code", "gaps"):
        if key not in evidence:
            raise Malformed(f"evidence lacks {key!r}")
    if error <= 0:
        raise Unproved("the error is not positive")
    if n < 3:
        raise Unproved("rank 1 is exact at n = 1 and n = 2 (Theorems 2.1, 2.2)")
    if features == "nonnegative" and kernel == "signed":
        raise Unproved("nonnegative features have no signed kernel")
    if method in UNLISTED:
        UNLISTED[method](Claim(m, n, error, kernel, features, positions, r), evidence)
        return f"r*({m},{n}) >= {in_decimals(r)}{at_class(kernel, features, positions)}{at_error(error)}"
    if kernel != "nonnegative" and method != "signed-trace":
        raise Unproved(f"{method} needs a nonnegative kernel (Theorem 5.1)")
    code = read_code(evidence["code"], m)
    profiles = row_profiles(code)
    differences = {d for row in profiles for d, _ in row}
    h = read_ratios(evidence["gaps"], differences, n, error)
    if r > len(code.words):
        raise Unproved(f"{len(code.words)} words prove at most rank {len(code.words)}")
    if method == "signed-trace":
        signed_trace(Claim(m, n, error, kernel, features, positions, r), code, h, profiles, evidence)
    else:
        METHODS[method](code, r, h, profiles, evidence)
    return f"r*({m},{n}) >= {r}{at_class(kernel, features, positions)}{at_error(error)}"


def in_decimals(r: int) -> str:
    """A number in decimals; from 10^24 on, rounded down to a power of 2."""
    return str(r) if r < 10**24 else f"2^{r.bit_length() - 1} (r = {hex(r)[:18]}... in hexadecimal)"


def at_class(kernel: str, features: str, positions: str) -> str:
    """The class of heads, if it is not that of all nonnegative kernels."""
    words = " for signed kernels" if kernel == "signed" else ""
    words += " for nonnegative features" if features == "nonnegative" else ""
    return words + (", one key map for all positions" if positions == "independent" else "")


def at_error(error: Fraction) -> str:
    return "" if error == Fraction(1, 2) else f" at error < {error}"


# ---- exponents -------------------------------------------------------------------------------------------


def exponent(claim: Any, evidence: Any) -> str:
    """r* >= B^m / p(m) for every m, with the polynomial p of the theorem (Theorems 7.4, 8.6, 12.4)."""
    keys(claim, "claim", ("n", "error", "kernel", "features", "positions", "side", "base"))
    n = integer(claim["n"], "n", 1, MAX_N)
    error = rational(claim["error"], "error")
    kernel = one_of(claim["kernel"], "kernel", ("nonnegative", "signed"))
    features = one_of(claim["features"], "features", ("real", "nonnegative"))
    positions = one_of(claim["positions"], "positions", ("dependent", "independent"))
    one_of(claim["side"], "side", ("lower",))
    base = rational(claim["base"], "base", MAX_DIGITS)
    mixed = type(evidence) is dict and "mix" in evidence
    keys(evidence, "evidence", ("gap", "mix", "p", "y") if mixed else ("gap",))
    gap = integer(evidence["gap"], "gap", 1, MAX_GAP)
    if error <= 0:
        raise Unproved("the error is not positive")
    if n < 3:
        raise Unproved("rank 1 is exact at n = 1 and n = 2 (Theorems 2.1, 2.2)")
    if not 0 < base < 2:
        raise Unproved("the base is not between 0 and 2")
    if features == "nonnegative" and kernel == "signed":
        raise Unproved("nonnegative features have no signed kernel")
    factor = (n - 2) * (gap - 2 * error) / (2 * error)
    if factor <= 1:
        raise Unproved(f"the factor of gap {gap} is not above 1")
    if mixed:
        if features != "nonnegative":
            raise Unproved("a mixture needs nonnegative features (Theorem 12.4)")
        mixture(factor, gap, base, evidence)
    elif gap * (base.denominator.bit_length() + 2) > MAX_POWER_BITS:
        raise Unproved("the power is beyond the size that this checker takes")
    elif (2 / base - 1) ** gap * factor < 1:
        raise Unproved("(2/B - 1)^g F(g) >= 1 fails (Theorem 7.4)")
    shown = f"{base.numerator * 10**9 // base.denominator / 10**9:.9f}..."
    where = at_class(kernel, features, positions) + at_error(error)
    return f"r*(m,{n}) >= B^m / poly(m) for every m, B = {shown}{where}"


def mixture(factor: Fraction, gap: int, base: Fraction, evidence: Any) -> None:
    """(a), (b), (c) of Theorem 12.4 for beta = mix."""
    mix, p, y = (rational(evidence[key], key) for key in ("mix", "p", "y"))
    a, b = mix.numerator, mix.denominator
    if not (0 < a < b and 0 < p < 1 and 0 < y <= Fraction(1, 2)):
        raise Unproved("mix, p or y is outside its range (Theorem 12.4)")
    long = (
        max(number.denominator.bit_length() for number in (factor, p, y, base))
        + factor.numerator.bit_length()
    )
    if b * gap * long > MAX_POWER_BITS:
        raise Unproved("the powers are beyond the size that this checker takes")
    if (1 - y) ** (2 * gap) < factor * y ** (2 * gap):
        raise Unproved("(a) of Theorem 12.4 fails")
    # Fractions of large powers are kept as pairs, without a search for common divisors
    (p1, p2), (y1, y2) = p.as_integer_ratio(), y.as_integer_ratio()
    left = factor.numerator ** (2 * b - a) * p1 ** (a * gap) * y1 ** (2 * (b - a) * gap)
    right = factor.denominator ** (2 * b - a) * (p2 - p1) ** (a * gap) * (y2 - y1) ** (2 * (b - a) * gap)
    if left < right:
        raise Unproved("(b) of Theorem 12.4 fails")
    top = 2**b * (p2 - p1) ** a * (y2 - y1) ** (b - a) * base.denominator**b
    if base.numerator**b * p2**a * y2 ** (b - a) > top:
        raise Unproved("(c) of Theorem 12.4 fails")


# ---- transcripts -----------------------------------------------------------------------------------------


def transcript(claim: Any, evidence: Any) -> str:
    """Theorem 10.4: a channel that suffices for the family of Definition 10.1 has at least `bits` bits."""
    keys(claim, "claim", ("queries", "levels", "m", "n", "error", "bits"))
    queries = integer(claim["queries"], "queries", 1, MAX_TRANSCRIPT)
    levels = integer(claim["levels"], "levels", 1, MAX_TRANSCRIPT)
    m = integer(claim["m"], "m", 1, 1 << 50)
    n = integer(claim["n"], "n", 2, 1 << 50)
    error = rational(claim["error"], "error")
    bits = integer(claim["bits"], "bits", 0, MAX_TRANSCRIPT)
    keys(evidence, "evidence", ("method",))
    one_of(evidence["method"], "method", ("blocks",))
    if error <= 0:
        raise Unproved("the error is not positive")
    if m < levels * (queries + 1) or n != queries + 1:
        raise Unproved(
            "the family has one key, its queries, and a block of levels for each (Definition 10.1)"
        )
    # answers of which no two are closer than 2e: multiples of ceil(2e)
    answers = levels // -(-2 * error.numerator // error.denominator) + 1
    if queries * answers.bit_length() > MAX_TRANSCRIPT:
        raise Unproved("the family is beyond the size that this checker takes")
    if bits and not 1 << (bits - 1) < answers**queries:
        raise Unproved(f"2^(bits-1) < {answers}^{queries} fails (Theorem 10.4)")
    if queries * (levels + 1) ** min(queries, 20) * (m + 64) <= MAX_FAMILY:  # else Lemma 10.2
        block = (1 << levels) - 1
        asked = [block | block << levels * i for i in range(1, queries + 1)]
        for c in itertools.product(range(levels + 1), repeat=queries):
            key = sum(((1 << ones) - 1) << levels * i for i, ones in enumerate(c, 1))
            for x, answer in zip(asked, c, strict=True):
                if min((x & z).bit_count() for z in (key, *asked)) != answer:
                    raise Unproved("a target of the family is not the key (Lemma 10.2)")
    return (
        f"any deterministic model with error < {error} on {n} tokens of {m} bits passes on >= {bits} bits "
        f"({queries} queries)"
    )


# ---- constructions ---------------------------------------------------------------------------------------


def construction(claim: Any, evidence: Any) -> str:
    """Theorems 2.1 and 2.2: f = c <x, mean of the tokens> + b |x| with one constant feature."""
    keys(claim, "claim", ("m", "n", "error", "features", "heads", "r"))
    m = integer(claim["m"], "m", 1, MAX_M)
    n = integer(claim["n"], "n", 1, MAX_N)
    error = rational(claim["error"], "error")
    one_of(claim["features"], "features", ("real", "nonnegative"))
    heads = integer(claim["heads"], "heads", 1, MAX_N)
    r = integer(claim["r"], "r", 1, MAX_WORK)
    keys(evidence, "evidence", ("method", "readout"))
    one_of(evidence["method"], "method", ("rank-1",))
    readout = keys(evidence["readout"], "readout", ("token", "weight"))
    c, b = (rational(readout[key], f"readout {key}") for key in ("token", "weight"))
    if error < 0:
        raise Unproved("the error is negative")
    if heads != 1:
        raise Unproved("the construction has one head")
    # As x_i^2 = x_i, <x,x> = |x| and min(<x,x>, <x,z>) = <x,z>; output and target are linear forms in
    # (|x|, <x,z>), and equal coefficients make them equal for every m and all tokens.
    if n == 1:
        exact = c + b == 1  # f = (c + b) |x|, target |x|
    elif n == 2:
        exact = c / 2 + b == 0 and c / 2 == 1  # f = (c/2 + b) |x| + c/2 <x,z>, target <x,z>
    else:
        raise Unproved("one constant feature is exact at n = 1 and n = 2 only (Theorems 2.1, 2.2)")
    if not exact:
        raise Unproved(f"the readout is not the identity of Theorem 2.{n}")
    return f"r*({m},{n}) <= {r}, error 0" if r > 1 else f"r*({m},{n}) = 1, error 0"


# ---- constant-weight codes -------------------------------------------------------------------------------


def code_size(claim: Any, evidence: Any) -> str:
    """A(length, distance, weight), the largest size of a constant-weight code, from below or from above."""
    keys(claim, "claim", ("length", "distance", "weight", "side", "size"))
    length = integer(claim["length"], "length", 1, MAX_M)
    distance = integer(claim["distance"], "distance", 1, MAX_M)
    weight = integer(claim["weight"], "weight", 0, length)
    size = integer(claim["size"], "size", 1, 10**15)
    side = one_of(claim["side"], "side", ("lower", "upper"))
    if side == "lower":
        keys(evidence, "evidence", ("method", "code"))
        one_of(evidence["method"], "method", ("words",))
        code = read_code(evidence["code"], length)
        if evidence["code"]["length"] != length:
            raise Unproved(f"the words do not have length {length}")
        if any(x.bit_count() != weight for x, _ in code.orbits):
            raise Unproved(f"a word does not have weight {weight}")
        if any(2 * d < distance for row in row_profiles(code) for d, _ in row):
            raise Unproved(f"two words are closer than {distance}")
        if len(code.words) < size:
            raise Unproved(f"there are {len(code.words)} words only")
        return f"A({length},{distance},{weight}) >= {size}"
    keys(evidence, "evidence", ("method", "steps", "dual"))
    one_of(evidence["method"], "method", ("linear-programming",))
    if type(evidence["steps"]) is not list or len(evidence["steps"]) > 2 * length:
        raise Malformed("steps are not a short list")
    factors = []  # Theorem 11.3: A <= length A' / divisor on the way up
    n, w = length, weight
    for step in evidence["steps"]:
        if one_of(step, "a step", ("point", "absent", "complement")) == "complement":
            w = n - w
            continue
        if (w if step == "point" else n - w) == 0 or n == 1:
            raise Unproved("a step divides by zero (Theorem 11.3)")
        factors.append((n, w if step == "point" else n - w))
        n, w = n - 1, w - (step == "point")
    bound = size_bound(n, -(-distance // 2), w, evidence["dual"])
    for top, bottom in reversed(factors):
        bound = top * bound // bottom
    if bound > size:
        raise Unproved(f"the evidence bounds the size by {bound} only")
    return f"A({length},{distance},{weight}) <= {size}"


def size_bound(n: int, delta: int, w: int, dual: Any) -> int:
    """Theorem 11.1 if there is no dual solution, else Theorem 11.2: at most this many words."""
    if type(dual) is not list or len(dual) not in (0, w):
        raise Malformed(f"the dual solution is not a list of {w} rationals, or empty")
    beta = [rational(value, "a dual variable", 300) for value in dual]
    if not beta:
        if delta > min(w, n - w):
            return 1
        if delta == w:
            return n // w
        raise Unproved("neither Theorem 11.1 nor a dual solution bounds the size")
    if 2 * w > n or n > MAX_JOHNSON:
        raise Unproved(f"Theorem 11.2 needs weight <= length/2; this checker takes lengths to {MAX_JOHNSON}")
    if min(beta) < 0:
        raise Unproved("a dual variable is negative (Theorem 11.2)")
    for i in range(delta, w + 1):
        total = Fraction(comb(w, i) * comb(n - w, i))
        for k in range(1, w + 1):
            total += beta[k - 1] * sum(
                (-1) ** j * comb(k, j) * comb(w - k + j, i) * comb(n - w - j, i - j)
                for j in range(min(i, k) + 1)
            )
        if total > 0:
            raise Unproved(f"the inequality of Theorem 11.2 fails at |x \\ y| = {i}")
    return int(1 + sum(beta))


# ---- files -----------------------------------------------------------------------------------------------

KINDS = {
    "rank-lower-bound": rank_lower_bound,
    "construction": construction,
    "code": code_size,
    "exponent": exponent,
    "transcript": transcript,
}


def check_bytes(data: bytes) -> str:
    """The claim in words, if `data` is a certificate that proves it.

    Raises Malformed or Unproved with the reason.
    """
    try:
        text = data.decode("utf-8")
        top = json.loads(text, object_pairs_hook=unique, parse_constant=no_constant)
    except RecursionError:
        raise Malformed("the nesting is too deep") from None
    except ValueError as error:  # not UTF-8, not JSON, or an integer of thousands of digits
        raise Malformed(f"not JSON: {str(error)[:80]}") from None
    keys(top, "the certificate", ("format", "version", "kind", "claim", "evidence"), ("provenance",))
    one_of(top["format"], "format", ("verifier-certificate",))
    integer(top["version"], "version", 1, 1)
    kind = one_of(top["kind"], "kind", tuple(KINDS))
    if type(top.get("provenance", {})) is not dict:
        raise Malformed("provenance is not an object")
    return KINDS[kind](top["claim"], top["evidence"])


def check_file(path: str) -> str:
    """The claim in words of the certificate in the file `path`; raises Malformed or Unproved."""
    try:
        if not os.path.isfile(path):
            raise Malformed("no such file" if not os.path.exists(path) else "not a regular file")
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Malformed(f"unreadable: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MAX_BYTES:
        raise Malformed(f"larger than {MAX_BYTES} bytes")
    return check_bytes(data)


def shown(path: str) -> str:
    """A file name that cannot be mistaken for another part of the line."""
    return path if re.fullmatch("[A-Za-z0-9._/+,=@%~-]+", path, re.ASCII) else ascii(path)


def line(path: str) -> tuple[int, str]:
    """The exit code and the line of one file."""
    try:
        return 0, f"s VERIFIED {shown(path)}  {check_file(path)}"
    except Unproved as error:
        return 1, f"s REJECTED {shown(path)}  {ascii(str(error))[1:-1]}"
    except Malformed as error:
        return 2, f"s REJECTED {shown(path)}  {ascii(str(error))[1:-1]}"
    except MemoryError:
        return 2, f"s REJECTED {shown(path)}  out of memory"


def main(arguments: list[str] | None = None) -> int:
    """Check the files named on the command line; returns the exit code."""
    paths = sys.argv[1:] if arguments is None else arguments
    if paths in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if not paths or any(path.startswith("-") for path in paths):
        print("usage: check.py FILE...", file=sys.stderr)
        return 2
    worst = 0
    for path in paths:
        code, text = line(path)
        worst = max(worst, code)
        try:
            print(text, flush=True)
        except (OSError, ValueError, AttributeError):  # a verdict that nobody can read is none
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (left to the end of the process)
            return 2
    return worst if sys.stdout is not None else 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
