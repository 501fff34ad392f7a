"""python -m verifier.figures TABLE: the table of verifier.table as Markdown, heat map and curves.

Writes table.md, table.png, curves.png and growth.png into a folder (default: that of the table).  Pictures
are drawn in floats and decide nothing; the numbers in table.md are those of the rows.  Needs the extra
verifier[plots].  Exit codes: 0 done, 2 bad input, 130 interrupted.
"""

import argparse
import io
import math
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from verifier.certificate import Json, decode_integer, write_atomically
from verifier.cli import DONE, InputError, Parser, run
from verifier.counting import best_counting
from verifier.growth import closed_form, exponent, growth
from verifier.table import read_rows

PAPER = {(24, 3): 8}  # the paper's bound for its own 24-bit witness
METHOD_LETTERS = {
    "projection": "P",
    "trace": "T",
    "dominance": "D",
    "scheme": "E",
    "counting": "C",
    "topological": "B",
}
CURVE_LENGTHS = (3, 4, 5, 8, 16)
GROWTH_BITS = (30, 100, 300, 1000, 3000, 10_000)
HALF = Fraction(1, 2)

Rows = dict[tuple[int, int], Json]


def log2(r: int) -> float:
    """log2 of a number of features, however long."""
    shift = max(0, r.bit_length() - 64)
    return math.log2(r >> shift) + shift


def shown(r: int) -> str:
    """A number of features in decimals, rounded down to two digits if it is long."""
    if r < 10**7:
        return str(r)
    power = len(str(r)) - 1
    return f"{r // 10 ** (power - 1) / 10:.1f}e{power}"


def markdown(rows: Rows) -> str:
    """The grid as a Markdown table: rows m, columns n, each cell with its bound and method."""
    bits, lengths = sorted({m for m, _ in rows}), sorted({n for _, n in rows})
    head = [
        "# Certified lower bounds",
        "",
        "Every single head with a nonnegative kernel that solves Min-IP on all sequences of n tokens of m "
        "bits with error < 1/2 has at least so many features. Long numbers are rounded down here; "
        "`table.jsonl` has them in full. The letter is the method:",
        "P projection, T trace, D dominance (chapter 5), E Eckart-Young (Theorems 5.8, 5.9), C counting "
        "(chapter 6), B topological (chapter 9). The certificate of a cell is written by "
        "`python -m verifier.bound --m M --n N`; the whole table by",
        "",
        f"    python -m verifier.table --m {bits[0]}..{bits[-1]} --n {lengths[0]}..{lengths[-1]} "
        "--output table.jsonl --certificates FOLDER",
        "",
        "The paper's number is r >= 8 at (24, 3), for a witness of its own.",
        "",
        "| m \\ n | " + " | ".join(map(str, lengths)) + " |",
        "|---" * (len(lengths) + 1) + "|",
    ]
    for m in bits:
        cells = [
            f"{shown(decode_integer(rows[m, n]['lower']))} {METHOD_LETTERS[rows[m, n]['method']]}"
            for n in lengths
        ]
        head.append(f"| **{m}** | " + " | ".join(cells) + " |")
    return "\n".join(head) + "\n"


def heat_map(pyplot: Any, rows: Rows) -> Any:
    """log2 of the bounds over the grid."""
    bits, lengths = sorted({m for m, _ in rows}), sorted({n for _, n in rows})
    grid = [[log2(decode_integer(rows[m, n]["lower"])) for n in lengths] for m in bits]
    figure, axes = pyplot.subplots(figsize=(7, 8))
    image = axes.imshow(
        grid,
        aspect="auto",
        origin="lower",
        extent=(lengths[0] - 0.5, lengths[-1] + 0.5, bits[0] - 0.5, bits[-1] + 0.5),
    )
    axes.set(
        xlabel="sequence length n", ylabel="bits of a token m", title="certified lower bound on log2 r*(m,n)"
    )
    figure.colorbar(image, label="log2 of the number of features")
    return figure


