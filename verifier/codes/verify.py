"""Verification of found codes: counts everything again, and shares no code with the searches."""

from collections.abc import Iterable


class NotACode(ValueError):
    """The words are not a code of the stated parameters; the message is one sentence."""


def verify(words: Iterable[int], length: int, distance: int, weight: int) -> int:
    """The number of words, if they are distinct, of this length and weight, and at this Hamming distance.

    Raises NotACode otherwise.  The distance of every pair is counted as the ones of the sum mod 2.
    """
    listed = list(words)
    for word in listed:
        if not 0 <= word < 1 << length:
            raise NotACode(f"the word {word:x} has more than {length} bits")
        if word.bit_count() != weight:
            raise NotACode(f"the word {word:x} has weight {word.bit_count()}, not {weight}")
    for i, word in enumerate(listed):
        nearest = min(map(int.bit_count, map(word.__xor__, listed[i + 1 :])), default=length + 1)
        if nearest < distance and len(listed) > i + 1:
            raise NotACode(f"the word {word:x} has another word at distance {nearest}, below {distance}")
    return len(listed)
