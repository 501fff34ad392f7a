"""Theory chapter 1: the task."""

from hypothesis import given
from hypothesis import strategies as st

from verifier.minip import all_sequences, complement, difference, overlap, targets

tokens = st.integers(0, 2**70 - 1)


def coordinates(x: int, m: int) -> list[int]:
    return [int(c) for c in reversed(f"{x:0{m}b}")]


@given(tokens, tokens)
def test_overlap_and_difference_by_coordinates(x: int, z: int) -> None:
    pairs = list(zip(coordinates(x, 70), coordinates(z, 70), strict=True))
    assert overlap(x, z) == sum(a * b for a, b in pairs)
    assert difference(x, z) == sum(a * (1 - b) for a, b in pairs)
    assert difference(x, z) == overlap(x, complement(z, 70))


@given(st.lists(tokens, min_size=1, max_size=6))
def test_targets_by_definition(sequence: list[int]) -> None:
    for x, t in zip(sequence, targets(sequence), strict=True):
        products = [
            sum(a * b for a, b in zip(coordinates(x, 70), coordinates(z, 70), strict=True)) for z in sequence
        ]
        assert t in products
        assert all(t <= p for p in products)


def test_all_sequences_are_all() -> None:
    assert len(set(all_sequences(2, 3))) == 4**3
    assert list(all_sequences(1, 2)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
