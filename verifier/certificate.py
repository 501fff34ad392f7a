"""Writing certificates: numbers, the JSON text, and files that are replaced whole or not at all.

The format is that of docs/certificates.md and certificate.schema.json.  The checker (check.py) reads it
with code of its own; nothing here is used there.
"""

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from verifier import __version__
from verifier.channel import Family
from verifier.codes.code import Code
from verifier.codes.upper import UpperBound
from verifier.codes.wordfile import format_words
from verifier.constructions import RankOneReadout
from verifier.counting import CountingBound
from verifier.explicit import CodeBound
from verifier.growth import Growth
from verifier.nonnegative import Mixture, NonnegativeBound
from verifier.scheme import SchemeBound, scheme_evidence
from verifier.signed import SignedBound
from verifier.strongest import Finding, SignedCodeBound

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


def rank_claim(
    m: int, n: int, error: Fraction, r: int, kernel: str = "nonnegative", features: str = "real",
    positions: str = "dependent",
) -> Json:  # fmt: skip
    """The claim of a rank lower bound."""
    return {
        "m": m,
        "n": n,
        "error": encode_rational(error),
        "kernel": kernel,
        "features": features,
        "positions": positions,
        "r": encode_integer(r),
    }


def scheme_lower_bound(m: int, n: int, error: Fraction, found: SchemeBound, provenance: Json) -> Certificate:
    """The certificate of an Eckart-Young bound (Theorems 5.8, 5.9)."""
    claim = rank_claim(m, n, error, found.r)
    return Certificate(
        "rank-lower-bound", claim, scheme_evidence(found), {**provenance, "code": found.code.name}
    )


def lower_bound(
    m: int, n: int, error: Fraction, found: Finding, provenance: Json, features: str = "real"
) -> Certificate:
    """The certificate of a finding; a bound for real features may be claimed for nonnegative ones."""
    if isinstance(found, CodeBound):
        made = rank_lower_bound(m, n, error, found, provenance)
    elif isinstance(found, CountingBound):
        made = counting_lower_bound(m, n, error, found, provenance)
    elif isinstance(found, SchemeBound):
        made = scheme_lower_bound(m, n, error, found, provenance)
    elif isinstance(found, SignedBound):
        made = signed_lower_bound(m, n, error, found, provenance)
    elif isinstance(found, SignedCodeBound):
        made = signed_code_bound(m, n, error, found, provenance)
    elif isinstance(found, NonnegativeBound):
        made = nonnegative_lower_bound(m, n, error, found, provenance)
    else:
        evidence = {"method": "topological", "gap": found.gap, "parts": list(found.parts)}
        made = Certificate("rank-lower-bound", rank_claim(m, n, error, found.r), evidence, provenance)
    return made if features == "real" else replace(made, claim={**made.claim, "features": features})


def counted(found: CountingBound | NonnegativeBound | SignedBound) -> Json:
    """The evidence that all counting methods share."""
    return {
        "length": found.length,
        "weight": found.weight,
        "difference": found.difference,
        "classes": encode_integer(found.classes),
        "parts": list(found.parts),
        "bits": found.bits,
    }


def counting_lower_bound(
    m: int, n: int, error: Fraction, found: CountingBound, provenance: Json, features: str = "real"
) -> Certificate:
    """The certificate of a counting bound (Theorems 6.4, 6.6)."""
    evidence: Json = {"method": "counting", **counted(found)}
    if found.zonal:
        evidence["zonal"] = [encode_integer(c) for c in found.zonal]
    else:
        evidence["lambda"] = encode_integer(found.multiplier)
    claim = rank_claim(m, n, error, found.r, features=features)
    return Certificate("rank-lower-bound", claim, evidence, provenance)


def nonnegative_lower_bound(
    m: int, n: int, error: Fraction, found: NonnegativeBound, provenance: Json
) -> Certificate:
    """The certificate of a bound for nonnegative features (Theorem 12.3)."""
    evidence = {"method": "nonneg-counting", **counted(found), "levels": found.levels}
    claim = rank_claim(m, n, error, found.r, features="nonnegative")
    return Certificate("rank-lower-bound", claim, evidence, provenance)


def signed_lower_bound(m: int, n: int, error: Fraction, found: SignedBound, provenance: Json) -> Certificate:
    """The certificate of a counting bound for signed kernels (Theorems 8.3(c), 8.5(b))."""
    claim = rank_claim(m, n, error, found.r, kernel="signed", positions=found.positions)
    evidence = {"method": "signed-counting", **counted(found)}
    return Certificate("rank-lower-bound", claim, evidence, provenance)


def signed_code_bound(
    m: int, n: int, error: Fraction, found: SignedCodeBound, provenance: Json
) -> Certificate:
    """The certificate of a bound for signed kernels from a listed code (Theorem 8.3(a); (b) with `own`)."""
    evidence: Json = {
        "method": "signed-trace",
        "code": encode_code(found.code),
        "gaps": {str(d): list(parts) for d, parts in sorted(found.gaps.items())},
    }
    if found.own:
        evidence["self"] = list(found.own)
    claim = rank_claim(m, n, error, found.r, kernel="signed", positions="independent")
    return Certificate("rank-lower-bound", claim, evidence, {**provenance, "code": found.code.name})


def transcript_bound(family: Family, error: Fraction, bits: int, provenance: Json) -> Certificate:
    """The certificate that any deterministic model needs a channel of so many bits (Theorem 10.4)."""
    claim = {
        "queries": family.queries,
        "levels": family.levels,
        "m": family.token_bits,
        "n": family.length,
        "error": encode_rational(error),
        "bits": bits,
    }
    return Certificate("transcript", claim, {"method": "blocks"}, provenance)


def exponent_bound(
    growth: Growth, base: Fraction, mixture: Mixture | None, kernel: str, provenance: Json
) -> Certificate:
    """The certificate of r* >= B^m / poly(m) for every m (Theorem 7.4; 12.4 with a mixture)."""
    claim = {
        "n": growth.n,
        "error": encode_rational(growth.error),
        "kernel": kernel,
        "features": "real" if mixture is None else "nonnegative",
        "positions": "dependent",
        "side": "lower",
        "base": encode_rational(base),
    }
    evidence: Json = {"gap": growth.gap}
    if mixture is not None:
        evidence |= {key: encode_rational(getattr(mixture, key)) for key in ("mix", "p", "y")}
    return Certificate("exponent", claim, evidence, provenance)


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
