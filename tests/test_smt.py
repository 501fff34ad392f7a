"""The SMT route: chains in linear, the rank claim in nonlinear real arithmetic, and the command."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import z3

from verifier import check, smt
from verifier.amplification import amplify
from verifier.domination import gap_factor
from verifier.minip import difference
from verifier.smtlib import (
    MAX_RATIO_BITS,
    Chain,
    Query,
    TooLarge,
    chain_queries,
    companion_query,
    consistency_query,
    document,
    gap_chain,
    rank_query,
    ratio_query,
    script,
)

HALF = Fraction(1, 2)
PAIR = (0b0011, 0b1100)
# the seven lines of the Fano plane, complemented: |x \ y| = 2
HADAMARD = tuple(0x7F ^ (0b1011 << i | 0b1011 << i >> 7) & 0x7F for i in range(7))


def blocks(count: int, weight: int) -> tuple[int, ...]:
    """Disjoint words: |x \\ y| is the weight."""
    return tuple(((1 << weight) - 1) << weight * i for i in range(count))


def write_certificate(
    path: Path,
    words: Sequence[int],
    n: int,
    r: int,
    method: str = "trace",
    error: str = "1/2",
    positions: str = "dependent",
) -> Path:
    """A rank-lower-bound certificate for a code, with its best gaps."""
    length = max(words).bit_length()
    occurring = {difference(x, y) for x in words for y in words if x != y}
    best = amplify(length, n, Fraction(error))
    claim = {"m": length, "n": n, "error": error, "kernel": "nonnegative", "features": "real"}
    document = {
        "format": "verifier-certificate",
        "version": 1,
        "kind": "rank-lower-bound",
        "claim": {**claim, "positions": positions, "r": r},
        "evidence": {
            "method": method,
            "code": {"length": length, "words": [f"{word:0{-(-length // 4)}x}" for word in words]},
            "gaps": {str(d): list(best.gaps(d)) for d in sorted(occurring)},
        },
    }
    path.write_text(json.dumps(document))
    return path


def chains() -> Iterator[Chain]:
    """Chains of all kinds, each with the largest ratio of its parts, which add up to d."""
    for dependent in (True, False):
        yield gap_chain(2, [2], 3, HALF, dependent)
        yield gap_chain(12, [4, 4, 4], 3, HALF, dependent)
        yield gap_chain(7, [3, 4], 4, HALF, dependent)
        yield gap_chain(2, [1, 1], 3, Fraction(1, 4), dependent)
        yield gap_chain(5, [2, 3], 4, Fraction(1, 3), dependent)
        yield gap_chain(9, [4, 5], 3, Fraction(6, 5), dependent)  # e > 1/2: lower sides below 0
        yield gap_chain(4, [2, 2], 9, HALF, dependent)


CHAINS = list(chains())
IDS = [f"{c.overlaps}-n{c.n}-e{c.error}-{'dependent' if c.dependent else 'independent'}" for c in CHAINS]


def z3_answer(query: Query) -> str:
    return smt.ask_z3(script(query), 30)[0]


def z3_reads(text: str) -> list[str]:
    """What Z3 prints for a whole file."""
    context = z3.Context()
    return str(z3.Z3_eval_smtlib2_string(context.ref(), text)).split()


def inputs(chain: Chain) -> Iterator[tuple[int, ...]]:
    """The companions of every input of a chain, as token numbers by position."""
    for i in range(len(chain.overlaps)):
        yield (i,) * (chain.n - 1)
    for i, j in pairwise(range(len(chain.overlaps))):
        for p in range(chain.n - 1):
            yield tuple(i if q == p else j for q in range(chain.n - 1))


def variable(chain: Chain, kind: str, p: int, i: int) -> str:
    return f"{kind}{p + 1}_{i}" if chain.dependent else f"{kind}{i}"


# ---- the encoding ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("chain", CHAINS, ids=IDS)
def test_every_answer_is_the_predicted_one(chain: Chain) -> None:
    for query in chain_queries([chain]):
        assert z3_answer(query) == query.expected, query.name


@pytest.mark.parametrize("chain", CHAINS, ids=IDS)
def test_the_ratio_is_the_best_one(chain: Chain) -> None:
    """Theorem 4.4: any larger ratio, with or without the self weight, is refuted by the solver."""
    larger = replace(chain, ratio=chain.ratio + Fraction(1, 100))
    assert z3_answer(ratio_query(larger)) == "sat"
    if chain.ratio >= 1:
        assert z3_answer(companion_query(larger)) == "sat"
    else:
        with pytest.raises(ValueError, match="at least 1"):
            companion_query(chain)


def test_a_gap_claimed_too_large_is_satisfiable() -> None:
    true = gap_chain(3, [3], 3, HALF, True)
    false = replace(true, ratio=gap_factor(4, 3, HALF))
    assert z3_answer(ratio_query(true)) == "unsat"
    assert z3_answer(ratio_query(false)) == "sat"


def test_a_negative_factor_has_no_consequence_along_a_chain() -> None:
    """The warning of Theorem 4.1: F(1)^2 = 9/16 at e = 2 proves nothing."""
    chain = Chain((0, 1, 2), 3, Fraction(2), Fraction(9, 16), True)
    assert z3_answer(ratio_query(chain)) == "sat"
    with pytest.raises(ValueError, match="not positive"):
        gap_chain(2, [1, 1], 3, Fraction(2), True)


@pytest.mark.parametrize("chain", CHAINS, ids=IDS)
def test_a_model_of_the_constraints_is_within_the_error(chain: Chain) -> None:
    """The consistency query means what it should: its model's outputs, computed exactly."""
    solver = z3.Solver()
    solver.from_string(script(consistency_query(chain)))
    assert solver.check() == z3.sat
    model = solver.model()
    value = {str(d): Fraction(str(model[d])) for d in model.decls()}
    for companions in inputs(chain):
        slots = list(enumerate(companions))
        weights = [value["aS"], *(value[variable(chain, "a", p, i)] for p, i in slots)]
        products = [value["bS"], *(value[variable(chain, "b", p, i)] for p, i in slots)]
        assert min(weights) >= 0
        assert sum(weights) > 0
        target = min(chain.overlaps[i] for i in companions)
        assert abs(sum(products) / sum(weights) - target) < chain.error


