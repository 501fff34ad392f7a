"""python -m verifier.smt: hand the chains of a certificate, and a tiny code's rank claim, to an SMT solver.

What is solved is the text that --output writes, query by query.  Exit codes: 0 every answer is as the theory
predicts, 1 some answer is the opposite (or the certificate is not proved), 2 bad input, 4 the solver gave
up, 130 interrupted.
"""

import argparse
import importlib.util
import json
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from verifier.certificate import write_atomically
from verifier.check import Malformed, Unproved, check_file
from verifier.cli import DONE, GAVE_UP, NO, GaveUp, InputError, Parser, positive_rational, run
from verifier.smtlib import (
    Chain,
    Query,
    TooLarge,
    chain_queries,
    document,
    gap_chain,
    rank_query,
    script,
)

TINY_CODE = 4  # words up to which the rank claim is asked without being asked for
TINY_SECONDS = 10.0  # and the time it then gets; Z3 needs a tenth of one, cvc5 up to minutes
GRACE = 5.0  # seconds beyond its limit after which a solver is stopped
LONGEST = 10**6  # seconds; solvers take milliseconds as 32-bit numbers
FIRST_LINE = "(set-info :smt-lib-version 2.6)"


@dataclass(frozen=True)
class Statement:
    """What a certificate says, as far as it is handed over: its claim in words, the chains of its gaps by
    d = |x \\ y|, the words of its code (none if it does not list them) and r."""

    claim: str
    chains: dict[int, Chain]
    words: tuple[int, ...]
    r: int


class Answer(NamedTuple):
    """sat, unsat or unknown, the time in seconds, and why it is unknown."""

    answer: str
    seconds: float
    reason: str = ""


# ---- solvers, each in a process of its own ---------------------------------------------------------------


def milliseconds(seconds: float) -> int:
    """A time limit as solvers take it; 0 would be none."""
    return max(1, int(seconds * 1000))


def ask_z3(text: str, seconds: float) -> tuple[str, str]:
    """Z3's answer to a script without (check-sat), and the reason if it is unknown."""
    import z3

    solver = z3.Solver()
    solver.set("timeout", milliseconds(seconds))
    solver.from_string(text)
    answer = str(solver.check())
    return answer, solver.reason_unknown() if answer == "unknown" else ""


def ask_cvc5(text: str, seconds: float) -> tuple[str, str]:
    """cvc5's answer, likewise."""
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(milliseconds(seconds)))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        if "error" in (said := str(command.invoke(solver, symbols))):
            return "unknown", said
    result = solver.checkSat()
    if result.isUnknown():
        return "unknown", str(result.getUnknownExplanation())
    return "sat" if result.isSat() else "unsat", ""


SOLVERS: dict[str, Callable[[str, float], tuple[str, str]]] = {"z3": ask_z3, "cvc5": ask_cvc5}


def serve(name: str, questions: Connection) -> None:
    """The solver's process: answer (text, seconds) until the other side closes."""
    try:
        while True:
            text, seconds = questions.recv()
            start = time.monotonic()
            try:
                answer, reason = SOLVERS[name](text, seconds)
            except Exception as error:  # whatever a solver's binding may raise is an answer, not a crash
                answer, reason = "unknown", f"{type(error).__name__}: {error}"
            questions.send(Answer(answer, time.monotonic() - start, reason))
    except (EOFError, OSError):
        return


