"""Permutation groups: laws, orbits against brute force, named groups, generator files."""

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.codes.golay import golay_layer, golay_words
from verifier.codes.groups import (
    GroupError,
    Permutation,
    compose,
    inverse,
    mathieu_24,
    move,
    move_all,
    named_group,
    orbit,
    orbit_labels,
    orbits,
    parse_generators,
    random_group,
    ranks,
    schedule,
    stabilizer,
)
from verifier.codes.layers import layer

permutations = st.permutations(range(9)).map(tuple)


@given(permutations, permutations, st.integers(0, 511))
def test_laws(a: Permutation, b: Permutation, word: int) -> None:
    assert move(move(word, a), b) == move(word, compose(a, b))
    assert compose(a, inverse(a)) == tuple(range(9))
    assert move(word, a).bit_count() == word.bit_count()
    assert move_all(np.array([word], dtype=np.uint64), a)[0] == move(word, a)


@given(st.lists(permutations, max_size=2), st.integers(1, 8))
def test_orbit_labels(generators: list[Permutation], weight: int) -> None:
    words = layer(9, weight)
    labels = orbit_labels(words, 9, generators)
    for part in orbits([int(word) for word in words], generators):
        places = [int(np.searchsorted(words, np.uint64(word))) for word in part]
        assert {int(labels[place]) for place in places} == {min(places)}


@pytest.mark.parametrize(("length", "weight"), [(9, 4), (10, 0), (11, 11), (42, 2)])
def test_ranks(length: int, weight: int) -> None:
    words = layer(length, weight)
    assert (ranks(words, length)(words) == np.arange(len(words))).all()


def test_mathieu() -> None:
    words = set(golay_words())
    generators = mathieu_24().generators
    assert all(move(word, g) in words for word in words for g in generators)
    assert len(orbit(golay_layer(8).words[0], generators)) == 759
    assert len(orbit(golay_layer(12).words[0], generators)) == 2576
    assert (
        len(orbits(((1 << a | 1 << b | 1 << c) for a, b, c in combinations(range(24), 3)), generators)) == 1
    )


def test_stabilizer() -> None:
    words = golay_layer(8).words
    fixing = stabilizer(words[0], words, mathieu_24().generators, 0)
    assert all(move(words[0], g) == words[0] for g in fixing)
    assert sorted(map(len, orbits(words, fixing))) == [1, 30, 280, 448]


@pytest.mark.parametrize(
    ("name", "length", "sizes"),
    [
        ("cyclic:7", 7, {7}),
        ("2*cyclic:7", 15, {7, 1}),
        ("affine:7:2", 7, {7}),
        ("psl2:5", 6, {6}),
        ("elementary:8", 8, {8}),
        ("cyclic:3wr4", 12, {12}),
        ("cyclic:3xcyclic:5", 8, {3, 5}),
        ("cycles:3,2,1", 7, {3, 2, 1}),
        ("trivial:3", 3, {1}),
        ("m24", 24, {24}),
    ],
)
def test_named_groups(name: str, length: int, sizes: set[int]) -> None:
    group = named_group(name, length)
    assert group.degree == length
    assert all(sorted(g) == list(range(length)) for g in group.generators)
    assert {len(part) for part in orbits([1 << i for i in range(length)], group.generators)} == sizes


@pytest.mark.parametrize(
    "name",
    [
        "",
        "cyclic",
        "cyclic:0",
        "affine:9",
        "psl2:4",
        "m23",
        "x",
        "cyclic:3x",
        "0*cyclic:3",
        "cycles:",
        "٣*cyclic:3",
    ],
)
def test_names_of_no_group(name: str) -> None:
    with pytest.raises(GroupError):
        named_group(name, 24)


def test_too_many_points() -> None:
    with pytest.raises(GroupError, match="more than 10"):
        named_group("m24", 10)


def test_generator_files() -> None:
    group = parse_generators("# comment\n1 2 0 3\n(0 1)(2 3)\n\n1,0,2,3\n", 4, "file")
    assert group.generators == ((1, 2, 0, 3), (1, 0, 3, 2), (1, 0, 2, 3))


@pytest.mark.parametrize("text", ["", "# no", "0 1", "0 1 2 2", "(0 4)", "(0 0)", "(0 1", "a", "0 1 2 -1"])
def test_broken_generator_files(text: str) -> None:
    with pytest.raises(GroupError):
        parse_generators(text, 4, "file")


@given(st.integers(3, 30), st.integers(0, 1000))
def test_random_groups_are_groups(degree: int, seed: int) -> None:
    for g in random_group(degree, random.Random(seed)).generators:
        assert sorted(g) == list(range(degree))


@pytest.mark.parametrize("degree", [2, 3, 5, 8, 16, 24])
def test_the_schedule_goes_on(degree: int) -> None:
    for _, group in zip(range(200), schedule(degree, random.Random(0)), strict=False):
        assert group.degree == degree
