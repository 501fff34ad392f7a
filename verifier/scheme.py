"""Eckart-Young bounds (theory chapter 5): how far a matrix of low rank stays from a matrix of the scheme.

A test matrix W depends on |x \\ y| only.  Where the values of |x \\ y| are the classes of an association
scheme of the code, all such matrices form a commutative algebra, and W, its spectrum and the matrices of the
proof are a few numbers; for every other code the algebra spanned by I and J does the same service.  Floats
propose W and the polynomial p; the rounded proposal is proved in exact integers (Theorems 5.8, 5.9).
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from verifier.amplification import amplify
from verifier.codes.code import Code, difference_counts, limbs
from verifier.codes.groups import Permutation, orbit, orbits, stabilizer
from verifier.codes.wordfile import format_words
from verifier.rank import Entries, Histogram

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

DIGITS = range(3, 12)  # decimal digits of the coefficients of W that are tried, the shortest first
ROOT_DIGITS = 13  # decimal digits of B and V, whose errors the diagonal has to cover
FIXED = 6  # orbits of words for which generators of the part of the group that fixes a word are listed
LARGEST_ROW = 40_000  # words beyond which the classes are not counted


@dataclass(frozen=True)
class Scheme:
    """An association scheme on the words of a code, its classes unions of values of |x \\ y|.

    label[d] is the class of |x \\ y| = d, with class 0 for d = 0 alone; valencies[i] the words in class i
    from any word; numbers[k, i, j] the words z with (x, z) in class i and (z, y) in class j for (x, y) in
    class k.  eigenvalues[j, i] is that of class i on eigenspace j, of dimension multiplicities[j].
    """

    size: int
    label: dict[int, int]
    valencies: tuple[int, ...]
    numbers: Integers
    eigenvalues: Floats
    multiplicities: tuple[int, ...]

    def matrix(self, spectrum: Floats) -> Floats:
        """The coefficients by class of the matrix with the given eigenvalue on each eigenspace."""
        weights = np.array(self.multiplicities) * spectrum
        result: Floats = weights @ self.eigenvalues / (self.size * np.array(self.valencies))
        return result


@dataclass(frozen=True)
class SchemeBound:
    """rank >= r by Theorem 5.9 (5.8 if p(t) = t), with all that a certificate needs.

    `code` lists all words; `representatives` holds one word of each orbit under `generators`.  w, b and v
    are the coefficients of W, B and V for the diagonal, 0, and every |x \\ y| that occurs.
    """

    r: int
    code: Code
    representatives: tuple[int, ...]
    generators: tuple[Permutation, ...]
    gaps: dict[int, tuple[int, ...]]
    p: tuple[Fraction, ...]
    mu: Fraction
    w: dict[int, Fraction]
    b: dict[int, Fraction]
    v: dict[int, Fraction]
    method: str = "scheme"


# ---- the scheme ------------------------------------------------------------------------------------------


def spectrum_of(numbers: Integers, valencies: Sequence[int], size: int) -> tuple[Floats, tuple[int, ...]]:
    """Eigenvalues (eigenspace x class) and multiplicities of a commutative scheme from its numbers."""
    scale = np.sqrt(np.array(valencies, dtype=float))
    # the matrix of class i in the regular representation, made symmetric by the valencies
    regular = [numbers[:, i, :].T * scale[None, :] / scale[:, None] for i in range(len(valencies))]
    mix = sum(m * math.cos(i * i + 1.0) / v for i, (m, v) in enumerate(zip(regular, valencies, strict=True)))
    _, vectors = np.linalg.eigh((mix + np.transpose(mix)) / 2)
    eigenvalues = np.array([[vectors[:, j] @ m @ vectors[:, j] for m in regular] for j in range(len(scale))])
    dimensions = size / (eigenvalues**2 / np.array(valencies)).sum(axis=1)
    return eigenvalues, tuple(round(float(m)) for m in dimensions)


def trivial_scheme(size: int, differences: Iterable[int]) -> Scheme:
    """The scheme of two classes, equal and different, which every code has."""
    numbers = np.array([[[1, 0], [0, size - 1]], [[0, 1], [1, size - 2]]], dtype=np.int64)
    label = {0: 0, **dict.fromkeys(differences, 1)}
    eigenvalues = np.array([[1.0, size - 1.0], [1.0, -1.0]])
    return Scheme(size, label, (1, size - 1), numbers, eigenvalues, (1, size - 1))


def difference_scheme(
    code: Code, representatives: Sequence[int], generators: Sequence[Permutation]
) -> Scheme | None:
    """The scheme whose classes are the values of |x \\ y|, or None if they are not a scheme.

    Counted for one word x of each orbit and one y of each orbit of the part of the group that fixes x.
    """
    if code.weight is None:
        return None
    rows = limbs(code.words, code.length)
    found: tuple[tuple[int, ...], tuple[int, ...], Integers] | None = None
    for x in representatives:
        from_x = difference_counts(limbs((x,), code.length)[0], rows)
        differences = np.unique(from_x)
        index = np.zeros(code.length + 1, dtype=np.intp)
        index[differences] = np.arange(len(differences))
        count = len(differences)
        sphere = index[from_x]
        numbers = np.full((count, count, count), -1, dtype=np.int64)
        fixing = [g for g in generators if orbit(x, [g]) == [x]]
        heads = [part[0] for part in orbits(code.words, fixing)] if fixing else code.words
        for y in heads:
            from_y = difference_counts(limbs((y,), code.length)[0], rows)
            if not np.isin(from_y, differences).all():
                return None
            table = np.bincount(sphere * count + index[from_y], minlength=count * count).reshape(count, count)
            k = int(index[(x & ~y).bit_count()])
            if numbers[k, 0, 0] >= 0 and not np.array_equal(numbers[k], table):
                return None
            numbers[k] = table
        valencies = tuple(int(v) for v in np.bincount(sphere, minlength=count))
        this = (tuple(int(d) for d in differences), valencies, numbers)
        if found is not None and (found[:2] != this[:2] or not np.array_equal(found[2], numbers)):
            return None
        found = this
    if found is None:
        return None
    eigenvalues, multiplicities = spectrum_of(found[2], found[1], len(code.words))
    label = {d: i for i, d in enumerate(found[0])}
    return Scheme(len(code.words), label, found[1], found[2], eigenvalues, multiplicities)


# ---- proposing W -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """The margin of Theorem 5.9 per word as a concave function of W, for one polynomial and one rank.

    For the entries of class labels[k] that make up counts[k] words in a row, p(M) lies in low[k]..high[k].
    """

    scheme: Scheme
    labels: NDArray[np.intp]
    counts: Floats
    low: Floats
    high: Floats

    def margin(self, w: Floats, rank: int) -> tuple[float, Floats]:
        """The margin at W with p(1) = 1 and a supergradient; positive proves rank p(M) > rank."""
        scheme = self.scheme
        at = w[self.labels]
        under, over = 2 * self.low * at - self.low**2, 2 * self.high * at - self.high**2
        worst = np.where(under < over, self.low, self.high)
        value = 2 * float(w[0]) - 1 + float(self.counts @ np.minimum(under, over))
        gradient: Floats = np.bincount(self.labels, 2 * self.counts * worst, minlength=len(w)).astype(float)
        gradient[0] += 2
        spectrum = scheme.eigenvalues @ w
        left, taken = rank, np.zeros(len(w))
        for j in np.argsort(-np.abs(spectrum)):  # the rank largest eigenvalues of W^2
            taken[j] = min(left, scheme.multiplicities[j])
            left -= int(taken[j])
        taken /= scheme.size
        value -= float(taken @ spectrum**2)
        gradient -= 2 * (taken * spectrum) @ scheme.eigenvalues
        return value, gradient

    def maximise(
        self, rank: int, start: Floats | None = None, goal: float = math.inf
    ) -> tuple[float, Floats]:
        """The best margin and its W by the ellipsoid method; ends early at a margin of `goal`."""
        dimension = len(self.scheme.valencies)
        reach = 4 * max(1.0, self.scheme.size / max(1, rank))
        radius = np.full(dimension, reach * max(0.05, float(np.abs(self.high).max(initial=0))))
        radius[0] = reach
        centre = np.zeros(dimension) if start is None else start.copy()
        if start is None:
            centre[0] = 1.0
        else:
            radius *= 0.25
        shape = np.diag(radius**2)
        best, best_w = -math.inf, centre
        n = max(dimension, 2)
        for _ in range(60 * n * n):
            value, gradient = self.margin(centre, rank)
            if value > best:
                best, best_w = value, centre
                if best > goal:
                    break
            step = shape @ gradient
            width = math.sqrt(max(float(gradient @ step), 0.0))
            if width <= 1e-7:  # no point of the ellipsoid is better than value + width
                break
            depth = min((best - value) / width, 0.999)  # a deep cut: only values above the best count
            step /= width
            centre = centre + (1 + n * depth) / (n + 1) * step
            shape = shape - 2 * (1 + n * depth) / ((n + 1) * (1 + depth)) * np.outer(step, step)
            shape *= n * n * (1 - depth * depth) / (n * n - 1)
        return best, best_w


def polynomial_range(p: Sequence[Fraction], high: Fraction) -> tuple[Fraction, Fraction]:
    """The least and largest value of a polynomial of degree at most 2 on 0..high, exactly."""
    p = [*p, *[Fraction(0)] * (3 - len(p))]
    at = [Fraction(0), high]
    if p[2] and 0 < -p[1] / (2 * p[2]) < high:
        at.append(-p[1] / (2 * p[2]))
    values = [p[0] + p[1] * t + p[2] * t * t for t in at]
    return min(values), max(values)


def power_rank(p: Sequence[Fraction], r: int) -> int:
    """The largest rank of p(M) for rank M = r (Theorem 5.9): the entrywise powers add C(r+i-1, i)."""
    return sum(comb(r + i - 1, i) for i, coefficient in enumerate(p) if coefficient)


def problem(scheme: Scheme, histogram: Histogram, h: Entries, p: Sequence[Fraction]) -> Problem:
    """The margin's data for p divided by p(1)."""
    unit = sum(p, Fraction(0))
    ranges = [polynomial_range([c / unit for c in p], h[d]) for d in sorted(histogram)]
    return Problem(
        scheme,
        np.array([scheme.label[d] for d in sorted(histogram)], dtype=np.intp),
        np.array([histogram[d] / scheme.size for d in sorted(histogram)]),
        np.array([float(low) for low, _ in ranges]),
        np.array([float(high) for _, high in ranges]),
    )