class Worker:
    """A solver that can be stopped: nonlinear solvers do not always honour their time limit, and neither
    Python binding lets Ctrl-C through while it computes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.process: Any = None
        self.questions: Connection | None = None

    def start(self) -> Connection:
        """The connection to a running process.  Ctrl-C is blocked in it; this side ends it."""
        if self.questions is None:
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            process = context.Process(target=serve, args=(self.name, theirs), daemon=True)
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # the process inherits it
            try:
                process.start()
                self.process, self.questions = process, ours
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            theirs.close()
            return ours
        return self.questions

    def close(self) -> None:
        """End the process, whatever it does."""
        if self.questions is not None:
            self.process.kill()
            self.process.join()
            self.questions.close()
            self.process = self.questions = None

    def ask(self, text: str, seconds: float) -> Answer:
        """The answer to a script; unknown if there is none in time."""
        start = time.monotonic()
        try:
            questions = self.start()
            questions.send((text, seconds))
            if questions.poll(seconds + GRACE):
                answer: Answer = questions.recv()
                return answer
            reason = "timeout"
        except (EOFError, ConnectionError):
            reason = "the solver ended by itself"
        self.close()
        return Answer("unknown", time.monotonic() - start, reason)


# ---- the certificate -------------------------------------------------------------------------------------


def load(path: Path) -> tuple[str, Any]:
    """The claim in words and the text of a certificate that the checker verifies.

    Raises InputError if it is malformed, Unproved if its evidence does not prove its claim.
    """
    try:
        claim = check_file(str(path))
        return claim, json.loads(path.read_bytes())
    except (Malformed, ValueError) as error:
        raise InputError(f"{path}: {error}") from None


def read_statement(path: Path) -> Statement:
    """The parts of a verified certificate that are handed over; raises InputError if it has no chain."""
    claim, top = load(path)
    terms, evidence = top["claim"], top["evidence"]
    if top["kind"] != "rank-lower-bound" or not evidence.get("gaps"):
        raise InputError(f"{path}: its evidence has no gaps, so there is no chain to hand over")
    if terms["kernel"] != "nonnegative":
        raise InputError(f"{path}: the constraints are linear for a nonnegative kernel only")
    n, error, dependent = terms["n"], Fraction(terms["error"]), terms["positions"] == "dependent"
    gaps = {int(d): parts for d, parts in evidence["gaps"].items()}
    chains = {d: gap_chain(d, gaps[d], n, error, dependent) for d in sorted(gaps)}
    words = tuple(int(word, 16) for word in evidence.get("code", {}).get("words", ()))
    return Statement(claim, chains, words, terms["r"])


def rank_queries(statement: Statement, wanted: bool) -> tuple[Query, ...]:
    """The rank claim, if the code is tiny or if it is wanted."""
    if wanted and not statement.words:
        raise InputError("--rank-claim needs a certificate that lists the words of its code")
    if wanted and statement.r < 2:
        raise InputError("--rank-claim: every head has a feature (Lemma 1.8), so r >= 1 needs no query")
    if not wanted and not (len(statement.words) <= TINY_CODE and 2 <= statement.r <= len(statement.words)):
        return ()
    ratios = {d: chain.ratio for d, chain in statement.chains.items()}
    return (rank_query(statement.words, ratios, statement.r),)


def in_words(statement: Statement) -> str:
    """What the file is about and what its names mean."""
    chain = next(iter(statement.chains.values()))
    where = "z_I at companion position P: aP_I" if chain.dependent else "z_I at a companion position: aI"
    return f"""
