"""Writing certificates: numbers, the JSON text, and files that are replaced whole or not at all.

The format is that of docs/certificates.md and certificate.schema.json.  The checker (check.py) reads it
with code of its own; nothing here is used there.
"""

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from verifier import __version__
from verifier.codes.code import Code
from verifier.codes.upper import UpperBound
from verifier.codes.wordfile import format_words
from verifier.constructions import RankOneReadout
from verifier.explicit import CodeBound
from verifier.scheme import SchemeBound, scheme_evidence

FORMAT = "verifier-certificate"
PLAIN_DIGITS = 15  # longer integers are written in hexadecimal, as strings

Json = dict[str, Any]


@dataclass(frozen=True)
class Certificate:
    """A claim, the evidence that proves it, and provenance, which nobody has to trust."""

    kind: str
    claim: Json
    evidence: Json
    provenance: Json

    @property
    def r(self) -> int:
        """The number of features that the claim is about."""
        return decode_integer(self.claim["r"])


def encode_rational(value: Fraction) -> str:
    """A rational as "p/q" in lowest terms, or "p"."""
    return str(value)


def encode_integer(value: int) -> int | str:
    """A whole number as JSON number of at most 15 digits, else as "0x..."."""
    return value if abs(value) < 10**PLAIN_DIGITS else hex(value)


def decode_integer(value: int | str) -> int:
    """The inverse of encode_integer."""
    return int(value, 16) if isinstance(value, str) else value


def encode_code(code: Code) -> Json:
    """A code as evidence: length, weight (if constant) and words in hexadecimal."""
    weight = {} if code.weight is None else {"weight": code.weight}
    return {"length": code.length, **weight, "words": format_words(code.words, code.length)}


def rank_lower_bound(m: int, n: int, error: Fraction, found: CodeBound, provenance: Json) -> Certificate:
    """The certificate of a bound from an explicit code: every nonnegative-kernel head needs r features."""
    claim = {
        "m": m,
        "n": n,
        "error": encode_rational(error),
        "kernel": "nonnegative",
        "features": "real",
        "positions": "dependent",
        "r": encode_integer(found.bound.r),
    }
    evidence: Json = {
        "method": found.bound.method,
        "code": encode_code(found.code),
        "gaps": {str(d): list(parts) for d, parts in sorted(found.gaps.items())},
    }
    if found.bound.lam is not None:
        evidence["lambda"] = encode_rational(found.bound.lam)
    return Certificate("rank-lower-bound", claim, evidence, {**provenance, "code": found.code.name})


def scheme_lower_bound(m: int, n: int, error: Fraction, found: SchemeBound, provenance: Json) -> Certificate:
    """The certificate of an Eckart-Young bound (Theorems 5.8, 5.9)."""
    claim = {
        "m": m,
        "n": n,
        "error": encode_rational(error),
        "kernel": "nonnegative",
        "features": "real",
        "positions": "dependent",
        "r": encode_integer(found.r),
    }
    return Certificate(
        "rank-lower-bound", claim, scheme_evidence(found), {**provenance, "code": found.code.name}
    )


def rank_one_construction(m: int, n: int, provenance: Json) -> Certificate:
    """The certificate that one feature is exact at length n = 1 or 2 (Theorems 2.1, 2.2)."""
    readout = RankOneReadout()
    return Certificate(
        "construction",
        {"m": m, "n": n, "error": "0", "features": "nonnegative", "heads": 1, "r": 1},
        {
            "method": "rank-1",
            "readout": {"token": encode_rational(readout.token), "weight": encode_rational(readout.weight)},
        },
        provenance,
    )


def encode_words(length: int, weight: int, words: Sequence[int]) -> Json:
    """Words of one weight as evidence."""
    return {"length": length, "weight": weight, "words": format_words(words, length)}


def code_size(length: int, distance: int, weight: int, words: Sequence[int], provenance: Json) -> Certificate:
    """The certificate of a constant-weight code: A(length, distance, weight) is at least its size."""
    claim = {"length": length, "distance": distance, "weight": weight, "side": "lower", "size": len(words)}
    evidence = {"method": "words", "code": encode_words(length, weight, words)}
    return Certificate("code", claim, evidence, provenance)


def code_upper_bound(
    length: int, distance: int, weight: int, bound: UpperBound, provenance: Json
) -> Certificate:
    """The certificate of an upper bound on A(length, distance, weight) (Theorems 11.1 to 11.3)."""
    claim = {"length": length, "distance": distance, "weight": weight, "side": "upper", "size": bound.size}
    evidence = {
        "method": "linear-programming",
        "steps": list(bound.steps),
        "dual": [encode_rational(beta) for beta in bound.dual],
    }
    return Certificate("code", claim, evidence, provenance)


def provenance(command: str, seed: int) -> Json:
    """Where a certificate comes from: the command, the version and the seed; no time, no machine."""
    return {"command": command, "version": __version__, "seed": seed}


@cache
def validator() -> Draft202012Validator:
    """The validator of the JSON Schema that ships with the package."""
    schema = json.loads(files("verifier").joinpath("certificate.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def as_json(certificate: Certificate) -> Json:
    """The JSON object of a certificate."""
    return {
        "format": FORMAT,
        "version": 1,
        "kind": certificate.kind,
        "claim": certificate.claim,
        "evidence": certificate.evidence,
        "provenance": certificate.provenance,
    }


def render(certificate: Certificate) -> str:
    """The text of a certificate file; raises jsonschema.ValidationError if it breaks the schema."""
    document = as_json(certificate)
    validator().validate(document)
    return json.dumps(document, indent=1) + "\n"


def write_atomically(path: Path, text: str) -> None:
    """Write a file whole or not at all: to a temporary file beside it, then rename.  Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)  # mkstemp makes private files
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
