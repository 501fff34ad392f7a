"""Codes from algebra and geometry: layers of linear codes, Steiner systems, partitions.

F. J. MacWilliams and N. J. A. Sloane, The Theory of Error-Correcting Codes (1977), for quadratic-residue and
Reed-Muller codes; R. L. Graham and N. J. A. Sloane (1980) and A. E. Brouwer, J. B. Shearer, N. J. A. Sloane
and W. D. Smith (1990), both IEEE Trans. Inf. Theory, for partitions.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from verifier.codes.code import Code
from verifier.codes.golay import golay_words
from verifier.codes.groups import Words, is_prime
from verifier.codes.hadamard import hadamard_code, hadamard_core
from verifier.codes.layers import layer, lexicode

MAX_DIMENSION = 17  # linear codes whose words are listed
MAX_LAYER = 200_000  # words of one weight that are sorted into classes
MAX_GREEDY = 15_000  # words of one weight among which a lexicode is chosen


# ---- linear codes ----------------------------------------------------------------------------------------


def span(rows: Sequence[int]) -> Words:
    """All words of the linear code with these (independent or dependent) generators, sorted."""
    words = np.zeros(1, dtype=np.uint64)
    for row in rows:
        if not np.isin(np.uint64(row), words):
            words = np.concatenate([words, words ^ np.uint64(row)])
    return np.sort(words)


def quadratic_residue_words(p: int) -> Words:
    """The extended binary quadratic-residue code of length p + 1, p = 1 or 7 mod 8 a prime; parity last.

    Spanned by the shifts of the idempotent, whose ones are the squares or the non-squares mod p, and by the
    word of ones: a code of dimension (p + 1)/2.
    """
    if not is_prime(p) or p % 8 not in (1, 7):
        raise ValueError("a binary quadratic-residue code needs a prime p = 1 or 7 mod 8")
    squares = sorted({i * i % p for i in range(1, p)})
    rows = [sum(1 << (s + shift) % p for s in squares) for shift in range(p)] + [(1 << p) - 1]
    return span([row | (row.bit_count() & 1) << p for row in rows])


def reed_muller_words(order: int, variables: int) -> Words:
    """The Reed-Muller code of this order: values of polynomials in `variables` bits, length 2^variables."""
    points = range(1 << variables)
    rows = []
    for degree in range(order + 1):
        for chosen in combinations(range(variables), degree):
            rows.append(sum(1 << x for x in points if all(x >> i & 1 for i in chosen)))
    return span(rows)


def nordstrom_robinson_words() -> Words:
    """The Nordstrom-Robinson code: 256 words of length 16 and distance 6, from the Golay code.

    The Golay words are sorted by their part on an octad; those with no one there, or with ones in the first
    octad coordinate and one other, give the code on the other 16 coordinates.
    """
    octad = next(word for word in golay_words() if word.bit_count() == 8)
    inside = [i for i in range(24) if octad >> i & 1]
    outside = [i for i in range(24) if not octad >> i & 1]
    allowed = {0, *(1 << inside[0] | 1 << i for i in inside[1:])}
    words = [word for word in golay_words() if word & octad in allowed]
    return np.array(
        sorted(sum(1 << j for j, i in enumerate(outside) if word >> i & 1) for word in words), dtype=np.uint64
    )


@cache
def linear_codes(length: int) -> tuple[tuple[str, Words], ...]:
    """(name, words) of the codes of this length whose layers are taken; 8, 16, 18, 24 or 32."""
    found: list[tuple[str, Words]] = []
    if length == 24:
        found.append(("Golay code", np.array(golay_words(), dtype=np.uint64)))
    if length in (8, 18, 32):
        found.append((f"quadratic-residue code {length}", quadratic_residue_words(length - 1)))
    variables = length.bit_length() - 1
    if length in (8, 16, 32):
        for order in range(1, variables):
            if sum(comb(variables, i) for i in range(order + 1)) <= MAX_DIMENSION:
                name = f"Reed-Muller code ({order}, {variables})"
                found.append((name, reed_muller_words(order, variables)))
    if length == 16:
        found.append(("Nordstrom-Robinson code", nordstrom_robinson_words()))
    return tuple(found)


# ---- Steiner systems -------------------------------------------------------------------------------------


def triple_system(points: int) -> tuple[int, ...]:
    """A Steiner triple system: points = 3 mod 6 (Bose) or 1 mod 6 (Skolem).  Raises ValueError otherwise."""
    if points % 6 == 3:
        n = points // 3
        half = (n + 1) // 2  # 1/2 mod n, so that (i, j) -> (i + j)/2 is idempotent and commutative
        triples = [(i, n + i, 2 * n + i) for i in range(n)]
        for i, j in combinations(range(n), 2):
            k = (i + j) * half % n
            triples += [(a * n + i, a * n + j, (a + 1) % 3 * n + k) for a in range(3)]
    elif points % 6 == 1 and points > 1:
        n = points // 3
        half_n = n // 2
        last = points - 1

        def product(i: int, j: int) -> int:
            total = (i + j) % n
            return total // 2 if total % 2 == 0 else half_n + (total - 1) // 2

        triples = [(i, n + i, 2 * n + i) for i in range(half_n)]
        for a in range(3):
            for i in range(half_n):
                triples.append((last, a * n + half_n + i, (a + 1) % 3 * n + i))
            for i, j in combinations(range(n), 2):
                triples.append((a * n + i, a * n + j, (a + 1) % 3 * n + product(i, j)))
    else:
        raise ValueError("a Steiner triple system has 1 or 3 mod 6 points")
    return tuple(sum(1 << point for point in triple) for triple in triples)


def quadruple_system(bits: int) -> tuple[int, ...]:
    """The planes of the affine space over GF(2): a Steiner system S(3, 4, 2^bits)."""
    points = range(1 << bits)
    return tuple(
        1 << a | 1 << b | 1 << c | 1 << (a ^ b ^ c) for a, b, c in combinations(points, 3) if a ^ b ^ c > c
    )


def projective_plane(q: int) -> tuple[int, ...]:
    """The lines of the projective plane of prime order q: a Steiner system S(2, q + 1, q^2 + q + 1)."""
    if not is_prime(q):
        raise ValueError("the plane is built for prime orders")
    points = [(1, a, b) for a in range(q) for b in range(q)] + [(0, 1, a) for a in range(q)] + [(0, 0, 1)]
    return tuple(
        sum(
            1 << i
            for i, point in enumerate(points)
            if sum(x * y for x, y in zip(line, point, strict=True)) % q == 0
        )
        for line in points
    )


def affine_plane(q: int) -> tuple[int, ...]:
    """The lines of the affine plane of prime order q: a Steiner system S(2, q, q^2)."""
    lines = [[(x, (a * x + b) % q) for x in range(q)] for a in range(q) for b in range(q)]
    lines += [[(a, y) for y in range(q)] for a in range(q)]
    return tuple(sum(1 << x * q + y for x, y in line) for line in lines)


def steiner_systems(length: int) -> Iterator[Code]:
    """The Steiner systems of these families on at most `length` points, the last of each kind."""
    for points in range(length, 6, -1):
        if points % 6 in (1, 3):
            yield Code(f"Steiner system S(2,3,{points})", points, triple_system(points))
            break
    for bits in (3, 4, 5):
        if 1 << bits <= length:
            yield Code(f"Steiner system S(3,4,{1 << bits})", 1 << bits, quadruple_system(bits))
    for q in (2, 3, 5, 7):
        if q * q + q + 1 <= length:
            points = q * q + q + 1
            yield Code(f"projective plane of order {q}", points, projective_plane(q))
        if q * q <= length:
            yield Code(f"affine plane of order {q}", q * q, affine_plane(q))


# ---- partitions ------------------------------------------------------------------------------------------


def field_classes(length: int, weight: int, difference: int) -> Iterator[Code]:
    """A class {x : the first difference - 1 elementary symmetric functions of its positions are fixed}.

    The positions are distinct elements of GF(q), q the least prime that is at least the length: two words
    of one weight with those functions in common differ in at least 2 difference coordinates (Graham and
    Sloane).  The largest class is given.
    """
    words = layer(length, weight)
    q = next(p for p in range(length, 2 * length + 2) if is_prime(p))
    symmetric = [np.ones(len(words), dtype=np.int64)]
    symmetric += [np.zeros(len(words), dtype=np.int64) for _ in range(difference - 1)]
    for i in range(length):
        present = (words >> np.uint64(i) & np.uint64(1)).astype(np.int64)
        for k in range(difference - 1, 0, -1):
            symmetric[k] = (symmetric[k] + present * i * symmetric[k - 1]) % q
    label = np.zeros(len(words), dtype=np.int64)
    for values in symmetric[1:]:
        label = label * q + values
    names, counts = np.unique(label, return_counts=True)
    chosen = words[label == names[int(counts.argmax())]]
    name = f"symmetric-function class ({length}, {2 * difference}, {weight}) over GF({q})"
    yield Code(name, length, tuple(int(word) for word in chosen))


def sum_classes(length: int, weight: int, modulus: int) -> list[Words]:
    """The words of one weight by sum i x_i mod modulus >= length: each class has |x \\ y| >= 2."""
    words = layer(length, weight)
    sums = np.zeros(len(words), dtype=np.int64)
    for i in range(length):
        sums += i * (words >> np.uint64(i) & np.uint64(1)).astype(np.int64)
    parts = [words[sums % modulus == s] for s in range(modulus)]
    return sorted(parts, key=len, reverse=True)


def pasted(length: int, weight: int) -> Iterator[Code]:
    """Partitions of two shorter layers pasted class by class, for |x \\ y| >= 2 (Brouwer et al.).

    Words (x, y) with x and y in classes of the same rank; |x| has one parity.  If x and x' lie in different
    classes, so do y and y', and each pair differs in two coordinates at least.
    """
    for left in range(2, length // 2 + 1):
        right = length - left
        for parity in (0, 1):
            words: list[int] = []
            for inner in range(parity, min(weight, left) + 1, 2):
                if weight - inner > right:
                    continue
                first = sum_classes(left, inner, left)
                second = sum_classes(right, weight - inner, right)
                for a, b in zip(first, second, strict=False):
                    words += (a[:, None] | b[None, :] << np.uint64(left)).ravel().tolist()
            name = f"partitions of {left} and {right} pasted, weight {weight}"
            yield Code(name, length, tuple(sorted(words)))


# ---- all of them for one cell ----------------------------------------------------------------------------


def descendants(name: str, length: int, words: NDArray[np.uint64], to: int, weight: int) -> Iterator[Code]:
    """Words of a longer code with prescribed values on its last coordinates, which are dropped.

    For each number of ones among the dropped coordinates: those ones first.  `to` is the new length.
    """
    removed = length - to
    for ones in range(removed + 1):
        pattern = np.uint64(((1 << ones) - 1) << (removed - ones))
        kept = words[words >> np.uint64(to) == pattern] if removed else words
        kept = kept & np.uint64((1 << to) - 1)
        kept = kept[np.bitwise_count(kept) == weight]
        if len(kept):
            tail = f" shortened by {removed} with {ones} ones" if removed else ""
            yield Code(f"{name}{tail}, weight {weight}", to, tuple(int(word) for word in np.sort(kept)))


def coset_codes(name: str, length: int, words: Words, to: int, weight: int) -> Iterator[Code]:
    """Layers of the translates of a linear code by words of weight 1 to 4 on its first coordinates."""
    for ones in range(1, 5):
        moved = words ^ np.uint64((1 << ones) - 1)
        yield from descendants(f"coset of weight {ones} of the {name}", length, moved, to, weight)


def padded(code: Code, length: int, weight: int) -> Code | None:
    """The code with coordinates put on, ones to raise the weight and zeros else; None if that cannot be."""
    if code.weight is None or not 0 <= weight - code.weight <= length - code.length:
        return None
    ones = ((1 << weight - code.weight) - 1) << code.length
    return Code(code.name, length, tuple(word | ones for word in code.words))


def complemented(code: Code) -> Code:
    """The complements of the words."""
    whole = (1 << code.length) - 1
    return Code(
        f"complements of {code.name}", code.length, tuple(sorted(word ^ whole for word in code.words))
    )


def disjoint(length: int, weight: int) -> Code:
    """As many words as fit without a common coordinate (at least one)."""
    block = (1 << weight) - 1
    count = max(1, length // weight) if weight else 1
    return Code("disjoint words", length, tuple(block << weight * i for i in range(count)))


def family_codes(length: int, difference: int, weight: int) -> Iterator[Code]:
    """Codes of these families with words of this length and weight, at most 63 coordinates.

    Not every one has |x \\ y| >= difference: what is asked of a code is verified afterwards.
    """
    yield disjoint(length, weight)
    for whole in (8, 16, 18, 24, 32):
        for to in range(min(length, whole), max(3, whole - 8, length - 3) - 1, -1):
            for ones in range(length - to + 1):
                for name, words in linear_codes(whole) if 0 <= weight - ones <= to else ():
                    for code in chain(
                        descendants(name, whole, words, to, weight - ones),
                        coset_codes(name, whole, words, to, weight - ones),
                    ):
                        extended = padded(code, length, weight)
                        if extended is not None:
                            yield extended
    for order in range(4, length + 9, 4):
        for found in (hadamard_core(order), hadamard_code(order)):
            if found is None:
                continue
            rows = np.array(found.words, dtype=np.uint64) if found.length < 64 else None
            if rows is None:
                continue
            for codes in (rows, np.array(complemented(found).words, dtype=np.uint64)):
                if length <= found.length <= length + 4:
                    yield from descendants(found.name, found.length, codes, length, weight)
                elif length - 2 <= found.length < length:
                    plain = Code(found.name, found.length, tuple(int(word) for word in codes))
                    extended = padded(plain, length, weight)
                    if extended is not None:
                        yield extended
    for system in steiner_systems(length):
        extended = padded(system, length, weight)
        if extended is not None:
            yield extended
    if comb(length, weight) <= MAX_LAYER:
        yield from field_classes(length, weight, difference)
        if difference == 2:
            yield from pasted(length, weight)
    if comb(length, weight) <= MAX_GREEDY:
        yield lexicode(length, weight, difference)
