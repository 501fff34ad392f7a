"""Upper bounds on A(n,d,w), the size of a constant-weight code (theory chapter 11).

The linear program of Delsarte for the Johnson scheme, solved exactly, and the recursions of Johnson.  A bound
comes with a certificate: a few steps to shorter codes, and there a rational dual solution.  Distances are
even, d = 2 delta, and |x \\ y| >= delta says the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb


@dataclass(frozen=True)
class UpperBound:
    """A(n, d, w) <= size for the code that the steps lead from, by Theorems 11.1 to 11.3.

    steps: "point" (words through a coordinate), "absent" (words without it), "complement"; then dual is the
    solution of Theorem 11.2 for the code they lead to, or empty if that is trivial (Theorem 11.1).
    """

    size: int
    steps: tuple[str, ...]
    dual: tuple[Fraction, ...]


def johnson_eigenvalue(length: int, weight: int, k: int, i: int) -> int:
    """p_i(k), the eigenvalue of the relation |x \\ y| = i on eigenspace k (Lemma 11.4)."""
    return sum(
        (-1) ** j * comb(k, j) * comb(weight - k + j, i) * comb(length - weight - j, i - j)
        for j in range(min(k, i, length - weight) + 1)
    )


def valency(length: int, weight: int, i: int) -> int:
    """The words y of the same weight with |x \\ y| = i."""
    return comb(weight, i) * comb(length - weight, i)


def simplex(
    rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction], objective: Sequence[Fraction]
) -> list[Fraction]:
    """The dual solution of max objective . a subject to rows a <= right, a >= 0: a multiplier for each row.

    The right side must not be negative.
    Exact rationals with Bland's rule, which ends.  Raises ValueError if the maximum is not bounded.
    """
    count, width = len(rows), len(objective)
    one = Fraction(1)
    table = [
        [*row, *(one if j == i else Fraction(0) for j in range(count)), right[i]]
        for i, row in enumerate(rows)
    ]
    costs = [-c for c in objective] + [Fraction(0)] * (count + 1)
    basis = [width + i for i in range(count)]
    while True:
        column = next((j for j in range(width + count) if costs[j] < 0), None)
        if column is None:
            return costs[width : width + count]
        ratios = [
            (table[i][-1] / table[i][column], basis[i], i) for i in range(count) if table[i][column] > 0
        ]
        if not ratios:
            raise ValueError("the linear program is not bounded")
        _, _, pivot = min(ratios)
        scale = table[pivot][column]
        table[pivot] = [entry / scale for entry in table[pivot]]
        for row in [*(table[i] for i in range(count) if i != pivot), costs]:
            factor = row[column]
            if factor:
                row[:] = [a - factor * b for a, b in zip(row, table[pivot], strict=True)]
        basis[pivot] = column


def normalised(length: int, weight: int, k: int, i: int) -> Fraction:
    """p_i(k) / v_i: the entry of a multiple of the projector on eigenspace k at |x \\ y| = i."""
    return Fraction(johnson_eigenvalue(length, weight, k, i), valency(length, weight, i))


@cache
def delsarte_dual(length: int, difference: int, weight: int) -> tuple[Fraction, ...]:
    """beta_1, ..., beta_w of Theorem 11.2 for weight <= length/2: the bound is 1 + their sum."""
    differences = range(difference, weight + 1)
    rows = [[-normalised(length, weight, k, i) for i in differences] for k in range(1, weight + 1)]
    return tuple(simplex(rows, [Fraction(1)] * weight, [Fraction(1)] * len(differences)))


def trivial_bound(length: int, difference: int, weight: int) -> int | None:
    """Theorem 11.1: one word, or disjoint words; None if neither case applies."""
    if difference > min(weight, length - weight):
        return 1
    return length // weight if difference == weight else None


@cache
def upper_bound(length: int, difference: int, weight: int) -> UpperBound:
    """The least of the bounds of Theorems 11.1 to 11.3 on a code with |x \\ y| >= difference.

    Raises ValueError unless 0 <= weight <= length and difference >= 1.
    """
    if not 0 <= weight <= length or difference < 1:
        raise ValueError("the weight lies between 0 and the length, and the distance is positive")
    trivial = trivial_bound(length, difference, weight)
    if trivial is not None:
        return UpperBound(trivial, (), ())
    if 2 * weight > length:
        below = upper_bound(length, difference, length - weight)
        return UpperBound(below.size, ("complement", *below.steps), below.dual)
    dual = delsarte_dual(length, difference, weight)
    best = UpperBound(int(1 + sum(dual)), (), dual)
    point = upper_bound(length - 1, difference, weight - 1)
    absent = upper_bound(length - 1, difference, weight)
    for step, size, below in (
        ("point", length * point.size // weight, point),
        ("absent", length * absent.size // (length - weight), absent),
    ):
        if size < best.size:
            best = UpperBound(size, (step, *below.steps), below.dual)
    return best


@dataclass(frozen=True)
class Ceiling:
    """K^2 <= theta (c_0 K + sum H_d c_d) for every code of the weight, with dual (Theorem 11.5)."""

    theta: Fraction
    weight: int
    dual: tuple[Fraction, ...]


def ceiling(length: int, weight: int, own: Fraction, costs: Mapping[int, Fraction]) -> Ceiling:
    """The least theta of Theorem 11.5 for words of this length and weight <= length/2.

    `own` is c_0 > 0 and `costs` has c_d for each usable |x \\ y| = d; other differences are not allowed in
    the code.
    """
    differences = [d for d in range(1, weight + 1) if d in costs]
    right = [own, *(costs[d] for d in differences)]
    rows = [right]
    rows += [[-normalised(length, weight, k, i) for i in (0, *differences)] for k in range(1, weight + 1)]
    theta, *dual = simplex(rows, [Fraction(1)] + [Fraction(0)] * weight, [Fraction(1)] * len(right))
    return Ceiling(theta, weight, tuple(dual))


def trace_ceiling(length: int, h: Mapping[int, Fraction]) -> int:
    """The largest r that Theorem 5.2 can prove with a constant-weight code of at most this length."""
    squares = {d: entry**2 for d, entry in h.items()}
    found = (ceiling(length, w, Fraction(1), squares).theta for w in range(1, length // 2 + 1))
    return int(max(found, default=Fraction(0))) + 1


def projection_ceiling(length: int, h: Mapping[int, Fraction], steps: int = 24) -> int:
    """An upper bound of what Theorem 5.3 can prove with constant-weight codes of at most this length.

    Theorem 11.6 with the multipliers cut at k/steps and at the h_d.
    """
    cuts = sorted({Fraction(k, steps) for k in range(steps)} | {entry for entry in h.values() if entry < 1})
    best = 0
    for weight in range(1, length // 2 + 1):
        for low, high in zip(cuts, [*cuts[1:], None], strict=True):
            limit = None if low == 0 else (4 * (1 - low)) / low**2
            if high is not None and (limit is None or limit > best + 1):
                costs = {d: entry * max(Fraction(0), entry - high) for d, entry in h.items()}
                theta = ceiling(length, weight, 1 - high, costs).theta
                here = (theta * (1 - low) - 1) / (1 + theta * low**2 / 4)
                limit = here if limit is None else min(limit, here)
            if limit is not None:
                best = max(best, -(-limit.numerator // limit.denominator) - 1)  # the largest rho < limit
    return max(1, best + 2)
