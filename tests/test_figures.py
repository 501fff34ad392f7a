"""The pictures, and the shipped table against the search."""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from verifier.figures import log2, main, shown
from verifier.table import Cell, checked_row, read_rows, solve
from verifier.table import main as table_main

DOCS = Path(__file__).resolve().parent.parent / "docs"


@pytest.mark.slow
def test_files(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    table = tmp_path / "t.jsonl"
    assert table_main(["--m", "4..7", "--n", "3..5", "--output", str(table), "--quiet"]) == 0
    assert main([str(table), "--folder", str(tmp_path / "out")]) == 0
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "curves.png",
        "growth.png",
        "table.md",
        "table.png",
    ]
    for name in ("curves.png", "growth.png", "table.png"):
        assert (tmp_path / "out" / name).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    text = (tmp_path / "out" / "table.md").read_text()
    for row in read_rows(table).values():
        line = next(line for line in text.splitlines() if line.startswith(f"| **{row['m']}** |"))
        assert line.split("|")[row["n"] - 1].split()[0] == str(row["lower"])


@pytest.mark.parametrize("content", [None, "", "not a row\n\n", json.dumps({"m": 4, "n": 3, "error": "1/3"})])
def test_bad_tables(content: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.jsonl"
    if content is not None:
        path.write_text(content)
    assert main([str(path)]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_numbers_are_rounded_down() -> None:
    assert [shown(r) for r in (7, 9_999_999, 12_999_999, 2**100)] == ["7", "9999999", "1.2e7", "1.2e30"]
    assert abs(log2(3 << 500) - 501.5849625) < 1e-6


def test_the_shipped_table_is_a_grid_that_agrees_with_the_certificates() -> None:
    rows = read_rows(DOCS / "table.jsonl")
    assert {(m, n) for m, n, _ in rows} == {(m, n) for m in range(4, 65) for n in range(3, 17)}
    for path in (DOCS.parent / "certificates").glob("m*-n*.json"):
        claim = json.loads(path.read_text())["claim"]
        key = (claim["m"], claim["n"], "1/2")
        if path.stem == f"m{claim['m']}-n{claim['n']}" and key in rows:
            assert rows[key]["lower"] == claim["r"]


@pytest.mark.slow
def test_cells_of_the_shipped_table_come_out_again() -> None:
    rows = read_rows(DOCS / "table.jsonl")
    for key in random.Random(5).sample(sorted(rows), 25):
        cell = Cell(key[0], key[1], Fraction(key[2]), 0)
        row = checked_row(cell, solve(cell))
        assert row == rows[key]
