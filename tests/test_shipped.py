"""What ships: certificates that verify, named after their claim and made by the command they name."""

import json
import re
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from verifier import check
from verifier.certificate import decode_integer, validator

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "certificates"
SHIPPED = sorted(FOLDER.rglob("*.json"))
IDS = [str(path.relative_to(FOLDER)) for path in SHIPPED]


def test_the_folder_is_small() -> None:
    assert SHIPPED
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 10_000_000


@pytest.mark.parametrize("path", SHIPPED, ids=IDS)
def test_schema_and_name(path: Path) -> None:
    document = json.loads(path.read_text())
    validator().validate(document)
    claim = document["claim"]
    name = re.fullmatch(
        r"m(\d+)-n(\d+)(-signed|-signed-positions|-nonneg)?(?:-error(\d+)_(\d+))?(-[a-z]+)?", path.stem
    )
    if document["kind"] == "code":
        what = "upper" if claim["side"] == "upper" else f"size{claim['size']}"
        assert path.stem == f"n{claim['length']}-d{claim['distance']}-w{claim['weight']}-{what}"
        return
    if name is None:
        assert re.fullmatch("witness|exponent-.*|transcript-.*", path.stem)
        return
    assert (claim["m"], claim["n"]) == (int(name[1]), int(name[2]))
    if document["kind"] == "rank-lower-bound":
        assert Fraction(claim["error"]) == Fraction(int(name[4] or 1), int(name[5] or 2))
        assert (claim["kernel"] == "signed") == (name[3] or "").startswith("-signed")
        assert (claim["features"] == "nonnegative") == (name[3] == "-nonneg")


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=IDS)
def test_verified_alone(path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-I", check.__file__, str(path)], capture_output=True, check=False
    )
    assert result.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_made_by_the_command_it_names(path: Path, tmp_path: Path) -> None:
    """The command in the provenance, run in an empty folder, writes the same file.

    Not those in codes/, which a search within a budget found.
    """
    command = shlex.split(json.loads(path.read_text())["provenance"]["command"])
    assert command[:2] == ["python", "-m"]
    subprocess.run([sys.executable, *command[1:]], cwd=tmp_path, check=True, capture_output=True)
    assert [p.read_bytes() for p in tmp_path.rglob("*.json")] == [path.read_bytes()]


def claims() -> dict[str, int]:
    found = {path.stem: json.loads(path.read_text())["claim"] for path in SHIPPED}
    return {stem: decode_integer(claim["r"]) for stem, claim in found.items() if "r" in claim}


def test_the_readme_table_is_what_the_certificates_claim() -> None:
    """Every row names certificates; its numbers are their claims, in that order."""
    held = claims()
    rows = [line for line in (ROOT / "README.md").read_text().splitlines() if re.match(r"\| .*`[a-z]", line)]
    rows = [row for row in rows if "≥" in row]
    assert len(rows) >= 8
    for row in rows:
        _, _, _, here, _, files, _ = row.split("|")
        numbers = [int(number) for number in re.findall(r"≥ (\d+)", here)]
        assert numbers == [held[name] for name in re.findall(r"`([^`]+)`", files)]


def test_bounds_grow_with_m() -> None:
    """Lemma 1.7: a bound at fewer bits holds at more, so the file at more bits must not be weaker."""
    cells = {
        (int(match[1]), int(match[2])): r
        for stem, r in claims().items()
        if (match := re.fullmatch(r"m(\d+)-n(\d+)", stem))
    }
    for (m, n), r in cells.items():
        assert all(r <= other for (p, q), other in cells.items() if p >= m and q == n)
