"""A binary code and its histogram of |x \\ y| over ordered pairs of words."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LIMB = 64


@dataclass(frozen=True)
class Code:
    """Distinct binary words of `length` coordinates; bit i of a word is coordinate i."""

    name: str
    length: int
    words: tuple[int, ...]

    @property
    def weight(self) -> int | None:
        """The common weight of the words, or None if they have several."""
        weights = {word.bit_count() for word in self.words}
        return weights.pop() if len(weights) == 1 else None


def limbs(words: tuple[int, ...], length: int) -> NDArray[np.uint64]:
    """The words as rows of 64-bit limbs, least significant limb first."""
    mask = (1 << LIMB) - 1
    count = max(1, -(-length // LIMB))
    return np.array([[word >> LIMB * k & mask for k in range(count)] for word in words], dtype=np.uint64)


def difference_counts(x: NDArray[np.uint64], others: NDArray[np.uint64]) -> NDArray[np.intp]:
    """|x \\ y| for one word x (limbs) and each row y of `others`."""
    counts: NDArray[np.intp] = np.bitwise_count(x & ~others).sum(axis=1, dtype=np.intp)
    return counts


def pair_histogram(code: Code) -> Counter[int]:
    """H_d: how many ordered pairs of distinct words have |x \\ y| = d; exact integers.

    d = 0 occurs exactly if some word lies inside another one.
    """
    rows = limbs(code.words, code.length)
    totals = np.zeros(code.length + 1, dtype=np.int64)
    for row in rows:
        totals += np.bincount(difference_counts(row, rows), minlength=code.length + 1)
    totals[0] -= len(rows)
    return Counter({d: int(count) for d, count in enumerate(totals) if count})
