"""Eckart-Young bounds (Theorems 5.8, 5.9): strength, soundness, and certificates broken on purpose."""

import copy
import itertools
import json
import random
from fractions import Fraction
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier import certificate
from verifier.amplification import amplify
from verifier.check import Malformed, Unproved, check_bytes
from verifier.codes.code import Code, pair_histogram
from verifier.codes.families import reed_muller_words
from verifier.codes.golay import golay_layer
from verifier.codes.groups import Permutation, affine_binary, mathieu_24, move
from verifier.codes.hadamard import hadamard_code
from verifier.codes.layers import graham_sloane
from verifier.explicit import rank_bound
from verifier.scheme import (
    SchemeBound,
    difference_scheme,
    polynomial_range,
    power_rank,
    scheme_bound,
)

HALF = Fraction(1, 2)
M24 = mathieu_24().generators


def hadamard_46() -> Code:
    code = hadamard_code(24)
    assert code is not None
    return code


def bound_of(code: Code, generators: tuple[Permutation, ...], n: int, error: Fraction = HALF) -> SchemeBound:
    found = scheme_bound(code, generators, n, error, budget=300)
    assert found is not None
    return found


def document(bound: SchemeBound, n: int, m: int = 24, error: Fraction = HALF) -> dict[str, Any]:
    text = certificate.render(certificate.scheme_lower_bound(m, n, error, bound, {}))
    thing: dict[str, Any] = json.loads(text)
    return thing


def verdict(thing: dict[str, Any]) -> str:
    return check_bytes(json.dumps(thing).encode())


@pytest.fixture(scope="module")
def dodecads() -> dict[str, Any]:
    return document(bound_of(golay_layer(12), M24, 4), 4)


@pytest.fixture(scope="module")
def rows() -> dict[str, Any]:
    return document(bound_of(hadamard_46(), (), 3), 3)


# ---- strength --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("weight", "n", "r"), [(12, 4, 281), (12, 5, 632), (8, 3, 34)])
def test_golay_layers(weight: int, n: int, r: int) -> None:
    bound = bound_of(golay_layer(weight), M24, n)
    assert bound.r >= r
    assert verdict(document(bound, n)) == f"r*(24,{n}) >= {bound.r}"


@pytest.mark.slow
def test_dodecads_at_length_three() -> None:
    bound = bound_of(golay_layer(12), M24, 3)
    assert bound.r >= 53
    assert len(bound.p) == 3
    text = json.dumps(document(bound, 3))
    assert check_bytes(text.encode()) == f"r*(24,3) >= {bound.r}"
    assert len(text) < 3000


@pytest.mark.slow
def test_a_code_of_three_orbits() -> None:
    """36518 words of weight 16 of RM(2,5), in three orbits under AGL(5,2): the checker takes them."""
    words = reed_muller_words(2, 5)
    layer = tuple(int(word) for word in words[np.bitwise_count(words) == 16])
    bound = bound_of(Code("RM(2,5), weight 16", 32, layer), affine_binary(5).generators, 3)
    assert len(bound.representatives) == 3
    assert bound.r >= 137
    assert verdict(document(bound, 3, m=32)) == f"r*(32,3) >= {bound.r}"


@pytest.mark.parametrize("code", [hadamard_46(), graham_sloane(12, 6), graham_sloane(10, 4)])
@pytest.mark.parametrize("n", [3, 4, 6])
def test_not_below_projection(code: Code, n: int) -> None:
    """I and J are among the test matrices of every code, so little is lost against Theorem 5.3."""
    ratios = amplify(code.length, n, HALF)
    old = rank_bound(len(code.words), pair_histogram(code), ratios, ("trace", "projection")).r
    bound = bound_of(code, (), n)
    assert bound.r >= old - 1
    assert verdict(document(bound, n)) == f"r*(24,{n}) >= {bound.r}"


def test_certificates_follow_the_schema(dodecads: dict[str, Any], rows: dict[str, Any]) -> None:
    for thing in (dodecads, rows):
        certificate.validator().validate(thing)
        broken = copy.deepcopy(thing)
        del broken["evidence"]["B"]
        with pytest.raises(jsonschema.ValidationError):
            certificate.validator().validate(broken)


# ---- soundness -------------------------------------------------------------------------------------------


def closest_matrix_rank(code: Code, n: int) -> int:
    """The rank of the matrix with entries h_d just inside the box: no valid bound exceeds it."""
    ratios = amplify(code.length, n, HALF)
    overlaps = np.array([[(x & ~y).bit_count() for y in code.words] for x in code.words])
    values = np.array([1.0] + [0.999 / float(r) if r else 0.0 for r in ratios.ratios[1:]])
    return int(np.linalg.matrix_rank(values[overlaps]))


@pytest.mark.parametrize("code", [hadamard_46(), graham_sloane(8, 4), graham_sloane(10, 5)])
@pytest.mark.parametrize("n", [3, 5, 9])
def test_no_bound_beats_a_matrix_of_the_box(code: Code, n: int) -> None:
    assert bound_of(code, (), n).r <= closest_matrix_rank(code, n)


