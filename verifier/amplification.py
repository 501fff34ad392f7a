"""Amplification (theory chapter 4): the largest product of gap factors over the compositions of a gap."""

from dataclasses import dataclass
from fractions import Fraction

from verifier.domination import gap_factor

ENOUGH = 1 << 256  # ratios beyond this change no bound and would only make numbers long
AS_BEFORE = -1


@dataclass(frozen=True)
class Amplification:
    """R(0), ..., R(length) of Definition 4.3; R(d) = 0 if no composition of d has positive factors only.

    last[d] is the last part of a best composition of d, 0 if there is none, and AS_BEFORE where the
    composition of d - 1 already reaches ENOUGH and stands for d too (Theorem 4.2).
    """

    ratios: tuple[Fraction, ...]
    last: tuple[int, ...]

    def gaps(self, d: int) -> tuple[int, ...]:
        """Parts of sum at most d whose product of factors is ratios[d], in increasing order.

        Empty if that is 0.
        """
        parts = []
        while d > 0 and self.last[d]:
            if self.last[d] == AS_BEFORE:
                d -= 1
            else:
                parts.append(self.last[d])
                d -= self.last[d]
        return tuple(sorted(parts))


def amplify(length: int, n: int, error: Fraction) -> Amplification:
    """The ratios of all gaps up to `length` bits at sequence length n and strict error bound `error`.

    R(d) is the longest path from 0 to d in the DAG with an edge of weight F(h) from d - h to d for each part
    h with F(h) > 0 (Definition 4.3).  A part that splits into parts with at least its own product is never
    needed, since its split can stand in its place, so only the few parts without such a split are edges.

    Beyond ENOUGH the ratio is not raised any further, which is a valid, smaller ratio.

    Raises ValueError unless n >= 3 and error > 0.
    """
    if n < 3 or error <= 0:
        raise ValueError("amplification needs n >= 3 and a positive error")
    ratios, last = [Fraction(1)], [0]
    edges: list[tuple[int, Fraction]] = []
    for d in range(1, length + 1):
        if ratios[-1] >= ENOUGH:
            ratios.append(ratios[-1])
            last.append(AS_BEFORE)
            continue
        best, part = max(((factor * ratios[d - h], h) for h, factor in edges), default=(Fraction(0), 0))
        whole = gap_factor(d, n, error)
        if whole > best:
            edges.append((d, whole))
            best, part = whole, d
        ratios.append(best)
        last.append(part if best > 0 else 0)
    return Amplification(tuple(ratios), tuple(last))