@pytest.mark.parametrize("chain", CHAINS, ids=IDS)
def test_a_genuine_head_satisfies_the_constraints(chain: Chain) -> None:
    """Weights p^-1 1000^-i at position p, overlaps as effective values: the better companion drowns."""
    lines = [script(consistency_query(chain)), "(assert (= aS 0.0))", "(assert (= bS 0.0))"]
    value = {}
    for p in range(chain.n - 1):
        for i, s in enumerate(chain.overlaps):
            weight = Fraction(1, (p + 1 if chain.dependent else 1) * 1000**i)
            value[variable(chain, "a", p, i)] = weight
            value[variable(chain, "b", p, i)] = weight * s
    lines += [f"(assert (= {name} (/ {v.numerator}.0 {v.denominator}.0)))" for name, v in value.items()]
    assert smt.ask_z3("\n".join(lines), 30)[0] == "sat"


def test_the_constraints_are_those_of_the_inputs() -> None:
    """Three assertions an input, one a weight; no assertion of another kind."""
    for chain in CHAINS:
        body = consistency_query(chain).body
        count = len(list(inputs(chain)))
        tokens = len(chain.overlaps)
        weights = 1 + tokens * (chain.n - 1)
        if not chain.dependent:
            count, weights = tokens + tokens - 1, 1 + tokens
        assert sum(line.startswith("(assert") for line in body) == 3 * count + weights
        assert sum(line.startswith("(declare-const") for line in body) == 2 * weights


def test_the_last_part_is_enlarged() -> None:
    chain = gap_chain(9, [4, 4], 3, HALF, True)
    assert chain.overlaps == (0, 4, 9)
    assert chain.ratio == 9
    assert [step.ratio for step in chain.steps()] == [3, 4]
    assert {z3_answer(query) for query in chain_queries([chain]) if query.expected == "unsat"} == {"unsat"}


def test_identical_queries_are_asked_once() -> None:
    queries = chain_queries([gap_chain(d, parts, 3, HALF, True) for d, parts in [(4, [4]), (8, [4, 4])]])
    assert len({query.body for query in queries}) == len(queries) == 3 + 4
    assert len({query.name for query in queries}) == len(queries)


def test_limits() -> None:
    with pytest.raises(TooLarge):
        chain_queries([gap_chain(2, [2], 10**5, HALF, True)])
    assert len(chain_queries([gap_chain(2, [2], 10**5, HALF, False)])) == 3
    with pytest.raises(TooLarge):
        gap_chain(4 * MAX_RATIO_BITS, [4] * MAX_RATIO_BITS, 3, HALF, False)
    with pytest.raises(TooLarge):
        rank_query(blocks(9, 2), {2: Fraction(1)}, 2)
    for d, parts, n in [(2, [], 3), (2, [2], 2), (2, [3], 3), (2, [0, 2], 3), (2, [1, 1], 3)]:
        with pytest.raises(ValueError, match="a "):
            gap_chain(d, parts, n, HALF, True)


