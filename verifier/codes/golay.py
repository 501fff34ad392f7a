"""The extended binary Golay code and its constant-weight layers (octads, dodecads).

M. J. E. Golay, Notes on digital coding, Proc. IRE 37 (1949); weights 0, 8, 12, 16, 24 occur 1, 759, 2576,
759, 1 times.
"""

from functools import cache

from verifier.codes.code import Code

GENERATOR = 0b101011100011  # x^11 + x^9 + x^7 + x^6 + x^5 + x + 1, divides x^23 - 1 over GF(2)


@cache
def golay_words() -> tuple[int, ...]:
    """The 4096 words of length 24: the cyclic [23,12,7] code with a parity bit at coordinate 23."""
    words = [0]
    for shift in range(12):
        row = GENERATOR << shift
        row |= (row.bit_count() & 1) << 23
        words += [word ^ row for word in words]
    return tuple(sorted(words))


def golay_layer(weight: int) -> Code:
    """The Golay words of one weight: 759 octads (8), 2576 dodecads (12), 759 of weight 16.

    Raises ValueError for a weight that does not occur.
    """
    words = tuple(word for word in golay_words() if word.bit_count() == weight)
    if not words:
        raise ValueError(f"no Golay word has weight {weight}")
    names = {8: "octads", 12: "dodecads"}
    return Code(f"Golay {names.get(weight, f'words of weight {weight}')}", 24, words)
