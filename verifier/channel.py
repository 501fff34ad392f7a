"""The transcript bound (theory chapter 10): bits that must pass from a key to the queries."""

import itertools
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, prod

from verifier.minip import targets

EXHAUSTIVE = 1 << 16  # targets that are compared one by one
MOST_BITS = 1 << 22  # size of the fooling family, as a number of bits


@dataclass(frozen=True)
class Family:
    """The fooling family of Definition 10.1: q query tokens and the keys z_c, c in {0..levels}^q."""

    queries: int
    levels: int

    @property
    def token_bits(self) -> int:
        """m."""
        return self.levels * (self.queries + 1)

    @property
    def length(self) -> int:
        """n."""
        return self.queries + 1

    def block(self, i: int, ones: int) -> int:
        """The first `ones` coordinates of block i; block 0 is the common one."""
        return ((1 << ones) - 1) << (i * self.levels)

    def query(self, i: int) -> int:
        """The token x_i, i = 1..q."""
        return self.block(0, self.levels) | self.block(i, self.levels)

    def key(self, c: tuple[int, ...]) -> int:
        """The token z_c."""
        return sum(self.block(i, ones) for i, ones in enumerate(c, 1))

    def sequence(self, c: tuple[int, ...]) -> tuple[int, ...]:
        """The input (z_c, x_1, ..., x_q)."""
        return (self.key(c), *(self.query(i) for i in range(1, self.queries + 1)))


def is_small(family: Family) -> bool:
    """Can all targets be compared one by one?"""
    keys = int((family.levels + 1) ** min(family.queries, 20))
    return family.queries * keys <= EXHAUSTIVE


def verify(family: Family) -> int:
    """Compare the targets of all keys with the keys themselves (Lemma 10.2); returns how many keys there are.

    Raises AssertionError if a target differs.  For small families.
    """
    count = 0
    for c in itertools.product(range(family.levels + 1), repeat=family.queries):
        if targets(family.sequence(c))[1:] != c:
            raise AssertionError(f"the targets of the key {c} differ from it")
        count += 1
    return count


def distinct_answers(levels: int, error: Fraction) -> int:
    """k of Theorem 10.4: answers in 0..levels of which no two are closer than 2 e."""
    return levels // ceil(2 * error) + 1


def bits_needed(family: Family, error: Fraction) -> int:
    """The least whole number of bits with 2^bits >= k^q (Theorem 10.4); 0 if k = 1.

    Raises ValueError if k^q is beyond MOST_BITS bits.
    """
    k = distinct_answers(family.levels, error)
    if family.queries * k.bit_length() > MOST_BITS:
        raise ValueError("the family is too large")
    return int(k**family.queries - 1).bit_length()


@dataclass(frozen=True)
class Architecture:
    """A sketch model: layers L, heads H, features r, value width d, bits b of each number.

    None stands for a number to be found.  uses: how often a sketch is rounded on its way to the queries: 1
    for a state that is carried on, q if every query position has its own rounding.
    """

    layers: int | None
    heads: int | None
    features: int | None
    value_width: int | None
    bits: int | None
    uses: int = 1

    def factors(self) -> dict[str, int | None]:
        """The factors of the capacity by the names of their numbers; d + 1 for the value width."""
        width = None if self.value_width is None else self.value_width + 1
        return {
            "layers": self.layers,
            "heads": self.heads,
            "features": self.features,
            "value_width": width,
            "bits": self.bits,
        }

    def known(self) -> int:
        """The product of uses and the factors that are given."""
        return prod((factor for factor in self.factors().values() if factor is not None), start=self.uses)

    def capacity(self) -> int | None:
        """The bits of the channel, uses L H r (d+1) b; None if something is missing."""
        return None if self.missing() else self.known()

    def missing(self) -> tuple[str, ...]:
        """The names of the numbers to be found."""
        return tuple(name for name, factor in self.factors().items() if factor is None)


def least(architecture: Architecture, needed: int) -> int:
    """The least value of the one missing number for which the channel has the bits needed."""
    (name,) = architecture.missing()
    enough = max(1, -(-needed // architecture.known()))
    return enough - 1 if name == "value_width" else enough
