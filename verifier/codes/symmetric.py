"""Codes with a large known group of automorphisms: the material of Eckart-Young certificates.

A group lets the checker count one row for each orbit of words, and lets a certificate hold one word of each.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np

from verifier.codes.code import Code
from verifier.codes.families import nordstrom_robinson_words, quadratic_residue_words, reed_muller_words
from verifier.codes.golay import golay_layer
from verifier.codes.groups import (
    Permutation,
    Words,
    affine_binary,
    mathieu_24,
    named_group,
    projective,
    stabilizer,
)
from verifier.codes.layers import shortened
from verifier.codes.search import cell, improvements

SYMMETRIC_LENGTHS = (12, 16, 18, 22, 23, 24, 32)

Symmetric = tuple[Code, tuple[Permutation, ...]]


def weight_layer(name: str, length: int, words: Words, weight: int) -> Code:
    """The words of one weight of a code of this length."""
    chosen = words[np.bitwise_count(words) == weight]
    return Code(f"{name}, weight {weight}", length, tuple(int(word) for word in chosen))


@cache
def fixing_last(removed: int) -> tuple[Permutation, ...]:
    """Generators of the part of M24 that fixes each of the last coordinates, on the coordinates left."""
    generators = mathieu_24().generators
    points = [1 << i for i in range(24)]
    for i in range(removed):
        generators = stabilizer(1 << 23 - i, points, generators, i, enough=40)
    return tuple(g[: 24 - removed] for g in generators)


@cache
def orbit_code(length: int, distance: int, weight: int, group: str) -> Symmetric:
    """The code that the search finds with a prescribed group, and generators of the group."""
    chosen = named_group(group, length)
    *_, last = improvements(cell(length, distance, weight), group=chosen, rounds=2)
    return Code(f"orbits of {group} ({length}, {distance}, {weight})", length, last.words), chosen.generators


def codes_of_length(length: int) -> Iterator[Symmetric]:
    """The codes of exactly this length, the most promising first."""
    if length == 24:
        for weight in (12, 8):
            yield golay_layer(weight), mathieu_24().generators
    if length in (22, 23):
        for ones in range(25 - length):
            part = shortened(golay_layer(12), 24 - length, ones)
            assert part is not None
            yield part, fixing_last(24 - length)
    if length == 32:
        for weight in (16, 12, 8):
            part = weight_layer("Reed-Muller code (2, 5)", 32, reed_muller_words(2, 5), weight)
            yield part, affine_binary(5).generators
    if length == 18:
        for weight in (8, 6):
            part = weight_layer("quadratic-residue code 18", 18, quadratic_residue_words(17), weight)
            yield part, projective(17).generators
    if length == 16:
        yield orbit_code(16, 6, 8, "4*psl2:3")
        yield weight_layer("Nordstrom-Robinson code", 16, nordstrom_robinson_words(), 6), ()
        for order, weight in ((1, 8), (2, 8), (2, 6)):
            part = weight_layer(f"Reed-Muller code ({order}, 4)", 16, reed_muller_words(order, 4), weight)
            yield part, affine_binary(4).generators
    if length == 12:
        yield orbit_code(12, 4, 6, "psl2:11")
