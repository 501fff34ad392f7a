"""Certificates for the machine-checked checker: ``python -m verifier.formal CERTIFICATE``.

Prints the plain-text input of the extracted checker (``theory/coq/native/check``), or with
``--coq`` a Coq file whose theorem is the certificate's claim, proved by running the checker that
``theory/coq/Checker.v`` proves sound.  This translation is not proved: compare the claim in the
output with the certificate (one line in the text, the theorem's statement in the Coq file).

Covered: rank lower bounds by trace, projection and dominance (Theorems 5.2 to 5.4), at any
rational error, for nonnegative kernels and (not projection) kernels of any sign.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass
from math import gcd
from pathlib import Path
from typing import NoReturn

MAX_BYTES = 100_000_000
MAX_NUMBER = 10**9
MAX_BITS = 65_536  # coordinates of a token; the checker counts in unary there
METHODS = ("trace", "projection", "dominance")


class FormalError(Exception):
    """The certificate is malformed, or not of a kind the proved checker covers."""


@dataclass(frozen=True)
class Certificate:
    """What the proved checker reads: the claim, then the evidence."""

    m: int
    n: int
    error: tuple[int, int]
    signed: bool
    r: int
    method: str
    multiplier: tuple[int, int] | None
    length: int
    weight: int | None
    words: tuple[int, ...]
    gaps: tuple[tuple[int, tuple[int, ...]], ...]  # increasing |x \ y|


# ---- reading -------------------------------------------------------------------------------------


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise FormalError("a key occurs twice")
    return table


def _integer_literal(text: str) -> int:
    if len(text) > 15:
        raise FormalError("an integer beyond 15 digits must be a hexadecimal string")
    return int(text)


def _no_float(text: str) -> NoReturn:
    raise FormalError(f"floating-point number {text[:20]}")


def _any_float(text: str) -> float:
    return float(text)


def _load(text: str) -> dict[str, object]:
    try:
        whole = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_int=_integer_literal,
            parse_float=_any_float,
            parse_constant=_no_float,
        )
    except (ValueError, RecursionError) as problem:
        raise FormalError(f"not JSON: {problem}") from None
    return _object(whole, "the certificate")


def _object(value: object, name: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise FormalError(f"{name} is not an object")
    return value


def _keys(table: dict[str, object], name: str, needed: set[str], optional: set[str] | None = None) -> None:
    if missing := needed - table.keys():
        raise FormalError(f"{name} lacks {min(missing)!r}")
    if unknown := table.keys() - needed - (optional or set()):
        raise FormalError(f"{name} has the unknown key {min(unknown)!r}")


def _integer(value: object, name: str, low: int, high: int) -> int:
    if type(value) is not int:
        raise FormalError(f"{name} is not a whole number")
    if not low <= value <= high:
        raise FormalError(f"{name} is not between {low} and {high}")
    return value


def _rational(value: object, name: str) -> tuple[int, int]:
    text = value if isinstance(value, str) else ""
    match = re.fullmatch("(0|[1-9][0-9]{0,999})(?:/([1-9][0-9]{0,999}))?", text)
    if match is None:
        raise FormalError(f"{name} is not a rational written as a string")
    top, bottom = int(match[1]), int(match[2] or 1)
    if gcd(top, bottom) != 1 or match[2] == "1":
        raise FormalError(f"{name} is not in lowest terms")
    return top, bottom


def _words(value: object, length: int) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise FormalError("words is not a list")
    form = re.compile(f"[0-9a-f]{{{-(-length // 4)}}}")
    for word in value:
        if not isinstance(word, str) or not form.fullmatch(word):
            raise FormalError("a word is not lower-case hexadecimal of the code's length")
    return tuple(int(word, 16) for word in value)


def _gaps(value: object) -> tuple[tuple[int, tuple[int, ...]], ...]:
    table = []
    for key, parts in _object(value, "gaps").items():
        if not re.fullmatch("[1-9][0-9]{0,6}", key) or int(key) > MAX_BITS:
            raise FormalError("a key of gaps is not a number of coordinates")
        if not isinstance(parts, list) or not parts:
            raise FormalError("an entry of gaps is not a list of at least one part")
        table.append((int(key), tuple(_integer(part, "a gap", 1, int(key)) for part in parts)))
    return tuple(sorted(table))


def parse(text: str) -> Certificate:
    """Read a certificate; FormalError if it is malformed or not covered."""
    whole = _load(text)
    if whole.get("format") != "verifier-certificate" or whole.get("version") != 1:
        raise FormalError("not a certificate of version 1")
    if whole.get("kind") != "rank-lower-bound":
        raise FormalError("the proved checker covers rank lower bounds only")
    _keys(whole, "the certificate", {"format", "version", "kind", "claim", "evidence"}, {"provenance"})
    claim = _object(whole["claim"], "the claim")
    evidence = _object(whole["evidence"], "the evidence")
    if "inputs" in claim:
        raise FormalError("the proved checker covers claims about all inputs only")
    _keys(claim, "the claim", {"m", "n", "error", "kernel", "features", "positions", "r"})
    if claim["kernel"] not in ("nonnegative", "signed"):
        raise FormalError("unknown kernel")
    if claim["features"] not in ("real", "nonnegative"):
        raise FormalError("unknown features")
    if claim["positions"] not in ("dependent", "independent"):
        raise FormalError("unknown positions")
    signed = claim["kernel"] == "signed"
    if signed and claim["positions"] == "dependent":
        raise FormalError("signed kernels are covered with position-independent keys and values only")
    m = _integer(claim["m"], "m", 1, MAX_BITS)
    n = _integer(claim["n"], "n", 1, MAX_NUMBER)
    r = _integer(claim["r"], "r", 1, MAX_NUMBER)
    error = _rational(claim["error"], "the error")
    method = evidence.get("method")
    if not isinstance(method, str) or method not in METHODS:
        raise FormalError("the method is not covered by the proved checker")
    if signed and method == "projection":
        raise FormalError("projection needs a nonnegative kernel")
    projection = method == "projection"
    _keys(evidence, "the evidence", {"method", "code", "gaps"} | ({"lambda"} if projection else set()))
    code = _object(evidence["code"], "the code")
    _keys(code, "the code", {"length", "words"}, {"weight"})
    length = _integer(code["length"], "the code's length", 1, m)
    return Certificate(
        m,
        n,
        error,
        signed,
        r,
        method,
        _rational(evidence["lambda"], "lambda") if projection else None,
        length,
        _integer(code["weight"], "the weight", 0, length) if "weight" in code else None,
        _words(code["words"], length),
        _gaps(evidence["gaps"]),
    )


# ---- writing -------------------------------------------------------------------------------------


def _decimal(value: int) -> str:
    return str(value) if value < 10**15 else hex(value)


def native_text(certificate: Certificate) -> str:
    """The input of the extracted checker; its format is described in theory/coq/native/check.ml."""
    c = certificate
    method = c.method
    if c.multiplier is not None:
        method += f" {_decimal(c.multiplier[0])} {_decimal(c.multiplier[1])}"
    lines = [
        "verifier-check 1",
        f"m {c.m}  n {_decimal(c.n)}  error {_decimal(c.error[0])} {_decimal(c.error[1])}"
        f"  kernel {'signed' if c.signed else 'nonnegative'}  rank {_decimal(c.r)}",
        f"method {method}",
        f"length {c.length}  weight {'any' if c.weight is None else c.weight}",
        f"gaps {len(c.gaps)}",
        *(" ".join(map(str, (key, len(parts), *parts))) for key, parts in c.gaps),
        f"words {len(c.words)}",
        *(f"{word:x}" for word in c.words),
    ]
    return "\n".join(lines) + "\n"


def _nat(value: int) -> str:
    """A numeral of type nat: unary ones only while they are small."""
    return str(value) if value <= 1000 else f"(N.to_nat {value})"


def _seq(items: list[str]) -> str:
    return "[:: " + "; ".join(items) + "]" if items else "[::]"


def coq_text(certificate: Certificate) -> str:
    """A Coq file that proves the claim as theorem ``certified``."""
    c = certificate
    entries = dict(c.gaps)
    gaps = [_seq([str(part) for part in entries.get(d, ())]) for d in range(max(entries, default=-1) + 1)]
    method = {"trace": "Trace", "dominance": "Dominance"}.get(c.method, "")
    if c.multiplier is not None:
        method = f"(Projection {c.multiplier[0]} {c.multiplier[1]})"
    error = f"{_nat(c.error[0])}%:R / {_nat(c.error[1])}%:R"
    head = "position_independent h -> (forall s, denominator h s i != 0)" if c.signed else "nonnegative h i"
    length = "erefl" if c.n <= 1000 else "(N2Nat.id _)"
    weight = "None" if c.weight is None else f"(Some {_nat(c.weight)}%nat)"
    sound = "thm_checker_sound_signed" if c.signed else "thm_checker_sound"
    words = "\n   ".join(
        "; ".join(str(word) for word in c.words[start : start + 8])
        + (";" if start + 8 < len(c.words) else "")
        for start in range(0, len(c.words), 8)
    )
    return f"""(* Written by python -m verifier.formal --coq from a certificate.             *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Verifier Require Import Checker Model Statements.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Definition certificate : cert := @Cert
  {_nat(c.m)}%nat {c.n}%num {c.error[0]}%num {c.error[1]}%num {"true" if c.signed else "false"} {c.r}%num
  {method}%num {_nat(c.length)}%nat {weight}
  [:: {words}]%num
  {_seq(gaps)}%nat.

Lemma accepted : check certificate = true.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem certified (R : realFieldType) r d
    (h : attention R {_nat(c.m)} {_nat(c.n)} r d) (i : 'I_{_nat(c.n)}) :
  {head} ->
  error_below h i ({error}) -> ({_nat(c.r)} <= r)%N.
Proof. exact: (@{sound} certificate R _ r d h i accepted erefl {length}). Qed.

Print Assumptions certified.
"""


# ---- the command ---------------------------------------------------------------------------------


def _write(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        output.write_text(text, encoding="ascii")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m verifier.formal",
        description="Translate a rank-lower-bound certificate for the machine-checked checker.",
    )
    parser.add_argument("certificate", metavar="CERTIFICATE", type=Path, help="a certificate (JSON)")
    parser.add_argument(
        "--coq",
        action="store_true",
        help="print a Coq file that proves the claim, not the extracted checker's input",
    )
    parser.add_argument("--output", metavar="FILE", type=Path, help="write to FILE, not to stdout")
    options = parser.parse_args(arguments)
    try:
        if options.certificate.stat().st_size > MAX_BYTES:
            raise FormalError("the file is too large")
        certificate = parse(options.certificate.read_text(encoding="utf-8"))
        _write(coq_text(certificate) if options.coq else native_text(certificate), options.output)
    except BrokenPipeError:
        return 2
    except (FormalError, OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else problem
        print(f"formal: {options.certificate}: {reason}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
