"""Putting a certificate into a file: only after the checker took it, and never over a stronger one."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from verifier import check
from verifier.certificate import FORMAT, Certificate, Json, decode_integer, render, write_atomically
from verifier.cli import GaveUp, InputError

Strength = Callable[[int | str], int | Fraction]

# the field in which two claims of one class may differ, and its value as a number: larger is stronger
STRENGTH: dict[str, tuple[str, Strength]] = {
    "rank-lower-bound": ("r", decode_integer),
    "construction": ("r", lambda r: -decode_integer(r)),
    "exponent": ("base", Fraction),
    "transcript": ("bits", decode_integer),
}


def verified(certificate: Certificate) -> tuple[str, str]:
    """The text of a certificate and the checker's verdict; raises GaveUp if the checker does not take it."""
    text = render(certificate)
    try:
        return text, check.check_bytes(text.encode())
    except (check.Malformed, check.Unproved) as error:
        raise GaveUp(f"the checker does not take the certificate found: {error}") from None


def standing(path: Path) -> tuple[Json, str] | None:
    """The certificate in a file and what the checker says of it, "" if it rejects it; None if there is none.

    Raises InputError if the file holds something else.
    """
    if path.is_dir():
        raise InputError(f"{path} is a folder")
    if not path.exists():
        return None
    try:
        if path.stat().st_size > check.MAX_BYTES:
            raise ValueError
        document = json.loads(path.read_bytes())
        if document["format"] != FORMAT or not isinstance(document["claim"], dict):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{path} exists and is not a certificate; it is left alone") from None
    try:
        return document, check.check_file(str(path))
    except (check.Malformed, check.Unproved):
        return document, ""


def publish(certificate: Certificate, path: Path, force: bool = False) -> tuple[Certificate, str, bool]:
    """Check and write a certificate, unless the file holds a proved stronger one of the same class.

    Returns the certificate that stands in the file, the checker's verdict and whether it stood there before.
    Raises InputError if the file holds something else, unless `force` is given; GaveUp as `verified` does.
    """
    text, verdict = verified(certificate)
    old = None if force else standing(path)
    if old is not None:
        document, old_verdict = old
        field, strength = STRENGTH[certificate.kind]
        if document.get("kind") != certificate.kind or {**document["claim"], field: 0} != {
            **certificate.claim,
            field: 0,
        }:
            raise InputError(f"{path} holds a certificate of another claim; it is left alone")
        if old_verdict and strength(document["claim"][field]) > strength(certificate.claim[field]):
            kept = Certificate(
                document["kind"], document["claim"], document["evidence"], document.get("provenance", {})
            )
            return kept, old_verdict, True
    write_atomically(path, text)
    return certificate, verdict, False