Written by verifier.smt.  Raw constraints behind {statement.claim}: heads that solve
length n = {chain.n} with error < {chain.error}, one query x, tokens z_0, z_1, ... of given overlaps with x.
Weight of {where}; own weight of x: aS; b in place of a: weight times effective value.
D(z): the sum of all weights if all companions are z; A(z) = D(z) - aS.
"""


def refuse_to_replace(path: Path) -> None:
    """Raise InputError if the output is there and is not a file of SMT-LIB text as this command writes it."""
    if path.exists():
        if not path.is_file():
            raise InputError(f"{path} is not a regular file")
        with path.open("rb") as stream:
            if stream.read(len(FIRST_LINE)) != FIRST_LINE.encode():
                raise InputError(f"{path} is there and was not written by this command")


# ---- the command -----------------------------------------------------------------------------------------


def parser() -> Parser:
    """The command line."""
    out = Parser(
        prog="python -m verifier.smt",
        description="Ask an SMT solver for the gap domination steps and ratios that a certificate uses: "
        "their negations must be unsat against the raw constraints of the sequences.",
    )
    out.add_argument("certificate", type=Path, metavar="CERTIFICATE")
    out.add_argument("--output", type=Path, metavar="FILE.smt2", help="write all queries in SMT-LIB 2.6")
    out.add_argument("--solver", choices=tuple(SOLVERS), default="z3", help="default z3")
    out.add_argument(
        "--timeout",
        type=positive_rational("--timeout"),
        default=Fraction(60),
        metavar="SECONDS",
        help="for each query (default 60)",
    )
    out.add_argument(
        "--rank-claim",
        action="store_true",
        help=f"ask for the rank claim itself, and give up if that is unknown; without this it is asked for "
        f"codes of at most {TINY_CODE} words, for at most {TINY_SECONDS:g} seconds, and may stay unknown",
    )
    out.add_argument("--json", action="store_true", help="print one JSON object")
    out.add_argument("--quiet", action="store_true", help="print the summary only, and no progress")
    return out


def solve(queries: Sequence[Query], options: argparse.Namespace) -> Iterator[tuple[Query, Answer]]:
    """The answers, one by one."""
    limit = min(float(options.timeout), LONGEST)
    with closing(Worker(options.solver)) as worker:
        for query in queries:
            optional = query.logic == "QF_NRA" and not options.rank_claim
            yield query, worker.ask(script(query), min(limit, TINY_SECONDS) if optional else limit)


def answer_line(query: Query, answer: Answer) -> str:
    """One line of the report."""
    if answer.answer == query.expected:
        note = ""
    elif answer.answer == "unknown":
        note = f"   (expected {query.expected}; {' '.join(answer.reason.split())[:60]})"
    else:
        note = f"   (EXPECTED {query.expected})"
    return f"{answer.answer:<7} {query.name}{note}"


def verdict(answers: Sequence[tuple[Query, Answer]], rank_wanted: bool) -> int:
    """The exit code: an opposite answer counts most, an unknown one unless it was optional."""
    if any(answer.answer not in (query.expected, "unknown") for query, answer in answers):
        return NO
    unknown = [query for query, answer in answers if answer.answer == "unknown"]
    return GAVE_UP if any(query.logic == "QF_LRA" or rank_wanted for query in unknown) else DONE


def summary(claim: str, answers: Sequence[tuple[Query, Answer]], options: argparse.Namespace) -> str:
    """The last line: how many answers are as expected, and of what."""
    opposite = sum(answer.answer not in (query.expected, "unknown") for query, answer in answers)
    unknown = sum(answer.answer == "unknown" for _, answer in answers)
    parts = [f"{len(answers) - opposite - unknown} of {len(answers)} answers of {options.solver} as expected"]
    parts += [f"{opposite} OPPOSITE"] if opposite else []
    parts += [f"{unknown} unknown"] if unknown else []
    written = f"; written to {options.output}" if options.output else ""
    return f"{', '.join(parts)}: chains of {claim}{written}"


def command(options: argparse.Namespace) -> int:
    """Read, write, solve and report."""
    if importlib.util.find_spec(options.solver) is None:
        raise InputError(f"--solver {options.solver}: the Python package {options.solver} is not installed")
    if options.output:
        refuse_to_replace(options.output)
    try:
        statement = read_statement(options.certificate)
        chains = chain_queries(list(statement.chains.values()))
        queries = (*chains, *rank_queries(statement, options.rank_claim))
    except Unproved as error:
        print(f"verifier.smt: {options.certificate}: not proved: {error}", file=sys.stderr)
        return NO
    except TooLarge as error:
        raise GaveUp(f"{options.certificate}: {error}") from None
    if options.output:
        write_atomically(options.output, document(queries, in_words(statement)))
    answers = []
    with tqdm(
        total=len(queries), desc="queries", leave=False, disable=True if options.quiet else None
    ) as progress:
        for query, answer in solve(queries, options):
            answers.append((query, answer))
            if not (options.json or options.quiet):
                progress.write(answer_line(query, answer), file=sys.stdout)
                sys.stdout.flush()
            progress.update()
    if options.json:
        print(json.dumps(as_json(answers, options)))
    else:
        print(summary(statement.claim, answers, options))
    return verdict(answers, options.rank_claim)


def as_json(answers: Sequence[tuple[Query, Answer]], options: argparse.Namespace) -> dict[str, Any]:
    """The report as one object."""
    return {
        "certificate": str(options.certificate),
        "solver": options.solver,
        "queries": [
            {
                "name": query.name,
                "expected": query.expected,
                "answer": answer.answer,
                "seconds": round(answer.seconds, 3),
            }
            for query, answer in answers
        ],
        "file": str(options.output) if options.output else None,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    return run("verifier.smt", lambda: command(parser().parse_args(words)))


if __name__ == "__main__":
    sys.exit(main())
