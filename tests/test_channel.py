"""Theory chapter 10: the fooling family, the bound over all small channels, certificates, the command."""

import itertools
import json
import random
import subprocess
import sys
from fractions import Fraction
from math import log2
from pathlib import Path
from typing import Any

import pytest

from tests.corruption import storm, verdict
from verifier.certificate import as_json, render, transcript_bound
from verifier.channel import (
    Architecture,
    Family,
    bits_needed,
    distinct_answers,
    is_small,
    least,
    verify,
)
from verifier.minip import overlap
from verifier.transcript import main

HALF = Fraction(1, 2)
Json = dict[str, Any]


@pytest.mark.parametrize(("queries", "levels"), [(1, 1), (1, 7), (2, 3), (3, 2), (5, 1), (4, 4)])
def test_targets_are_the_key(queries: int, levels: int) -> None:
    family = Family(queries, levels)
    assert verify(family) == (levels + 1) ** queries
    for i, k in itertools.product(range(1, queries + 1), repeat=2):
        assert overlap(family.query(i), family.query(k)) == levels * (1 + (i == k))
        assert family.query(i) < 1 << family.token_bits


def test_every_channel_of_fewer_values_errs() -> None:
    """q = 2, s = 1: each of the 3^4 maps of the 4 keys to 3 transcripts gives two keys the same answers."""
    answers = list(itertools.product(range(2), repeat=2))
    for transcript in itertools.product(range(3), repeat=4):
        worst = Fraction(0)
        for value in set(transcript):
            group = [c for c, t in zip(answers, transcript, strict=True) if t == value]
            for i in range(2):  # the best answer is the middle of the targets
                spread = max(c[i] for c in group) - min(c[i] for c in group)
                worst = max(worst, Fraction(spread, 2))
        assert worst >= HALF
    assert bits_needed(Family(2, 1), HALF) == 2


@pytest.mark.parametrize("error", [HALF, Fraction(1, 3), Fraction(1), Fraction(3, 2), Fraction(9)])
def test_bits_against_logarithms(error: Fraction) -> None:
    for queries, levels in itertools.product((1, 2, 5, 33), (1, 2, 7, 100)):
        bits = bits_needed(Family(queries, levels), error)
        k = distinct_answers(levels, error)
        spaced = [c for c in range(levels + 1) if c % -(-2 * error.numerator // error.denominator) == 0]
        assert len(spaced) == k
        assert bits - 1 < queries * log2(k) <= bits or bits == 0


def test_a_rounded_sketch_model_has_no_more_transcripts_than_its_bits() -> None:
    """One layer of linear attention with rounded sums: distinct sketches against the capacity."""
    rng = random.Random(5)
    family = Family(2, 3)
    for r, d, b in ((1, 1, 2), (2, 1, 2), (1, 2, 4), (3, 2, 1)):
        features = [[rng.random() for _ in range(family.token_bits)] for _ in range(r * (d + 1))]
        sketches = set()
        for c in itertools.product(range(4), repeat=2):
            key = family.key(c)
            sums = [sum(w for j, w in enumerate(row) if key >> j & 1) for row in features]
            sketches.add(tuple(min(int(total), 2**b - 1) for total in sums))
        capacity = Architecture(1, 1, r, d, b).capacity()
        assert capacity is not None
        assert len(sketches) <= 2**capacity
        if capacity < bits_needed(family, HALF):
            assert len(sketches) < 4**2


def test_architectures() -> None:
    assert Architecture(2, 3, 5, 7, 16).capacity() == 2 * 3 * 5 * 8 * 16
    assert Architecture(2, 3, 5, 7, 16, uses=10).capacity() == 10 * 2 * 3 * 5 * 8 * 16
    for name in ("layers", "heads", "features", "value_width", "bits"):
        numbers: dict[str, int | None] = {
            "layers": 2, "heads": 3, "features": 5, "value_width": 7, "bits": 4,
        }  # fmt: skip
        numbers[name] = None
        open_one = Architecture(**numbers)
        assert open_one.capacity() is None
        found = least(open_one, 10_000)
        enough, less = (Architecture(**{**numbers, name: value}).known() for value in (found, found - 1))
        assert less < 10_000 <= enough


def test_small_and_large() -> None:
    assert is_small(Family(3, 4))
    assert not is_small(Family(1000, 255))
    assert bits_needed(Family(1000, 255), HALF) == 8000
    with pytest.raises(ValueError, match="too large"):
        bits_needed(Family(1 << 22, 1 << 22), HALF)


def document(queries: int, levels: int, error: Fraction = HALF) -> Json:
    family = Family(queries, levels)
    return as_json(transcript_bound(family, error, bits_needed(family, error), {}))


@pytest.mark.parametrize("error", [HALF, Fraction(1, 5), Fraction(2), Fraction(50)])
@pytest.mark.parametrize(("queries", "levels"), [(1, 1), (3, 4), (10, 1), (1000, 255), (20_000, 10)])
def test_certificates(queries: int, levels: int, error: Fraction) -> None:
    family = Family(queries, levels)
    needed = bits_needed(family, error)
    assert len(render(transcript_bound(family, error, needed, {}))) < 500
    assert verdict(document(queries, levels, error)) == "verified"
    for key, change in (("bits", 1), ("n", 1), ("m", -1)):
        bad = document(queries, levels, error)
        bad["claim"][key] += change
        assert verdict(bad) == "unproved"


def still_proved(mutant: Json) -> bool:
    claim = mutant["claim"]
    error = Fraction(claim["error"])
    q, s = claim["queries"], claim["levels"]
    if error <= 0 or claim["n"] != q + 1 or claim["m"] < s * (q + 1):
        return False
    step = next(t for t in itertools.count(1) if t >= 2 * error)
    answers = len(range(0, s + 1, step))
    return claim["bits"] == 0 or 2 ** (claim["bits"] - 1) < answers**q


def test_corrupted_certificates() -> None:
    for seed, case in enumerate(((3, 4), (40, 9), (1000, 3))):
        assert storm(document(*case), still_proved, 300, seed) > 120


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.json"
    assert main(["--queries", "3", "--levels", "4", "--output", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "all 125 keys" in shown
    assert ">= 7 bits" in shown
    assert verdict(json.loads(path.read_text())) == "verified"
    sizes = ["--layers", "1", "--heads", "2", "--value-width", "3", "--bits", "8"]
    assert main(["--queries", "1000", "--levels", "255", *sizes, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["bits"] == 8000
    assert answer["least"] == {"features": 125}
    assert main(["--queries", "1000", "--levels", "255", *sizes, "--features", "124"]) == 0
    assert "TOO FEW" in capsys.readouterr().out
    assert main(["--queries", "1000", "--levels", "255", *sizes, "--features", "1", "--reads", "each"]) == 0
    assert "enough" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--queries", "0", "--levels", "2"),
        ("--queries", "2", "--levels", "x"),
        ("--queries", "4000000", "--levels", "4000000"),
        ("--queries", "2", "--levels", "2", "--bits", "0"),
        ("--queries", "2", "--levels", "2", "--output", "."),
    ],
)
def test_bad_input(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "verifier.transcript", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "Traceback" not in result.stderr
