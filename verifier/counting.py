"""Counting bounds (theory chapter 6): rank lower bounds for every m from codes that are never listed.

The words of one weight are cut into classes by symmetric functions of random labels; the average over all
labellings proves that some class is good.  A bound is a handful of numbers, and (C') of Theorem 6.4 or (Z')
of Theorem 6.6 decides it in integers.  Entries h_i = 1/R_i are fixed-point numbers H_i / 2^bits, always
rounded up.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import comb, isqrt, log2

from verifier.domination import gap_factor
from verifier.zonal import Zonal, combination, good_coefficients, zonal

MOST_LENGTH = 20_000  # bits of the longest code; larger m use it too (Lemma 1.7)
MOST_PARTS = 48  # different gaps in one bound
MOST_CLASSES = 1 << 63
MOST_DIFFERENCE = 64
MOST_EXACT = 4096  # classes up to which primes have the exact probability of Lemma 6.7
DEGREES = (2, 4, 8, 16, 32)  # of the zonal functions that are tried
MOST_ZONAL_BITS = 12_000  # of all coefficients
MOST_ZONAL = 1 << 20  # values of the zonal functions
GUARD = 64  # bits of fixed-point numbers beyond those that matter

Entries = list[int | None]


@dataclass(frozen=True)
class CountingBound:
    """r*_pos(m,n;error) >= r for every m >= length, by Theorem 6.4.

    length, weight: the layer of words; difference: delta, the least |x \\ y| inside a class; classes: q;
    parts: the gaps that ratios are composed of; bits: of the fixed-point numbers; multiplier: lambda times
    2^bits; zonal: if not empty, coefficients g_k times 2^bits for Theorem 6.6 in place of the multiplier.
    """

    r: int
    length: int
    weight: int
    difference: int
    classes: int
    parts: tuple[int, ...]
    bits: int
    multiplier: int
    zonal: tuple[int, ...] = ()


@dataclass(frozen=True)
class Layer:
    """What Theorem 6.4 needs to know of a code: N and, for each i = |x \\ y|, weighted counts and entries.

    pairs[i] / subsets[i] = A_i q^(delta-1) p_i and entries[i] = H_i for delta <= i <= min(w, L-w);
    whole = q^(delta-1).
    """

    size: int
    whole: int
    pairs: dict[int, int]
    subsets: dict[int, int]
    entries: dict[int, int]
    bits: int


def rounded_up(numerator: int, denominator: int) -> int:
    """The quotient, rounded up."""
    return -(-numerator // denominator)


def primitive_parts(length: int, n: int, error: Fraction) -> tuple[int, ...]:
    """The gaps g with F(g) > 0 that beat every composition of g into smaller ones, at most MOST_PARTS.

    Beyond a gap whose factor is 1 or more, no part longer than a few times that gap is primitive, since
    F grows linearly and products grow exponentially; the search ends at the first run of useless gaps.
    """
    best: dict[int, Fraction] = {0: Fraction(1)}
    parts: list[int] = []
    first = int(2 * error) + 1
    for g in range(first, length + 1):
        split = max((gap_factor(h, n, error) * best[g - h] for h in parts if g - h in best), default=None)
        whole = gap_factor(g, n, error)
        if split is None or whole > split:
            parts.append(g)
        elif g > 2 * parts[-1] + first:
            break
        best[g] = whole if split is None else max(whole, split)
    if len(parts) <= MOST_PARTS:
        return tuple(parts)
    step = rounded_up(len(parts), MOST_PARTS)
    return tuple(parts[::step])


def with_last_part(
    source: Entries, d: int, factors: list[tuple[int, Fraction]], best: int | None
) -> int | None:
    """The least of `best` and the bounds of d with a last part among the factors, the rest in `source`."""
    for g, factor in factors:
        before = source[d - g] if g <= d else None
        if before is not None:
            bound = rounded_up(before * factor.denominator, factor.numerator)
            best = bound if best is None or bound < best else best
    return best


def entry_bounds(length: int, n: int, error: Fraction, parts: tuple[int, ...], bits: int) -> Entries:
    """H_0, ..., H_length of Theorem 6.4; None where no composition of the parts exists."""
    factors = [(g, gap_factor(g, n, error)) for g in parts]
    bounds: Entries = [1 << bits]
    for d in range(1, length + 1):
        best = bounds[d - 1] if d > 1 else None
        bounds.append(with_last_part(bounds, d, factors, best))
    return bounds


def least_difference(bounds: Entries, bits: int) -> int | None:
    """The least d >= 1 with H_d <= 2^bits, that is a ratio of at least 1; None if there is none."""
    return next((d for d, bound in enumerate(bounds) if d and bound is not None and bound <= 1 << bits), None)


def layer_counts(length: int, weight: int) -> list[int]:
    """A_i = C(w,i) C(L-w,i) for i = 0..min(w, L-w)."""
    counts = [1]
    for i in range(min(weight, length - weight)):
        counts.append(counts[-1] * (weight - i) * (length - weight - i) // (i + 1) ** 2)
    return counts


def is_odd_prime(q: int) -> bool:
    """By trial division."""
    return q > 2 and all(q % k for k in range(2, isqrt(q) + 1))


def exact_share(q: int, i: int) -> tuple[int, int]:
    """Numerator and denominator of q p_i in Lemma 6.7, q an odd prime and 1 <= i < q/2."""
    all_pairs = comb(q, i) * comb(q - i, i)
    return all_pairs + (-1) ** i * (q - 1) * (comb(q - i, i) + comb(q - i - 1, i - 1)), all_pairs


def share_bound(q: int, difference: int, i: int) -> tuple[int, int]:
    """Numerator and denominator of the bound of q^(difference-1) p_i in Lemma 6.1(b)."""
    free = difference - 1
    return q**free, comb(q - 2 * i + free, free) if free else 1


def layer(length: int, weight: int, difference: int, classes: int, bounds: Entries, bits: int) -> Layer:
    """The layer cut into q^(difference-1) classes (Lemma 6.1)."""
    whole = classes ** (difference - 1)
    pairs, subsets, entries = {}, {}, {}
    exact = difference == 2 and classes < MOST_EXACT and is_odd_prime(classes)
    for i, count in enumerate(layer_counts(length, weight)):
        bound = bounds[i]
        if i >= difference and bound is not None:
            share, subsets[i] = exact_share(classes, i) if exact else share_bound(classes, difference, i)
            pairs[i] = count * share
            entries[i] = bound
    return Layer(comb(length, weight), whole, pairs, subsets, entries, bits)


def omega(code: Layer, multiplier: int) -> int:
    """Omega of Theorem 6.4: an upper bound of N 4^bits Q."""
    one = 1 << code.bits
    excess = sum(
        rounded_up(code.pairs[i] * h * (h - multiplier), code.subsets[i])
        for i, h in code.entries.items()
        if h > multiplier
    )
    return one * (one - multiplier) * code.whole + excess


def largest_rank(code: Layer, multiplier: int) -> int:
    """The largest r that (C') of Theorem 6.4 proves with this multiplier; 1 if there is none."""
    total = omega(code, multiplier)
    slack = 4 * code.size * ((1 << 2 * code.bits) - (multiplier << code.bits)) - 4 * total
    rest = (slack - 1) // (4 * total + code.size * multiplier**2)  # the largest r - 2
    return rest + 2 if rest >= (1 if multiplier else 0) else 1


def best_multiplier(code: Layer, r: int) -> int:
    """The multiplier that is best for proving r, up to rounding (Theorem 5.3(c) for the average class).

    The slack of (C) is concave in lambda; on the interval where exactly the entries up to i = k exceed
    lambda, it is stationary at lambda = 2 ((1+rho) b - 1) / rho, rho = r - 2, b = (1/N)(q^(delta-1) +
    sum_{i<=k} pairs_i h_i).
    """
    rho = max(1, r - 2)
    one = 1 << code.bits
    total = code.whole << code.bits
    upper = one - 1
    for i, h in code.entries.items():  # not increasing in i
        stationary = 2 * ((1 + rho) * total // code.size - one) // rho
        if stationary >= h:
            return max(0, min(upper, stationary))
        total += code.pairs[i] * h // code.subsets[i]
        upper = min(upper, h)
    return max(0, min(upper, 2 * ((1 + rho) * total // code.size - one) // rho))


def zonal_rank(code: Layer, functions: Zonal, coefficients: tuple[int, ...]) -> int:
    """The largest r that (Z) of Theorem 6.6 proves with these coefficients; 1 if there is none."""
    slack = (1 << code.bits) - sum(coefficients)
    if slack <= 0 or not coefficients:
        return 1
    unit = functions.denominator
    total = 0
    for i, h in code.entries.items():
        g = combination(functions, coefficients, i)
        total += rounded_up(code.pairs[i] * max(g * g, (h * unit - g) ** 2), code.subsets[i] * unit**2)
    return max(1, (code.size * slack**2 - 1) // (code.whole * slack**2 + total) + 1)


def zonal_coefficients(code: Layer, functions: Zonal) -> tuple[int, ...]:
    """Coefficients that make the bound of Theorem 6.6 large."""
    used = [i for i, h in code.entries.items() if h > 0]
    logs = [log2(code.pairs[i]) - log2(code.subsets[i]) - log2(code.size) for i in used]
    log_h = [log2(code.entries[i]) - code.bits for i in used]
    return good_coefficients(logs, log_h, used, functions, code.bits) if used else ()


def improve_multiplier(code: Layer) -> tuple[int, int]:
    """(r, multiplier): alternate between the best r for a multiplier and the best multiplier for an r."""
    best = (largest_rank(code, 0), 0)
    for _ in range(6):
        multiplier = best_multiplier(code, best[0])
        found = (largest_rank(code, multiplier), multiplier)
        if found[0] <= best[0]:
            break
        best = found
    return best


def log_bound(length: int, weight: int, n: int, error: Fraction, parts: tuple[int, ...]) -> float:
    """log2 of the rank to expect, in floating point: only for choosing the precision."""
    ratios = [0.0]
    for d in range(1, min(weight, length - weight) + 1):
        choices = [ratios[d - g] + log2(gap_factor(g, n, error)) for g in parts if g <= d]
        ratios.append(max(choices, default=0.0 if d == 1 else ratios[-1]))
    size = log2(comb(length, weight))
    return size - max(log2(a) - 2 * rho for a, rho in zip(layer_counts(length, weight), ratios, strict=True))


def class_numbers(length: int, difference: int, code: Layer) -> list[int]:
    """Promising q: the bound loses about q/N by small classes and (2i-1)/q by uneven labels."""
    if difference == 1:
        return [1]
    spread = sum((2 * i - 1) * code.pairs[i] * h**2 // code.subsets[i] for i, h in code.entries.items())
    spread >>= 2 * code.bits
    middle = isqrt(spread) if difference == 2 else 8 * length
    numbers = {length, *(length + max(0, middle * k // 8) for k in (1, 2, 4, 8, 16))}
    if difference == 2:  # the next primes, for which Lemma 6.7 is exact
        odd = {q | 1 for q in numbers if q < MOST_EXACT // 2}
        numbers |= {next(p for p in range(q, 2 * q + 2, 2) if is_odd_prime(p)) for q in odd}
    if difference > 2:  # a field: powers of 2
        numbers = {1 << (q - 1).bit_length() for q in numbers}
    return sorted({min(q, MOST_CLASSES) for q in numbers if 16 * q >= MOST_CLASSES or middle < MOST_CLASSES})


def bound_at(length: int, weight: int, n: int, error: Fraction, parts: tuple[int, ...]) -> CountingBound:
    """The best counting bound of one layer of words; r = 1 if it proves nothing."""
    depth = min(weight, length - weight)
    bits = max(0, round(log_bound(length, weight, n, error, parts))) // 2 + GUARD
    bounds = entry_bounds(depth, n, error, parts, bits)
    difference = least_difference(bounds, bits)
    if difference is None or difference > MOST_DIFFERENCE:
        return CountingBound(1, length, weight, 1, 1, parts, bits, 0)
    start = 1 << (16 * length - 1).bit_length() if difference > 1 else 1
    fine = layer(length, weight, difference, start, bounds, bits)
    found = []
    for q in class_numbers(length, difference, fine):
        code = layer(length, weight, difference, q, bounds, bits)
        r, multiplier = improve_multiplier(code)
        found.append(CountingBound(r, length, weight, difference, q, parts, bits, multiplier))
    best = max(found, key=lambda bound: bound.r)
    if best.r < 2 or 2 * weight > length:
        return best
    for degree in DEGREES:
        if degree > weight or (degree + 1) * bits > MOST_ZONAL_BITS or depth * (degree + 1) ** 2 > MOST_ZONAL:
            break
        functions = zonal(length, weight, degree)
        coefficients = zonal_coefficients(fine, functions)
        before = best
        for q in class_numbers(length, difference, fine):
            code = layer(length, weight, difference, q, bounds, bits)
            r = zonal_rank(code, functions, coefficients)
            if r > best.r:
                best = CountingBound(r, length, weight, difference, q, parts, bits, 0, coefficients)
        if before.zonal and best.r < before.r + before.r // 1000:
            return before  # more coefficients for next to nothing
    return best


def best_counting(m: int, n: int, error: Fraction = Fraction(1, 2)) -> CountingBound:
    """The strongest counting bound for m bits, sequence length n >= 3 and strict error bound `error` > 0.

    Layers of weight near half the length are tried; a function of the arguments alone.  r = 1 (which is
    Lemma 1.8) if counting proves nothing.  Raises ValueError for other n, error, or m < 2.
    """
    if n < 3 or error <= 0 or m < 2:
        raise ValueError("counting needs n >= 3, a positive error and m >= 2")
    length = min(m, MOST_LENGTH)
    parts = primitive_parts(length, n, error)
    if not parts:
        return CountingBound(1, length, length // 2, 1, 1, (length,), GUARD, 0)
    weights = range(max(1, length // 2 - (2 if length <= 400 else 0)), length // 2 + 1)
    return max((bound_at(length, w, n, error, parts) for w in weights), key=lambda bound: bound.r)
