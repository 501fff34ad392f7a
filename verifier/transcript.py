"""python -m verifier.transcript: bits that a deterministic model of any depth must pass on.

Exit codes: 0 done, 2 bad input, 130 interrupted.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from verifier.certificate import provenance, transcript_bound
from verifier.channel import Architecture, Family, bits_needed, distinct_answers, is_small, least, verify
from verifier.cli import DONE, InputError, Parser, positive_rational, run, whole
from verifier.publish import publish, standing, verified

HALF = Fraction(1, 2)
MOST = 1 << 30
NAMES = {"value_width": "value width", "bits": "bits of a number"}


def parser() -> Parser:
    """The command line."""
    out = Parser(
        prog="python -m verifier.transcript",
        description="The finite-precision bound q log2(s+1) for deterministic models of any depth.",
    )
    out.add_argument("--queries", required=True, type=whole(1, 1 << 22, "--queries"), help="queries q")
    out.add_argument(
        "--levels", required=True, type=whole(1, 1 << 22, "--levels"), help="each answer is one of 0..s"
    )
    out.add_argument(
        "--error",
        type=positive_rational("--error"),
        default=HALF,
        metavar="P/Q",
        help="strict bound on the error of the answers (default 1/2)",
    )
    for name, what in (
        ("layers", "layers"),
        ("heads", "heads in each layer"),
        ("features", "features in each head"),
        ("value-width", "numbers in a value"),
        ("bits", "bits of each number of a sketch"),
    ):
        out.add_argument(f"--{name}", type=whole(1, MOST, f"--{name}"), help=what)
    out.add_argument(
        "--reads",
        choices=("once", "each"),
        default="once",
        help="a sketch is rounded once and carried on, or afresh at each query position (default once)",
    )
    out.add_argument("--output", type=Path, metavar="FILE", help="write the certificate there")
    out.add_argument("--json", action="store_true", help="print one JSON object")
    out.add_argument("--quiet", action="store_true", help="print the claim only")
    return out


def translation(architecture: Architecture, needed: int) -> list[str]:
    """What the bits mean for the user's architecture."""
    product = "L H r (d+1) b" if architecture.uses == 1 else f"{architecture.uses} L H r (d+1) b"
    lines = [f"sketches     {product} >= {needed}"]
    missing, capacity = architecture.missing(), architecture.capacity()
    if capacity is not None:
        word = "enough for this bound" if capacity >= needed else "TOO FEW: no such model solves these inputs"
        lines.append(f"yours        {capacity} bits: {word}")
    elif len(missing) == 1:
        name = missing[0]
        lines.append(f"yours        needs {NAMES.get(name, name)} >= {least(architecture, needed)}")
    return lines


def command(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Build, verify, certify, check and report."""
    if options.output is not None:
        standing(options.output)  # a file that may not be replaced is reported first
    family = Family(options.queries, options.levels)
    try:
        needed = bits_needed(family, options.error)
    except ValueError:
        raise InputError("--queries and --levels are too large together") from None
    how = "by Lemma 10.2"
    if is_small(family):
        how = f"all {verify(family)} keys compared one by one"
    source = provenance(shlex.join(["python", "-m", "verifier.transcript", *words]), 0)
    certificate = transcript_bound(family, options.error, needed, source)
    _, verdict = verified(certificate)
    if options.output is not None:
        publish(certificate, options.output)
    uses = 1 if options.reads == "once" else options.queries
    architecture = Architecture(
        options.layers, options.heads, options.features, options.value_width, options.bits, uses
    )
    if options.json:
        missing = architecture.missing()
        document = {
            "claim": certificate.claim,
            "bits": needed,
            "capacity": architecture.capacity(),
            "least": {missing[0]: least(architecture, needed)} if len(missing) == 1 else None,
            "file": None if options.output is None else str(options.output),
        }
        print(json.dumps(document))
        return DONE
    print(verdict)
    if options.quiet:
        return DONE
    answers = distinct_answers(family.levels, options.error)
    print(
        f"family       {family.queries} queries, keys with answers 0..{family.levels}: length "
        f"{family.length}, {family.token_bits} bits a token; targets {how}"
    )
    print(
        f"bound        2^B >= {answers}^{family.queries}: any deterministic channel model, any layers and "
        "heads (Theorem 10.4)"
    )
    print("\n".join(translation(architecture, needed)))
    if options.output is not None:
        print(f"certificate  {options.output} (written and checked)")
    return DONE


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    return run("verifier.transcript", lambda: command(parser().parse_args(words), words))


if __name__ == "__main__":
    sys.exit(main())