# ---- the rank claim --------------------------------------------------------------------------------------

RANK = [
    (PAIR, Fraction(1), 2, "unsat"),
    (blocks(3, 2), Fraction(1), 2, "unsat"),
    (blocks(3, 2), Fraction(1), 3, "sat"),  # entries close to 1: rank 2 is possible
    (blocks(3, 3), Fraction(2), 3, "unsat"),
    (blocks(4, 2), Fraction(3), 3, "unsat"),
    (blocks(4, 2), Fraction(3), 4, "unsat"),
    (blocks(4, 2), Fraction(1), 4, "sat"),
    (HADAMARD[:4], Fraction(3), 4, "unsat"),
]


@pytest.mark.parametrize(("words", "ratio", "r", "expected"), RANK)
def test_rank_claims(words: tuple[int, ...], ratio: Fraction, r: int, expected: str) -> None:
    ratios = {difference(x, y): ratio for x in words for y in words if x != y}
    query = rank_query(words, ratios, r)
    assert z3_answer(query) == expected


def test_rank_claim_arguments() -> None:
    for r in (1, 3):
        with pytest.raises(ValueError, match="rank query"):
            rank_query(PAIR, {2: Fraction(1)}, r)


# ---- the text, and a second solver -----------------------------------------------------------------------


def all_queries() -> list[Query]:
    queries = list(chain_queries(CHAINS))
    false = [replace(chain, ratio=chain.ratio + Fraction(1, 100)) for chain in CHAINS]
    queries += [replace(ratio_query(chain), expected="sat") for chain in false]
    queries.append(rank_query(PAIR, {2: Fraction(1)}, 2))
    queries.append(rank_query(blocks(3, 2), {2: Fraction(3)}, 3))
    return queries


def test_z3_reads_the_file_as_it_is() -> None:
    queries = all_queries()
    assert z3_reads(document(queries, "a test")) == [query.expected for query in queries]


def test_cvc5_reads_the_file_as_it_is() -> None:
    cvc5 = pytest.importorskip("cvc5")
    queries = all_queries()
    solver = cvc5.Solver()
    solver.setOption("incremental", "true")
    solver.setOption("strict-parsing", "true")
    reader = cvc5.InputParser(solver)
    reader.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, document(queries, "a test"), "test")
    said = []
    while not (command := reader.nextCommand()).isNull():
        said.append(str(command.invoke(solver, reader.getSymbolManager())).strip())
    assert [line for line in said if line not in ("", "success")] == [query.expected for query in queries]


@pytest.mark.parametrize("chain", CHAINS, ids=IDS)
def test_cvc5_agrees(chain: Chain) -> None:
    pytest.importorskip("cvc5")
    larger = replace(chain, ratio=chain.ratio + Fraction(1, 100))
    for query in [*chain_queries([chain]), replace(ratio_query(larger), expected="sat")]:
        assert smt.ask_cvc5(script(query), 30)[0] == query.expected, query.name


@pytest.mark.slow
def test_cvc5_agrees_on_rank_claims() -> None:
    pytest.importorskip("cvc5")
    for words, r, expected in [(blocks(3, 2), 3, "unsat"), (blocks(4, 2), 3, "unsat")]:
        assert smt.ask_cvc5(script(rank_query(words, {2: Fraction(3)}, r)), 60)[0] == expected


def test_terms_are_linear_with_decimal_coefficients() -> None:
    """Every product in QF_LRA is (* constant variable), and no numeral is without its ".0"."""
    for query in chain_queries(CHAINS):
        code = "\n".join(line.split(";")[0] for line in query.body)
        for factor in re.findall(r"\(\* (.*?) [a-z]\w*\)", code):
            assert re.fullmatch(r"\d+\.0|\(- \d+\.0\)", factor)
        assert "(* " not in re.sub(r"\(\* (\d+\.0|\(- \d+\.0\)) [ab]\w+\)", "", code)
        assert not re.search(r"(?<![\w.])\d+(?![\w.])", code)


# ---- the command -----------------------------------------------------------------------------------------

Run = subprocess.CompletedProcess[str]


def command(cwd: Path, *arguments: str) -> Run:
    line = [sys.executable, "-m", "verifier.smt", *arguments]
    return subprocess.run(line, capture_output=True, text=True, cwd=cwd, check=False, timeout=100)