def nelder_mead(
    function: Callable[[Floats], float], start: Floats, step: Floats, rounds: int, goal: float = math.inf
) -> tuple[float, Floats]:
    """The largest value found of a function of few variables, by the simplex of Nelder and Mead."""
    points = [start, *(start + np.eye(len(start))[i] * step[i] for i in range(len(start)))]
    simplex = [(function(x), x) for x in points]
    for _ in range(rounds):
        simplex.sort(key=lambda entry: -entry[0])
        if simplex[0][0] > goal:
            break
        worst, centre = simplex[-1], np.mean([x for _, x in simplex[:-1]], axis=0)

        def probe(factor: float, centre: Floats = centre, worst: Floats = worst[1]) -> tuple[float, Floats]:
            x = centre + factor * (centre - worst)
            return function(x), x

        reflected = probe(1.0)
        if reflected[0] > simplex[0][0]:
            simplex[-1] = max(reflected, probe(2.0), key=lambda entry: entry[0])
        elif reflected[0] > simplex[-2][0]:
            simplex[-1] = reflected
        else:
            inner = probe(-0.5)
            if inner[0] > worst[0]:
                simplex[-1] = inner
            else:
                best = simplex[0][1]
                simplex = [simplex[0], *((function(y), y) for _, x in simplex[1:] for y in [(x + best) / 2])]
    return max(simplex, key=lambda entry: entry[0])


