"""Theory chapter 7: growth constants against mpmath, closed forms, certificates, the command."""

import json
import subprocess
import sys
from fractions import Fraction
from math import comb, log2
from pathlib import Path
from typing import Any

import mpmath
import pytest

from tests.corruption import storm, verdict
from verifier.amplification import amplify
from verifier.certificate import as_json, exponent_bound, render
from verifier.counting import best_counting
from verifier.domination import gap_factor
from verifier.exponent import main
from verifier.growth import (
    best_base,
    closed_form,
    decimals,
    exponent,
    growth,
    maximising_gap,
    polynomial,
    proves_base,
    root_floor,
    scaled_floor,
)

HALF = Fraction(1, 2)
ERRORS = [HALF, Fraction(1, 10), Fraction(1, 3), Fraction(2, 3), Fraction(3), Fraction(77, 10)]
Json = dict[str, Any]


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 10, 100])
def test_the_maximising_gap_by_exhaustion(n: int, error: Fraction) -> None:
    """Theorem 7.2 against all gaps up to 200, by mpmath; and R(d) <= rho^d with equality at multiples."""
    mpmath.mp.dps = 50

    def value(g: int) -> mpmath.mpf:
        factor = gap_factor(g, n, error)
        return (
            mpmath.mpf(0)
            if factor <= 0
            else mpmath.root(mpmath.mpf(factor.numerator) / factor.denominator, g)
        )

    gap = maximising_gap(n, error)
    assert max(range(1, 200), key=value) == gap or abs(value(gap) - max(map(value, range(1, 200)))) < 1e-45
    factor, ratios = gap_factor(gap, n, error), amplify(5 * gap, n, error).ratios
    assert all(ratios[d] ** gap <= factor**d for d in range(1, 5 * gap + 1))
    assert ratios[3 * gap] == factor**3


def test_known_gaps() -> None:
    assert [maximising_gap(n, HALF) for n in (3, 4, 5, 6, 7, 100)] == [5, 3, 3, 2, 2, 2]


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("n", [3, 5, 12])
def test_ratios_from_one_gap(n: int, error: Fraction) -> None:
    """Lemma 7.3: kappa^g R(i)^g >= F(g)^i for all i >= delta."""
    g = growth(n, error)
    ratios = amplify(12 * g.gap, n, error).ratios
    assert all(ratios[d] < 1 for d in range(1, g.difference))
    for i in range(g.difference, 12 * g.gap):
        assert ratios[i] >= 1
        assert g.kappa_power * ratios[i] ** g.gap >= g.factor**i
    assert 1 <= g.kappa_power <= g.factor ** (g.difference * g.gap)


@pytest.mark.parametrize(
    ("n", "digits"), [(3, "0.18618"), (4, "0.29516"), (5, "0.36743"), (10, "0.56324"), (100, "0.86116")]
)
def test_thirty_digits_against_mpmath(n: int, digits: str) -> None:
    mpmath.mp.dps = 60
    rho = max(mpmath.root((n - 2) * (g - 1), g) for g in range(2, 40))
    want = mpmath.log(2 / (1 + 1 / rho), 2)
    g = growth(n, HALF)
    got = decimals(scaled_floor(lambda: exponent(g), 30), 30)
    assert got.startswith(digits)
    assert 0 <= want - mpmath.mpf(got) < mpmath.mpf(10) ** -30


def test_root_floor_and_decimals() -> None:
    assert decimals(root_floor(Fraction(4), 2, 5), 5) == "2.00000"
    assert decimals(root_floor(Fraction(2), 2, 20), 20) == "1.41421356237309504880"
    assert decimals(root_floor(Fraction(1, 8), 3, 3), 3) == "0.500"
    for value in (Fraction(7, 3), Fraction(1, 1000), Fraction(10**9 + 1, 7)):
        for k in (1, 2, 5):
            root = root_floor(value, k, 8)
            assert Fraction(root, 10**8) ** k <= value < Fraction(root + 1, 10**8) ** k


@pytest.mark.parametrize("n", [3, 4, 6, 9, 38, 100])
@pytest.mark.parametrize("digits", [3, 12, 30])
def test_the_base_is_the_largest_of_its_digits(n: int, digits: int) -> None:
    g = growth(n, HALF)
    base = best_base(g, digits)
    assert proves_base(n, HALF, g.gap, base)
    assert not proves_base(n, HALF, g.gap, base + Fraction(1, 10**digits))
    assert 1 < base < 2


