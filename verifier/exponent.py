"""python -m verifier.exponent: how fast r*(m,n) must grow with m, with a certificate that was checked.

Exit codes: 0 done, 2 bad input, 130 interrupted.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from flint import arb

from verifier.certificate import Certificate, exponent_bound, provenance
from verifier.cli import DONE, InputError, Parser, positive_rational, run, whole
from verifier.growth import (
    Growth,
    ball,
    best_base,
    decimals,
    exponent,
    growth,
    polynomial,
    root_floor,
    scaled_floor,
)
from verifier.nonnegative import Mixture, best_mixture
from verifier.publish import publish, standing, verified

HALF = Fraction(1, 2)
MOST_ERROR = 100
SHOWN = 12  # decimals of constants other than the exponent


@dataclass(frozen=True)
class Answer:
    """The growth constants, a base that is proved, and the mixture behind it for nonnegative features."""

    growth: Growth
    base: Fraction
    mixture: Mixture | None


def parser() -> Parser:
    """The command line."""
    out = Parser(
        prog="python -m verifier.exponent",
        description="The exponent c(n) of the lower bound r*(m,n) >= 2^(c(n) m) / poly(m), certified.",
    )
    out.add_argument("--n", required=True, type=whole(3, 1 << 20, "--n"), help="length of a sequence")
    out.add_argument(
        "--kernel", choices=("nonnegative", "signed"), default="nonnegative", help="sign of the kernel"
    )
    out.add_argument(
        "--features", choices=("real", "nonnegative"), default="real", help="entrywise sign of the features"
    )
    out.add_argument(
        "--error",
        type=positive_rational("--error"),
        default=HALF,
        metavar="P/Q",
        help="strict bound on the error of the heads that the claim is about (default 1/2)",
    )
    out.add_argument("--digits", type=whole(1, 1000, "--digits"), default=30, help="decimals of c(n)")
    out.add_argument("--output", type=Path, metavar="FILE", help="write the certificate there")
    out.add_argument("--json", action="store_true", help="print one JSON object")
    out.add_argument("--quiet", action="store_true", help="print the exponent only")
    return out


def answer(options: argparse.Namespace) -> Answer:
    """The growth constants and the best base with the digits asked for; raises InputError."""
    if options.kernel == "signed" and options.features == "nonnegative":
        raise InputError("nonnegative features always give a nonnegative kernel: drop --kernel signed")
    if options.error > MOST_ERROR:
        raise InputError(f"--error must be at most {MOST_ERROR}")
    constants = growth(options.n, options.error)
    if options.features == "real":
        return Answer(constants, best_base(constants, max(12, options.digits)), None)
    mixture = best_mixture(constants)
    return Answer(constants, mixture.base, mixture)


def exponent_digits(found: Answer, digits: int) -> str:
    """The exponent: c(n) itself, or log2 of the base that is proved for nonnegative features."""
    if found.mixture is None:
        return decimals(scaled_floor(lambda: exponent(found.growth), digits), digits)
    return decimals(scaled_floor(lambda: ball(found.base).log() / arb(2).log(), digits), digits)


def in_words(options: argparse.Namespace, found: Answer, digits: str) -> list[str]:
    """The report for the terminal."""
    g = found.growth
    about = "" if g.error == HALF else f" at error < {g.error}"
    lines = [
        f"gap          {g.gap}, factor {g.factor}, rho = "
        f"{decimals(root_floor(g.factor, g.gap, SHOWN), SHOWN)}... (Theorem 7.2)"
    ]
    if found.mixture is None:
        kappa = decimals(root_floor(g.kappa_power, g.gap, SHOWN), SHOWN)
        lines.append(f"exponent     c({g.n}) = log2(2/(1+1/rho)) = {digits}... (Theorem 7.4)")
        if g.difference == 2 and options.kernel == "nonnegative":
            lines.append(
                f"every m >= 2 r*(m,{g.n}){about} >= C(m, floor(m/2)) / (2m + 2 kappa^2 (1+1/rho)^m), "
                f"kappa = {kappa}..."
            )
        lines.append(
            f"limit        c(n) -> 1 as n grows: 1 - c(n) = log2(1+1/rho_n) = "
            f"{decimals(scaled_floor(lambda: 1 - exponent(g), SHOWN), SHOWN)}... here"
        )
    else:
        lines.append(f"exponent     c+({g.n}) >= {digits}... (Theorem 12.4)")
    shown = decimals(found.base.numerator * 10**SHOWN // found.base.denominator, SHOWN)
    if options.kernel == "nonnegative" and found.mixture is None:
        k = polynomial(g)
        whole_k = str(-(-k.numerator // k.denominator)) if k < 10**12 else f"2^{int(k).bit_length()}"
        poly = f"(m+1) ((4m)^{g.difference - 1} + {whole_k})"
        lines.append(f"base         r*(m,{g.n}){about} >= B^m / p(m), B = {shown}..., p(m) = {poly}")
    else:
        where = "Theorem 12.4" if found.mixture else "Theorem 8.6"
        lines.append(f"base         B = {shown}..., with the polynomial of {where}")
    return lines


def command(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Compute, certify, check and report."""
    if options.output is not None:
        standing(options.output)  # a file that may not be replaced is reported first
    found = answer(options)
    source = provenance(shlex.join(["python", "-m", "verifier.exponent", *words]), 0)
    certificate: Certificate = exponent_bound(found.growth, found.base, found.mixture, options.kernel, source)
    _, verdict = verified(certificate)
    kept = False
    if options.output is not None:
        _, _, kept = publish(certificate, options.output)
    digits = exponent_digits(found, options.digits)
    if options.json:
        g = found.growth
        document = {
            "claim": certificate.claim,
            "exponent": digits,
            "gap": g.gap,
            "factor": str(g.factor),
            "method": "mixture" if found.mixture else "gap",
            "file": None if options.output is None else str(options.output),
        }
        print(json.dumps(document))
        return DONE
    print(digits if options.quiet else verdict)
    if options.quiet:
        return DONE
    print("\n".join(in_words(options, found, digits)))
    if options.output is not None:
        state = "stood there, claims a larger base and was kept" if kept else "written and checked"
        print(f"certificate  {options.output} ({state})")
    return DONE


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    return run("verifier.exponent", lambda: command(parser().parse_args(words), words))


if __name__ == "__main__":
    sys.exit(main())
