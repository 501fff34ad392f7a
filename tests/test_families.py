"""Codes from algebra and geometry: their sizes, weights and distances, by definition."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from verifier.codes.code import Code
from verifier.codes.families import (
    affine_plane,
    complemented,
    descendants,
    family_codes,
    field_classes,
    linear_codes,
    nordstrom_robinson_words,
    padded,
    pasted,
    projective_plane,
    quadratic_residue_words,
    quadruple_system,
    reed_muller_words,
    triple_system,
)
from verifier.codes.golay import golay_words
from verifier.codes.verify import NotACode, verify


def weights(words: np.ndarray) -> dict[int, int]:
    return dict(Counter(int(w).bit_count() for w in words))


def test_linear_codes() -> None:
    assert weights(quadratic_residue_words(7)) == {0: 1, 4: 14, 8: 1}
    assert weights(quadratic_residue_words(17)) == {0: 1, 6: 102, 8: 153, 10: 153, 12: 102, 18: 1}
    assert weights(quadratic_residue_words(23)) == {0: 1, 8: 759, 12: 2576, 16: 759, 24: 1}
    middle = {8: 620, 12: 13888, 16: 36518, 20: 13888, 24: 620}
    assert weights(quadratic_residue_words(31)) == {0: 1, **middle, 32: 1}
    assert weights(reed_muller_words(2, 5)) == {0: 1, **middle, 32: 1}
    assert weights(nordstrom_robinson_words()) == {0: 1, 6: 112, 8: 30, 10: 112, 16: 1}
    for length in (8, 16, 18, 24, 32):
        for name, words in linear_codes(length):
            assert len(set(words.tolist())) == len(words), name
            assert int(words.max()) < 1 << length


def test_nordstrom_robinson_distance() -> None:
    words = [int(w) for w in nordstrom_robinson_words()]
    assert min((a ^ b).bit_count() for a, b in combinations(words, 2)) == 6


@pytest.mark.parametrize("p", [2, 5, 9, 15])
def test_no_quadratic_residue_code(p: int) -> None:
    with pytest.raises(ValueError, match="prime"):
        quadratic_residue_words(p)


def is_steiner(t: int, points: int, blocks: tuple[int, ...]) -> bool:
    covered = Counter(
        subset for block in blocks for subset in combinations([i for i in range(points) if block >> i & 1], t)
    )
    return set(covered.values()) == {1} and len(covered) == sum(1 for _ in combinations(range(points), t))


@pytest.mark.parametrize("points", [7, 9, 13, 15, 19, 21, 25])
def test_triple_systems(points: int) -> None:
    assert is_steiner(2, points, triple_system(points))


def test_other_steiner_systems() -> None:
    assert is_steiner(3, 8, quadruple_system(3))
    assert is_steiner(3, 16, quadruple_system(4))
    for q in (2, 3, 5):
        assert is_steiner(2, q * q + q + 1, projective_plane(q))
        assert is_steiner(2, q * q, affine_plane(q))
    octads = tuple(word for word in golay_words() if word.bit_count() == 8)
    assert len(octads) * 56 == 24 * 23 * 22 * 21 * 20 // 120  # S(5,8,24): 56 five-sets in an octad
    with pytest.raises(ValueError, match="mod 6"):
        triple_system(11)


@pytest.mark.parametrize(("length", "weight", "difference"), [(9, 4, 2), (11, 5, 3), (12, 6, 4), (13, 6, 2)])
def test_partitions(length: int, weight: int, difference: int) -> None:
    for code in field_classes(length, weight, difference):
        assert verify(code.words, length, 2 * difference, weight) == len(code.words)
    for code in pasted(length, weight):
        assert verify(code.words, length, 4, weight) == len(code.words)


def test_descendants_and_padding() -> None:
    words = np.array(golay_words(), dtype=np.uint64)
    sizes = [len(code.words) for code in descendants("Golay", 24, words, 23, 8)]
    assert sizes == [506]
    assert [len(c.words) for c in descendants("Golay", 24, words, 22, 6)] == [77]
    code = Code("x", 4, (3, 12))
    assert padded(code, 7, 4) == Code("x", 7, (3 | 48, 12 | 48))
    assert padded(code, 5, 4) is None
    assert padded(code, 5, 1) is None
    assert complemented(code).words == (3, 12)


@pytest.mark.parametrize(
    ("length", "difference", "weight", "size"),
    [
        (24, 4, 8, 759),
        (24, 4, 12, 2576),
        (24, 4, 7, 253),
        (24, 6, 12, 46),
        (16, 3, 6, 112),
        (16, 4, 8, 30),
        (13, 3, 3, 4),
        (13, 4, 4, 3),
    ],
)
def test_known_sizes(length: int, difference: int, weight: int, size: int) -> None:
    best = 0
    for code in family_codes(length, difference, weight):
        assert code.length == length
        if len(code.words) > best:
            try:
                best = verify(code.words, length, 2 * difference, weight)
            except NotACode:
                continue
    assert best == size


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([3, 3], "distance 0"),
        ([3, 5], "distance 2"),
        ([3, 7], "weight 3"),
        ([3, 48], "more than 4 bits"),
        ([-1], "bits"),
    ],
)
def test_verify_rejects(words: list[int], reason: str) -> None:
    with pytest.raises(NotACode, match=reason):
        verify(words, 4, 4, 2)


def test_verify_accepts() -> None:
    assert verify([], 4, 4, 2) == 0
    assert verify([3], 4, 4, 2) == 1
    assert verify([3, 12], 4, 4, 2) == 2
