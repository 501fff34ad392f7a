"""python -m bench.codes: found constant-weight codes against known bounds, and against generic solvers.

    python -m bench.codes --reference FILE [--budget S] [--again S] [--workers J] [--seed K] [--state FILE]
    python -m bench.codes --speed [--limit S]

FILE is a CSV file with the columns n,d,w,lower,upper (`#` comments; an empty field is an unknown bound).  The
search never sees it: each cell is searched for the budget, or until the upper bound that the program proves
itself is reached, and the result is compared afterwards; --again searches the cells below the reference a
second time, with another budget.  The table comes out as Markdown on stdout.
--speed measures the time to a code of the known size with prescribed or searched automorphisms, against
networkx max_weight_clique and against CP-SAT on the whole compatibility graph, in this run.
"""

import argparse
import csv
import importlib
import json
import multiprocessing
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import networkx as nx

from verifier.codes.groups import trivial
from verifier.codes.orbits import orbit_graph
from verifier.codes.search import cell, improvements
from verifier.codes.upper import upper_bound
from verifier.codes.verify import verify

Key = tuple[int, int, int]

SPEED = ((10, 4, 4, 30), (11, 6, 5, 11), (12, 6, 6, 22), (14, 8, 7, 8))


@dataclass(frozen=True)
class Known:
    """A row of the reference: bounds on A(n, d, w), None where there is none."""

    n: int
    d: int
    w: int
    lower: int | None
    upper: int | None


@dataclass(frozen=True)
class Row:
    """What was found for a cell: size, our upper bound, seconds until it was found, all seconds, origin."""

    n: int
    d: int
    w: int
    size: int
    upper: int
    found: float
    spent: float
    origin: str


