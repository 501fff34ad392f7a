"""python -m verifier.table: the strongest certified lower bound for every cell of a grid of (m, n).

Rows are JSON lines in the order of the grid.  While the command runs they are kept in FILE.partial, one line
a finished cell, so that an interrupted run goes on with --resume.  Every bound is checked from its
certificate before it becomes a row.  Exit codes: 0 done, 2 bad input, 130 interrupted.
"""

import argparse
import json
import multiprocessing
import re
import shlex
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from verifier.bound import HALF, MOST_M, default_path
from verifier.certificate import (
    Certificate,
    Json,
    encode_rational,
    lower_bound,
    provenance,
    rank_one_construction,
    write_atomically,
)
from verifier.cli import DONE, InputError, Parser, positive_rational, run, whole
from verifier.publish import publish, standing, verified
from verifier.strongest import strongest

MOST_CELLS = 100_000


@dataclass(frozen=True, order=True)
class Cell:
    """One cell of the grid: m bits, length n, strict error bound, seed of the search."""

    m: int
    n: int
    error: Fraction
    seed: int


def solve(cell: Cell) -> Certificate:
    """The certificate of the strongest bound for one cell; a function of the cell alone."""
    command = ["python", "-m", "verifier.bound", "--m", str(cell.m), "--n", str(cell.n)]
    command += ["--error", encode_rational(cell.error)] if cell.error != HALF else []
    command += ["--seed", str(cell.seed)] if cell.seed else []
    source = provenance(shlex.join(command), cell.seed)
    if cell.n <= 2:
        return rank_one_construction(cell.m, cell.n, source)
    outcome = strongest(cell.m, cell.n, cell.error, seed=cell.seed)
    if outcome.ended:  # a row holds the result of a whole search
        raise KeyboardInterrupt
    return lower_bound(cell.m, cell.n, cell.error, outcome.best, source)


def checked_row(cell: Cell, certificate: Certificate) -> Json:
    """The row of a cell; raises GaveUp if the checker does not take the certificate."""
    verified(certificate)
    return {
        "m": cell.m,
        "n": cell.n,
        "error": encode_rational(cell.error),
        "lower": certificate.claim["r"],
        "method": certificate.evidence["method"],
        "code": certificate.provenance.get("code"),
    }


def work(cell: Cell, folder: str | None) -> Json:
    """Solve one cell, write its certificate if a folder is given, and return its row."""
    certificate = solve(cell)
    row = checked_row(cell, certificate)
    if folder is not None:
        publish(certificate, Path(folder) / default_path(cell.m, cell.n, cell.error, "auto").name)
    return row


# ---- where the cells are worked on -----------------------------------------------------------------------


def in_order(cells: Sequence[Cell], folder: str | None) -> Generator[Json]:
    """One after the other, in this process."""
    for cell in cells:
        yield work(cell, folder)


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the main process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def in_processes(cells: Sequence[Cell], folder: str | None, workers: int) -> Generator[Json]:
    """On a pool of processes, rows in the order in which they are done; they end with this generator."""
    with multiprocessing.get_context("spawn").Pool(workers, ignore_interrupts) as pool:
        yield from pool.imap_unordered(partial(work, folder=folder), cells)


def on_dask(cells: Sequence[Cell], folder: str | None, address: str) -> Generator[Json]:
    """On the workers of a Dask scheduler.

    Cells of a worker that dies are worked on again elsewhere by the scheduler; each cell has one future, so
    none is lost or doubled.  Raises InputError without the extra verifier[cluster] or the scheduler.
    """
    try:
        import distributed
    except ImportError:
        raise InputError("--dask needs the extra verifier[cluster]") from None
    try:
        cluster: Any = distributed  # its functions carry no types
        client = cluster.Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise InputError(f"--dask {address}: no scheduler answers ({type(error).__name__})") from None
    with client:
        futures = [client.submit(work, cell, folder, pure=False) for cell in cells]
        try:
            for future in cluster.as_completed(futures):
                yield future.result()
        finally:
            client.cancel(futures)


# ---- rows and files --------------------------------------------------------------------------------------


def read_rows(path: Path) -> dict[tuple[int, int, str], Json]:
    """The rows of a file by (m, n, error); a last line that was cut off is left out.  Raises InputError."""
    rows: dict[tuple[int, int, str], Json] = {}
    lines = path.read_text("utf-8").split("\n")
    for i, line in enumerate(lines):
        try:
            row = json.loads(line) if line else None
            if row is not None:
                rows[row["m"], row["n"], row["error"]] = row
        except (ValueError, KeyError, TypeError):
            if i < len(lines) - 1:
                raise InputError(f"{path}: line {i + 1} is not a row of a table") from None
    return rows


def key(cell: Cell) -> tuple[int, int, str]:
    """What a row is found by."""
    return cell.m, cell.n, encode_rational(cell.error)


