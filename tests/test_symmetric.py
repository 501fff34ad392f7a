"""Codes with a known group: the generators preserve the words."""

import pytest

from verifier.codes.groups import move
from verifier.codes.symmetric import SYMMETRIC_LENGTHS, codes_of_length
from verifier.strongest import longest_symmetric

SIZES = {
    12: [132],
    16: [120, 112, 30, 870, 448],
    18: [153, 102],
    22: [616, 672, 616],
    23: [1288, 1288],
    24: [2576, 759],
    32: [36518, 13888, 620],
}


@pytest.mark.parametrize("length", SIZES)
def test_sizes_and_groups(length: int) -> None:
    codes = list(codes_of_length(length))
    assert [len(code.words) for code, _ in codes] == SIZES[length]
    for code, generators in codes:
        words = set(code.words)
        assert code.length == length
        assert code.weight is not None
        for generator in generators:
            assert all(move(word, generator) in words for word in code.words[:2000])


def test_the_longest_are_taken() -> None:
    assert {code.length for code, _ in longest_symmetric(21)} == {18}
    assert {code.length for code, _ in longest_symmetric(40)} == {32}
    assert list(longest_symmetric(11)) == []
    assert all(
        {code.length for code, _ in codes_of_length(length)} == {length} for length in SYMMETRIC_LENGTHS
    )
