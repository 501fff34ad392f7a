"""python -m verifier.codes: search for a large constant-weight code, or for one with a strong rank bound."""

import argparse
import json
import multiprocessing
import os
import queue
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from verifier import certificate
from verifier.cli import DONE, INTERRUPTED, GaveUp, InputError, Parser, positive_rational, run, seconds, whole
from verifier.codes.groups import Group, GroupError, named_group, parse_generators
from verifier.codes.objective import rank_improvements
from verifier.codes.orbits import TooLarge
from verifier.codes.search import Cell, CellError, cell, improvements
from verifier.codes.upper import upper_bound
from verifier.codes.verify import NotACode, verify
from verifier.codes.wordfile import WordFileError, format_words, parse_words

PROGRAM = "codes"
BUDGET = 10.0  # seconds, if none are given
MAX_TEXT = 1 << 26  # bytes of a word or generator file


def parser() -> Parser:
    """The command line."""
    out = Parser(
        prog="python -m verifier.codes",
        description="Search for a large binary code of one weight (objective size), or for one that proves a "
        "large rank (objective rank). The code found is verified; words go to the output file or stdout.",
    )
    out.add_argument("--length", required=True, type=whole(1, 1 << 20, "--length"), help="coordinates")
    out.add_argument("--distance", type=whole(-(1 << 20), 1 << 20, "--distance"), help="Hamming distance")
    out.add_argument("--weight", type=whole(-(1 << 20), 1 << 20, "--weight"), help="ones of a word")
    out.add_argument(
        "--group", metavar="NAME|FILE", help="automorphisms to prescribe, e.g. 2*cyclic:7, psl2:11"
    )
    out.add_argument("--objective", choices=("size", "rank"), default="size")
    out.add_argument("--n", type=whole(3, 1 << 20, "--n"), default=3, help="sequence length for the rank")
    out.add_argument("--error", type=positive_rational("--error"), default=Fraction(1, 2), metavar="P/Q")
    out.add_argument("--budget", type=seconds, default=BUDGET, metavar="SECONDS")
    out.add_argument("--seed", type=whole(0, 1 << 32, "--seed"), default=0)
    out.add_argument("--workers", type=whole(1, 256, "--workers"), default=1, help="processes")
    out.add_argument("--output", type=Path, metavar="FILE", help="word file; a code in it is improved")
    out.add_argument("--certificate", type=Path, metavar="FILE", help="certificate of the code found")
    out.add_argument("--upper", type=Path, metavar="FILE", help="certificate of the upper bound on its size")
    out.add_argument("--json", action="store_true", help="print one JSON object")
    out.add_argument("--quiet", action="store_true", help="no progress on stderr")
    return out


@dataclass(frozen=True)
class Task:
    """What a worker searches for; length and weight in coordinates."""

    where: Cell
    group: Group | None
    start: tuple[int, ...]
    rank: tuple[int, Fraction] | None  # n and error, if the rank counts
    budget: float


@dataclass(frozen=True)
class Result:
    """A code, what it reaches of the objective, and where it comes from."""

    value: int
    words: tuple[int, ...]
    origin: str


def results(task: Task, seed: int) -> Iterator[Result]:
    """The improvements that one worker finds."""
    deadline = time.monotonic() + task.budget
    where = task.where
    if task.rank is not None:
        weights = (where.weight,) if where.weight >= 0 else ()
        for found in rank_improvements(where.length, *task.rank, weights, seed, deadline, task.group):
            yield Result(found.bound.bound.r, found.bound.code.words, found.origin)
        return
    for better in improvements(where, seed, deadline, task.group, task.start):
        yield Result(len(better.words), better.words, better.origin)


