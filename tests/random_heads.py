"""Random exact heads with nonnegative kernels, position-dependent or not, for property tests."""

import random
from fractions import Fraction

from verifier.head import Head


def small(rng: random.Random, low: int = 0) -> Fraction:
    return Fraction(rng.randint(low, 6), rng.randint(1, 4))


def random_head(seed: int, r: int, d: int, positional: bool) -> Head:
    """Positive entries in the features make every kernel value and denominator positive."""

    def numbers(kind: str, position: int, token: int, count: int, low: int) -> list[Fraction]:
        rng = random.Random(f"{seed} {kind} {position if positional else 0} {token}")
        return [small(rng, low) for _ in range(count)]

    return Head(
        query=lambda i, x: numbers("q", i, x, r, 1),
        key=lambda j, z: numbers("k", j, z, r, 1),
        value=lambda j, z: numbers("v", j, z, d, -6),
        readout=lambda x: (numbers("a", 0, x, d, -6), numbers("b", 0, x, 1, -6)[0]),
    )
