"""verifier.formal, and the machine-checked checker against the Python one."""

from __future__ import annotations

import copy
import importlib.util
import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from verifier import formal

ROOT = Path(__file__).resolve().parent.parent
COQ = ROOT / "theory" / "coq"
CERTIFICATES = ROOT / "certificates"
Cert = dict[str, Any]


# ---- certificates, made here so that nothing else is needed ---------------------------------------


def certificate(
    words: list[int],
    gaps: dict[str, list[int]],
    r: int,
    method: str = "projection",
    multiplier: str = "1/5",
    n: int = 3,
    error: str = "1/2",
    weight: int = 12,
) -> Cert:
    evidence: Cert = {
        "method": method,
        "code": {"length": 24, "weight": weight, "words": [f"{word:06x}" for word in words]},
        "gaps": gaps,
    }
    if method == "projection":
        evidence["lambda"] = multiplier
    claim = {
        "m": 24,
        "n": n,
        "error": error,
        "kernel": "nonnegative",
        "features": "real",
        "positions": "dependent",
        "r": r,
    }
    return {
        "format": "verifier-certificate",
        "version": 1,
        "kind": "rank-lower-bound",
        "claim": claim,
        "evidence": evidence,
    }


def witness_words() -> list[int]:
    residues = {i * i % 23 for i in range(23)}
    paley = [sum(1 << (x + shift) % 23 for x in residues) for shift in range(23)]
    return [*paley, (1 << 24) - 1 - paley[0]]


def golay_words(weight: int) -> list[int]:
    words = []
    for message in range(1 << 12):
        word = 0
        for i in range(12):
            if message >> i & 1:
                word ^= 0b110001110101 << i
        word |= (word.bit_count() & 1) << 23
        if word.bit_count() == weight:
            words.append(word)
    return words


def witness(r: int = 19, method: str = "projection", n: int = 3, error: str = "1/2") -> Cert:
    return certificate(witness_words(), {"6": [6], "12": [4, 4, 4]}, r, method, n=n, error=error)


GOLAY_GAPS = {"4": [4], "6": [6], "8": [4, 4], "12": [4, 4, 4]}


def dodecads(r: int = 43, method: str = "projection") -> Cert:
    return certificate(golay_words(12), GOLAY_GAPS, r, method)


def altered(source: Cert, path: str, value: object) -> Cert:
    """A copy with one entry replaced; path like 'evidence.code.words'."""
    result = copy.deepcopy(source)
    *where, last = path.split(".")
    target = result
    for key in where:
        target = target[key]
    target[last] = value
    return result


def signed(source: Cert) -> Cert:
    return altered(altered(source, "claim.kernel", "signed"), "claim.positions", "independent")


def without(source: Cert, path: str, key: str) -> Cert:
    result = target = copy.deepcopy(source)
    for part in path.split("."):
        target = target[part]
    del target[key]
    return result


