"""The search for codes and its command: sizes, seeds, groups, resuming, interruption, one-sentence errors."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

from verifier.check import check_file
from verifier.codes.__main__ import main
from verifier.codes.groups import move, named_group
from verifier.codes.objective import rank_improvements
from verifier.codes.orbits import TooLarge, orbit_graph
from verifier.codes.search import CellError, Found, cell, improvements
from verifier.codes.verify import verify
from verifier.codes.wordfile import parse_words


def best(length: int, distance: int, weight: int, budget: float = 60, **options: object) -> Found:
    deadline = time.monotonic() + budget
    found = list(improvements(cell(length, distance, weight), deadline=deadline, **options))  # type: ignore[arg-type]
    assert [len(f.words) for f in found] == sorted({len(f.words) for f in found})
    assert verify(found[-1].words, length, distance, weight) == len(found[-1].words)
    return found[-1]


@pytest.mark.parametrize(
    ("length", "distance", "weight", "size"),
    [
        (10, 4, 4, 30),
        (11, 6, 5, 11),
        (12, 6, 6, 22),
        (14, 8, 7, 8),
        (9, 4, 4, 18),
        (12, 4, 6, 132),
        (13, 4, 3, 26),
    ],
)
def test_optimal_codes_are_found(length: int, distance: int, weight: int, size: int) -> None:
    assert len(best(length, distance, weight).words) == size


def test_a_prescribed_group_is_respected() -> None:
    group = named_group("cyclic:11", 12)
    found = best(12, 6, 6, group=group)
    assert len(found.words) == 22
    assert {move(word, group.generators[0]) for word in found.words} == set(found.words)


def test_orbit_graph_by_definition() -> None:
    graph = orbit_graph(9, 2, 4, named_group("cycles:3,3,2", 9))
    sizes, parts = graph.weights, [graph.code((v,)) for v in range(len(graph.weights))]
    assert [len(part) for part in parts] == sizes
    for a, b in itertools.combinations(range(len(parts)), 2):
        close = any((x & ~y).bit_count() < 2 for x in parts[a] for y in parts[b])
        assert graph.adjacency[a, b] == graph.adjacency[b, a] == (not close)
    for part in parts:
        assert all((x & ~y).bit_count() >= 2 for x, y in itertools.combinations(part, 2))


def test_deterministic_without_a_deadline() -> None:
    first, second = ([f.words for f in improvements(cell(13, 4, 5), seed=3, rounds=4)] for _ in range(2))
    assert first == second


def test_too_large() -> None:
    with pytest.raises(TooLarge, match="words of length 40"):
        orbit_graph(40, 2, 20, named_group("cyclic:40", 40))
    with pytest.raises(TooLarge, match="good orbits"):
        orbit_graph(20, 2, 10, named_group("trivial:1", 20))


@pytest.mark.parametrize(
    "cells", [(0, 4, 1), (5, 0, 2), (5, 4, 6), (5, 4, -1), (5, 6, 2), (64, 4, 3), (5, 2, 0)]
)
def test_impossible_cells(cells: tuple[int, int, int]) -> None:
    with pytest.raises(CellError):
        cell(*cells)


def test_rank_objective() -> None:
    found = list(rank_improvements(8, 3, Fraction(1, 2), seed=1, rounds=6))
    ranks = [proposal.bound.bound.r for proposal in found]
    assert ranks == sorted(ranks)
    assert ranks[-1] >= 2
    grouped = rank_improvements(12, 3, Fraction(1, 2), (6,), group=named_group("cyclic:11", 12), rounds=3)
    assert max(proposal.bound.bound.r for proposal in grouped) >= 7


# ---- the command -----------------------------------------------------------------------------------------


def run(*arguments: str) -> int:
    return main(["--quiet", *arguments])


def test_the_command_writes_and_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, proof, upper = tmp_path / "code.txt", tmp_path / "code.json", tmp_path / "upper.json"
    parameters = ("--length", "10", "--distance", "4", "--weight", "4", "--output", str(file))
    assert run(*parameters, "--certificate", str(proof), "--upper", str(upper)) == 0
    assert "A(10,4,4) >= 30" in capsys.readouterr().out
    words = parse_words(file.read_text(), 10, "found").words
    assert verify(words, 10, 4, 4) == 30
    assert "length 10, distance 4, weight 4, size 30" in file.read_text()
    assert check_file(str(proof)) == "A(10,4,4) >= 30"
    assert check_file(str(upper)) == "A(10,4,4) <= 30"
    assert run(*parameters, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["size"] == report["upper"] == 30
    assert report["origin"] == "resumed"


def test_the_command_prints_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--length", "7", "--distance", "4", "--weight", "3") == 0
    words = parse_words(capsys.readouterr().out, 7, "found").words
    assert verify(words, 7, 4, 3) == 7
    assert run("--length", "7", "--distance", "4", "--weight", "3", "--json", "--workers", "2") == 0
    assert json.loads(capsys.readouterr().out)["size"] == 7


def test_the_command_for_ranks(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--length", "8", "--objective", "rank", "--budget", "2", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["r"] >= 2
    assert report["size"] == len(report["words"])


@pytest.mark.parametrize(
    "arguments",
    [
        "--length 0 --distance 4 --weight 2",
        "--length 8 --distance 0 --weight 2",
        "--length 8 --distance -4 --weight 2",
        "--length 8 --distance 4 --weight 9",
        "--length 8 --distance 10 --weight 4",
        "--length 8 --distance 4",
        "--length 8 --weight 4",
        "--length 64 --distance 4 --weight 4",
        "--length 99999999999 --distance 4 --weight 4",
        "--length 8 --distance 4 --weight 4 --group monster",
        "--length 8 --distance 4 --weight 4 --group cyclic:9",
        "--length 40 --distance 4 --weight 20 --group cyclic:40 --budget 5",
        "--length 8 --distance 4 --weight 4 --budget 0",
        "--length 8 --distance 4 --weight 4 --budget nan",
        "--length 8 --distance 4 --weight 4 --workers 0",
        "--length 8 --distance 4 --weight 4 --seed -1",
        "--length 8 --distance four --weight 4",
        "--length 8 --distance 4 --weight 4 --unknown",
        "--length 8 --objective rank --distance 4",
        "--length 8 --objective rank --weight 9",
        "--length 8 --objective rank --error 0",
        "--length 8 --distance 4 --weight 4 --output /nowhere/at/all/x.txt",
        "",
    ],
)
def test_bad_input_is_one_sentence(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(*arguments.split())
    captured = capsys.readouterr()
    if "nowhere" in arguments and code == 0:
        pytest.skip("every directory can be made here")
    assert code == 2
    assert captured.out == ""
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("text", ["zz", "3\n3\n", "ff\n", "00000000"])
def test_another_file_is_not_overwritten(text: str, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text)
    assert run("--length", "8", "--distance", "4", "--weight", "4", "--output", str(file)) == 2
    assert file.read_text() == text


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupt_keeps_what_is_done(workers: str, tmp_path: Path) -> None:
    file = tmp_path / "code.txt"
    parameters = ["--length", "14", "--distance", "4", "--weight", "6", "--budget", "100"]
    process = subprocess.Popen(
        [sys.executable, "-m", "verifier.codes", *parameters, "--output", str(file), "--workers", workers],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(5)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    words = parse_words(file.read_text(), 14, "found").words
    assert verify(words, 14, 4, 6) > 200