def read_reference(path: Path) -> list[Known]:
    """The rows of the reference file."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return [
        Known(
            int(row["n"]),
            int(row["d"]),
            int(row["w"]),
            int(row["lower"]) if row["lower"] else None,
            int(row["upper"]) if row["upper"] else None,
        )
        for row in csv.DictReader(lines)
    ]


def wanted(known: Known) -> bool:
    """Is this cell in the table?"""
    return known.n <= 16 or (known.n == 24 and known.d in (8, 10, 12))


def search(n: int, d: int, w: int, budget: float, seed: int) -> Row:
    """One cell, searched in this process; the code is verified again here."""
    began = time.monotonic()
    size, found, origin = 0, 0.0, ""
    for better in improvements(cell(n, d, w), seed, began + budget):
        size, found, origin = len(better.words), time.monotonic() - began, better.origin
        assert verify(better.words, n, d, w) == size
    return Row(n, d, w, size, upper_bound(n, d // 2, w).size, found, time.monotonic() - began, origin)


def search_all(cells: list[Known], budget: float, done: dict[Key, Row], options: argparse.Namespace) -> None:
    """Search the cells, several at a time; the better row of a cell goes to `done` and to the state file."""
    with ProcessPoolExecutor(options.workers) as pool:
        jobs = [pool.submit(search, k.n, k.d, k.w, budget, options.seed) for k in cells]
        for job in as_completed(jobs):
            row = job.result()
            print(f"A({row.n},{row.d},{row.w}) >= {row.size}  {row.spent:.1f} s", file=sys.stderr, flush=True)
            old = done.get((row.n, row.d, row.w))
            if old is None or row.size > old.size:
                done[row.n, row.d, row.w] = row
                if options.state:
                    with options.state.open("a", encoding="utf-8") as stream:
                        stream.write(json.dumps(asdict(row)) + "\n")


def all_rows(cells: list[Known], options: argparse.Namespace) -> list[Row]:
    """The rows of all cells: from the state file, or searched; those below the reference once more."""
    done: dict[Key, Row] = {}
    if options.state and options.state.exists():
        for line in options.state.read_text("utf-8").splitlines():
            row = Row(**json.loads(line))
            done[row.n, row.d, row.w] = row
    search_all([k for k in cells if (k.n, k.d, k.w) not in done], options.budget, done, options)
    if options.again:
        low = [k for k in cells if done[k.n, k.d, k.w].size < (k.lower or 0)]
        search_all(low, options.again, done, options)
    return list(done.values())


def table(known: Iterable[Known], rows: Iterable[Row]) -> Iterator[str]:
    """The Markdown lines: a summary, then one line a cell."""
    found = {(row.n, row.d, row.w): row for row in rows}
    pairs = [(k, found[k.n, k.d, k.w]) for k in known if k.lower is not None]
    reached = [(k, row) for k, row in pairs if row.size >= (k.lower or 0)]
    small = [(k, row) for k, row in pairs if k.n <= 14]
    hits = sum(row.size >= (k.lower or 0) for k, row in small)
    worst = min(pairs, key=lambda pair: pair[1].size / (pair[0].lower or 1))
    yield f"* {len(reached)} of {len(pairs)} cells reach the best known lower bound."
    yield f"* With n ≤ 14: {hits} of {len(small)}."
    yield (
        f"* The largest gap: A({worst[0].n},{worst[0].d},{worst[0].w}), {worst[1].size} of {worst[0].lower}, "
        f"{worst[1].size / (worst[0].lower or 1):.1%}."
    )
    yield ""
    yield "| n | d | w | found | known | known upper | proved upper | seconds | by |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for k, row in pairs:
        lower = k.lower or 0
        mark = "" if row.size == lower else f" ({row.size / lower:.1%})" if row.size < lower else " (more)"
        upper = "" if k.upper is None else str(k.upper)
        yield (
            f"| {k.n} | {k.d} | {k.w} | {row.size}{mark} | {lower} | {upper} | {row.upper} | {row.found:.1f} "
            f"| {row.origin} |"
        )


# ---- speed -----------------------------------------------------------------------------------------------


def ours(n: int, d: int, w: int, size: int) -> None:
    """Search until a code of this size is found."""
    for better in improvements(cell(n, d, w)):
        if len(better.words) >= size:
            return
    raise AssertionError("the search ended below the known size")


def plain_graph(n: int, d: int, w: int) -> tuple[int, list[tuple[int, int]]]:
    """The compatibility graph of all words: its order and its edges."""
    graph = orbit_graph(n, d // 2, w, trivial(n))
    size = len(graph.weights)
    return size, [(a, b) for a in range(size) for b in range(a + 1, size) if graph.adjacency[a, b]]


def by_networkx(n: int, d: int, w: int, size: int) -> None:
    """networkx max_weight_clique on all words."""
    order, edges = plain_graph(n, d, w)
    graph = nx.Graph()
    graph.add_nodes_from(range(order))
    graph.add_edges_from(edges)
    clique, _ = nx.max_weight_clique(graph, weight=None)
    assert len(clique) >= size


def by_cp_sat(n: int, d: int, w: int, size: int) -> None:
    """OR-Tools CP-SAT on all words: a variable a word, at most one of two that conflict; ends at the size."""
    from ortools.sat.python import cp_model

    order, edges = plain_graph(n, d, w)
    compatible = set(edges)
    model = cp_model.CpModel()
    words = [model.new_bool_var(str(v)) for v in range(order)]
    for a in range(order):
        for b in range(a + 1, order):
            if (a, b) not in compatible:
                model.add_at_most_one(words[a], words[b])
    model.add(sum(words) >= size)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 2
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE)


def work(job: Any, arguments: tuple[int, ...], channel: Any) -> None:
    """A child process: runs the job and sends its seconds."""
    began = time.monotonic()
    job(*arguments)
    channel.put(time.monotonic() - began)


def timed(job: Any, arguments: tuple[int, ...], limit: float) -> float | None:
    """Seconds of a job in a process of its own, imports included before; None beyond the limit."""
    channel: Any = multiprocessing.Queue()
    process = multiprocessing.Process(target=work, args=(job, arguments, channel))
    process.start()
    process.join(limit)
    if process.is_alive():
        process.terminate()
        process.join()
        return None
    return float(channel.get(timeout=5)) if process.exitcode == 0 else None


def speed(limit: float) -> Iterator[str]:
    """The Markdown lines of the comparison."""
    importlib.import_module("ortools.sat.python.cp_model")  # its import is not measured
    yield "| cell | size | this search | networkx max_weight_clique | CP-SAT, no symmetry |"
    yield "|---|---|---|---|---|"
    for n, d, w, size in SPEED:
        times = [timed(job, (n, d, w, size), limit) for job in (ours, by_networkx, by_cp_sat)]
        mine = times[0] or limit
        cells = [f"{times[0]:.2f} s" if times[0] is not None else f"> {limit:.0f} s"]
        cells += [
            f"> {limit:.0f} s (> {limit / mine:.0f} x)" if t is None else f"{t:.2f} s ({t / mine:.1f} x)"
            for t in times[1:]
        ]
        yield f"| A({n},{d},{w}) | {size} | " + " | ".join(cells) + " |"


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="python -m bench.codes", description=__doc__.split("\n")[0])
    parser.add_argument("--reference", type=Path, metavar="FILE", help="CSV file of known bounds")
    parser.add_argument("--budget", type=float, default=30.0, help="seconds for each cell")
    parser.add_argument(
        "--again", type=float, help="seconds for a second search of cells below the reference"
    )
    parser.add_argument("--workers", type=int, default=1, help="cells that are searched at a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--state", type=Path, metavar="FILE", help="results so far, one JSON object a line")
    parser.add_argument("--speed", action="store_true", help="compare with generic solvers")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for each solver")
    options = parser.parse_args()
    if options.speed:
        for line in speed(options.limit):
            print(line, flush=True)
        return 0
    if options.reference is None:
        parser.error("--reference or --speed is needed")
    known = [k for k in read_reference(options.reference) if wanted(k)]
    for line in table(known, all_rows(known, options)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
