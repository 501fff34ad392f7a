"""Heads that solve Min-IP exactly (theory chapter 2): one constant feature at lengths 1 and 2."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from verifier.head import Head, Vector, output
from verifier.minip import overlap, targets

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class RankOneReadout:
    """The readout f = token * <x, mean of the tokens> + weight * |x| of the rank-1 head."""

    token: Fraction = Fraction(2)
    weight: Fraction = Fraction(-1)


def bits(x: int, m: int) -> Vector:
    """The m coordinates of token x as rationals."""
    return [Fraction(x >> i & 1) for i in range(m)]


def rank_one_head(m: int, readout: RankOneReadout = RankOneReadout()) -> Head:
    """The head of Theorems 2.1 and 2.2: kernel 1, values v(z) = z, readout 2<x, .> - |x|."""
    one = [Fraction(1)]

    def affine(x: int) -> tuple[Vector, Fraction]:
        return [readout.token * c for c in bits(x, m)], readout.weight * x.bit_count()

    return Head(lambda _i, _x: one, lambda _j, _z: one, lambda _j, z: bits(z, m), affine)


def rank_one_output(sequence: Sequence[int], i: int) -> Fraction:
    """The rank-1 head's output from overlaps alone: fast enough for tokens of thousands of bits."""
    x = sequence[i]
    return Fraction(2 * sum(overlap(x, z) for z in sequence), len(sequence)) - x.bit_count()


def failures(head: Head, sequences: Iterable[Sequence[int]]) -> list[tuple[Sequence[int], int]]:
    """The (sequence, position) pairs on which the head's exact output differs from its target."""
    return [
        (sequence, i)
        for sequence in sequences
        for i, target in enumerate(targets(sequence))
        if output(head, sequence, i) != target
    ]


def symbolic_residual(n: int) -> "sympy.Expr":
    """Output minus target of one query of the rank-1 head, for every m at once (Theorems 2.1, 2.2).

    A query x and its companions z_1..z_{n-1} are sums over coordinates of a symbol for each coordinate; the
    coordinate's contribution is a polynomial in Boolean symbols, reduced by b^2 = b.  As the output is a
    sum over coordinates of the returned expression, zero means exact for every m.  At n = 2 the target is
    <x, z>, since <x, z> <= <x, x>; at n >= 3 it is not a sum over coordinates.

    Raises ValueError unless n is 1 or 2.
    """
    if n not in (1, 2):
        raise ValueError("the target is a sum over coordinates at n = 1 and n = 2 only")
    import sympy  # takes half a second, which the commands need not wait for

    x, z = sympy.symbols("x z")
    tokens = (x,) if n == 1 else (x, z)
    mean = sum(tokens) / sympy.Integer(n)
    target = x * tokens[-1]
    residual = sympy.expand(2 * x * mean - x - target)
    # x_i is 0 or 1, so x_i^2 = x_i and |x| = sum x_i
    return sympy.expand(sympy.reduced(residual, [x**2 - x, z**2 - z], x, z)[1])
