"""Heads with entrywise nonnegative features (theory chapter 12): finite bounds and growth rates.

A finite bound is decided by (N) of Theorem 12.3 in fixed-point numbers that are rounded up; a growth rate by
three inequalities between rational powers (Theorem 12.4).
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb, floor, isqrt, log2

from verifier.counting import (
    GUARD,
    MOST_DIFFERENCE,
    MOST_LENGTH,
    Entries,
    entry_bounds,
    least_difference,
    log_bound,
    primitive_parts,
    rounded_up,
)
from verifier.growth import Growth

SAFE_LENGTH = 8192  # bits of words for which every bound stays within MOST_WORK
MOST_WORK = 1 << 42  # levels * bits * bits that the checker takes
PRECISION = 64  # bits after the point of the terms of (N)


@dataclass(frozen=True)
class NonnegativeBound:
    """r*_+(m,n;error) >= r for every m >= length, by Theorem 12.3; fields as in counting.CountingBound.

    levels: T, the number of dyadic classes of feature weights.
    """

    r: int
    length: int
    weight: int
    difference: int
    classes: int
    parts: tuple[int, ...]
    bits: int
    levels: int


@dataclass(frozen=True)
class Level:
    """b_j and 1 + s_j of Theorem 12.3, the latter times 2^bits and rounded up."""

    clique: int
    spread: int


def binomials(n: int, most: int) -> list[int]:
    """C(n,0), ..., C(n,most)."""
    row = [1]
    for k in range(most):
        row.append(row[-1] * (n - k) // (k + 1))
    return row


def partner_counts(length: int, weight: int, difference: int) -> list[int]:
    """For each i the most words y with |x \\ y| = i in a class (Lemma 6.1(c)); 0 for i < difference."""
    depth, free = min(weight, length - weight), difference - 1
    removed, added = binomials(weight, depth), binomials(length - weight, depth)
    return [removed[i] * added[i - free] // comb(i, free) if i >= difference else 0 for i in range(depth + 1)]


def level_table(
    length: int, weight: int, difference: int, bounds: Entries, bits: int, levels: int
) -> list[Level]:
    """b_j and s_j for j = 0..levels-1.  `bounds` are the H_i, not increasing in i."""
    counts = partner_counts(length, weight, difference)
    cliques = binomials(length, len(counts))
    table, t, spread = [], difference - 1, 1 << bits
    for j in range(levels):
        while t + 1 < len(counts) and (h := bounds[t + 1]) is not None and h << (j + 1) > 1 << bits:
            t += 1
            spread += counts[t] * h
        table.append(Level(cliques[t - difference + 1], spread))
    return table


def left_side(rho: int, size: int, table: list[Level], bits: int) -> int:
    """The left side of (N) times 2^PRECISION, rounded up; size is K."""
    total = rounded_up(rho << PRECISION, 1 << len(table))
    for j, level in enumerate(table):
        first = rounded_up(rho * level.clique << PRECISION, size << j)
        square = rounded_up(2 * rho * level.spread << 2 * PRECISION, size << (j + bits))
        total += min(first, isqrt(square) + 1)
    return total


def log_rank(size: int, table: list[Level], bits: int) -> float:
    """log2 of the rho at which the left side of (N) is 1, in floating point: a guess that is then checked."""
    firsts = [log2(level.clique) - log2(size) - j for j, level in enumerate(table)]
    squares = [1 + log2(level.spread) - bits - log2(size) - j for j, level in enumerate(table)]

    def left(x: float) -> float:
        total = float(2.0 ** min(60.0, x - len(table)))
        for a, b in zip(firsts, squares, strict=True):
            total += float(2.0 ** min(60.0, x + a, (x + b) / 2))
        return total

    low, high = 0.0, float(len(table))
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if left(middle) < 1 else (low, middle)
    return low


def largest_rank(size: int, table: list[Level], bits: int) -> int:
    """The largest r that (N) proves; beyond 64 bits one that is smaller by a billionth at most.

    The left side of (N) does not decrease with rho = r - 1, so its leading bits are found one by one, from a
    guess that leaves the last 32 of 64 bits open.
    """

    def proved(rho: int) -> bool:
        return left_side(rho, size, table, bits) < 1 << PRECISION

    guess = log_rank(size, table, bits)
    shift = max(0, floor(guess) - 63)
    low = int(2.0 ** (guess - shift) * (1 - 2.0**-32)) << shift
    high = (int(2.0 ** (guess - shift) * (1 + 2.0**-32)) + 2) << shift
    if low == 0 or not proved(low):
        low = 0
    if proved(high):
        high = 1 << len(table)
    while high - low > 1 << shift:
        middle = (low + high) // 2 >> shift << shift
        low, high = (middle, high) if proved(middle) else (low, middle)
    return low + 1


def best_nonnegative(m: int, n: int, error: Fraction = Fraction(1, 2)) -> NonnegativeBound:
    """The bound of Theorem 12.3 for the middle layer of words of m bits, n >= 3 and strict error bound > 0.

    r = 1 (Lemma 1.8) if it proves nothing.  Raises ValueError for other n, error, or m < 2.
    """
    if n < 3 or error <= 0 or m < 2:
        raise ValueError("counting needs n >= 3, a positive error and m >= 2")
    length = min(m, MOST_LENGTH)
    weight = length // 2
    parts = primitive_parts(length, n, error)
    nothing = NonnegativeBound(1, length, weight, 1, 1, parts or (length,), GUARD, 1)
    if not parts:
        return nothing
    levels = round(1.3 * log_bound(length, weight, n, error, parts)) + 20
    levels = max(2, min(levels, length + 2))
    bits = levels + GUARD
    if length > SAFE_LENGTH and levels * (levels + length + bits) * (length + bits) > MOST_WORK:
        return best_nonnegative(SAFE_LENGTH, n, error)  # Lemma 1.7
    bounds = entry_bounds(weight, n, error, parts, bits)
    difference = least_difference(bounds, bits)
    if difference is None or difference > MOST_DIFFERENCE:
        return nothing
    classes = 1 if difference == 1 else length if difference == 2 else 1 << (length - 1).bit_length()
    size = rounded_up(comb(length, weight), classes ** (difference - 1))
    table = level_table(length, weight, difference, bounds, bits, levels)
    r = largest_rank(size, table, bits)
    return NonnegativeBound(r, length, weight, difference, classes, parts, bits, levels)


@dataclass(frozen=True)
class Mixture:
    """What Theorem 12.4 needs: beta (mix), p, y, and the base B that they prove for the gap."""

    gap: int
    mix: Fraction
    p: Fraction
    y: Fraction
    base: Fraction


def proves_mixture(factor: Fraction, found: Mixture) -> bool:
    """(a), (b), (c) of Theorem 12.4; factor = F(gap)."""
    g, p, y = found.gap, found.p, found.y
    a, b = found.mix.numerator, found.mix.denominator
    if not (factor > 1 and 0 < a < b and 0 < p < 1 and 0 < y <= Fraction(1, 2) and found.base > 0):
        return False
    first = ((1 - y) / y) ** (2 * g) >= factor
    second = factor ** (2 * b - a) * (p / (1 - p)) ** (a * g) * (y / (1 - y)) ** (2 * (b - a) * g) >= 1
    return first and second and found.base**b <= 2**b * (1 - p) ** a * (1 - y) ** (b - a)


def decimal(value: Fraction) -> Decimal:
    """A rational number at the working precision."""
    return Decimal(value.numerator) / value.denominator


def logit(p: Decimal) -> Decimal:
    return (p / (1 - p)).ln()


def entropy(p: Decimal) -> Decimal:
    return -p * p.ln() - (1 - p) * (1 - p).ln()


def zero(f: Callable[[Decimal], Decimal], digits: int) -> Decimal:
    """Where a function that decreases on (0, 1/2] changes its sign, by bisection."""
    low, high = Decimal(1) / 10**9, Decimal(1) / 2
    for _ in range(4 * digits):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return (low + high) / 2


def best_mixture(growth: Growth, digits: int = 12, parts: int = 1 << 11) -> Mixture:
    """A mixture of denominators 10^digits and about `parts` that proves nearly the best base.

    The numbers are found in decimal floating point and then moved to the safe side until Theorem 12.4 holds
    exactly.
    """
    with localcontext() as context:
        context.prec = digits + 20
        log_sigma = decimal(growth.factor).ln() / growth.gap
        edge = 1 / (1 + (log_sigma / 2).exp())

        def second(tau: Decimal) -> Decimal:
            return min(2 * tau, edge)

        def crossing(tau: Decimal) -> Decimal:  # f_1 - f_2, which decreases
            y = second(tau)
            return entropy(y) - y / 2 * log_sigma - entropy(tau)

        tau = zero(crossing, context.prec)
        falling = log_sigma + logit(tau)
        rising = 2 * log_sigma + 2 * logit(second(tau))
        mix = Fraction(round(rising / (rising - falling) * parts), parts)
        beta = decimal(mix)

        def slope(tau: Decimal) -> Decimal:  # minus the logarithm of (b), which decreases
            return -((2 - beta) * log_sigma + beta * logit(tau) + 2 * (1 - beta) * logit(second(tau)))

        tau = zero(slope, context.prec)
        unit = Fraction(1, 10**digits)
        p, y = (int(tau.scaleb(digits)) + 1) * unit, int(second(tau).scaleb(digits)) * unit
        value = (beta * (1 - decimal(p)).ln() + (1 - beta) * (1 - decimal(y)).ln()).exp()
        base = int((2 * value).scaleb(digits)) * unit
    found = Mixture(growth.gap, mix, p, y, base)
    while not proves_mixture(growth.factor, found):
        p, base = p + unit, base - unit
        found = Mixture(growth.gap, mix, p, y, base)
    return found