def as_text(cells: Sequence[Cell], rows: dict[tuple[int, int, str], Json]) -> str:
    """The table as JSON lines, in the order of the grid."""
    return "".join(json.dumps(rows[key(cell)]) + "\n" for cell in cells)


def collect(
    cells: Sequence[Cell],
    known: dict[tuple[int, int, str], Json],
    source: Callable[[Sequence[Cell]], Generator[Json]],
    journal: Path | None,
    quiet: bool,
) -> dict[tuple[int, int, str], Json]:
    """All rows: those that are known, and the others as they are done, each noted in the journal."""
    rows = {key(cell): known[key(cell)] for cell in cells if key(cell) in known}
    left = [cell for cell in cells if key(cell) not in rows]
    bar = tqdm(
        total=len(cells), initial=len(rows), desc="cells", unit=" cells", disable=True if quiet else None
    )
    stream: Any = None
    if journal is not None:
        text = as_text([cell for cell in cells if key(cell) in rows], rows)
        write_atomically(journal, text)
        stream = journal.open("a", encoding="utf-8")
    try:
        with closing(source(left)) as done:
            for row in done:
                rows[row["m"], row["n"], row["error"]] = row
                if stream is not None:
                    stream.write(json.dumps(row) + "\n")
                    stream.flush()
                bar.update()
    finally:
        bar.close()
        if stream is not None:
            stream.close()
    return rows


def span(low: int, high: int, what: str) -> Callable[[str], range]:
    """An argparse type: A..B, or one number."""

    def parse(text: str) -> range:
        match = re.fullmatch("([0-9]{1,9})(?:[.][.]([0-9]{1,9}))?", text, re.ASCII)
        if match:
            first, last = int(match[1]), int(match[2] or match[1])
            if low <= first <= last <= high:
                return range(first, last + 1)
        raise InputError(f"{what} must be A..B with {low} <= A <= B <= {high}, not {text[:40]!r}")

    return parse


def parser() -> Parser:
    """The command line."""
    out = Parser(
        prog="python -m verifier.table",
        description="The strongest certified lower bound on r*(m,n) for every cell of a grid, as JSON lines.",
    )
    out.add_argument("--m", required=True, type=span(1, MOST_M, "--m"), metavar="A..B", help="bits")
    out.add_argument("--n", required=True, type=span(1, MOST_M, "--n"), metavar="C..D", help="lengths")
    out.add_argument("--error", type=positive_rational("--error"), default=HALF, metavar="P/Q")
    out.add_argument("--seed", type=whole(0, 1 << 32, "--seed"), default=0)
    out.add_argument("--workers", type=whole(1, 256, "--workers"), default=1, help="processes")
    out.add_argument("--dask", metavar="ADDRESS", help="scheduler of a Dask cluster, e.g. tcp://host:8786")
    out.add_argument("--resume", action="store_true", help="keep the rows that the output file has")
    out.add_argument("--output", type=Path, metavar="FILE", help="JSON lines (default: stdout)")
    out.add_argument(
        "--certificates", type=Path, metavar="FOLDER", help="write each cell's certificate there"
    )
    out.add_argument("--quiet", action="store_true", help="no progress on stderr")
    return out


def command(options: argparse.Namespace) -> int:
    """Work on the cells and write the table."""
    if len(options.m) * len(options.n) > MOST_CELLS:
        raise InputError(f"the grid has more than {MOST_CELLS} cells")
    if options.resume and options.output is None:
        raise InputError("--resume needs --output")
    cells = [Cell(m, n, options.error, options.seed) for m in options.m for n in options.n]
    journal = None if options.output is None else options.output.with_name(options.output.name + ".partial")
    known: dict[tuple[int, int, str], Json] = {}
    for path in (options.output, journal):
        if path is not None and path.exists():
            if not options.resume:
                raise InputError(f"{path} exists; --resume goes on with it")
            known |= read_rows(path)
    folder = None if options.certificates is None else str(options.certificates.absolute())
    if options.certificates is not None:
        for cell in cells:  # a file that may not be replaced is reported before the search
            standing(options.certificates / default_path(cell.m, cell.n, cell.error, "auto").name)

    def source(left: Sequence[Cell]) -> Generator[Json]:
        if options.dask is not None:
            return on_dask(left, folder, options.dask)
        if options.workers > 1:
            return in_processes(left, folder, options.workers)
        return in_order(left, folder)

    rows = collect(cells, known, source, journal, options.quiet)
    if options.output is None:
        sys.stdout.write(as_text(cells, rows))
    else:
        write_atomically(options.output, as_text(cells, rows))
        assert journal is not None
        journal.unlink()
    return DONE


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    return run("verifier.table", lambda: command(parser().parse_args(words)))


if __name__ == "__main__":
    sys.exit(main())