CASES: list[tuple[str, dict[str, Any]]] = [
    ("pair", {"words": PAIR, "n": 3, "r": 2, "method": "dominance"}),
    ("pair-quarter", {"words": PAIR, "n": 3, "r": 2, "method": "dominance", "error": "1/4"}),
    ("pair-third", {"words": PAIR, "n": 3, "r": 2, "error": "1/3", "positions": "independent"}),
    ("hadamard", {"words": HADAMARD, "n": 4, "r": 3}),
    ("hadamard-independent", {"words": HADAMARD, "n": 4, "r": 3, "positions": "independent"}),
    ("hadamard-third", {"words": HADAMARD, "n": 4, "r": 5, "error": "1/3"}),
    ("three-words", {"words": blocks(3, 8), "n": 3, "r": 3, "method": "dominance"}),
]


@pytest.mark.parametrize(("name", "arguments"), CASES)
def test_certificates(tmp_path: Path, capsys: Any, name: str, arguments: dict[str, Any]) -> None:
    path = write_certificate(tmp_path / f"{name}.json", **arguments)
    check.check_file(str(path))
    assert smt.main([str(path), "--json"]) == 0
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert (report["certificate"], report["solver"], report["file"]) == (str(path), "z3", None)
    assert all(query["answer"] == query["expected"] for query in report["queries"])
    assert {query["expected"] for query in report["queries"]} == {"sat", "unsat"}
    assert any(query["name"].startswith("rank") for query in report["queries"]) == (
        len(arguments["words"]) <= 4
    )
    assert all(query["seconds"] >= 0 for query in report["queries"])
    assert "Traceback" not in err


def test_the_report_and_the_file(tmp_path: Path) -> None:
    write_certificate(tmp_path / "c.json", blocks(2, 8), 3, 2, "dominance")
    result = command(tmp_path, "c.json", "--output", "out/c.smt2")
    assert result.returncode == 0
    assert result.stderr == ""
    *lines, last = result.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["sat", "unsat", "unsat", "unsat", "unsat", "unsat"]
    assert "ratio d=8: overlaps 0 to 8, D(z_0) <= 9 D(z_2)" in lines[3]
    assert last.startswith("6 of 6 answers of z3 as expected: chains of r*(16,3) >= 2")
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["c.smt2"]
    text = (tmp_path / "out" / "c.smt2").read_text()
    assert z3_reads(text) == [line.split()[0] for line in lines]
    quiet = command(tmp_path, "c.json", "--output", "out/c.smt2", "--quiet")  # its own file may be replaced
    assert quiet.stdout.splitlines() == [last]
    assert (tmp_path / "out" / "c.smt2").read_text() == text


def test_the_command_with_cvc5(tmp_path: Path) -> None:
    pytest.importorskip("cvc5")
    write_certificate(tmp_path / "c.json", blocks(2, 8), 4, 2, "dominance")
    answers = [
        [
            query["answer"]
            for query in json.loads(command(tmp_path, "c.json", "--json", *more).stdout)["queries"]
        ]
        for more in ([], ["--solver", "cvc5"])
    ]
    assert answers[0] == answers[1]


