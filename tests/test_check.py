"""The independent checker: honest certificates pass; every corruption is rejected or still proved.

Whether an accepted mutant is still proved is decided by `proved`, which evaluates the theorems of chapter 5
from the definitions with plain loops and shares nothing with the checker.
"""

import copy
import json
import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from verifier import check
from verifier.amplification import amplify
from verifier.certificate import as_json, provenance, rank_lower_bound, rank_one_construction
from verifier.codes.catalog import NAMED
from verifier.codes.code import Code
from verifier.codes.layers import lexicode
from verifier.explicit import bound_of_code

Json = dict[str, Any]


def honest(code: Code, m: int, n: int, error: Fraction, method: str) -> Json:
    found = bound_of_code(code, amplify(code.length, n, error), (method,))
    return as_json(rank_lower_bound(m, n, error, found, provenance("test", 0)))


HALF = Fraction(1, 2)
HONEST = {
    "witness": honest(NAMED["witness"](), 24, 3, HALF, "projection"),
    "trace": honest(lexicode(8, 4, 2), 9, 5, HALF, "trace"),
    "dominance": honest(lexicode(6, 3, 2), 6, 8, HALF, "dominance"),
    "third": honest(lexicode(7, 3, 2), 7, 4, Fraction(1, 3), "projection"),
    "mixed": honest(Code("mixed", 8, (0b00000011, 0b00001100, 0b11110000)), 8, 9, HALF, "trace"),
    "length-1": as_json(rank_one_construction(5, 1, {})),
    "length-2": as_json(rank_one_construction(5, 2, {})),
}


def verdict(document: Any) -> str:
    """ "verified", "unproved" or "malformed"."""
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    try:
        check.check_bytes(data)
    except check.Unproved:
        return "unproved"
    except check.Malformed:
        return "malformed"
    return "verified"


@pytest.mark.parametrize("name", HONEST)
def test_honest_certificates(name: str) -> None:
    assert verdict(HONEST[name]) == "verified"


def proved(document: Json) -> bool:
    """Is the claim of a rank lower bound or rank-1 construction proved by its evidence? From scratch."""
    claim, evidence = document["claim"], document["evidence"]
    n = claim["n"]
    if document["kind"] == "construction":
        c, b = (Fraction(evidence["readout"][key]) for key in ("token", "weight"))
        # tokens of one bit exhaust the identity: query 1 or 0 against companion 1 or 0
        values = [
            (c * x * x + b * x, x * x)
            if n == 1
            else (c * Fraction(x * x + x * z, 2) + b * x, min(x * x, x * z))
            for x in (0, 1)
            for z in (0, 1)
        ]
        return n in (1, 2) and all(f == t for f, t in values) and claim["heads"] == 1 and claim["r"] >= 1
    error, r = Fraction(claim["error"]), claim["r"]
    words = [int(word, 16) for word in evidence["code"]["words"]]
    size = len(words)
    if error <= 0 or n < 3 or claim["kernel"] != "nonnegative" or len(set(words)) < size:
        return False
    if r == 1:
        return True
    if r > size or any(word >> claim["m"] for word in words):
        return False
    rows = []
    for x in words:
        row = []
        for y in words:
            if x == y:
                continue
            d = sum(1 for i in range(claim["m"]) if x >> i & 1 and not y >> i & 1)
            parts = evidence["gaps"].get(str(d))
            if not parts or sum(parts) > d or min(parts) < 1:
                return False
            ratio = Fraction(1)
            for g in parts:
                factor = (n - 2) * (g / (2 * error) - 1)
                if factor <= 0:
                    return False
                ratio *= factor
            if ratio < 1:
                return False
            row.append(1 / ratio)
        rows.append(row)
    if evidence["method"] == "trace":
        return Fraction(size**2) / (size + sum(h * h for row in rows for h in row)) >= r - 1
    if evidence["method"] == "dominance":
        return all(sum(row) <= 1 for row in rows)
    lam = Fraction(evidence["lambda"])
    # no real t may satisfy (K-1-t)^2 <= r0 (K + lam K t + E - (1+t)^2): value at the vertex
    r0 = r - 2
    e = sum(h * max(Fraction(0), h - lam) for row in rows for h in row)
    t = (2 * (size - 1 - r0) + r0 * lam * size) / (2 * (1 + r0))
    return lam >= 0 and (size - 1 - t) ** 2 - r0 * (size + lam * size * t + e - (1 + t) ** 2) > 0


