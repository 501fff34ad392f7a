"""Growth rates (theory chapter 7): the maximising gap, rho, kappa, c(n) and rational bases that are proved.

Whatever is claimed is decided in integers; decimals come from arb balls and hold to the last digit printed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial

from flint import arb, ctx

from verifier.amplification import amplify
from verifier.domination import gap_factor

Ball = Callable[[], arb]


@dataclass(frozen=True)
class Growth:
    """gap: the least maximising gap g of Theorem 7.2; factor: F(g) = rho^g; difference: delta of Lemma 7.3;
    kappa_power: kappa^g, a rational number.
    """

    n: int
    error: Fraction
    gap: int
    factor: Fraction
    difference: int
    kappa_power: Fraction


def rises(g: int, n: int, error: Fraction) -> bool:
    """Is F(g+1)^(1/(g+1)) > F(g)^(1/g)?  For F(g) > 0 (Theorem 7.2)."""
    return gap_factor(g + 1, n, error) ** g > gap_factor(g, n, error) ** (g + 1)


def maximising_gap(n: int, error: Fraction) -> int:
    """The least integer g that maximises F(g)^(1/g), by bisection (Theorem 7.2)."""
    low = int(2 * error) + 1
    if not rises(low, n, error):
        return low
    step = 1
    while rises(low + step, n, error):
        low += step
        step *= 2
    high = low + step
    while high - low > 1:  # rises at low, not at high
        middle = (low + high) // 2
        low, high = (middle, high) if rises(middle, n, error) else (low, middle)
    return high


def growth(n: int, error: Fraction) -> Growth:
    """The growth constants at sequence length n >= 3 and strict error bound `error` > 0.

    Raises ValueError for other n or error.
    """
    if n < 3 or error <= 0:
        raise ValueError("growth needs n >= 3 and a positive error")
    gap = maximising_gap(n, error)
    factor = gap_factor(gap, n, error)
    ratios = amplify(2 * gap, n, error).ratios
    difference = next(d for d in range(1, gap + 1) if ratios[d] >= 1)
    kappa_power = max(factor**s / ratios[s] ** gap for s in range(difference, difference + gap))
    return Growth(n, error, gap, factor, difference, kappa_power)


def ball(value: Fraction) -> arb:
    """A ball around a rational number."""
    return arb(value.numerator) / arb(value.denominator)


def root(value: Fraction, k: int) -> arb:
    """A ball around the k-th root of a positive rational number."""
    return (ball(value).log() / k).exp()


def rho(g: Growth) -> arb:
    """A ball around rho_n."""
    return root(g.factor, g.gap)


def kappa(g: Growth) -> arb:
    """A ball around kappa (Lemma 7.3)."""
    return root(g.kappa_power, g.gap)


def base(g: Growth) -> arb:
    """A ball around B_n = 2 / (1 + 1/rho_n) (Theorem 7.4)."""
    return 2 / (1 + 1 / rho(g))


def exponent(g: Growth) -> arb:
    """A ball around c(n) = log2 B_n."""
    return base(g).log() / arb(2).log()


def scaled_floor(value: Ball, digits: int) -> int:
    """floor(10^digits x) for the number x that value() encloses ever more tightly as precision grows.

    For irrational x, or rational x whose balls become exact; the precision ends at 2^20 bits with
    ArithmeticError, as for a rational x that balls never decide.
    """
    before = ctx.prec
    try:
        ctx.prec = 64 + 4 * digits
        while ctx.prec < 1 << 20:
            found = (value() * arb(10) ** digits).floor().unique_fmpz()
            if found is not None:
                return int(found)
            ctx.prec *= 2
    finally:
        ctx.prec = before
    raise ArithmeticError("the digits were not decided")


def root_floor(value: Fraction, k: int, digits: int) -> int:
    """floor(10^digits value^(1/k)) for a positive rational number, exactly."""
    target = value * 10 ** (digits * k)
    low, high = 0, 1 << (int(target).bit_length() // k + 1)
    while high - low > 1:  # low^k <= target < high^k
        middle = (low + high) // 2
        low, high = (middle, high) if middle**k <= target else (low, middle)
    return low


def decimals(scaled: int, digits: int) -> str:
    """A number with `digits` decimals, given times 10^digits: cut off, not rounded."""
    whole, rest = divmod(scaled, 10**digits)
    return f"{whole}.{rest:0{digits}d}" if digits else str(whole)


def proves_base(n: int, error: Fraction, gap: int, value: Fraction) -> bool:
    """(G) of Theorem 7.4: (2/B - 1)^g F(g) >= 1 with F(g) > 1 and 0 < B < 2."""
    factor = gap_factor(gap, n, error)
    return factor > 1 and 0 < value < 2 and (2 / value - 1) ** gap * factor >= 1


def best_base(g: Growth, digits: int) -> Fraction:
    """The largest B with `digits` decimals that (G) proves, by bisection."""
    unit = 10**digits
    low, high = 1, 2 * unit  # (G) holds for small B and fails at 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (middle, high) if proves_base(g.n, g.error, g.gap, Fraction(middle, unit)) else (low, middle)
        )
    return Fraction(low, unit)


def polynomial(g: Growth) -> Fraction:
    """The number k with p(m) = (m+1) ((4m)^(delta-1) + k) in Theorem 7.4(b)."""
    free = g.difference - 1
    return g.factor ** (2 * g.difference) * (factorial(free) << free)


def closed_form(g: Growth, m: int) -> arb:
    """A ball around the bound of Theorem 7.4(a) for m >= 2."""
    free = g.difference - 1
    q = 2 * m if free == 1 else 1 << (2 * m - 1).bit_length()
    spread = (factorial(free) << free) * kappa(g).max(arb(1)) ** 2 * (1 + 1 / rho(g)) ** m
    bound: arb = arb(comb(m, m // 2)) / (arb(q) ** free + spread)
    return bound