# ---- proving it ------------------------------------------------------------------------------------------


def decimal(value: float, digits: int) -> Fraction:
    """The value rounded to this many decimal digits."""
    return Fraction(round(value * 10**digits), 10**digits)


def least_mu(scheme: Scheme, w: Sequence[Fraction], b: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    """The least mu that makes mu I + B^2 - W^2 - V^2 diagonally dominant, exactly."""
    total = Fraction(0)
    classes = range(len(scheme.valencies))
    for k in classes:
        entry = sum(
            (
                int(scheme.numbers[k, i, j]) * (b[i] * b[j] - w[i] * w[j] - v[i] * v[j])
                for i in classes
                for j in classes
            ),
            Fraction(0),
        )
        total += abs(entry) * scheme.valencies[k] if k else -entry
    return total


def exact_margin(
    scheme: Scheme,
    histogram: Histogram,
    h: Entries,
    p: Sequence[Fraction],
    rank: int,
    w: Sequence[Fraction],
    b: Sequence[Fraction],
    mu: Fraction,
) -> Fraction:
    """||W||^2 - ||B||^2 - rank mu - max ||p(M) - W||^2; positive proves rank p(M) > rank (Theorem 5.9)."""
    total = scheme.size * (w[0] ** 2 - b[0] ** 2 - (sum(p, Fraction(0)) - w[0]) ** 2)
    for d, count in histogram.items():
        i = scheme.label[d]
        far = max((end - w[i]) ** 2 for end in polynomial_range(p, h[d]))
        total += count * (w[i] ** 2 - b[i] ** 2 - far)
    return total - rank * mu


def roots(scheme: Scheme, w: Sequence[Fraction], rank: int) -> tuple[list[Fraction], list[Fraction]]:
    """B and V with B^2 - V^2 = W^2 - mu I up to rounding, mu the rank-th largest eigenvalue of W^2."""
    squares = (scheme.eigenvalues @ np.array([float(c) for c in w])) ** 2
    left, mu = rank, 0.0
    for j in np.argsort(-squares):
        left -= scheme.multiplicities[j]
        if left < 0:
            mu = float(squares[j])
            break
    b = scheme.matrix(np.sqrt(np.maximum(squares - mu, 0)))
    v = scheme.matrix(np.sqrt(np.maximum(mu - squares, 0)))
    return [decimal(c, ROOT_DIGITS) for c in b], [decimal(c, ROOT_DIGITS) for c in v]


@dataclass(frozen=True)
class Proof:
    """An exact proof of rank M >= r: the coefficients of p, and of W, B and V by class."""

    r: int
    p: tuple[Fraction, ...]
    mu: Fraction
    w: list[Fraction]
    b: list[Fraction]
    v: list[Fraction]


def prove(
    scheme: Scheme, histogram: Histogram, h: Entries, r: int, p: Sequence[Fraction], w: Floats
) -> Proof | None:
    """An exact proof of rank M >= r from a proposed W (for p divided by p(1)), or None.

    W is rounded to the fewest digits that leave a positive margin.
    """
    unit = float(sum(p, Fraction(0)))
    rank = power_rank(p, r - 1)
    for digits in DIGITS:
        rounded = [decimal(unit * c, digits) for c in w]
        b, v = roots(scheme, rounded, rank)
        mu = max(least_mu(scheme, rounded, b, v), Fraction(0))
        mu = Fraction(math.ceil(mu * 10**12), 10**12)
        if exact_margin(scheme, histogram, h, p, rank, rounded, b, mu) > 0:
            return Proof(r, tuple(p), mu, rounded, b, v)
    return None


# ---- the search ------------------------------------------------------------------------------------------


def linear_proof(scheme: Scheme, histogram: Histogram, h: Entries) -> Proof | None:
    """The largest r that Theorem 5.8 proves with p(t) = t; None if it proves none above 1."""
    p = (Fraction(0), Fraction(1))
    question = problem(scheme, histogram, h, p)
    low, high, best = 1, scheme.size + 1, None
    while high - low > 1:
        middle = (low + high) // 2
        margin, w = question.maximise(middle - 1, goal=1e-3)
        proof = prove(scheme, histogram, h, middle, p, w) if margin > 0 else None
        if proof is None:
            high = middle
        else:
            low, best = middle, proof
    return best


def quadratic(x: Floats, digits: int) -> tuple[Fraction, ...]:
    """The polynomial t^2 - s t + c at x = (s, c), rounded."""
    return decimal(float(x[1]), digits), -decimal(float(x[0]), digits), Fraction(1)


def past(deadline: float | None) -> bool:
    """Is the deadline over?  Never, if there is none."""
    return deadline is not None and time.monotonic() > deadline


def quadratic_proof(
    scheme: Scheme, histogram: Histogram, h: Entries, above: int, deadline: float | None
) -> Proof | None:
    """The largest r > above that Theorem 5.9 proves with a quadratic polynomial and the searches find.

    Without a deadline a short search.
    """
    top = float(max(h.values(), default=Fraction(0)))
    best: Proof | None = None
    x = np.array([0.8 * top, 0.02 * top * top])
    r = above + 1
    while r <= scheme.size and comb(r + 1, 2) < scheme.size and not past(deadline):
        found: list[tuple[tuple[Fraction, ...], Floats]] = []

        def value(x: Floats, r: int = r, found: list[tuple[tuple[Fraction, ...], Floats]] = found) -> float:
            p = quadratic(x, 5)
            if sum(p) <= 0 or past(deadline):
                return -math.inf
            margin, w = problem(scheme, histogram, h, p).maximise(power_rank(p, r - 1))
            if margin > 0:
                found.append((p, w))
            return margin

        starts = (x, np.array([0.8 * top, 0.02 * top * top]), np.array([0.5 * top, 0.1 * top * top]))
        for start in starts if deadline is not None else starts[:1]:
            step, rounds = np.array([0.1 * top, 0.02 * top * top]), 12 if deadline is None else 60
            _, reached = nelder_mead(value, start, step, rounds, goal=0.0)
            if found:
                x = reached
                break
        proofs = (prove(scheme, histogram, h, r, p, w) for p, w in reversed(found))
        proof = next((proof for proof in proofs if proof), None)
        if proof is None:
            break
        best, r = proof, r + 1
    return best


def scheme_bound(
    code: Code,
    generators: Sequence[Permutation],
    n: int,
    error: Fraction,
    budget: float | None = 60.0,
    seed: int = 0,
) -> SchemeBound | None:
    """The largest rank that Theorems 5.8 and 5.9 prove for a code, as far as the search finds it.

    `generators` are permutations of the coordinates that map the code to itself (none: the checker does the
    work for every word); `n` the sequence length, `error` the strict bound, `budget` in seconds.  None if
    nothing above rank 1 is proved, the weights differ or a difference has no ratio of at least 1.  Raises
    ValueError if a generator does not preserve the code.  Deterministic given the seed, unless the budget
    ends the search.
    """
    deadline = None if budget is None else time.monotonic() + budget
    if code.weight is None or len(code.words) < 2:
        return None
    words = set(code.words)
    representatives, whole = [], 0
    left = dict.fromkeys(code.words)
    while left:
        x = next(iter(left))
        part = orbit(x, generators)
        if not words.issuperset(part):
            raise ValueError("a generator does not map the code to itself")
        representatives.append(x)
        whole += len(part)
        for y in part:
            left.pop(y, None)
    moves = tuple(generators)
    if generators and len(representatives) * len(words) ** 2 > 1 << 20:
        for x in representatives[:FIXED]:  # generators that fix a word save the checker most of its row
            moves += tuple(g for g in stabilizer(x, code.words, generators, seed) if g not in moves)
    ratios = amplify(code.length, n, error)
    histogram = orbit_histogram(code, representatives, generators)
    if any(d == 0 or ratios.ratios[d] < 1 for d in histogram):
        return None
    h = {d: 1 / ratios.ratios[d] for d in histogram}
    scheme = difference_scheme(code, representatives, moves) if len(words) <= LARGEST_ROW else None
    if scheme is None:
        scheme = trivial_scheme(len(words), histogram)
    proof = linear_proof(scheme, histogram, h)
    better = quadratic_proof(scheme, histogram, h, proof.r if proof else 1, deadline)
    proof = better or proof
    if proof is None:
        return None

    def by_difference(row: list[Fraction]) -> dict[int, Fraction]:
        return {d: row[i] for d, i in sorted(scheme.label.items())}

    return SchemeBound(
        proof.r,
        code,
        tuple(representatives),
        moves,
        {d: ratios.gaps(d) for d in sorted(histogram)},
        proof.p,
        proof.mu,
        by_difference(proof.w),
        by_difference(proof.b),
        by_difference(proof.v),
    )


def orbit_histogram(
    code: Code, representatives: Sequence[int], generators: Sequence[Permutation]
) -> dict[int, int]:
    """H_d over ordered pairs of distinct words, from one row for each orbit."""
    rows = limbs(code.words, code.length)
    totals = np.zeros(code.length + 1, dtype=np.int64)
    for x in representatives:
        size = len(orbit(x, generators))
        row = np.bincount(difference_counts(limbs((x,), code.length)[0], rows), minlength=code.length + 1)
        row[0] -= 1
        totals += size * row
    return {d: int(count) for d, count in enumerate(totals) if count}


def scheme_evidence(bound: SchemeBound) -> dict[str, object]:
    """The evidence of a certificate: orbit representatives, generators, gaps and the coefficients."""
    code: dict[str, object] = {
        "length": bound.code.length,
        "weight": bound.code.weight,
        "words": format_words(bound.representatives, bound.code.length),
    }
    if bound.generators:
        code["generators"] = [list(g) for g in bound.generators]
    rows = {"W": bound.w, "B": bound.b, "V": bound.v}
    return {
        "method": bound.method,
        "code": code,
        "gaps": {str(d): list(parts) for d, parts in bound.gaps.items()},
        "p": [str(c) for c in bound.p],
        "mu": str(bound.mu),
        **{name: {str(d): str(value) for d, value in row.items()} for name, row in rows.items()},
    }
