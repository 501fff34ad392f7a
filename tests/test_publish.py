"""Certificates in files: never over something else, never over a stronger one."""

from pathlib import Path

import pytest

from verifier.certificate import provenance, rank_one_construction
from verifier.cli import InputError
from verifier.exponent import main as exponent_main
from verifier.publish import publish, standing
from verifier.transcript import main as transcript_main


def test_files_of_other_kinds_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    for content in (b"my notes", b"{}", b"[1]", b'{"format": "other", "claim": {}}', b"\xff", b"[" * 100_000):
        path.write_bytes(content)
        with pytest.raises(InputError, match="not a certificate"):
            publish(rank_one_construction(4, 2, provenance("test", 0)), path)
        for main in (exponent_main, transcript_main):
            arguments = ["--n", "3"] if main is exponent_main else ["--queries", "3", "--levels", "2"]
            assert main([*arguments, "--output", str(path)]) == 2
        assert path.read_bytes() == content
    with pytest.raises(InputError, match="folder"):
        standing(tmp_path)
    assert standing(tmp_path / "none.json") is None


def test_certificates_of_other_claims_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    publish(rank_one_construction(4, 2, provenance("test", 0)), path)
    before = path.read_bytes()
    with pytest.raises(InputError, match="another claim"):
        publish(rank_one_construction(5, 2, provenance("test", 0)), path)
    assert exponent_main(["--n", "3", "--output", str(path)]) == 2
    assert path.read_bytes() == before
    publish(rank_one_construction(5, 2, provenance("test", 0)), path, force=True)
    assert path.read_bytes() != before


def test_the_larger_base_stays(tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    assert exponent_main(["--n", "4", "--digits", "25", "--output", str(path)]) == 0
    before = path.read_bytes()
    assert exponent_main(["--n", "4", "--digits", "4", "--output", str(path)]) == 0
    assert path.read_bytes() == before


def test_a_transcript_certificate_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    for _ in range(2):
        assert transcript_main(["--queries", "5", "--levels", "3", "--output", str(path)]) == 0
    verdict = standing(path)
    assert verdict is not None
    assert ">= 10 bits" in verdict[1]  # 5 log2(4)
