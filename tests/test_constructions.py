"""Theory chapter 2: one constant feature is exact at lengths 1 and 2, and not at length 3."""

import random
from fractions import Fraction

import pytest

from verifier.constructions import (
    RankOneReadout,
    failures,
    rank_one_head,
    rank_one_output,
    symbolic_residual,
)
from verifier.head import matrix_rank, output
from verifier.minip import all_sequences, all_tokens, targets


@pytest.mark.parametrize(("m", "n"), [(m, 1) for m in range(1, 9)] + [(m, 2) for m in range(1, 6)])
def test_exact_on_all_sequences(m: int, n: int) -> None:
    assert failures(rank_one_head(m), all_sequences(m, n)) == []


@pytest.mark.slow
def test_exact_on_all_sequences_of_seven_bits() -> None:
    assert failures(rank_one_head(7), all_sequences(7, 2)) == []


@pytest.mark.parametrize("n", [1, 2])
def test_exact_for_every_m_symbolically(n: int) -> None:
    assert symbolic_residual(n) == 0


def test_no_symbolic_identity_beyond_length_two() -> None:
    with pytest.raises(ValueError, match="n = 1 and n = 2"):
        symbolic_residual(3)


@pytest.mark.parametrize("m", [1000, 5000, 20_000])
def test_exact_on_random_tokens_of_thousands_of_bits(m: int) -> None:
    rng = random.Random(m)
    for _ in range(50):
        for n in (1, 2):
            sequence = tuple(rng.getrandbits(m) & rng.getrandbits(m) for _ in range(n))
            for i, target in enumerate(targets(sequence)):
                assert rank_one_output(sequence, i) == target


def test_the_whole_head_on_long_tokens_agrees() -> None:
    rng = random.Random(1)
    sequence = (rng.getrandbits(2000), rng.getrandbits(2000))
    head = rank_one_head(2000)
    assert [output(head, sequence, i) for i in (0, 1)] == list(targets(sequence))


def test_the_kernel_has_rank_one() -> None:
    head = rank_one_head(4)
    kernel = [[head.query(0, x)[0] * head.key(0, z)[0] for z in all_tokens(4)] for x in all_tokens(4)]
    assert matrix_rank(kernel) == 1


def test_it_fails_at_length_three() -> None:
    """The phase transition: the same head misses by a half or more somewhere (r*(4,3) >= 2)."""
    head = rank_one_head(4)
    worst = max(abs(output(head, s, i) - t) for s in all_sequences(4, 3) for i, t in enumerate(targets(s)))
    assert worst >= Fraction(1, 2)


@pytest.mark.parametrize("readout", [(2, 0), (1, -1), (3, -2), (Fraction(5, 2), -1)])
def test_another_readout_fails(readout: tuple[Fraction, Fraction]) -> None:
    """Theorems 2.1 and 2.2: the readout is forced, so the exhaustive check can fail."""
    head = rank_one_head(2, RankOneReadout(Fraction(readout[0]), Fraction(readout[1])))
    assert failures(head, [*all_sequences(2, 1), *all_sequences(2, 2)])
