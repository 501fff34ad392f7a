"""Hadamard matrices of Paley and Sylvester type, and the codes of their rows.

Constructions: R. E. A. C. Paley, On orthogonal matrices, J. Math. Phys. 12 (1933); J. J. Sylvester (1867).
"""

from functools import cache

import numpy as np
from flint import fmpz, fq_default_ctx
from numpy.typing import NDArray

from verifier.codes.code import Code

Matrix = NDArray[np.int64]


@cache
def prime_power(q: int) -> tuple[int, int] | None:
    """(p, k) with q = p^k and p prime, or None."""
    factors = fmpz(q).factor() if q > 1 else []
    return (int(factors[0][0]), int(factors[0][1])) if len(factors) == 1 else None


def character_matrix(q: int) -> Matrix:
    """Q[a, b] = chi(a - b), chi the quadratic character of GF(q), q an odd prime power.

    The elements stand in the order of their base-p digits, so that for prime q row a is row 0 shifted.
    """
    power = prime_power(q)
    if power is None or q % 2 == 0:
        raise ValueError(f"{q} is not an odd prime power")
    p, k = power
    field = fq_default_ctx(p, k)
    powers = [field.gen() ** i for i in range(k)]
    elements = [sum((a // p**i % p * powers[i] for i in range(k)), field(0)) for a in range(q)]
    squares = {e * e for e in elements[1:]}
    chi = np.array([0, *(1 if e in squares else -1 for e in elements[1:])], dtype=np.int64)
    places = p ** np.arange(k)
    digits = np.arange(q)[:, None] // places % p
    differences = ((digits[:, None, :] - digits[None, :, :]) % p) @ places
    return chi[differences]


def paley_one(q: int) -> Matrix:
    """The Hadamard matrix of order q + 1, q = 3 mod 4 an odd prime power."""
    core = character_matrix(q)
    skew = np.zeros((q + 1, q + 1), dtype=np.int64)
    skew[0, 1:], skew[1:, 0], skew[1:, 1:] = 1, -1, core
    return skew + np.eye(q + 1, dtype=np.int64)


def paley_two(q: int) -> Matrix:
    """The Hadamard matrix of order 2(q + 1), q = 1 mod 4 an odd prime power."""
    core = character_matrix(q)
    conference = np.zeros((q + 1, q + 1), dtype=np.int64)
    conference[0, 1:], conference[1:, 0], conference[1:, 1:] = 1, 1, core
    return np.kron(conference, np.array([[1, 1], [1, -1]])) + np.kron(
        np.eye(q + 1, dtype=np.int64), np.array([[1, -1], [-1, -1]])
    )


@cache
def hadamard_matrix(order: int) -> Matrix | None:
    """A Hadamard matrix of this order with a first column of ones, or None if these constructions have none.

    Tried in this order: Paley I, Paley II, Sylvester doubling.
    """
    if order in (1, 2):
        found: Matrix | None = np.array([[1, 1], [1, -1]], dtype=np.int64)[:order, :order]
    elif order < 4 or order % 4:
        return None
    elif prime_power(order - 1):
        found = paley_one(order - 1)
    elif order % 8 == 4 and prime_power(order // 2 - 1):
        found = paley_two(order // 2 - 1)
    else:
        half = hadamard_matrix(order // 2)
        found = None if half is None else np.kron(np.array([[1, 1], [1, -1]]), half)
    return None if found is None else found * found[:, :1]


def words_of(rows: Matrix) -> tuple[int, ...]:
    """The rows as words: coordinate i is 1 where the entry is -1."""
    return tuple(sum(1 << i for i, entry in enumerate(row) if entry < 0) for row in rows.tolist())


def hadamard_core(order: int) -> Code | None:
    """The order - 1 words of length order - 1 and weight order/2, any two with |x \\ y| = order/4.

    The rows of a normalised Hadamard matrix without the row and the column of ones; for order q + 1 with q
    prime, the translates of one set of residues mod q.
    """
    matrix = hadamard_matrix(order)
    if matrix is None or order < 4:
        return None
    normal = matrix * matrix[:1]  # a first row of ones as well
    return Code(f"Hadamard core of order {order}", order - 1, words_of(normal[1:, 1:]))


def hadamard_code(order: int) -> Code | None:
    """The 2(order - 1) words of length order and weight order/2: Hadamard rows and complements."""
    matrix = hadamard_matrix(order)
    if matrix is None or order < 4:
        return None
    normal = (matrix * matrix[:1])[1:]
    return Code(f"Hadamard code of order {order}", order, words_of(np.vstack([normal, -normal])))


def witness_code() -> Code:
    """The 24-bit witness: the 23 Paley-Hadamard words of order 24 and the complement of the first."""
    core = hadamard_core(24)
    assert core is not None
    return Code("24-bit witness", 24, (*core.words, core.words[0] ^ (1 << 24) - 1))
