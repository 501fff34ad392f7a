"""python -m verifier.bound: the strongest rank lower bound for (m, n), with a certificate that was checked.

Exit codes: 0 done, 2 bad input, 130 interrupted (the best bound so far is kept).
"""

import argparse
import json
import shlex
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from pathlib import Path

from tqdm import tqdm

from verifier import check
from verifier.amplification import amplify
from verifier.certificate import (
    Certificate,
    Json,
    decode_integer,
    encode_integer,
    lower_bound,
    provenance,
    rank_one_construction,
)
from verifier.cli import (
    DONE,
    INTERRUPTED,
    InputError,
    Parser,
    positive_rational,
    run,
    seconds,
    whole,
)
from verifier.codes.catalog import NAMED
from verifier.codes.code import Code
from verifier.codes.upper import projection_ceiling, trace_ceiling
from verifier.codes.wordfile import WordFileError, parse_words
from verifier.domination import gap_factor
from verifier.explicit import UnusableCode
from verifier.publish import publish, standing
from verifier.strongest import (
    ALL_METHODS,
    Outcome,
    of_code,
    signed_of_code,
    strongest,
    strongest_of_nonnegative_features,
    strongest_signed,
)

HALF = Fraction(1, 2)
MOST_M = 1 << 20  # bits of a token, and the length of a sequence
MOST_CHAINS = 8  # gaps shown on the terminal; the certificate has them all
MOST_CEILING = 32  # bits up to which the linear programs of the ceilings are solved
CEILING_STEPS = 96
MOST_WORDS = 20_000  # of a user's own code; the checker counts every pair
THEOREMS = {
    "trace": "Theorem 5.2",
    "projection": "Theorem 5.3",
    "dominance": "Theorem 5.4",
    "scheme": "Theorem 5.9",
    "counting": "Theorem 6.4",
    "topological": "Theorem 9.1",
    "signed-trace": "Theorem 8.3",
    "signed-counting": "Theorems 8.3, 8.5",
    "nonneg-counting": "Theorem 12.3",
    "rank-1": "Theorems 2.1 and 2.2",
}


@dataclass(frozen=True)
class Report:
    """What the command found and where it stands: the certificate in `path`, which the checker verified."""

    certificate: Certificate
    path: Path
    verdict: str
    seconds: float
    kept: bool = False
    found: int = 1
    ended: str = ""
    ceilings: dict[str, int] | None = None


def parser() -> Parser:
    """The command line."""
    out = Parser(
        prog="python -m verifier.bound",
        description="Find and write the strongest certified rank lower bound r*(m,n) >= r.",
    )
    out.add_argument("--m", required=True, type=whole(1, MOST_M, "--m"), help="bits of a token")
    out.add_argument("--n", required=True, type=whole(1, MOST_M, "--n"), help="length of a sequence")
    out.add_argument(
        "--error",
        type=positive_rational("--error"),
        default=HALF,
        metavar="P/Q",
        help="strict bound on the error of the heads that the claim is about (default 1/2)",
    )
    out.add_argument(
        "--method", choices=("auto", *ALL_METHODS), default="auto", help="rank bound (default: best)"
    )
    out.add_argument(
        "--code",
        default="auto",
        metavar="auto|NAME|FILE",
        help=f"a word list, or one of {', '.join(NAMED)} (default: the best of the catalogue)",
    )
    out.add_argument(
        "--kernel", choices=("nonnegative", "signed"), default="nonnegative", help="sign of the kernel"
    )
    out.add_argument(
        "--features",
        choices=("real", "nonnegative"),
        default="real",
        help="nonnegative: heads whose features themselves are nonnegative, entry by entry",
    )
    out.add_argument(
        "--positions",
        choices=("dependent", "independent"),
        help="may keys and values depend on the position (default: yes for a nonnegative kernel, where the "
        "bounds are the same; no for a signed one, where they are not)",
    )
    out.add_argument("--budget", type=seconds, metavar="SECONDS", help="time for the search")
    out.add_argument("--seed", type=whole(0, 1 << 32, "--seed"), default=0)
    out.add_argument(
        "--ceiling",
        action="store_true",
        help=f"also say what trace and projection can reach with better codes (m <= {MOST_CEILING})",
    )
    out.add_argument("--output", type=Path, metavar="FILE", help="default certificates/m{M}-n{N}.json")
    out.add_argument("--force", action="store_true", help="replace whatever stands in the output file")
    out.add_argument("--json", action="store_true", help="print one JSON object")
    out.add_argument("--quiet", action="store_true", help="print the claim only, and no progress")
    return out


def default_path(m: int, n: int, error: Fraction, method: str, kind: str = "") -> Path:
    """certificates/m{M}-n{N}.json, with suffixes for another class of heads, error or method."""
    suffix = kind if n >= 3 else ""
    suffix += "" if error == HALF else f"-error{error.numerator}_{error.denominator}"
    suffix += "" if method == "auto" or n < 3 else f"-{method}"
    return Path("certificates") / f"m{m}-n{n}{suffix}.json"


