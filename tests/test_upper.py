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
    best_trace_ceiling,
    delsarte_dual,
    johnson_eigenvalue,
    simplex,
    upper_bound,
    valency,
)


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


@pytest.mark.parametrize(("length", "n"), [(8, 3), (12, 3), (12, 5), (16, 4), (24, 3)])
def test_no_code_beats_the_trace_ceiling(length: int, n: int) -> None:
    ratios = amplify(length, n, Fraction(1, 2)).ratios
    h = {d: 1 / ratios[d] for d in range(1, length + 1) if ratios[d] >= 1}
    ceiling = best_trace_ceiling(length, h)
    assert min(ceiling.dual) >= 0
    for code in candidates(length):
        histogram = pair_histogram(code)
        if code.weight is not None and set(histogram) <= set(h) and len(code.words) > 1:
            size = len(code.words)
            assert size**2 <= ceiling.theta * (size + sum(c * h[d] ** 2 for d, c in histogram.items()))


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
