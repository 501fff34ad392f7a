"""Random corruptions of certificates, for tests of the checker."""

import copy
import json
import random
from collections.abc import Callable
from typing import Any

from verifier import check

Json = dict[str, Any]

ODD_VALUES: list[Any] = [
    0, 1, 2, 3, 5, -1, 10**9, 10**14, 10**15, 10**400, 0.5, True, None, "", "0", "1", "1/2",
    "-1/2", "2/4", "1/0", "0x0", "0x1", "0x38d7ea4c68000", "0x" + "f" * 40, "0x" + "f" * 20000, "9" * 400,
    [], {}, [2], [1, 2, 3], [[2]], "nonnegative", "signed", "real", "dependent", "independent",
    "lower", "upper", "counting", "trace",
]  # fmt: skip


def verdict(document: Any) -> str:
    """ "verified", "unproved" or "malformed"."""
    try:
        check.check_bytes(json.dumps(document).encode())
    except check.Unproved:
        return "unproved"
    except check.Malformed:
        return "malformed"
    return "verified"


def places(thing: Any) -> list[tuple[Any, Any]]:
    """Every (holder, key) in a JSON document."""
    if not isinstance(thing, dict | list):
        return []
    inside = thing.items() if isinstance(thing, dict) else enumerate(thing)
    return [place for key, value in inside for place in [(thing, key), *places(value)]]


def number(value: Any) -> int | None:
    """The whole number that a JSON value stands for."""
    if type(value) is int:
        return value
    if isinstance(value, str) and value.startswith("0x"):
        return int(value, 16)
    return None


def encoded(value: int) -> int | str:
    return value if abs(value) < 10**15 else hex(value)


def mutate(document: Json, rng: random.Random) -> Json:
    """One or two random corruptions of claim and evidence."""
    out = copy.deepcopy(document)
    for _ in range(rng.choice((1, 1, 1, 2))):
        holder, key = rng.choice(places({"claim": out["claim"], "evidence": out["evidence"]})[1:])
        if key not in (range(len(holder)) if isinstance(holder, list) else holder):
            continue  # the first corruption has removed it
        value, kind = number(holder[key]), rng.randrange(4)
        if kind == 0:
            holder[key] = rng.choice(ODD_VALUES)
        elif kind == 1 and not isinstance(holder, list):
            del holder[key]
        elif value is not None:
            steps = (value + 1, value - 1, value * 2, value // 2, value + 7, value ^ 1, value * 11 // 10)
            holder[key] = encoded(rng.choice(steps))
        elif isinstance(holder[key], list):
            holder[key] = rng.choice([holder[key][1:], holder[key][::-1], [*holder[key], rng.randint(1, 9)]])
        else:
            holder[key] = rng.choice(ODD_VALUES)
    return out


def storm(document: Json, proved: Callable[[Json], bool], count: int, seed: int) -> int:
    """Corrupt a certificate `count` times; every mutant that is still verified must be proved.

    Returns how many were rejected.
    """
    rng = random.Random(seed)
    rejected = 0
    for _ in range(count):
        mutant = mutate(document, rng)
        if verdict(mutant) == "verified":
            assert proved(mutant), mutant
        else:
            rejected += 1
    return rejected
