"""Codes chosen among all words of one weight: lexicodes and Graham-Sloane classes; shortening and products.

J. H. Conway and N. J. A. Sloane, Lexicographic codes, IEEE Trans. Inf. Theory 32 (1986); R. L. Graham and
N. J. A. Sloane, Lower bounds for constant weight codes, IEEE Trans. Inf. Theory 26 (1980).
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from verifier.codes.code import Code


@cache
def layer(length: int, weight: int) -> NDArray[np.uint64]:
    """All words of this length (at most 63) and weight in increasing order."""
    if weight == 0:
        return np.zeros(1, dtype=np.uint64)
    if weight == length:
        return np.array([(1 << length) - 1], dtype=np.uint64)
    top = np.uint64(1 << (length - 1))
    return np.concatenate([layer(length - 1, weight), layer(length - 1, weight - 1) | top])


def lexicode(length: int, weight: int, difference: int) -> Code:
    """The greedy code in lexicographic order with |x \\ y| >= difference (minimum distance 2 difference)."""
    left = layer(length, weight)
    words = []
    while len(left):
        words.append(int(left[0]))
        left = left[np.bitwise_count(left[0] & ~left) >= difference]
    return Code(f"lexicode ({length}, {2 * difference}, {weight})", length, tuple(words))


def graham_sloane(length: int, weight: int) -> Code:
    """The largest class {x : |x| = weight, sum_i i x_i = s mod length}; any two words have |x \\ y| >= 2."""
    words = layer(length, weight)
    sums = np.zeros(len(words), dtype=np.int64)
    for i in range(length):
        sums += i * (words >> np.uint64(i) & np.uint64(1)).astype(np.int64)
    classes = sums % length
    s = int(np.bincount(classes, minlength=length).argmax())
    chosen = tuple(int(word) for word in words[classes == s])
    return Code(f"Graham-Sloane class ({length}, 4, {weight}), sum {s}", length, chosen)


def shortened(code: Code, removed: int, ones: int) -> Code | None:
    """The words with 1 in the top `ones` of the `removed` top coordinates and 0 in the rest of those.

    The removed coordinates are dropped; None if no word is left.
    """
    length = code.length - removed
    pattern = ((1 << ones) - 1) << (removed - ones)
    mask = (1 << length) - 1
    words = tuple(word & mask for word in code.words if word >> length == pattern)
    return Code(f"{code.name} shortened to {length}, {ones} ones", length, words) if words else None


def product(a: Code, b: Code) -> Code:
    """All words (x, y) with x in a and y in b, juxtaposed; |.\\.| adds up."""
    words = tuple(x | y << a.length for x in a.words for y in b.words)
    return Code(f"{a.name} x {b.name}", a.length + b.length, words)