def proves(thing: dict[str, Any]) -> bool:
    """The inequality of Theorem 5.9 from singular values in floats: a derivation of its own."""
    evidence, claim = thing["evidence"], thing["claim"]
    words = [int(w, 16) for w in evidence["code"]["words"]]
    generators = evidence["code"].get("generators", [])
    for x in words:
        words += [y for g in generators if (y := move(x, g)) not in words and y not in words]
    n, error = claim["n"], Fraction(claim["error"])
    far = np.array([[(x & ~y).bit_count() for y in words] for x in words])
    p = [Fraction(c) for c in evidence["p"]]
    high, low = np.zeros(far.max() + 1), np.zeros(far.max() + 1)
    weight = np.zeros(far.max() + 1)
    for d in map(int, np.unique(far)):
        weight[d] = float(Fraction(evidence["W"][str(d)]))
        ratio = Fraction(1)
        for part in evidence["gaps"].get(str(d), []):
            ratio *= (n - 2) * (part - 2 * error) / (2 * error)
        grid = np.linspace(0.0, float(1 / ratio), 2001) if d else np.ones(1)
        values = sum(float(c) * grid**i for i, c in enumerate(p))
        low[d], high[d] = values.min(), values.max()
    w = weight[far]
    distance = np.maximum((low[far] - w) ** 2, (high[far] - w) ** 2).sum()
    squares = np.sort(np.linalg.eigvalsh(w) ** 2)
    rank = power_rank(p, claim["r"] - 1)
    return bool(claim["r"] < 2 or distance < squares[: max(0, len(squares) - rank)].sum() * (1 + 1e-9) + 1e-9)