def class_suffix(options: argparse.Namespace) -> str:
    """The suffix of a file name for the class of heads that was asked for."""
    if options.kernel == "signed":
        return "-signed" if options.positions != "dependent" else "-signed-positions"
    return "-nonneg" if options.features == "nonnegative" else ""


def read_code(source: str, m: int) -> Code:
    """The named code or the word list; raises InputError."""
    if source in NAMED:
        code = NAMED[source]()
        if code.length > m:
            raise InputError(f"the code {source} has length {code.length}, more than m = {m}")
        return code
    path = Path(source)
    if not path.is_file():
        raise InputError(f"--code {source}: no such file, and no code of that name ({', '.join(NAMED)})")
    if path.stat().st_size > check.MAX_BYTES:
        raise InputError(f"--code {source}: the file is larger than {check.MAX_BYTES} bytes")
    try:
        code = parse_words(path.read_text("utf-8"), m, path.name)
    except UnicodeDecodeError:
        raise InputError(f"--code {source}: not a text file") from None
    except WordFileError as error:
        raise InputError(f"--code {source}: {error}") from None
    if len(code.words) > MOST_WORDS or len(code.words) ** 2 * (1 + code.length // 64) > check.MAX_WORK:
        raise InputError(f"--code {source}: the code is larger than the checker takes")
    return code


def search_signed(options: argparse.Namespace) -> Outcome:
    """The best bound for signed kernels."""
    if options.features == "nonnegative":
        raise InputError("nonnegative features have no signed kernel")
    if options.method != "auto":
        raise InputError(f"--method {options.method} is for nonnegative kernels (chapter 5)")
    if options.code == "auto":
        return strongest_signed(options.m, options.n, options.error, options.positions or "independent")
    if options.positions == "dependent":
        raise InputError("listed codes prove nothing for position-dependent signed heads (chapter 8)")
    return Outcome(signed_of_code(read_code(options.code, options.m), options.n, options.error))


def search_listed(options: argparse.Namespace, methods: tuple[str, ...]) -> Outcome:
    """The best bound of the code that was given, or of the whole search."""
    if options.code == "auto":

        def watch(codes: Iterable[Code]) -> Iterable[Code]:
            shown: Iterable[Code] = tqdm(
                codes, desc="codes", unit=" codes", leave=False, disable=True if options.quiet else None
            )
            return shown

        return strongest(options.m, options.n, options.error, methods, options.seed, options.budget, watch)
    if options.method in ("counting", "topological"):
        raise InputError(f"--method {options.method} takes no code")
    code = read_code(options.code, options.m)
    return Outcome(of_code(code, options.n, options.error, methods, options.seed))


def search(options: argparse.Namespace) -> Outcome:
    """The best bound for the class of heads that was asked for."""
    try:
        if options.kernel == "signed":
            return search_signed(options)
        outcome = search_listed(options, ALL_METHODS if options.method == "auto" else (options.method,))
    except UnusableCode as error:
        raise InputError(f"--code {options.code}: {error}") from None
    if options.features == "nonnegative" and (options.method, options.code) == ("auto", "auto"):
        return strongest_of_nonnegative_features(outcome, options.m, options.n, options.error)
    return outcome


def build(options: argparse.Namespace, command: str) -> tuple[Certificate, str]:
    """The certificate of the strongest bound found, and how the search ended ("" if by itself)."""
    source = provenance(command, options.seed)
    if options.n <= 2:
        return rank_one_construction(options.m, options.n, source), ""
    outcome = search(options)
    made = lower_bound(options.m, options.n, options.error, outcome.best, source, options.features)
    return made, outcome.ended


def in_words(claim: Json) -> str:
    """What the claim says."""
    m, n = claim["m"], claim["n"]
    sequences = f"all sequences of {n} token{'s' * (n > 1)} of {m} bit{'s' * (m > 1)}"
    if "heads" in claim:
        return f"One constant feature solves Min-IP exactly on {sequences}: r*({m},{n}) = 1."
    positions = (
        "position-dependent keys and values"
        if claim["positions"] == "dependent"
        else "one map for keys and values"
    )
    features = "entrywise nonnegative" if claim["features"] == "nonnegative" else "real"
    count = decode_integer(claim["r"])
    return (
        f"Every single head with a {claim['kernel']} kernel ({features} features, {positions},\n"
        f"any values and query-dependent affine readout) that solves Min-IP on {sequences}\n"
        f"with error < {claim['error']} has at least {spoken(count)} feature{'s' * (count > 1)}."
    )


def spoken(count: int) -> str:
    """A number of features in decimals, or the power of 2 below it if it is long."""
    return str(count) if count < 10**24 else f"2^{count.bit_length() - 1}"


def how_proved(certificate: Certificate) -> list[str]:
    """Code, gaps, method and theorem, one line each."""
    evidence = certificate.evidence
    method = evidence["method"]
    theorem = "Theorem 6.6" if "zonal" in evidence else THEOREMS.get(method, "theory/")
    if method == "rank-1":
        return [f"method       f = 2<x, mean of the tokens> - |x| ({theorem})"]
    lines = [f"method       {method} ({theorem})"]
    if method == "projection":
        lines[0] += f", lambda = {evidence['lambda']}"
    if "code" in evidence and "words" in evidence["code"]:
        code = evidence["code"]
        weight = f", weight {code['weight']}" if "weight" in code else ""
        name = certificate.provenance.get("code", "code")
        count = len(code["words"])
        orbits = f"{count} orbit{'s' * (count > 1)} of words" if "generators" in code else ""
        size = orbits or f"{count} word{'s' * (count > 1)}"
        lines.append(f"code         {name}: {size}, length {code['length']}{weight}")
    if "length" in evidence:
        lines.append(
            f"code         counted, not listed: length {evidence['length']}, weight {evidence['weight']}, "
            f"|x \\ y| >= {evidence['difference']}"
        )
    if method == "topological":
        lines.append(
            f"gap          {evidence['gap']}: the kernel's order on queries of that weight, Borsuk-Ulam"
        )
    if "gaps" in evidence:
        n, error = certificate.claim["n"], Fraction(certificate.claim["error"])
        chains = (chain(d, parts, n, error) for d, parts in evidence["gaps"].items())
        lines.append(
            "gaps         |x \\ y| = " + ", ".join(chains) if evidence["gaps"] else "gaps         none"
        )
    return lines


def chain(d: str, parts: list[int], n: int, error: Fraction) -> str:
    """One entry of the gaps: d, its composition if it has several parts, and its ratio."""
    ratio = prod((gap_factor(part, n, error) for part in parts), start=Fraction(1))
    shown = f"ratio {ratio}" if len(str(ratio)) <= 12 else f"ratio > {min(int(ratio), 10**12)}"
    if parts == [int(d)]:
        return f"{d} ({shown})"
    return f"{d} {'=' if sum(parts) == int(d) else '>'} {' + '.join(map(str, parts))} ({shown})"


def checker_command(path: Path) -> str:
    """The command that checks a certificate without this package where the checker's file is at hand."""
    here = Path(check.__file__)
    if here.is_relative_to(Path.cwd()):
        return f"python {here.relative_to(Path.cwd())} {shlex.quote(str(path))}"
    return f"python -m verifier.check {shlex.quote(str(path))}"


def show(report: Report, options: argparse.Namespace) -> None:
    """Print the report on stdout."""
    if options.json:
        document = {
            "claim": report.certificate.claim,
            "method": report.certificate.evidence["method"],
            "file": str(report.path),
            "kept": report.kept,
            "found": encode_integer(report.found),
            "ended": report.ended or "complete",
            "seconds": round(report.seconds, 3),
            **({} if report.ceilings is None else {"ceilings": report.ceilings}),
        }
        print(json.dumps(document))
        return
    print(report.verdict)
    if options.quiet:
        return
    print(in_words(report.certificate.claim))
    print("\n".join(how_proved(report.certificate)))
    state = "stood there, proves more than this run and was kept" if report.kept else "written and checked"
    print(f"certificate  {report.path} ({state})")
    if report.kept:
        print(f"this run     {spoken(report.found)} features")
    if report.ceilings is not None:
        trace, projection = report.ceilings["trace"], report.ceilings["projection"]
        print(
            f"ceilings     no constant-weight code of at most {options.m} bits proves more than {trace} by "
            f"trace and {projection} by projection (Theorems 11.5, 11.6)"
        )
    if report.ended:
        print(f"search       ended by {report.ended}: a longer one may find more, and the answer may vary")
    print(f"check it     {checker_command(report.path)}")


def ceilings(options: argparse.Namespace) -> dict[str, int]:
    """What trace and projection can prove at most with constant-weight codes (Theorems 11.5, 11.6)."""
    ratios = amplify(options.m, options.n, options.error).ratios
    h = {d: 1 / ratio for d, ratio in enumerate(ratios) if d and ratio >= 1}
    return {
        "trace": trace_ceiling(options.m, h),
        "projection": projection_ceiling(options.m, h, CEILING_STEPS),
    }


def command(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Search, write, check and report."""
    start = time.monotonic()
    if options.ceiling and (options.n < 3 or options.m > MOST_CEILING or options.kernel == "signed"):
        raise InputError(f"--ceiling is for n >= 3, m <= {MOST_CEILING} and nonnegative kernels")
    path = options.output or default_path(
        options.m, options.n, options.error, options.method, class_suffix(options)
    )
    if path.is_dir() or not options.force:
        standing(path)  # a file that may not be replaced is reported before the search
    recorded = [word for word in words if word not in ("--quiet", "--json", "--force", "--ceiling")]
    certificate, ended = build(options, shlex.join(["python", "-m", "verifier.bound", *recorded]))
    held, verdict, kept = publish(certificate, path, options.force)
    limits = ceilings(options) if options.ceiling else None
    elapsed = time.monotonic() - start
    show(Report(held, path, verdict, elapsed, kept, certificate.r, ended, limits), options)
    return INTERRUPTED if ended == "interrupt" else DONE


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    return run("verifier.bound", lambda: command(parser().parse_args(words), words))


if __name__ == "__main__":
    sys.exit(main())
