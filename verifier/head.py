"""One head of normalised kernel attention, evaluated exactly (Definition 1.2).

Features, values and readouts are functions of the position and the token with rational entries, so that
position-dependent heads need no second type; a position-independent head ignores the position.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_mat

Vector = Sequence[Fraction]


class DenominatorError(ValueError):
    """A sequence on which the weights of a query add up to zero or less."""


@dataclass(frozen=True)
class Head:
    """A kernel head with r features and values of dimension d.

    query(i, x) and key(j, z) give r features, value(j, z) gives d entries, readout(x) gives the d entries
    of a_x and the bias b_x.
    """

    query: Callable[[int, int], Vector]
    key: Callable[[int, int], Vector]
    value: Callable[[int, int], Vector]
    readout: Callable[[int], tuple[Vector, Fraction]]


def dot(a: Vector, b: Vector) -> Fraction:
    """The inner product of two vectors of one length."""
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def output(head: Head, sequence: Sequence[int], i: int) -> Fraction:
    """The head's exact output at position i: a_x . (sum_j w_j v_j / sum_j w_j) + b_x.

    Raises DenominatorError if the weights do not add up to a positive number.
    """
    x = sequence[i]
    features = head.query(i, x)
    weights = [dot(features, head.key(j, z)) for j, z in enumerate(sequence)]
    total = sum(weights, Fraction(0))
    if total <= 0:
        raise DenominatorError(f"the weights of query {x:#x} add up to {total} on {list(sequence)}")
    a, bias = head.readout(x)
    mixed = (w * dot(a, head.value(j, z)) for (j, z), w in zip(enumerate(sequence), weights, strict=True))
    return sum(mixed, Fraction(0)) / total + bias


def matrix_rank(rows: Sequence[Vector]) -> int:
    """The exact rank of a rational matrix, by fraction-free elimination in FLINT."""
    if not rows:
        return 0
    entries = [fmpq(entry.numerator, entry.denominator) for row in rows for entry in row]
    return int(fmpq_mat(len(rows), len(rows[0]), entries).rank())
