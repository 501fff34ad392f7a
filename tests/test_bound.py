"""The command `python -m verifier.bound`, run as a user runs it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from verifier import check
from verifier.bound import main
from verifier.codes.catalog import NAMED

Run = subprocess.CompletedProcess[str]


def bound(cwd: Path, *arguments: str) -> Run:
    command = [sys.executable, "-m", "verifier.bound", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False, timeout=300)


def as_json(cwd: Path, *arguments: str) -> Any:
    result = bound(cwd, *arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_the_main_job(tmp_path: Path) -> None:
    result = bound(tmp_path, "--m", "24", "--n", "3")
    assert result.returncode == 0
    first, *rest = result.stdout.splitlines()
    assert first.startswith("r*(24,3) >= ")
    assert int(first.split()[-1]) >= 43
    assert any("Theorem 5." in line for line in rest)
    checker = subprocess.run(
        [sys.executable, "-I", check.__file__, str(tmp_path / "certificates" / "m24-n3.json")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checker.returncode == 0
    assert checker.stdout.strip().endswith(first)


@pytest.mark.parametrize("n", [1, 2])
def test_short_lengths(tmp_path: Path, n: int) -> None:
    report = as_json(tmp_path, "--m", "40", "--n", str(n))
    assert report["claim"] == {"m": 40, "n": n, "error": "0", "features": "nonnegative", "heads": 1, "r": 1}
    assert check.check_file(str(tmp_path / report["file"])) == f"r*(40,{n}) = 1, error 0"
    assert f"r*(40,{n}) = 1" in bound(tmp_path, "--m", "40", "--n", str(n)).stdout


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "projection"])
def test_every_m_gets_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], method: str
) -> None:
    """Every m up to 33 and some up to 64, in this process (the shipped table has the rest)."""
    monkeypatch.chdir(tmp_path)
    for n in (3, 7):
        found = []
        for m in [*range(1, 34), 40, 47, 48, 57, 63, 64]:
            arguments = ["--m", str(m), "--n", str(n), "--method", method, "--json", "--quiet"]
            assert main(arguments) == 0
            report = json.loads(capsys.readouterr().out)
            found.append(report["claim"]["r"])
            assert check.check_file(report["file"]) == f"r*({m},{n}) >= {found[-1]}"
        assert found[0] == 1
        assert found[-1] > 1000


def test_many_bits_are_counted(tmp_path: Path) -> None:
    report = as_json(tmp_path, "--m", "3000", "--n", "16")
    assert report["method"] == "counting"
    assert int(report["claim"]["r"], 16) > 1 << 1000
    assert (tmp_path / report["file"]).stat().st_size < 4000
    result = bound(tmp_path, "--m", "20000", "--n", "16")
    assert result.returncode == 0
    assert "2^" in result.stdout


@pytest.mark.parametrize("m", ["1", "2", "3"])
def test_nothing_better_than_one(tmp_path: Path, m: str) -> None:
    """r*(m,3) = 1 for m = 1, 2, 3: a bound above 1 would be false."""
    assert as_json(tmp_path, "--m", m, "--n", "3")["claim"]["r"] == 1


@pytest.mark.parametrize("method", ["trace", "projection", "dominance", "scheme", "counting"])
def test_one_method(tmp_path: Path, method: str) -> None:
    report = as_json(tmp_path, "--m", "12", "--n", "8", "--method", method)
    assert report["method"] == method
    assert report["file"] == f"certificates/m12-n8-{method}.json"


def test_general_error(tmp_path: Path) -> None:
    report = as_json(tmp_path, "--m", "10", "--n", "3", "--error", "1/4")
    assert report["claim"]["error"] == "1/4"
    assert report["file"] == "certificates/m10-n3-error1_4.json"
    smaller_error = report["claim"]["r"]
    assert smaller_error >= as_json(tmp_path, "--m", "10", "--n", "3")["claim"]["r"]
    assert as_json(tmp_path, "--m", "10", "--n", "3", "--error", "0.25")["claim"] == report["claim"]
    assert as_json(tmp_path, "--m", "6", "--n", "3", "--error", "5")["claim"]["r"] == 1


@pytest.mark.slow
def test_other_classes_of_heads(tmp_path: Path) -> None:
    """Signed kernels and nonnegative features: claims, file names, and what one class says of another."""
    real = as_json(tmp_path, "--m", "24", "--n", "3")["claim"]["r"]
    nonneg = as_json(tmp_path, "--m", "24", "--n", "3", "--features", "nonnegative")
    assert nonneg["file"] == "certificates/m24-n3-nonneg.json"
    assert nonneg["claim"]["features"] == "nonnegative"
    assert nonneg["claim"]["r"] >= real  # a smaller class of heads
    signed = as_json(tmp_path, "--m", "24", "--n", "3", "--kernel", "signed")
    assert signed["file"] == "certificates/m24-n3-signed.json"
    assert (signed["claim"]["kernel"], signed["claim"]["positions"]) == ("signed", "independent")
    assert 20 <= signed["claim"]["r"] <= real  # theory chapter 8: r >= 20 from the dodecads
    wide = as_json(tmp_path, "--m", "24", "--n", "5", "--kernel", "signed", "--positions", "dependent")
    assert wide["file"] == "certificates/m24-n5-signed-positions.json"
    assert 1 < wide["claim"]["r"] <= as_json(tmp_path, "--m", "24", "--n", "5")["claim"]["r"]
    long = as_json(tmp_path, "--m", "600", "--n", "3", "--features", "nonnegative")
    assert long["method"] == "nonneg-counting"
    assert int(long["claim"]["r"], 16) > int(as_json(tmp_path, "--m", "600", "--n", "3")["claim"]["r"], 16)
    mine = as_json(tmp_path, "--m", "24", "--n", "3", "--kernel", "signed", "--code", "hadamard-24")
    assert mine["claim"]["r"] == 20  # the stronger one stood there
    assert mine["found"] == 16


def test_a_code_of_the_user(tmp_path: Path) -> None:
    words = NAMED["hadamard-24"]().words
    (tmp_path / "mine.txt").write_text("# my code\n" + "\n".join(f"{w:06x}" for w in words))
    report = as_json(tmp_path, "--m", "24", "--n", "3", "--code", "mine.txt")
    assert report["claim"]["r"] == 30
    assert as_json(tmp_path, "--m", "30", "--n", "3", "--code", "witness")["claim"]["r"] == 19


def test_a_weaker_bound_does_not_replace_a_stronger_one(tmp_path: Path) -> None:
    strong = as_json(tmp_path, "--m", "24", "--n", "3", "--code", "hadamard-24", "--output", "a.json")
    before = (tmp_path / "a.json").read_bytes()
    weak = as_json(tmp_path, "--m", "24", "--n", "3", "--code", "witness", "--output", "a.json")
    assert (weak["kept"], weak["found"], weak["claim"]) == (True, 19, strong["claim"])
    assert (tmp_path / "a.json").read_bytes() == before
    forced = as_json(tmp_path, "--m", "24", "--n", "3", "--code", "witness", "--output", "a.json", "--force")
    assert forced["claim"]["r"] == 19
    again = as_json(tmp_path, "--m", "24", "--n", "3", "--code", "hadamard-24", "--output", "a.json")
    assert (again["kept"], again["claim"]["r"]) == (False, 30)


def test_a_false_stronger_certificate_is_replaced(tmp_path: Path) -> None:
    as_json(tmp_path, "--m", "24", "--n", "3", "--code", "witness", "--output", "a.json")
    document = json.loads((tmp_path / "a.json").read_text())
    document["claim"]["r"] = 99
    (tmp_path / "a.json").write_text(json.dumps(document))
    report = as_json(tmp_path, "--m", "24", "--n", "3", "--code", "witness", "--output", "a.json")
    assert (report["kept"], report["claim"]["r"]) == (False, 19)


def test_same_arguments_same_file(tmp_path: Path) -> None:
    files = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        bound(tmp_path / folder, "--m", "11", "--n", "5", "--seed", "7")
        files.append((tmp_path / folder / "certificates" / "m11-n5.json").read_bytes())
    assert files[0] == files[1]


BAD = [
    (),
    ("--m", "24"),
    ("--m", "0", "--n", "3"),
    ("--m", "-4", "--n", "3"),
    ("--m", "2.5", "--n", "3"),
    ("--m", "99999999999999999999", "--n", "3"),
    ("--m", "24", "--n", "zero"),
    ("--m", "24", "--n", "3", "--error", "0"),
    ("--m", "24", "--n", "3", "--error", "1/0"),
    ("--m", "24", "--n", "3", "--error", "-1/2"),
    ("--m", "24", "--n", "3", "--error", "nan"),
    ("--m", "24", "--n", "3", "--error", "1e-5"),
    ("--m", "24", "--n", "3", "--method", "magic"),
    ("--m", "24", "--n", "3", "--budget", "-1"),
    ("--m", "24", "--n", "3", "--budget", "inf"),
    ("--m", "24", "--n", "3", "--seed", "x"),
    ("--m", "24", "--n", "3", "--frob"),
    ("--m", "24", "--n", "3", "--code", "none.txt"),
    ("--m", "24", "--n", "3", "--code", "empty.txt"),
    ("--m", "24", "--n", "3", "--code", "binary.txt"),
    ("--m", "24", "--n", "3", "--code", "near.txt"),
    ("--m", "24", "--n", "3", "--code", "."),
    ("--m", "20", "--n", "3", "--code", "dodecads"),
    ("--m", "20", "--n", "3", "--kernel", "signed", "--features", "nonnegative"),
    ("--m", "20", "--n", "3", "--kernel", "signed", "--method", "projection"),
    ("--m", "24", "--n", "3", "--kernel", "signed", "--positions", "dependent", "--code", "octads"),
    ("--m", "24", "--n", "3", "--code", "octads", "--method", "counting"),
    ("--m", "4", "--n", "3", "--output", "."),
    ("--m", "4", "--n", "3", "--output", "notes.txt"),
    ("--m", "4", "--n", "3", "--output", "other.json"),
    ("--m", "4", "--n", "3", "--output", "empty.txt/x.json"),
]


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
def test_bad_input_is_one_sentence_and_exit_two(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "near.txt").write_text("000003\n000005\n")
    (tmp_path / "notes.txt").write_text("my notes\n")
    bound(tmp_path, "--m", "5", "--n", "3", "--output", "other.json")
    before = {p: p.read_bytes() for p in tmp_path.iterdir()}
    result = bound(tmp_path, *arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
    assert {p: p.read_bytes() for p in tmp_path.iterdir()} == before


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c_keeps_the_best_so_far(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "verifier.bound", "--m", "12", "--n", "4", "--budget", "60"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "interrupt" in out
    assert check.check_file(str(tmp_path / "certificates" / "m12-n4.json")).startswith("r*(12,4) >= ")
