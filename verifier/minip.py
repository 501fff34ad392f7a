"""The Min-IP task on tokens of m bits (theory chapter 1).

A token is an int whose bit i is coordinate i; a sequence is a tuple of tokens.
"""

from collections.abc import Iterator, Sequence


def overlap(x: int, z: int) -> int:
    """<x, z>: the number of coordinates in which both tokens are 1 (bits)."""
    return (x & z).bit_count()


def difference(x: int, y: int) -> int:
    """|x \\ y|: the number of coordinates in which x is 1 and y is 0 (bits)."""
    return (x & ~y).bit_count()


def complement(x: int, m: int) -> int:
    """The token of m bits that is 1 where x is 0."""
    return x ^ ((1 << m) - 1)


def targets(sequence: Sequence[int]) -> tuple[int, ...]:
    """The Min-IP targets t_i = min_j <x_i, x_j>, j = i included (Definition 1.1)."""
    return tuple(min(overlap(x, z) for z in sequence) for x in sequence)


def all_tokens(m: int) -> range:
    """The 2^m tokens of m bits."""
    return range(1 << m)


def all_sequences(m: int, n: int) -> Iterator[tuple[int, ...]]:
    """All 2^(mn) sequences of n tokens of m bits, in lexicographic order."""
    if n == 0:
        yield ()
        return
    for head in all_tokens(m):
        for tail in all_sequences(m, n - 1):
            yield (head, *tail)