def test_a_solver_that_is_not_installed(tmp_path: Path, capsys: Any, monkeypatch: Any) -> None:
    path = write_certificate(tmp_path / "c.json", PAIR, 3, 2)
    monkeypatch.setattr(smt.importlib.util, "find_spec", lambda name: None)
    assert smt.main([str(path), "--solver", "cvc5"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def damage(path: Path, **claim: Any) -> None:
    """The certificate with another claim."""
    top = json.loads(path.read_text())
    top["claim"].update(claim)
    path.write_text(json.dumps(top))


BAD: list[tuple[int, tuple[str, ...]]] = [
    (2, ()),
    (2, ("none.json",)),
    (2, (".",)),
    (2, ("text.json",)),
    (2, ("malformed.json",)),
    (2, ("construction.json",)),
    (2, ("one-word.json",)),
    (1, ("unproved.json",)),
    (4, ("long.json",)),
    (4, ("good.json", "--rank-claim")),
    (2, ("r1.json", "--rank-claim")),
    (2, ("good.json", "--solver", "yices")),
    (2, ("good.json", "--timeout", "0")),
    (2, ("good.json", "--timeout", "nan")),
    (2, ("good.json", "--timeout", "-1")),
    (2, ("good.json", "--frob")),
    (2, ("good.json", "--output", ".")),
    (2, ("good.json", "--output", "good.json")),
    (2, ("good.json", "--output", "text.json")),
    (2, ("good.json", "--output", "text.json/x.smt2")),
    (2, ("good\0.json",)),
]


@pytest.mark.parametrize(("code", "arguments"), BAD, ids=str)
def test_bad_input_is_one_sentence(
    tmp_path: Path, capsys: Any, monkeypatch: Any, code: int, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_certificate(tmp_path / "good.json", blocks(9, 6), 3, 5)
    write_certificate(tmp_path / "r1.json", PAIR, 3, 1)
    write_certificate(tmp_path / "one-word.json", [0b1111], 3, 1)
    for name, claim in [("malformed", {"n": "3"}), ("unproved", {"r": 9}), ("long", {"n": 1 << 20})]:
        damage(write_certificate(tmp_path / f"{name}.json", blocks(9, 2), 3, 1), **claim)
    (tmp_path / "text.json").write_text("not JSON")
    construction = {
        "format": "verifier-certificate",
        "version": 1,
        "kind": "construction",
        "claim": {"m": 4, "n": 1, "error": "0", "features": "nonnegative", "heads": 1, "r": 1},
        "evidence": {"method": "rank-1", "readout": {"token": "2", "weight": "-1"}},
    }
    (tmp_path / "construction.json").write_text(json.dumps(construction))
    before = {p: p.read_bytes() for p in tmp_path.iterdir()}
    assert smt.main(list(arguments)) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert err.startswith("verifier.smt: ")
    assert {p: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_bad_input_from_the_shell(tmp_path: Path) -> None:
    result = command(tmp_path, "none.json")
    assert (result.returncode, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1


def test_exit_codes_and_lines() -> None:
    linear, rank = ratio_query(CHAINS[0]), rank_query(PAIR, {2: Fraction(1)}, 2)
    good, bad, unknown = smt.Answer("unsat", 0.0), smt.Answer("sat", 0.0), smt.Answer("unknown", 1.0, "tired")
    assert smt.verdict([(linear, good), (rank, good)], True) == 0
    assert smt.verdict([(linear, good), (rank, unknown)], False) == 0
    assert smt.verdict([(linear, good), (rank, unknown)], True) == 4
    assert smt.verdict([(linear, unknown), (rank, good)], False) == 4
    assert smt.verdict([(linear, bad), (rank, unknown)], True) == 1
    assert smt.answer_line(linear, bad).endswith("(EXPECTED unsat)")
    assert smt.answer_line(linear, unknown).endswith("(expected unsat; tired)")


def test_a_rank_claim_that_is_asked_for_may_be_given_up(tmp_path: Path) -> None:
    write_certificate(tmp_path / "six.json", blocks(6, 6), 3, 4, "dominance")
    assert "rank" not in command(tmp_path, "six.json").stdout
    result = command(tmp_path, "six.json", "--rank-claim", "--timeout", "1")
    assert result.returncode == 4
    assert "unknown rank r=4" in result.stdout
    assert "3 of 4 answers of z3 as expected, 1 unknown" in result.stdout


def test_a_solver_that_does_not_stop_is_stopped(monkeypatch: Any) -> None:
    hard = script(rank_query(blocks(6, 6), {6: Fraction(5)}, 4))
    worker = smt.Worker("z3")
    try:
        monkeypatch.setattr(smt, "GRACE", 0.0)
        assert worker.ask(hard, 0.01)[::2] == ("unknown", "timeout")
        monkeypatch.setattr(smt, "GRACE", 30.0)
        assert worker.ask(script(ratio_query(CHAINS[0])), 30).answer == "unsat"  # a new process
        worker.process.kill()
        assert worker.ask(hard, 1).reason == "the solver ended by itself"
        assert worker.ask("(assert (= nothing 0.0))", 1).answer == "unknown"
    finally:
        worker.close()


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("group", [False, True])
def test_ctrl_c(tmp_path: Path, group: bool) -> None:
    """While the solver computes: sent to this process alone or, as a terminal does, to its whole group."""
    write_certificate(tmp_path / "six.json", blocks(6, 6), 3, 4, "dominance")
    process = subprocess.Popen(
        [sys.executable, "-m", "verifier.smt", "six.json", "--rank-claim", "--timeout", "900"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    for _ in range(3):
        assert process.stdout.readline().split()[0] in ("sat", "unsat")
    os.killpg(process.pid, signal.SIGINT) if group else process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err == "verifier.smt: interrupted\n"