def curves(pyplot: Any, rows: Rows) -> Any:
    """The bounds against m for some n, with the paper's figures."""
    figure, axes = pyplot.subplots(figsize=(8, 5.5))
    bits = sorted({m for m, _ in rows})
    for n in [n for n in CURVE_LENGTHS if (bits[0], n) in rows]:
        axes.plot(bits, [log2(decode_integer(rows[m, n]["lower"])) for m in bits], label=f"n = {n}")
    axes.plot(bits, bits, "k:", label="2^m features suffice")
    for (m, n), r in PAPER.items():
        axes.plot([m], [log2(r)], "k*", markersize=11, label=f"paper, n = {n}: r >= {r}")
    axes.set(
        xlabel="bits of a token m", ylabel="log2 of the number of features", title="Certified lower bounds"
    )
    axes.set_ylim(0, 45)
    axes.legend()
    axes.grid(alpha=0.3)
    return figure


def growth_figure(pyplot: Any) -> Any:
    """log2 r / m of the counting bound, of the closed form of Theorem 7.4(a) and of the exponent."""
    figure, axes = pyplot.subplots(figsize=(8, 5.5))
    for i, n in enumerate((3, 4, 8)):
        rate = growth(n, HALF)
        counted = [log2(best_counting(m, n, HALF).r) / m for m in GROWTH_BITS]
        closed = [float(closed_form(rate, m).log().mid()) / math.log(2) / m for m in GROWTH_BITS]
        axes.plot(GROWTH_BITS, counted, f"C{i}o-", label=f"n = {n}: certified (Theorems 6.4, 6.6)")
        axes.plot(GROWTH_BITS, closed, f"C{i}--", label=f"n = {n}: closed form (Theorem 7.4)")
        axes.axhline(
            float(exponent(rate).mid()), color=f"C{i}", linestyle=":", label=f"n = {n}: exponent c(n)"
        )
    axes.set(xscale="log", ylim=(0, 0.6), xlabel="bits of a token m", ylabel="log2(bound) / m")
    axes.set_title("From finite bounds to the exponent")
    axes.legend(fontsize=7, ncol=3, loc="lower right")
    axes.grid(alpha=0.3)
    return figure


def save(figure: Any, path: Path) -> None:
    """Write a picture whole or not at all; the same picture gives the same bytes."""
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=110, metadata={"Software": None}, bbox_inches="tight")
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_bytes(stream.getvalue())
    temporary.replace(path)


def command(options: argparse.Namespace) -> int:
    """Read the table, write the files."""
    if not options.table.is_file():
        raise InputError(f"{options.table}: no such file")
    rows = {(m, n): row for (m, n, error), row in read_rows(options.table).items() if error == "1/2"}
    if {(m, n) for m in {m for m, _ in rows} for n in {n for _, n in rows}} != set(rows) or not rows:
        raise InputError(f"{options.table}: not a whole grid of rows for error 1/2")
    try:
        import matplotlib
    except ImportError:
        raise InputError("the figures need the extra verifier[plots]") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    folder = options.folder or options.table.parent
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "table.md", markdown(rows))
    save(heat_map(pyplot, rows), folder / "table.png")
    save(curves(pyplot, rows), folder / "curves.png")
    save(growth_figure(pyplot), folder / "growth.png")
    return DONE


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    parser = Parser(
        prog="python -m verifier.figures", description="The table of bounds as Markdown and pictures."
    )
    parser.add_argument("table", type=Path, metavar="TABLE", help="JSON lines of verifier.table")
    parser.add_argument("--folder", type=Path, help="where to write (default: beside the table)")
    words = sys.argv[1:] if arguments is None else list(arguments)
    return run("verifier.figures", lambda: command(parser.parse_args(words)))


if __name__ == "__main__":
    sys.exit(main())
