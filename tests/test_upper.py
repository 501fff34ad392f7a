"""Upper bounds on constant-weight codes: the Johnson scheme by definition, the bounds, and their checker."""

import copy
import json
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from verifier import certificate
from verifier.amplification import amplify
from verifier.check import Malformed, Unproved, check_bytes
from verifier.codes.catalog import candidates
from verifier.codes.code import pair_histogram
from verifier.codes.golay import golay_layer
from verifier.codes.groups import mathieu_24
from verifier.codes.layers import layer
from verifier.codes.upper import (
    delsarte_dual,
    johnson_eigenvalue,
    projection_ceiling,
    simplex,
    trace_ceiling,
    upper_bound,
    valency,
)
from verifier.rank import projection_bound, trace_bound


@pytest.mark.parametrize(("length", "weight"), [(6, 3), (7, 2), (8, 4), (9, 3)])
def test_eigenvalues_by_definition(length: int, weight: int) -> None:
    words = layer(length, weight)
    difference = weight - np.bitwise_count(words[:, None] & words[None, :]).astype(int)
    for i in range(weight + 1):
        spectrum = np.linalg.eigvalsh((difference == i).astype(float))
        expected = {johnson_eigenvalue(length, weight, k, i) for k in range(weight + 1)}
        assert {round(float(value), 6) for value in spectrum} == expected
        assert johnson_eigenvalue(length, weight, 0, i) == valency(length, weight, i)


def test_simplex() -> None:
    one, two = Fraction(1), Fraction(2)
    # max x + y with x + 2y <= 1 and 2x + y <= 1: 2/3, dual (1/3, 1/3)
    assert simplex([[one, two], [two, one]], [one, one], [one, one]) == [Fraction(1, 3), Fraction(1, 3)]
    with pytest.raises(ValueError, match="bounded"):
        simplex([[-one]], [one], [one])


