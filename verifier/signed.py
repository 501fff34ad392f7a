"""Signed kernels (theory chapter 8): rank bounds from explicit codes and from counting.

Position-independent signed heads obey the trace bound with one feature less (Theorem 8.3); heads whose keys
and values depend on the position obey Theorem 8.5.
"""

from dataclasses import dataclass
from fractions import Fraction

from verifier.counting import (
    GUARD,
    MOST_CLASSES,
    MOST_DIFFERENCE,
    MOST_LENGTH,
    Entries,
    Layer,
    class_numbers,
    entry_bounds,
    layer,
    least_difference,
    log_bound,
    omega,
    primitive_parts,
    rounded_up,
    with_last_part,
)
from verifier.domination import gap_factor
from verifier.rank import Entries as RankEntries
from verifier.rank import Histogram


@dataclass(frozen=True)
class SignedBound:
    """Every signed head with r - 1 features or fewer is refuted; fields as in counting.CountingBound.

    positions: "independent" (Theorem 8.3(c)) or "dependent" (Theorem 8.5(b), difference = g_0).
    """

    r: int
    positions: str
    length: int
    weight: int
    difference: int
    classes: int
    parts: tuple[int, ...]
    bits: int


def signed_trace(size: int, histogram: Histogram, h: RankEntries) -> int:
    """The largest r <= K that Theorem 8.3(a) proves: K^2 >= r (K + sum h^2)."""
    total = size + sum((count * h[d] ** 2 for d, count in histogram.items()), Fraction(0))
    return max(1, min(size, int(size**2 // total)))


def signed_trace_shifted(size: int, histogram: Histogram, h: RankEntries, eta: Fraction) -> int:
    """The largest r <= K that Theorem 8.3(b) proves with eta = 1/(n R_0) < 1."""
    total = size + sum((c * ((h[d] + eta) / (1 - eta)) ** 2 for d, c in histogram.items()), Fraction(0))
    return min(size, int(size**2 // total) + 1)


def first_part_bounds(
    bounds: Entries, n: int, error: Fraction, parts: tuple[int, ...], first: int
) -> Entries:
    """Upper bounds of 2^bits / R'_i (Theorem 8.5): compositions with one part of at least `first`."""
    long = [(g, gap_factor(g, n, error)) for g in parts if g >= first]
    table: Entries = [None]
    for d in range(1, len(bounds)):
        table.append(with_last_part(bounds, d, long, table[d - 1]))
    return table


def signed_omega(code: Layer, scale: Fraction) -> int:
    """N 4^bits Q' of Theorem 8.5, rounded up, with the sum over pairs multiplied by `scale`."""
    alone = code.whole << 2 * code.bits
    return alone + rounded_up((omega(code, 0) - alone) * scale.numerator, scale.denominator)


def independent_bound(
    length: int, weight: int, n: int, error: Fraction, parts: tuple[int, ...]
) -> SignedBound:
    """Theorem 8.3(c) for one layer of words; r = 1 if it proves nothing."""
    bits = max(0, round(log_bound(length, weight, n, error, parts))) // 2 + GUARD
    bounds = entry_bounds(min(weight, length - weight), n, error, parts, bits)
    difference = least_difference(bounds, bits)
    best = SignedBound(1, "independent", length, weight, 1, 1, parts, bits)
    if difference is None or difference > MOST_DIFFERENCE:
        return best
    start = 1 << (16 * length - 1).bit_length() if difference > 1 else 1
    for q in class_numbers(length, difference, layer(length, weight, difference, start, bounds, bits)):
        code = layer(length, weight, difference, q, bounds, bits)
        r = ((code.size << 2 * bits) - 1) // omega(code, 0)  # the largest r with r Q < 1
        if r > best.r:
            best = SignedBound(r, "independent", length, weight, difference, q, parts, bits)
    return best


def dependent_bound(
    length: int, weight: int, n: int, error: Fraction, parts: tuple[int, ...], first: int
) -> SignedBound:
    """Theorem 8.5(b) with g_0 = first for one layer of words; r = 1 if it proves nothing."""
    bits = max(0, round(log_bound(length, weight, n, error, parts))) // 2 + GUARD
    best = SignedBound(1, "dependent", length, weight, 1, 1, parts, bits)
    factor = gap_factor(first, n, error)
    if factor <= 1 or first > min(MOST_DIFFERENCE, weight, length - weight):
        return best
    parts = tuple(sorted({*parts, first}))
    bounds = entry_bounds(min(weight, length - weight), n, error, parts, bits)
    bounds = first_part_bounds(bounds, n, error, parts, first)
    scale = 4 / (1 - 1 / factor) ** 2
    if first == 1:
        numbers = [1]
    elif first == 2:
        numbers = [length << k for k in (0, 2, 5, 10, 20)]
    else:
        numbers = [1 << ((length - 1).bit_length() + k) for k in (0, 2, 4, 6, 10)]
    for q in numbers:
        if q > MOST_CLASSES:
            continue
        code = layer(length, weight, first, q, bounds, bits)
        r = ((code.size << 2 * bits) - 1) // ((n - 1) * signed_omega(code, scale)) + 1
        if r > best.r:
            best = SignedBound(r, "dependent", length, weight, first, q, parts, bits)
    return best


def best_signed(
    m: int, n: int, error: Fraction = Fraction(1, 2), positions: str = "dependent"
) -> SignedBound:
    """The strongest counting bound for signed kernels of m bits, n >= 3 and strict error bound `error` > 0.

    `positions` is "independent" or "dependent" (the larger class of heads, with a smaller bound).  r = 1 if
    nothing is proved.  Raises ValueError for other n, error, or m < 2.
    """
    if n < 3 or error <= 0 or m < 2:
        raise ValueError("counting needs n >= 3, a positive error and m >= 2")
    length = min(m, MOST_LENGTH)
    weight = length // 2
    parts = primitive_parts(length, n, error)
    if not parts:
        return SignedBound(1, positions, length, weight, 1, 1, (length,), GUARD)
    if positions == "independent":
        return independent_bound(length, weight, n, error, parts)
    start = next((g for g in range(1, weight + 1) if gap_factor(g, n, error) > 1), weight)
    found = [dependent_bound(length, weight, n, error, parts, start + k) for k in range(3)]
    return max(found, key=lambda bound: bound.r)