def work(task: Task, seed: int, channel: Any) -> None:
    """A worker process: sends its improvements, then None or the sentence that ended it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process stops the workers
    try:
        for result in results(task, seed):
            channel.put(result)
        channel.put(None)
    except TooLarge as error:
        channel.put(str(error))


def parallel(task: Task, seed: int, workers: int) -> Iterator[Result]:
    """The improvements of several workers with different seeds."""
    channel: Any = multiprocessing.Queue()
    processes = [multiprocessing.Process(target=work, args=(task, seed + i, channel)) for i in range(workers)]
    for process in processes:
        process.start()
    running = workers
    try:
        while running:
            try:
                message = channel.get(timeout=0.5)
            except queue.Empty:
                if not any(process.is_alive() for process in processes):
                    return
                continue
            if isinstance(message, Result):
                yield message
            else:
                running -= 1
                if isinstance(message, str):
                    raise TooLarge(message)
    finally:
        for process in processes:
            process.terminate()
            process.join()


def read_text(path: Path) -> str:
    """The text of a small file; raises InputError."""
    try:
        if path.stat().st_size > MAX_TEXT:
            raise InputError(f"{path} is larger than {MAX_TEXT} bytes")
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a text file") from None


def read_group(source: str | None, length: int) -> Group | None:
    """A group by name or from a file of generators; raises InputError."""
    if source is None:
        return None
    try:
        if os.path.exists(source):
            return parse_generators(read_text(Path(source)), length, source)
        return named_group(source, length)
    except GroupError as error:
        raise InputError(str(error)) from None


def read_start(path: Path | None, where: Cell) -> tuple[int, ...]:
    """The code in the output file of an earlier run; raises InputError if it is another one."""
    if path is None or not path.exists():
        return ()
    try:
        words = parse_words(read_text(path), where.length, str(path)).words
        if where.weight >= 0 and where.difference > 0:
            verify(words, where.length, where.distance, where.weight)
        return words
    except (WordFileError, NotACode) as error:
        raise InputError(f"{path} stands in the way: {error}") from None


def task_of(options: argparse.Namespace) -> Task:
    """The search that the options ask for; raises InputError."""
    rank = None
    if options.objective == "rank":
        rank = (options.n, options.error)
        if options.length > 63:
            raise InputError(f"the search takes words of at most 63 coordinates, not {options.length}")
        if options.distance is not None:
            raise InputError("the rank decides about distances: --distance belongs to the objective size")
        if options.certificate or options.upper:
            raise InputError(
                "certificates of sizes belong to the objective size; see verifier.bound for ranks"
            )
        if options.weight is not None and not 0 < options.weight <= options.length:
            raise InputError(f"the weight lies between 1 and {options.length}, not {options.weight}")
        where = Cell(options.length, 0, -1 if options.weight is None else options.weight)
    else:
        if options.distance is None or options.weight is None:
            raise InputError("--distance and --weight are needed for the objective size")
        try:
            where = cell(options.length, options.distance, options.weight)
        except CellError as error:
            raise InputError(str(error)) from None
    group = read_group(options.group, options.length)
    start = read_start(options.output, where) if rank is None else ()
    return Task(where, group, start, rank, options.budget)


def word_file(words: Sequence[int], where: Cell, comment: str) -> str:
    """The text of an output file: a comment and one hexadecimal word a line."""
    return "\n".join([f"# {comment}", *format_words(words, where.length)]) + "\n"


def command(options: argparse.Namespace, line: str) -> int:
    """Search, verify, write and report; returns the exit code."""
    task = task_of(options)
    where, began, interrupted = task.where, time.monotonic(), False
    best: Result | None = None
    source = (
        results(task, options.seed) if options.workers == 1 else parallel(task, options.seed, options.workers)
    )
    try:
        for result in source:
            if best is None or result.value > best.value:
                best = result
                if not options.quiet:
                    spent = time.monotonic() - began
                    print(f"{PROGRAM}: {spent:7.1f} s  {result.value}  {result.origin}", file=sys.stderr)
    except KeyboardInterrupt:
        interrupted = True
    except TooLarge as error:
        if best is None:
            raise InputError(str(error)) from None
    if best is None:
        if interrupted:
            raise KeyboardInterrupt
        raise GaveUp("no code was found within the budget")
    words = best.words
    if task.rank is None:
        verify(words, where.length, where.distance, where.weight)
        ceiling = upper_bound(where.length, where.difference, where.weight)
        claim = f"A({where.length},{where.distance},{where.weight}) >= {len(words)}"
        comment = (
            f"length {where.length}, distance {where.distance}, weight {where.weight}, size {len(words)}"
        )
        known: dict[str, object] = {"upper": ceiling.size}
        state = "optimal" if ceiling.size == len(words) else f"at most {ceiling.size}"
    else:
        n, limit = task.rank
        at_error = f" at error < {limit}" if limit != Fraction(1, 2) else ""
        claim = f"r*({where.length},{n}) >= {best.value}{at_error}"
        comment = f"length {where.length}, size {len(words)}, {claim}"
        known = {"n": n, "error": str(limit), "r": best.value}
        state = f"{len(words)} words"
    text = word_file(words, where, comment)
    if options.output is not None and len(words) >= len(task.start):
        certificate.write_atomically(options.output, text)
    origin = certificate.provenance(line, options.seed)
    if options.certificate is not None:
        made = certificate.code_size(where.length, where.distance, where.weight, words, origin)
        certificate.write_atomically(options.certificate, certificate.render(made))
    if options.upper is not None:
        made = certificate.code_upper_bound(where.length, where.distance, where.weight, ceiling, origin)
        certificate.write_atomically(options.upper, certificate.render(made))
    spent = time.monotonic() - began
    if options.json:
        report = {
            "length": where.length,
            **({"distance": where.distance, "weight": where.weight} if task.rank is None else {}),
            "size": len(words),
            **known,
            "origin": best.origin,
            "file": None if options.output is None else str(options.output),
            "seconds": round(spent, 3),
            "interrupted": interrupted,
            **({"words": format_words(words, where.length)} if options.output is None else {}),
        }
        print(json.dumps(report))
    elif options.output is None:
        sys.stdout.write(text)
    else:
        print(f"{claim}  ({state}; {best.origin})")
    return INTERRUPTED if interrupted else DONE


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)

    def body() -> int:
        return command(parser().parse_args(words), f"python -m verifier.codes {' '.join(words)}")

    return run(PROGRAM, body)


if __name__ == "__main__":
    sys.exit(main())