@pytest.mark.parametrize(
    ("length", "distance", "weight", "size"),
    [
        (24, 8, 8, 759),
        (24, 8, 12, 2576),
        (24, 12, 12, 46),
        (8, 4, 4, 14),
        (12, 4, 6, 132),
        (7, 4, 3, 7),
        (13, 6, 3, 4),
        (10, 10, 5, 2),
        (10, 12, 5, 1),
        (16, 8, 8, 30),
        (16, 6, 6, 112),
        (5, 2, 0, 1),
    ],
)
def test_tight_bounds(length: int, distance: int, weight: int, size: int) -> None:
    assert upper_bound(length, distance // 2, weight).size == size
    assert upper_bound(length, distance // 2, length - weight).size == size


def made(length: int, distance: int, weight: int) -> dict[str, Any]:
    bound = upper_bound(length, -(-distance // 2), weight)
    text = certificate.render(certificate.code_upper_bound(length, distance, weight, bound, {}))
    thing: dict[str, Any] = json.loads(text)
    return thing


def verdict(thing: dict[str, Any]) -> str:
    return check_bytes(json.dumps(thing).encode())


CELLS = [(n, d, w) for n in (8, 13, 17, 24) for d in (3, 4, 6, 8, 10) for w in (0, 2, n // 2, n // 2 + 1, n)]


@pytest.mark.parametrize(("length", "distance", "weight"), CELLS)
def test_upper_certificates(length: int, distance: int, weight: int) -> None:
    thing = made(length, distance, weight)
    assert verdict(thing) == f"A({length},{distance},{weight}) <= {thing['claim']['size']}"
    if thing["claim"]["size"] > 1:
        thing["claim"]["size"] -= 1
        with pytest.raises(Unproved):
            verdict(thing)


def valid_dual(length: int, difference: int, weight: int, dual: list[Fraction]) -> bool:
    return min(dual) >= 0 and all(
        valency(length, weight, i)
        + sum(b * johnson_eigenvalue(length, weight, k, i) for k, b in enumerate(dual, 1))
        <= 0
        for i in range(difference, weight + 1)
    )


@pytest.mark.parametrize("seed", range(200))
def test_changed_duals_are_rejected_or_still_prove(seed: int) -> None:
    rng = random.Random(seed)
    dual = list(delsarte_dual(12, 3, 6))
    thing = made(12, 6, 6)
    assert thing["evidence"]["steps"] == []
    i = rng.randrange(6)
    dual[i] = rng.choice(
        (-dual[i], dual[i] + Fraction(rng.randint(-30, 30), 10), Fraction(rng.randint(0, 9)))
    )
    thing["evidence"]["dual"] = [str(b) for b in dual]
    thing["claim"]["size"] = rng.randint(15, 40)
    proves = valid_dual(12, 3, 6, dual) and 1 + sum(dual) < thing["claim"]["size"] + 1
    try:
        verdict(thing)
    except (Unproved, Malformed):
        assert not proves
    else:
        assert proves


@pytest.mark.parametrize(
    "change",
    [
        {"steps": ["point"]},
        {"steps": ["absent"] * 24},
        {"steps": ["other"]},
        {"steps": "point"},
        {"steps": ["point"] * 99},
        {"dual": []},
        {"dual": ["1"]},
        {"dual": "1"},
        {"dual": [1] * 12},
        {"method": "words"},
        {"extra": 1},
    ],
)
def test_broken_evidence(change: dict[str, object]) -> None:
    thing = made(24, 8, 12)
    thing["evidence"] |= change
    with pytest.raises((Malformed, Unproved)):
        verdict(thing)


def lower(**changes: Any) -> dict[str, Any]:
    code = golay_layer(8)
    thing: dict[str, Any] = json.loads(certificate.render(certificate.code_size(24, 8, 8, code.words, {})))
    for path, value in changes.items():
        place = thing["claim"] if path in thing["claim"] else thing["evidence"]["code"]
        place[path] = value
    return thing


def test_lower_certificates() -> None:
    assert verdict(lower()) == "A(24,8,8) >= 759"
    assert verdict(lower(size=700, distance=7)) == "A(24,7,8) >= 700"
    first = golay_layer(8).words[0]
    generators = [list(g) for g in mathieu_24().generators]
    thing = lower(words=[f"{first:06x}"], generators=generators)
    assert verdict(thing) == "A(24,8,8) >= 759"
    certificate.validator().validate(thing)


@pytest.mark.parametrize(
    "changes",
    [
        {"size": 760},
        {"distance": 9},
        {"weight": 9},
        {"length": 25},
        {"words": ["0000ff", "0000ff"]},
        {"words": ["0000ff", "0001fe"]},
        {"words": []},
        {"side": "both"},
        {"size": 0},
        {"distance": 0},
    ],
)
def test_broken_lower_certificates(changes: dict[str, Any]) -> None:
    thing = copy.deepcopy(lower())
    for key, value in changes.items():
        (thing["evidence"]["code"] if key == "words" else thing["claim"])[key] = value
    with pytest.raises((Malformed, Unproved)):
        verdict(thing)


@pytest.mark.parametrize(("length", "n"), [(6, 3), (8, 4), (11, 3), (12, 5), (16, 3), (24, 3), (24, 4)])
def test_no_code_passes_a_ceiling(length: int, n: int) -> None:
    """Theorems 11.5 and 11.6 against every code of the catalogue of this length."""
    ratios = amplify(length, n, Fraction(1, 2))
    h = {d: 1 / ratio for d, ratio in enumerate(ratios.ratios) if d and ratio >= 1}
    trace, projection = trace_ceiling(length, h), projection_ceiling(length, h)
    assert trace <= trace_ceiling(length + 1, h)
    assert projection_ceiling(length, h, 72) <= projection  # finer cuts, better ceiling
    for code in candidates(length):
        histogram = pair_histogram(code)
        if code.weight is None or not set(histogram) <= set(h):
            continue
        assert trace_bound(len(code.words), histogram, h).r <= trace
        assert projection_bound(len(code.words), histogram, h).r <= projection


def test_the_dodecads_are_the_best_code_for_the_trace_bound() -> None:
    """At (24, 3) and (24, 4) the ceiling is what the dodecads reach: 21 and 121 (theory Example 5.7)."""
    for n, r in ((3, 21), (4, 121)):
        ratios = amplify(24, n, Fraction(1, 2))
        h = {d: 1 / ratio for d, ratio in enumerate(ratios.ratios) if d and ratio >= 1}
        assert trace_ceiling(24, h) == r
