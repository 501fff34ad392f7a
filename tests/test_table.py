"""The command `python -m verifier.table`: the grid, its files, interruption, and a real cluster."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from verifier import check
from verifier.bound import main as bound_main
from verifier.table import main, read_rows

Rows = list[dict[str, Any]]


def rows_of(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_cell_once_and_as_bound_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["--m", "3..8", "--n", "2..5", "--output", "t.jsonl", "--certificates", "c", "--quiet"]) == 0
    rows = rows_of(tmp_path / "t.jsonl")
    assert [(row["m"], row["n"]) for row in rows] == [(m, n) for m in range(3, 9) for n in range(2, 6)]
    assert not (tmp_path / "t.jsonl.partial").exists()
    for row in rows:
        capsys.readouterr()
        assert bound_main(["--m", str(row["m"]), "--n", str(row["n"]), "--json", "--quiet"]) == 0
        assert json.loads(capsys.readouterr().out)["claim"]["r"] == row["lower"]
        verdict = check.check_file(f"c/m{row['m']}-n{row['n']}.json")
        assert verdict.startswith(f"r*({row['m']},{row['n']})")


def test_processes_give_the_same_table(tmp_path: Path) -> None:
    for name, workers in (("one", "1"), ("two", "2")):
        arguments = ["--m", "4..9", "--n", "3..4", "--workers", workers, "--output", str(tmp_path / name)]
        assert main([*arguments, "--quiet"]) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_resume_keeps_finished_cells(tmp_path: Path) -> None:
    output, journal = tmp_path / "t.jsonl", tmp_path / "t.jsonl.partial"
    # a row that no search would give shows that it was kept; the cut-off last line is worked on again
    kept = {"m": 4, "n": 3, "error": "1/2", "lower": 2, "method": "kept", "code": None}
    journal.write_text(json.dumps(kept) + "\n" + '{"m": 5, "n": 3, "err')
    arguments = ["--m", "4..6", "--n", "3", "--output", str(output), "--quiet"]
    assert main(arguments) == 2
    assert main([*arguments, "--resume"]) == 0
    rows = rows_of(output)
    assert [row["m"] for row in rows] == [4, 5, 6]
    assert [row["method"] == "kept" for row in rows] == [True, False, False]
    assert main([*arguments, "--resume"]) == 0
    assert rows_of(output) == rows


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_and_resume(tmp_path: Path, workers: str) -> None:
    output = tmp_path / "t.jsonl"
    command = [sys.executable, "-m", "verifier.table", "--m", "8..24", "--n", "3..6", "--workers", workers]
    command += ["--output", str(output)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    journal = tmp_path / "t.jsonl.partial"
    while time.monotonic() < deadline and not (
        journal.exists() and len(journal.read_text().splitlines()) >= 3
    ):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert not output.exists()
    assert 3 <= len(read_rows(journal)) < 17 * 4


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_a_cluster_with_a_worker_killed_midway(tmp_path: Path) -> None:
    """Two workers of a real Dask cluster; one is killed with cells done and cells open."""
    distributed = pytest.importorskip("distributed")
    alone = tmp_path / "alone.jsonl"
    grid = ["--m", "6..15", "--n", "3..6"]
    assert main([*grid, "--output", str(alone), "--quiet"]) == 0
    output, journal = tmp_path / "t.jsonl", tmp_path / "t.jsonl.partial"
    killed = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:

        def kill() -> None:
            deadline = time.monotonic() + 120
            while time.monotonic() < deadline:
                if journal.exists() and len(journal.read_text().splitlines()) >= 5:
                    nanny = next(iter(cluster.workers.values()))
                    killed.append(nanny.pid)
                    os.kill(nanny.pid, signal.SIGKILL)
                    return
                time.sleep(0.02)

        killer = threading.Thread(target=kill)
        killer.start()
        code = main([*grid, "--dask", cluster.scheduler_address, "--output", str(output), "--quiet"])
        killer.join()
    assert code == 0
    assert killed
    assert output.read_bytes() == alone.read_bytes()


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--m", "4", "--n", "5..3"),
        ("--m", "0..4", "--n", "3"),
        ("--m", "a", "--n", "3"),
        ("--m", "1..100000", "--n", "1..100000"),
        ("--m", "4", "--n", "3", "--resume"),
        ("--m", "4", "--n", "3", "--workers", "0"),
        ("--m", "4", "--n", "3", "--output", "bad.jsonl", "--resume"),
        ("--m", "4", "--n", "3", "--dask", "tcp://127.0.0.1:1"),
        ("--m", "4", "--n", "3", "--dask", "nonsense"),
    ],
    ids=" ".join,
)
def test_bad_input(
    arguments: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.jsonl").write_text("not a row\nnor this\n")
    assert main([*arguments]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert len(err.strip().splitlines()) == 1