def test_long_sequences() -> None:
    """Theorem 7.5: c(n) increases to 1."""
    values = [float(exponent(growth(n, HALF)).mid()) for n in (*range(3, 40), 1000, 10**6)]
    assert values == sorted(values)
    assert 1 - values[-1] <= log2(2.718281829) / (10**6 - 2) ** 0.5


@pytest.mark.parametrize("error", [HALF, Fraction(1, 4), Fraction(2, 3)])
@pytest.mark.parametrize("n", [3, 4, 16])
def test_closed_form_polynomial_and_counting(n: int, error: Fraction) -> None:
    """B^m / p(m) <= closed form (Theorem 7.4), and the counting bound is at least the closed form."""
    g = growth(n, error)
    k, free, base = polynomial(g), g.difference - 1, best_base(g, 15)
    for m in (2, 3, 7, 20, 64, 200, 500):
        closed = closed_form(g, m)
        weak = base**m / ((m + 1) * ((4 * m) ** free + k))
        assert float(weak) <= float(closed.upper())
        assert closed < best_counting(m, n, error).r + 1


def test_closed_form_by_hand() -> None:
    """m = 100, n = 4: rho = 4^(1/3), kappa = 2^(1/3)."""
    mpmath.mp.dps = 30
    rho, kappa = mpmath.root(4, 3), mpmath.root(2, 3)
    want = comb(100, 50) / (200 + 2 * kappa**2 * (1 + 1 / rho) ** 100)
    assert abs(float(closed_form(growth(4, HALF), 100).mid()) / float(want) - 1) < 1e-12


def document(n: int, error: Fraction, kernel: str = "nonnegative") -> Json:
    g = growth(n, error)
    return as_json(exponent_bound(g, best_base(g, 20), None, kernel, {}))


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("n", [3, 6, 100])
@pytest.mark.parametrize("kernel", ["nonnegative", "signed"])
def test_certificates(n: int, error: Fraction, kernel: str) -> None:
    good = document(n, error, kernel)
    assert verdict(good) == "verified"
    g = growth(n, error)
    assert len(render(exponent_bound(g, best_base(g, 20), None, kernel, {}))) < 1000
    more = document(n, error, kernel)
    more["claim"]["base"] = str(best_base(g, 20) + Fraction(1, 10**20))
    assert verdict(more) == "unproved"


def still_proved(mutant: Json) -> bool:
    """(G) in logarithms of mpmath, well away from equality or by the exact difference of integers."""
    claim, g = mutant["claim"], mutant["evidence"]["gap"]
    error, base = Fraction(claim["error"]), Fraction(claim["base"])
    a, b, u, v = *base.as_integer_ratio(), *error.as_integer_ratio()
    excess = (claim["n"] - 2) * (g * v - 2 * u) - 2 * u  # F(g) > 1
    if claim["n"] < 3 or error <= 0 or excess <= 0 or not 0 < base < 2:
        return False
    return (2 * b - a) ** g * (claim["n"] - 2) * (g * v - 2 * u) >= a**g * 2 * u


@pytest.mark.parametrize(("n", "error"), [(3, HALF), (4, HALF), (100, Fraction(1, 3)), (5, Fraction(3))])
def test_corrupted_certificates(n: int, error: Fraction) -> None:
    assert storm(document(n, error), still_proved, 400, n) > 200


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "verifier.exponent", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "e.json"
    assert main(["--n", "3", "--digits", "40", "--output", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "0.186181233435720679500778853811" in shown
    assert verdict(json.loads(path.read_text())) == "verified"
    assert main(["--n", "4", "--json", "--kernel", "signed"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["exponent"] == "0.295162974900819743025618258226"
    assert answer["claim"]["kernel"] == "signed"
    assert main(["--n", "100", "--quiet", "--digits", "5"]) == 0
    assert capsys.readouterr().out == "0.86116\n"
    assert main(["--n", "3", "--features", "nonnegative", "--digits", "6", "--quiet"]) == 0
    assert capsys.readouterr().out == "0.224200\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--n", "2"),
        ("--n", "three"),
        (),
        ("--n", "3", "--error", "0"),
        ("--n", "3", "--error", "1000"),
        ("--n", "3", "--digits", "0"),
        ("--n", "3", "--kernel", "signed", "--features", "nonnegative"),
        ("--n", "3", "--output", "."),
        ("--n", "3", "--output", "/proc/nowhere/x.json"),
    ],
)
def test_bad_input(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