def rationals(evidence: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Every place in the evidence that holds a rational, as (container, key)."""
    places: list[tuple[Any, Any]] = [(evidence, "mu")]
    places += [(evidence["p"], i) for i in range(len(evidence["p"]))]
    places += [(evidence[name], d) for name in "WBV" for d in evidence[name]]
    return places


@pytest.mark.parametrize("seed", range(300))
def test_changed_numbers_are_rejected_or_still_prove(rows: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    thing = copy.deepcopy(rows)
    for container, key in rng.sample(rationals(thing["evidence"]), rng.randint(1, 2)):
        value = Fraction(container[key])
        factor = Fraction(rng.randint(-20, 20), rng.randint(1, 20))
        scale = Fraction(rng.choice(("1/1000000000000", "1/10000", "1/10", "1")))
        container[key] = str(rng.choice((value + factor * scale, value * factor, -value)))
    if rng.random() < 0.3:
        thing["claim"]["r"] += rng.choice((-1, 1, 2))
    try:
        verdict(thing)
    except (Malformed, Unproved):
        return
    assert proves(thing)


def test_the_other_derivation_agrees(rows: dict[str, Any]) -> None:
    assert proves(rows)
    harder = copy.deepcopy(rows)
    harder["claim"]["r"] += 1
    assert not proves(harder)


# ---- broken certificates ---------------------------------------------------------------------------------


def test_a_larger_claim_is_rejected(dodecads: dict[str, Any], rows: dict[str, Any]) -> None:
    for thing, more in itertools.product((dodecads, rows), (1, 2, 5, 2000)):
        bad = copy.deepcopy(thing)
        bad["claim"]["r"] += more
        with pytest.raises(Unproved):
            verdict(bad)


def test_a_smaller_claim_is_proved(rows: dict[str, Any]) -> None:
    easy = copy.deepcopy(rows)
    easy["claim"]["r"] = 1
    assert verdict(easy) == "r*(24,3) >= 1"


@pytest.mark.parametrize("key", ["W", "B", "V"])
def test_a_missing_or_extra_class_is_malformed(dodecads: dict[str, Any], key: str) -> None:
    for change in ({"4": None}, {"5": "0"}, {"0": None}, {"04": "1"}, {"x": "1"}):
        bad = copy.deepcopy(dodecads)
        for d, value in change.items():
            if value is None:
                del bad["evidence"][key][d]
            else:
                bad["evidence"][key][d] = value
        with pytest.raises(Malformed):
            verdict(bad)


@pytest.mark.parametrize("value", [1, 0.5, None, "1.5", "2/4", "1/0", "", "NaN", "٣", "1" * 31, [], {}])
def test_a_number_of_another_form_is_malformed(dodecads: dict[str, Any], value: object) -> None:
    for container, key in rationals(dodecads["evidence"]):
        old = container[key]
        container[key] = value
        with pytest.raises(Malformed):
            verdict(dodecads)
        container[key] = old


@pytest.mark.parametrize("p", [[], ["1"], ["0", "1", "0", "0"], "t", None, {"0": "1"}])
def test_a_polynomial_of_another_form_is_malformed(dodecads: dict[str, Any], p: object) -> None:
    with pytest.raises(Malformed):
        verdict({**dodecads, "evidence": {**dodecads["evidence"], "p": p}})


def with_code(thing: dict[str, Any], **changes: object) -> dict[str, Any]:
    bad = copy.deepcopy(thing)
    bad["evidence"]["code"] |= changes
    return bad


@pytest.mark.parametrize(
    "generators",
    [
        None,
        [],
        {},
        [[]],
        [[0, 1]],
        [list(range(25))],
        [[0] * 24],
        [[*range(23), 24]],
        [[*range(23), -1]],
        [1],
    ],
)
def test_a_generator_that_is_no_permutation_is_malformed(
    dodecads: dict[str, Any], generators: object
) -> None:
    with pytest.raises(Malformed):
        verdict(with_code(dodecads, generators=generators))


@given(st.permutations(range(24)))
def test_another_group_makes_another_code(dodecads: dict[str, Any], permutation: list[int]) -> None:
    """A generator outside M24 makes a code with other differences, or one too large: rejected either way."""
    generators = [permutation]
    if all(move(word, tuple(permutation)) in golay_layer(12).words for word in golay_layer(12).words[:30]):
        return
    with pytest.raises((Unproved, Malformed)):
        verdict(with_code(dodecads, generators=generators))


def test_fewer_generators_are_rejected(dodecads: dict[str, Any]) -> None:
    for keep in range(len(dodecads["evidence"]["code"]["generators"]) - 1):
        generators = dodecads["evidence"]["code"]["generators"][:keep]
        try:
            verdict(with_code(dodecads, generators=generators))
        except (Malformed, Unproved):
            continue
        # three generators and more may generate M24 already; then the code is the same
        assert keep >= 3


def test_a_huge_orbit_is_rejected_in_time(dodecads: dict[str, Any]) -> None:
    symmetric = [[1, 0, *range(2, 24)], [*range(1, 24), 0]]  # all 2704156 words of weight 12
    with pytest.raises(Unproved, match="beyond the size"):
        verdict(with_code(dodecads, generators=symmetric))


def test_words_of_several_weights_are_rejected(rows: dict[str, Any]) -> None:
    bad = copy.deepcopy(rows)
    code = bad["evidence"]["code"]
    del code["weight"]
    code["words"] = ["00000f", "0000f0", "01f000"]
    bad["evidence"]["gaps"] = {"4": [4], "5": [5]}
    for name in "WBV":
        bad["evidence"][name] = {"0": "1", "4": "0", "5": "0"}
    bad["claim"]["r"] = 2
    with pytest.raises(Unproved, match="weights"):
        verdict(bad)


def test_a_signed_kernel_is_rejected(dodecads: dict[str, Any]) -> None:
    bad = copy.deepcopy(dodecads)
    bad["claim"]["kernel"] = "signed"
    with pytest.raises(Unproved):
        verdict(bad)


def test_a_negative_mu_is_rejected(dodecads: dict[str, Any]) -> None:
    bad = copy.deepcopy(dodecads)
    bad["evidence"]["mu"] = "-1"
    with pytest.raises(Unproved):
        verdict(bad)


# ---- parts -----------------------------------------------------------------------------------------------


def test_the_scheme_of_the_dodecads() -> None:
    code = golay_layer(12)
    scheme = difference_scheme(code, code.words[:1], ())
    assert scheme is not None
    assert scheme.valencies == (1, 495, 1584, 495, 1)
    assert sorted(scheme.multiplicities) == [1, 23, 252, 1035, 1265]


def test_a_code_without_scheme_has_none() -> None:
    code = graham_sloane(10, 4)
    assert difference_scheme(code, code.words, ()) is None


def test_a_generator_must_preserve_the_code() -> None:
    with pytest.raises(ValueError, match="does not map"):
        scheme_bound(golay_layer(12), ((1, 0, *range(2, 24)),), 3, HALF)


@given(
    st.lists(st.fractions(-3, 3, max_denominator=9), min_size=2, max_size=3),
    st.fractions(0, 1, max_denominator=50),
)
def test_polynomial_range_encloses(p: list[Fraction], high: Fraction) -> None:
    low, top = polynomial_range(p, high)
    for i in range(21):
        t = high * i / 20
        assert low <= sum((c * t**k for k, c in enumerate(p)), Fraction(0)) <= top


@given(st.integers(0, 2**32), st.integers(1, 4), st.lists(st.integers(-2, 2), min_size=2, max_size=3))
def test_power_rank_bounds_the_rank(seed: int, r: int, p: list[int]) -> None:
    rng = np.random.default_rng(seed)
    m = rng.standard_normal((20, r)) @ rng.standard_normal((r, 20))
    values = sum(c * m**i for i, c in enumerate(p)) + np.zeros((20, 20))
    assert np.linalg.matrix_rank(values) <= power_rank([Fraction(c) for c in p], r)