@pytest.mark.parametrize("name", HONEST)
def test_the_second_opinion_agrees_on_honest_ones(name: str) -> None:
    assert proved(HONEST[name])


ODD_VALUES: list[Any] = [
    0, 1, 2, 3, -1, 10**15, 10**400, 0.5, 3.0, True, None, "", "1", "0", "-1/2", "1/2", "2/4", "1/0", "01/2",
    "١", "0x10", "0.5", "1e9", "9" * 400, [], {}, [[]], ["000fff"], {"4": [4]}, [4], "nonnegative", "signed",
    "real", "dependent", "independent", "trace", "projection", "dominance", "scheme", "rank-1",
]  # fmt: skip


def paths(thing: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON document."""
    inside = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ()
    return [at] * bool(at) + [place for key, value in inside for place in paths(value, (*at, key))]


def parent(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path[:-1]:
        document = document[key]
    return document


def mutate(document: Json, rng: random.Random) -> Json:
    """One random corruption: a field, a word's bit, a gap, a number, a missing or an extra entry."""
    out = copy.deepcopy(document)
    path = rng.choice([p for p in paths(out) if p[0] != "provenance"])
    holder, key = parent(out, path), path[-1]
    value = holder[key]
    kind = rng.randrange(6)
    if kind == 0:
        holder[key] = copy.deepcopy(rng.choice(ODD_VALUES))
    elif kind == 1 and isinstance(value, int):
        holder[key] = value + rng.choice((-1, 1))
    elif kind == 2 and isinstance(value, str) and value:
        i = rng.randrange(len(value))
        holder[key] = value[:i] + rng.choice("0123456789abcdef/-xX ") + value[i + 1 :]
    elif kind == 3:
        del holder[key]
    elif kind == 4 and isinstance(value, list) and value:
        value.append(copy.deepcopy(rng.choice(value)))
    elif isinstance(value, dict):
        value[rng.choice(("extra", "4", "1", "lambda", "weight"))] = copy.deepcopy(rng.choice(ODD_VALUES))
    else:
        holder[key] = [value]
    return out


@pytest.mark.parametrize("name", HONEST)
def test_corruptions_by_the_hundred(name: str) -> None:
    rng = random.Random(name)
    counts = {"verified": 0, "unproved": 0, "malformed": 0}
    for _ in range(600):
        mutant = mutate(HONEST[name], rng)
        if rng.random() < 0.3:
            mutant = mutate(mutant, rng)
        result = verdict(mutant)
        counts[result] += 1
        if result == "verified":
            assert proved(mutant), mutant
    assert counts["unproved"] + counts["malformed"] > 300
    assert counts["unproved"] > 5


@pytest.mark.parametrize("name", ["witness", "trace", "third", "mixed"])
def test_one_feature_more_is_not_proved(name: str) -> None:
    document = copy.deepcopy(HONEST[name])
    document["claim"]["r"] += 1
    assert verdict(document) == "unproved"
    assert not proved(document)


@pytest.mark.parametrize("name", ["witness", "third"])
def test_every_bit_of_every_word_counts(name: str) -> None:
    """Flip each bit: the weight, the distances or the bound break, and the checker says so."""
    base = HONEST[name]
    words = base["evidence"]["code"]["words"]
    length = base["evidence"]["code"]["length"]
    for i in range(len(words)):
        for bit in range(length):
            document = copy.deepcopy(base)
            document["evidence"]["code"]["words"][i] = f"{int(words[i], 16) ^ 1 << bit:0{len(words[i])}x}"
            assert verdict(document) != "verified"
            del document["evidence"]["code"]["weight"]
            if verdict(document) == "verified":
                assert proved(document)


def changed(name: str, path: str, value: Any) -> Json:
    document = copy.deepcopy(HONEST[name])
    keys = path.split(".")
    parent(document, tuple(keys))[keys[-1]] = value
    return document


EXPLOITS = [
    # two negative factors have a positive product but force nothing (Theorem 4.1)
    ("negative factors", changed("third", "evidence.gaps", {"2": [1, 1], "3": [1, 1, 1]}), "unproved"),
    ("no parts", changed("witness", "evidence.gaps.6", []), "malformed"),
    ("parts too long", changed("witness", "evidence.gaps.6", [4, 4]), "unproved"),
    ("part of zero", changed("witness", "evidence.gaps.6", [6, 0]), "malformed"),
    ("a negative part", changed("witness", "evidence.gaps.6", [8, -2]), "malformed"),
    ("gap one at error 1/2", changed("witness", "evidence.gaps.6", [1]), "unproved"),
    ("more rank than words", changed("dominance", "claim.r", 5), "unproved"),
    ("one word proves two", changed("trace", "evidence.code.words", ["0f"]), "unproved"),
    ("length two", changed("witness", "claim.n", 2), "unproved"),
    ("negative error", changed("witness", "claim.error", "-1/2"), "unproved"),
    ("zero error", changed("witness", "claim.error", "0"), "unproved"),
    ("smaller m than the code", changed("witness", "claim.m", 23), "malformed"),
    ("signed kernel", changed("witness", "claim.kernel", "signed"), "unproved"),
    ("negative multiplier", changed("witness", "evidence.lambda", "-1/5"), "unproved"),
    ("unreduced multiplier", changed("witness", "evidence.lambda", "2/10"), "malformed"),
    ("float rank", changed("witness", "claim.r", 19.0), "malformed"),
    ("true as rank", changed("witness", "claim.r", True), "malformed"),
    ("unknown key", changed("witness", "claim.note", "x"), "malformed"),
    ("wrong weight", changed("witness", "evidence.code.weight", 11), "unproved"),
    ("wrong version", changed("witness", "version", 2), "malformed"),
    ("version as boolean", changed("witness", "version", True), "malformed"),
    ("other kind", changed("witness", "kind", "construction"), "malformed"),
    ("three tokens", changed("length-2", "claim.n", 3), "unproved"),
    ("two heads", changed("length-2", "claim.heads", 2), "unproved"),
    ("other readout", changed("length-2", "evidence.readout.weight", "1"), "unproved"),
    ("provenance is text", changed("witness", "provenance", "me"), "malformed"),
]  # fmt: skip


@pytest.mark.parametrize(("exploit", "document", "expected"), EXPLOITS, ids=[e[0] for e in EXPLOITS])
def test_exploits(exploit: str, document: Json, expected: str) -> None:
    assert verdict(document) == expected


def test_constant_factor_trap_at_large_error() -> None:
    """At error 2 the factors of gaps 1 and 2 are negative at every n; products of pairs must not count."""
    document = changed("dominance", "claim.error", "2")
    document["claim"]["n"] = 100
    document["evidence"]["gaps"] = {"2": [1, 1]}
    assert verdict(document) == "unproved"


TEXT = json.dumps(HONEST["witness"])
BROKEN = {
    "empty": b"",
    "not UTF-8": b"\xff\xfe{}",
    "byte order mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "trailing data": TEXT.encode() + b" {}",
    "truncated": TEXT.encode()[:-20],
    "deep list": b"[" * 100_000,
    "deep object": b'{"a":' * 100_000,
    "a list": b"[]",
    "a number": b"3",
    "null": b"null",
    "huge integer": TEXT.replace('"r": 19', '"r": 1' + "0" * 5000).encode(),
    "NaN": TEXT.replace('"r": 19', '"r": NaN').encode(),
    "infinity in provenance": TEXT.replace('"seed": 0', '"seed": Infinity').encode(),
    "duplicate claim": TEXT.replace('"claim":', '"claim": {}, "claim":', 1).encode(),
    "duplicate r": TEXT.replace('"r": 19', '"r": 43, "r": 19').encode(),
    "duplicate word list": TEXT.replace('"words":', '"words": [], "words":', 1).encode(),
    "NUL": TEXT.encode() + b"\0",
    "surrogate key": TEXT.replace('"r":', '"\\ud800":').encode(),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_files(what: str) -> None:
    assert verdict(BROKEN[what]) == "malformed"


def test_words_twice() -> None:
    document = copy.deepcopy(HONEST["trace"])
    document["evidence"]["code"]["words"].append(document["evidence"]["code"]["words"][0])
    assert verdict(document) == "unproved"


def test_work_is_bounded() -> None:
    """Too many words, or ratios of too many bits, are refused before the work is done."""
    many = copy.deepcopy(HONEST["trace"])
    many["claim"]["m"] = many["evidence"]["code"]["length"] = 4096
    many["evidence"]["code"]["words"] = [f"{i:01024x}" for i in range(9000)]
    del many["evidence"]["code"]["weight"]
    assert verdict(many) == "unproved"
    long = copy.deepcopy(HONEST["trace"])
    long["claim"].update(m=4000, n=9, r=2, error="1" * 30 + "/" + "2" * 29 + "3")
    long["evidence"]["code"] = {"length": 4000, "words": ["f" * 500 + "0" * 500, "0" * 500 + "f" * 500]}
    long["evidence"]["gaps"] = {"2000": [2] * 100}
    assert verdict(long) == "verified"
    long["claim"]["error"] = "1/9"
    long["evidence"]["gaps"] = {"2000": [1] * 2000}
    assert verdict(long) == "verified"
    long["claim"]["error"] = str(Fraction(10**29 + 7, 9 * 10**29 + 1))
    assert verdict(long) == "unproved"  # the same argument, beyond the size limit


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The checker as a file of its own, without the package."""
    return subprocess.run(
        [sys.executable, "-I", check.__file__, *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )


def write(path: Path, document: Any) -> str:
    path.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
    return str(path)


def test_command_line(tmp_path: Path) -> None:
    good = write(tmp_path / "good.json", HONEST["witness"])
    weak = write(tmp_path / "weak.json", changed("witness", "claim.r", 20))
    bad = write(tmp_path / "bad.json", b"{")
    assert run(good).returncode == 0
    assert run(good).stdout == f"s VERIFIED {good}  r*(24,3) >= 19\n"
    both = run(good, weak)
    assert both.returncode == 1
    assert both.stdout.splitlines()[1].startswith(f"s REJECTED {weak}  ")
    assert run(weak, bad, good).returncode == 2
    assert run(bad, weak).returncode == 2
    assert len(run(weak, bad, good).stdout.splitlines()) == 3
    for arguments in ((), ("--frob",), (str(tmp_path),), (str(tmp_path / "none.json"),)):
        result = run(*arguments)
        assert result.returncode == 2
        assert "Traceback" not in result.stderr
    assert run("--help").returncode == 0


def test_odd_file_names_stay_on_one_line(tmp_path: Path) -> None:
    name = write(tmp_path / "a\ns VERIFIED b.json", b"{")
    result = run(name)
    assert result.returncode == 2
    assert len(result.stdout.splitlines()) == 1
    assert result.stdout.startswith("s REJECTED '")


def test_a_file_name_cannot_forge_a_claim(tmp_path: Path) -> None:
    name = write(tmp_path / "a  r*(64,3) >= 999", HONEST["trace"])
    assert run(name).stdout.startswith(f"s VERIFIED '{name}'  r*(9,5) >= ")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_verdict_that_cannot_be_written_is_none(tmp_path: Path) -> None:
    good = write(tmp_path / "good.json", HONEST["witness"])
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-I", check.__file__, good]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert result.returncode == 2
    assert b"Traceback" not in result.stderr


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
def test_devices_are_refused() -> None:
    assert run("/dev/zero").returncode == 2


def test_it_stands_alone() -> None:
    """Nothing but the standard library, and nothing of the package."""
    source = Path(check.__file__).read_text()
    imported = [
        line.split()[1].partition(".")[0]
        for line in source.splitlines()
        if line.startswith(("import ", "from "))
    ]
    assert all(module in sys.stdlib_module_names for module in imported)
    assert "verifier import" not in source


def test_generators_are_charged_before_they_are_built() -> None:
    """Many or long generators cost their length, not its square; too many are refused."""
    code = {"length": 1 << 17, "words": ["0" * (1 << 15)], "generators": [list(range(1 << 17))]}
    document = changed("trace", "evidence.code", code)
    document["claim"].update(m=1 << 17, r=1)
    document["evidence"]["gaps"] = {}
    assert verdict(document) == "verified"
    code["generators"] = [list(range(1 << 17))] * 3
    assert verdict(document) == "unproved"


def test_signed_kernels_have_no_nonnegative_features() -> None:
    document = changed("trace", "claim.kernel", "signed")
    document["claim"]["features"] = "nonnegative"
    assert verdict(document) == "unproved"