def corruptions() -> dict[str, Cert]:
    """The witness, changed in one place; some changes leave it a proof, most do not."""
    good = witness()
    words = good["evidence"]["code"]["words"]
    cases = {f"m={m}": altered(good, "claim.m", m) for m in (0, 1, 23, 25, 1000)}
    cases |= {f"n={n}": altered(good, "claim.n", n) for n in (0, 1, 2, 4, 7, 1000)}
    cases |= {f"r={r}": altered(good, "claim.r", r) for r in (0, 1, 2, 18, 20, 24, 25, 26, 10**6)}
    cases |= {
        f"error={e}": altered(good, "claim.error", e)
        for e in ("0", "1/100", "1/4", "1/3", "49/100", "3/5", "1", "3", "2/4", "-1/2")
    }
    cases |= {
        f"lambda={v}": altered(good, "evidence.lambda", v)
        for v in ("0", "1/10", "19/100", "21/100", "1/4", "1", "7", "-1/5", "2/10", "1/0")
    }
    cases |= {
        f"gaps={g}": altered(good, "evidence.gaps", g)
        for g in (
            {},
            {"6": [6]},
            {"6": [7], "12": [4, 4, 4]},
            {"6": [5], "12": [4, 4, 4]},
            {"6": [3, 3], "12": [4, 4, 4]},
            {"6": [6], "12": [12]},
            {"6": [6], "12": [6, 6]},
            {"6": [6], "12": [4, 4, 5]},
            {"6": [1, 1, 4], "12": [4, 4, 4]},
            {"6": [], "12": [4, 4, 4]},
            {"6": [6], "12": [4, 4, 4], "7": [7]},
            {"6": [6], "12": [4, 4, 4], "60": [7]},
            {"6": [6], "12": [1, 1, 4, 4]},
            {"6": [0, 6], "12": [4, 4, 4]},
        )
    }
    cases |= {
        "word twice": altered(good, "evidence.code.words", [*words, words[0]]),
        "word dropped": altered(good, "evidence.code.words", words[:-1]),
        "five words": altered(good, "evidence.code.words", words[:5]),
        "no words": altered(good, "evidence.code.words", []),
        "zero word": altered(good, "evidence.code.words", ["000000", *words[1:]]),
        "light word": altered(good, "evidence.code.words", ["000001", *words[1:]]),
        "weight 11": altered(good, "evidence.code.weight", 11),
        "length 23": altered(good, "evidence.code.length", 23),
        "length 22": altered(good, "evidence.code.length", 22),
    }
    unweighted = without(good, "evidence.code", "weight")
    cases["no weight"] = unweighted
    cases["no weight, light word"] = altered(unweighted, "evidence.code.words", ["000001", *words[1:]])
    shuffle = random.Random(1)
    for k in range(12):
        other = list(words)
        spot = shuffle.randrange(len(other))
        other[spot] = f"{int(other[spot], 16) ^ 1 << shuffle.randrange(24) ^ 1 << shuffle.randrange(24):06x}"
        cases[f"bits flipped {k}"] = altered(good, "evidence.code.words", other)
    for r, word in ((1, words[0]), (2, words[0]), (1, "000000")):
        one = altered(altered(witness(r), "evidence.code.words", [word]), "evidence.gaps", {})
        cases[f"one word {word} r={r}"] = one
        cases[f"one word {word} r={r}, no weight"] = without(one, "evidence.code", "weight")
    for method, r, n in [("trace", r, n) for n in (3, 4) for r in (1, 2, 12, 13, 14, 24, 25)] + [
        ("dominance", r, n) for n in (3, 6, 7) for r in (1, 24, 25)
    ]:
        cases[f"{method} r={r} n={n}"] = witness(r, method=method, n=n)
    return cases


# ---- the translation ------------------------------------------------------------------------------


def run(command: list[str | Path], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=cwd)


