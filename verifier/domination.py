"""Gap domination (theory chapter 3): what a gap between two overlaps forces on the kernel."""

from fractions import Fraction


def gap_factor(gap: int, n: int, error: Fraction) -> Fraction:
    """F(g) = (n-2)(g - 2e)/(2e) of Corollary 3.2: error < e forces D(x,z) > F(g) D(x,z').

    `gap` is g = <x,z'> - <x,z> >= 1 in bits, `n` the sequence length, `error` the strict bound e > 0.  The
    value may be zero or negative; only positive factors may be multiplied along a chain.
    """
    return (n - 2) * (gap - 2 * error) / (2 * error)
