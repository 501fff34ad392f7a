"""Zonal functions of the Johnson scheme for counting bounds (Theorem 6.6).

A nonnegative combination G of the functions phi_k(i) = p_i(k)/v_i of Lemma 11.4 is a positive semidefinite
matrix on any set of words of one weight.  Subtracting it from the code matrix leaves entries of about half
the size, at the price of a factor (1 - G(0))^2.
"""

from dataclasses import dataclass
from math import comb, floor, log2, perm

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MANTISSA = 53
NEGLIGIBLE = 60  # bits below the largest term of the sum over differences
SMOOTHINGS = (1.0, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4)


@dataclass(frozen=True)
class Zonal:
    """numerators[k][i] / denominator = phi_k(i) for k = 0..degree and i = 0..weight."""

    numerators: list[list[int]]
    denominator: int


def zonal(length: int, weight: int, degree: int) -> Zonal:
    """phi_k(i) = sum_j (-1)^j C(k,j) (w-i)_(k-j)/(w)_(k-j) (i)_j/(L-w)_j; needs degree <= weight <= length/2.

    (a)_b is the falling factorial.
    """
    top, bottom = perm(weight, degree), perm(length - weight, degree)
    rows = []
    for k in range(degree + 1):
        scale = [
            (-1) ** j * comb(k, j) * (top // perm(weight, k - j)) * (bottom // perm(length - weight, j))
            for j in range(k + 1)
        ]
        rows.append(
            [
                sum(factor * perm(weight - i, k - j) * perm(i, j) for j, factor in enumerate(scale))
                for i in range(weight + 1)
            ]
        )
    return Zonal(rows, top * bottom)


def combination(functions: Zonal, coefficients: tuple[int, ...], i: int) -> int:
    """G(i) times the denominator, for integer coefficients."""
    return sum(g * row[i] for g, row in zip(coefficients, functions.numerators, strict=False))


@dataclass(frozen=True)
class Problem:
    """Minimise sum_i weight_i T_i^2, T_i = |G_i - c h_i/2| + c h_i/2, c = 1 + unit sum_k g_k, over g >= 0.

    That is the sum of Theorem 6.6 divided by (1 - G(0))^2; h and g are in units of `unit` and of
    unit (1 - G(0)).
    """

    weights: Floats
    h: Floats
    phi: Floats  # (degree + 1, number of differences)
    unit: float

    def value(self, g: Floats) -> float:
        """The sum itself."""
        half = (1 + self.unit * g.sum()) * self.h / 2
        return float(self.weights @ (np.abs(g @ self.phi - half) + half) ** 2)

    def smooth(self, g: Floats, eps: float, barrier: float) -> tuple[float, Floats, Floats]:
        """Value, gradient and Hessian with |u| smoothed on the scale eps h and a logarithmic barrier."""
        half, slope = (1 + self.unit * g.sum()) * self.h / 2, self.unit * self.h / 2
        u = g @ self.phi - half
        s = np.sqrt(u * u + (eps * self.h) ** 2)
        t = s + half
        ju = self.phi - slope
        jt = u / s * ju + slope
        value = float(self.weights @ (t * t)) - barrier * float(np.log(g).sum())
        gradient = 2 * jt @ (self.weights * t) - barrier / g
        bend = self.weights * t * (eps * self.h) ** 2 / s**3
        hessian = 2 * (jt * self.weights) @ jt.T + 2 * (ju * bend) @ ju.T + np.diag(barrier / g**2)
        return value, gradient, hessian


def minimise(problem: Problem) -> Floats:
    """A nearly best g > 0 by damped Newton steps, with less and less smoothing."""
    start = problem.value(np.zeros(len(problem.phi)))
    g = np.full(len(problem.phi), 1e-3 * float(problem.h.min()))
    for eps in SMOOTHINGS:
        barrier = 1e-3 * eps * start / len(g)
        for _ in range(80):
            value, gradient, hessian = problem.smooth(g, eps, barrier)
            size = np.sqrt(np.diag(hessian))
            step = -np.linalg.lstsq(hessian / np.outer(size, size), gradient / size, rcond=None)[0] / size
            decrease = -float(gradient @ step)
            if not decrease > 1e-9 * start:
                break
            shrink = np.max(-step / g)
            length = 1.0 if shrink < 0.95 else 0.95 / float(shrink)
            while length > 1e-9:
                if problem.smooth(g + length * step, eps, barrier)[0] < value - 1e-4 * length * decrease:
                    break
                length /= 2
            else:
                break
            g = g + length * step
    return g


def good_coefficients(
    logs: list[float], log_h: list[float], differences: list[int], functions: Zonal, bits: int
) -> tuple[int, ...]:
    """Coefficients g_k times 2^bits, nonnegative with sum below 2^bits, that make the sum small.

    logs[i]: log2 of the weight of the i-th difference; log_h[i]: log2 of its entry h.  Floats: what they
    prove is decided elsewhere, in integers.
    """
    terms = [a + 2 * b for a, b in zip(logs, log_h, strict=True)]
    top = max(terms)
    kept = [i for i, term in enumerate(terms) if term > top - NEGLIGIBLE]
    reference = log_h[max(kept, key=lambda i: terms[i])]
    heaviest = max(logs[i] for i in kept)
    problem = Problem(
        np.array([2.0 ** (logs[i] - heaviest) for i in kept]),
        np.array([2.0 ** (log_h[i] - reference) for i in kept]),
        np.array(
            [[row[differences[i]] / functions.denominator for i in kept] for row in functions.numerators]
        ),
        2.0**reference,
    )
    g = minimise(problem)
    shift = bits + reference - log2(1 + problem.unit * float(g.sum())) - MANTISSA
    whole = floor(shift)
    fixed = [int(value * 2.0 ** (shift - whole + MANTISSA)) for value in g]
    return tuple(value << whole if whole >= 0 else value >> -whole for value in fixed)