def write(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_native_text(tmp_path: Path) -> None:
    source = write(tmp_path / "witness.json", witness())
    done = run([sys.executable, "-m", "verifier.formal", source])
    assert done.returncode == 0
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[:8] == [
        "verifier-check 1",
        "m 24  n 3  error 1 2  kernel nonnegative  rank 19",
        "method projection 1 5",
        "length 24  weight 12",
        "gaps 2",
        "6 1 6",
        "12 3 4 4 4",
        "words 24",
    ]
    assert [int(line, 16) for line in lines[8:]] == witness_words()


def test_output_file_and_coq(tmp_path: Path) -> None:
    source = write(tmp_path / "witness.json", witness())
    target = tmp_path / "out.v"
    done = run([sys.executable, "-m", "verifier.formal", source, "--coq", "--output", target])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    text = target.read_text()
    assert "error_below h i (1%:R / 2%:R) -> (19 <= r)%N." in text
    assert "(h : attention R 24 3 r d) (i : 'I_3)" in text


def shipped_dodecads() -> Cert:
    """The projection certificate of the dodecads: the words that m24-n3.json gives by generators."""
    code = json.loads((CERTIFICATES / "m24-n3.json").read_text())["evidence"]["code"]
    words = {int(word, 16) for word in code["words"]}
    new = list(words)
    while new:
        word = new.pop()
        for images in code["generators"]:
            image = sum(1 << target for bit, target in enumerate(images) if word >> bit & 1)
            if image not in words:
                words.add(image)
                new.append(image)
    assert len(words) == 2576
    gaps = {"4": [4], "6": [6], "8": [4, 4], "12": [4, 4, 4]}
    return certificate(sorted(words), gaps, 43)


@pytest.mark.parametrize("name", ["Witness.v", "Dodecads.v"])
def test_instances_are_translations(name: str) -> None:
    """The Coq instances in the repository are what the translation writes."""
    text = (
        (CERTIFICATES / "witness.json").read_text() if name == "Witness.v" else json.dumps(shipped_dodecads())
    )
    assert (COQ / name).read_text() == formal.coq_text(formal.parse(text))


BAD = {
    "not JSON": "{",
    "NaN": '{"format": NaN}',
    "duplicate key": '{"format": 1, "format": 1}',
    "list": "[]",
    "deep": "[" * 100_000,
    "long integer": json.dumps(witness()).replace('"n": 3', '"n": ' + "9" * 5000),
    "float": json.dumps(witness()).replace('"n": 3', '"n": 3.0'),
    "boolean": altered(witness(), "claim.n", True),
    "format": altered(witness(), "format", "other"),
    "version": altered(witness(), "version", 2),
    "kind": altered(witness(), "kind", "transcript"),
    "unknown key": altered(witness(), "claim.extra", 1),
    "inputs": altered(witness(), "claim.inputs", "suite"),
    "method": altered(witness(), "evidence.method", "scheme"),
    "kernel": altered(witness(), "claim.kernel", "odd"),
    "signed projection": signed(witness()),
    "error": altered(witness(), "claim.error", 0.5),
    "unicode digit": altered(witness(), "claim.error", "1/\u0662"),
    "lowest terms": altered(witness(), "claim.error", "2/4"),
    "upper case": altered(witness(), "evidence.code.words", ["00FFFF"]),
    "short word": altered(witness(), "evidence.code.words", ["fff"]),
    "absurd m": altered(witness(), "claim.m", 10**14),
    "no lambda": without(witness(), "evidence", "lambda"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "bad.json", BAD[name])
    assert formal.main([str(source)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("formal: ")
    assert captured.err.count("\n") == 1


def test_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert formal.main(["/no/such/file.json"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


# ---- the proved checker ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def native() -> Path:
    """The extracted checker, built if need be."""
    for program in ("coqc", "ocamlopt", "make"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    done = run(["make", "-C", COQ, "native"])
    assert done.returncode == 0, done.stdout + done.stderr
    return COQ / "native" / "check"


def proved_verdict(native: Path, source: Path) -> int:
    """Exit code of the translation, then of the extracted checker."""
    text = source.with_suffix(".txt")
    if code := formal.main([str(source), "--output", str(text)]):
        return code
    done = run([native, text])
    word = {0: "s VERIFIED", 1: "s REJECTED"}[done.returncode]
    assert done.stdout.startswith(f"{word} {text}  ")
    return done.returncode


def python_verdict(source: Path) -> int:
    if importlib.util.find_spec("verifier.check") is None:
        pytest.skip("verifier.check is not there")
    return run([sys.executable, "-m", "verifier.check", source]).returncode


@pytest.mark.slow
def test_proved_verdicts(native: Path, tmp_path: Path) -> None:
    cases = [
        (witness(), 0),
        (witness(20), 1),
        (dodecads(), 0),
        (dodecads(44), 1),
        (dodecads(21, method="trace"), 0),
        (dodecads(22, method="trace"), 1),
        (witness(24, method="dominance", n=7), 0),
        (witness(24, method="dominance", n=6), 1),
    ]
    for k, (content, expected) in enumerate(cases):
        assert proved_verdict(native, write(tmp_path / f"{k}.json", content)) == expected


@pytest.mark.slow
def test_signed(native: Path, tmp_path: Path) -> None:
    """Trace with one rank to spare: 21 for nonnegative kernels is 20 for signed ones."""
    for r, expected in ((20, 0), (21, 1)):
        content = signed(dodecads(r, method="trace"))
        assert proved_verdict(native, write(tmp_path / f"{r}.json", content)) == expected


@pytest.mark.slow
def test_malformed_text(native: Path, tmp_path: Path) -> None:
    good = formal.native_text(formal.parse(json.dumps(witness())))
    assert run([native, write(tmp_path / "good.txt", good)]).returncode == 0
    for k, bad in enumerate(
        (
            "",
            good + "0",
            good[:-8],
            good.replace("verifier-check 1", "verifier-check 2"),
            good.replace("m 24", "m -24"),
            good.replace("m 24", "m 99999999"),
            good.replace("words 24", "words 25"),
            good.replace("method projection", "method luck"),
            good.replace("12 3 4 4 4", "5 3 4 4 4"),
        )
    ):
        done = run([native, write(tmp_path / f"{k}.txt", bad)])
        assert done.returncode == 2
        assert done.stdout.startswith("s REJECTED ")
    assert run([native]).returncode == 2
    assert run([native, tmp_path / "missing"]).returncode == 2


@pytest.mark.slow
def test_agreement_on_corruptions(native: Path, tmp_path: Path) -> None:
    """Both checkers accept the same corrupted certificates (codes 1 and 2 may differ)."""
    disagreements, verdicts = [], set()
    for k, (name, content) in enumerate(corruptions().items()):
        source = write(tmp_path / f"{k}.json", content)
        proved, python = proved_verdict(native, source) == 0, python_verdict(source) == 0
        verdicts.add(proved)
        if proved != python:
            disagreements.append((name, proved, python))
    assert disagreements == []
    assert verdicts == {True, False}


@pytest.mark.slow
def test_agreement_on_the_dodecads(native: Path, tmp_path: Path) -> None:
    for k, content in enumerate((dodecads(), dodecads(44), dodecads(21, method="trace"))):
        source = write(tmp_path / f"{k}.json", content)
        assert (proved_verdict(native, source) == 0) == (python_verdict(source) == 0)


@pytest.mark.slow
def test_agreement_on_certificates(native: Path, tmp_path: Path) -> None:
    """Every certificate of the repository that the proved checker covers is proved."""
    covered = 0
    for source in sorted(CERTIFICATES.glob("*.json")):
        try:
            text = formal.native_text(formal.parse(source.read_text()))
        except formal.FormalError:
            continue
        covered += 1
        done = run([native, write(tmp_path / f"{source.stem}.txt", text)])
        assert done.returncode == 0, done.stdout
        assert python_verdict(source) == 0
    if not covered:
        pytest.skip("no certificate that the proved checker covers")


@pytest.mark.slow
def test_coq_theorem(native: Path, tmp_path: Path) -> None:
    """--coq: a true claim compiles without assumptions, a false one does not compile."""
    done = run(["make", "-C", COQ, "Statements.vo"])
    assert done.returncode == 0, done.stdout + done.stderr
    cases = {
        "good": (witness(19, error="1/4", n=5), True),
        "bad": (witness(20), False),
        "large": (witness(24, method="dominance", n=70_000, error="1000/2001"), True),
    }
    for name, (content, expected) in cases.items():
        (tmp_path / f"{name}.v").write_text(formal.coq_text(formal.parse(json.dumps(content))))
        built = run(["coqc", "-Q", COQ, "Verifier", "-w", "none", f"{name}.v"], cwd=tmp_path)
        assert (built.returncode == 0) == expected, built.stderr
        if expected:
            assert built.stdout.strip() == "Closed under the global context"
