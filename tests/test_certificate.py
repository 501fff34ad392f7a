"""Certificates: numbers, schema and files replaced whole or not at all."""

import json
import os
import stat
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier import certificate
from verifier.amplification import amplify
from verifier.check import check_bytes
from verifier.codes.catalog import NAMED
from verifier.explicit import bound_of_code
from verifier.rank import METHODS

HALF = Fraction(1, 2)


def made(name: str, n: int, methods: tuple[str, ...] = tuple(METHODS)) -> certificate.Certificate:
    code = NAMED[name]()
    found = bound_of_code(code, amplify(code.length, n, HALF), methods)
    return certificate.rank_lower_bound(24, n, HALF, found, certificate.provenance("test", 0))


@given(st.integers())
def test_integers_round_trip(value: int) -> None:
    encoded = certificate.encode_integer(value)
    assert certificate.decode_integer(encoded) == value
    assert isinstance(encoded, str) == (abs(value) >= 10**15)


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("method", METHODS)
def test_what_is_written_is_verified(name: str, method: str) -> None:
    document = made(name, 3, (method,))
    text = certificate.render(document)
    assert check_bytes(text.encode()) == f"r*(24,3) >= {document.r}"
    assert certificate.as_json(document) == json.loads(text)


def test_construction_is_verified() -> None:
    for n in (1, 2):
        text = certificate.render(certificate.rank_one_construction(17, n, {}))
        assert check_bytes(text.encode()) == f"r*(17,{n}) = 1, error 0"


@pytest.mark.parametrize("change", [{"r": 0}, {"m": 0}, {"kernel": "odd"}, {"extra": 1}])
def test_the_schema_refuses(change: dict[str, object]) -> None:
    good = made("witness", 3)
    bad = certificate.Certificate(good.kind, {**good.claim, **change}, good.evidence, good.provenance)
    with pytest.raises(jsonschema.ValidationError):
        certificate.render(bad)


def test_write_atomically(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.json"
    certificate.write_atomically(path, "one\n")
    certificate.write_atomically(path, "two\n")
    assert path.read_text() == "two\n"
    assert [p.name for p in path.parent.iterdir()] == ["a.json"]
    assert stat.S_IMODE(path.stat().st_mode) & 0o400


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    path.write_text("old\n")

    def broken(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(OSError, match="disk full"):
        certificate.write_atomically(path, "new\n")
    assert path.read_text() == "old\n"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
