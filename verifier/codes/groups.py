"""Groups of coordinate permutations, given by generators, and their orbits on words.

A permutation is the tuple of the images of the coordinates 0, 1, ...; a group is a list of generators.  The
groups with a name are the ones that good constant-weight codes tend to have: cyclic and affine groups,
PSL(2,q) on the projective line, the Mathieu group M24, direct and wreath products.
"""

import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Permutation = tuple[int, ...]
Words = NDArray[np.uint64]


class GroupError(ValueError):
    """A group that cannot be built or read; the message is one sentence."""


@dataclass(frozen=True)
class Group:
    """A permutation group on `degree` coordinates, by its generators; without any it is trivial."""

    name: str
    degree: int
    generators: tuple[Permutation, ...]


# ---- permutations ----------------------------------------------------------------------------------------


def compose(first: Permutation, then: Permutation) -> Permutation:
    """The permutation that applies `first` and then `then`."""
    return tuple(then[i] for i in first)


def inverse(permutation: Permutation) -> Permutation:
    """The permutation that undoes the given one."""
    result = [0] * len(permutation)
    for i, image in enumerate(permutation):
        result[image] = i
    return tuple(result)


def move(word: int, permutation: Permutation) -> int:
    """The word with coordinate i carried to coordinate permutation[i]."""
    result = 0
    while word:
        low = word & -word
        result |= 1 << permutation[low.bit_length() - 1]
        word ^= low
    return result


def move_all(words: Words, permutation: Permutation) -> Words:
    """`move` for an array of words of at most 64 coordinates, by a table for each byte."""
    result = np.zeros_like(words)
    byte = np.uint64(255)
    for base in range(0, len(permutation), 8):
        images = [1 << image for image in permutation[base : base + 8]]
        table = np.zeros(256, dtype=np.uint64)
        for bit, image in enumerate(images):
            table[1 << bit : 2 << bit] = table[: 1 << bit] | np.uint64(image)
        result |= table[(words >> np.uint64(base) & byte).astype(np.intp)]
    return result


# ---- orbits ----------------------------------------------------------------------------------------------


def orbit(word: int, generators: Sequence[Permutation]) -> list[int]:
    """The words that products of the generators make of a word, the word itself first."""
    found, seen = [word], {word}
    for x in found:  # grows while it is walked through
        for generator in generators:
            y = move(x, generator)
            if y not in seen:
                seen.add(y)
                found.append(y)
    return found


def orbits(words: Iterable[int], generators: Sequence[Permutation]) -> list[list[int]]:
    """The orbits of the given words, which the words need not exhaust."""
    found: list[list[int]] = []
    seen: set[int] = set()
    for word in words:
        if word not in seen:
            found.append(orbit(word, generators))
            seen.update(found[-1])
    return found


def ranks(words: Words, length: int) -> Callable[[Words], NDArray[np.intp]]:
    """A function that gives the positions of words in the sorted array of all words of one weight.

    Words with the same upper half stand together, in the order of their lower halves: two tables.
    """
    if length > 40:
        return lambda some: np.searchsorted(words, some).astype(np.intp)
    half = np.uint64(length // 2)
    lower = np.arange(1 << length // 2, dtype=np.uint64)
    ones = np.bitwise_count(lower)
    rank = np.zeros(len(lower), dtype=np.intp)
    for count in range(length // 2 + 1):
        rank[ones == count] = np.arange(int((ones == count).sum()))
    upper = np.arange(1 << length - length // 2, dtype=np.uint64)
    start = np.searchsorted(words, upper << half).astype(np.intp)
    mask = np.uint64(len(lower) - 1)
    return lambda some: start[(some >> half).astype(np.intp)] + rank[(some & mask).astype(np.intp)]


def labels_of(images: Sequence[NDArray[np.intp]], size: int) -> NDArray[np.intp]:
    """For each of `size` points the least point of its orbit under permutations, each the array of images.

    Label propagation: a point takes the least label among its images and preimages until nothing changes.
    """
    labels = np.arange(size, dtype=np.intp)
    while True:
        before = labels.copy()
        for image in images:
            preimage = np.empty_like(labels)
            preimage[image] = labels
            labels = np.minimum(np.minimum(labels, labels[image]), preimage)
            labels = labels[labels]  # pointer jumping
        if np.array_equal(before, labels):
            return labels


def orbit_labels(words: Words, length: int, generators: Sequence[Permutation]) -> NDArray[np.intp]:
    """For each of all words of one weight, sorted, the index of the least word of its orbit."""
    position = ranks(words, length)
    return labels_of([position(move_all(words, g)) for g in generators], len(words))


def word_images(words: Sequence[int], permutation: Permutation) -> NDArray[np.intp]:
    """Where the permutation carries each word of an invariant list: indices into the list."""
    place = {word: i for i, word in enumerate(words)}
    if len(permutation) <= 64:
        moved = move_all(np.array(words, dtype=np.uint64), permutation).tolist()
    else:
        moved = [move(word, permutation) for word in words]
    return np.array([place[word] for word in moved], dtype=np.intp)


def stabilizer(
    word: int, words: Sequence[int], generators: Sequence[Permutation], seed: int, enough: int = 20
) -> tuple[Permutation, ...]:
    """Permutations in the group that fix `word`: generators of (most of) its stabilizer.

    Random elements of the group (product replacement), carried back along the orbit of the word (Schreier);
    kept are those that join orbits of the fixing group on `words`.  Stops after `enough` elements in a row
    that join nothing.
    """
    if not generators:
        return ()
    identity = tuple(range(len(generators[0])))
    back = {word: identity}  # for each word of the orbit a group element that carries it to `word`
    queue = [word]
    undo = [(g, inverse(g)) for g in generators]
    for x in queue:
        for g, g_inverse in undo:
            y = move(x, g)
            if y not in back:
                back[y] = compose(g_inverse, back[x])
                queue.append(y)
    rng = random.Random(seed)
    pool = [generators[i % len(generators)] for i in range(max(10, len(generators)))]
    kept = [g for g in generators if move(word, g) == word]
    images = [word_images(words, g) for g in kept]
    count, idle, scramble = len(np.unique(labels_of(images, len(words)))), 0, 100
    while idle < enough:
        for _ in range(scramble):
            i, j = rng.sample(range(len(pool)), 2)
            pool[i] = compose(pool[i], pool[j])
        scramble = 3
        fixing = compose(pool[i], back[move(word, pool[i])])
        image = word_images(words, fixing)
        joined = len(np.unique(labels_of([*images, image], len(words))))
        if joined < count:
            kept, images, count, idle = [*kept, fixing], [*images, image], joined, 0
        else:
            idle += 1
    return tuple(kept)


# ---- named groups ----------------------------------------------------------------------------------------


def is_prime(q: int) -> bool:
    """Trial division; degrees are small."""
    return q > 1 and all(q % p for p in range(2, int(q**0.5) + 1))


def primitive_root(p: int) -> int:
    """A generator of the multiplicative group mod a prime p."""
    return next(g for g in range(1, p) if len({pow(g, k, p) for k in range(p - 1)}) == p - 1)


def cyclic(degree: int) -> Group:
    """The rotations of all coordinates."""
    return Group(f"cyclic:{degree}", degree, (tuple((i + 1) % degree for i in range(degree)),))


def multipliers(degree: int, index: int = 1) -> Group:
    """Rotations of a prime number of coordinates and multiplication by `index`-th powers."""
    if not is_prime(degree):
        raise GroupError(f"an affine group needs a prime number of coordinates, not {degree}")
    g = pow(primitive_root(degree), index, degree)
    scale = tuple(g * i % degree for i in range(degree))
    return Group(f"affine:{degree}:{index}", degree, (*cyclic(degree).generators, scale))


def projective(q: int) -> Group:
    """PSL(2,q), q prime, on the q + 1 points of the projective line; the last coordinate is infinity."""
    if not is_prime(q):
        raise GroupError(f"PSL(2,q) is built for prime q, not {q}")
    shift = (*((i + 1) % q for i in range(q)), q)
    square = pow(primitive_root(q), 2, q)
    scale = (*(square * i % q for i in range(q)), q)
    turn = (q, *(-pow(i, -1, q) % q for i in range(1, q)), 0)  # x -> -1/x
    return Group(f"psl2:{q}", q + 1, (shift, scale, turn))


def mathieu_24() -> Group:
    """M24 as the automorphism group of the extended Golay code in the coordinates of codes/golay.py.

    PSL(2,23) and x -> x^3 at the squares, 2 x^3 at the non-squares mod 23 (J. H. Conway).
    """
    squares = {i * i % 23 for i in range(1, 23)}
    cube = (0, *(pow(i, 3, 23) * (1 if i in squares else 2) % 23 for i in range(1, 23)), 23)
    return Group("m24", 24, (*projective(23).generators, cube))


def translations(bits: int) -> Group:
    """The elementary abelian group of order 2^bits, acting on its elements by addition."""
    degree = 1 << bits
    generators = tuple(tuple(i ^ 1 << b for i in range(degree)) for b in range(bits))
    return Group(f"elementary:{degree}", degree, generators)


def affine_binary(bits: int) -> Group:
    """AGL(bits, 2): the affine maps of the space of `bits` bits, whose elements are the coordinates.

    Generated by a translation, the cyclic shift of the bits and one transvection.
    """
    degree, top = 1 << bits, bits - 1
    translate = tuple(i ^ 1 for i in range(degree))
    shift = tuple((i << 1 | i >> top) & degree - 1 for i in range(degree))
    transvection = tuple(i ^ (i >> 1 & 1) for i in range(degree))
    return Group(f"agl2:{degree}", degree, (translate, shift, transvection))


def trivial(degree: int) -> Group:
    """No permutation but the identity."""
    return Group(f"trivial:{degree}", degree, ())


def shifted(group: Group, before: int, after: int) -> tuple[Permutation, ...]:
    """The generators with `before` fixed coordinates put before and `after` behind."""
    end = before + group.degree
    return tuple(
        (*range(before), *(before + i for i in g), *range(end, end + after)) for g in group.generators
    )


def direct(a: Group, b: Group) -> Group:
    """The direct product, acting on the coordinates of a and then on those of b."""
    generators = shifted(a, 0, b.degree) + shifted(b, a.degree, 0)
    return Group(f"{a.name}x{b.name}", a.degree + b.degree, generators)


def diagonal(group: Group, copies: int, fixed: int = 0) -> Group:
    """The group acting in the same way on several copies of its coordinates, and `fixed` fixed ones."""
    d = group.degree
    generators = tuple(
        (*(c * d + i for c in range(copies) for i in g), *range(copies * d, copies * d + fixed))
        for g in group.generators
    )
    name = f"{copies}*{group.name}" + (f"+{fixed}" if fixed else "")
    return Group(name, copies * d + fixed, generators)


def wreath(inner: Group, copies: int) -> Group:
    """inner wr cyclic: the inner group on the first block of coordinates, and the rotation of the blocks."""
    d = inner.degree
    rotation = tuple((i + d) % (copies * d) for i in range(copies * d))
    return Group(f"{inner.name}wr{copies}", copies * d, (*shifted(inner, 0, (copies - 1) * d), rotation))


def with_cycles(lengths: Sequence[int]) -> Group:
    """The cyclic group generated by one permutation with these cycle lengths."""
    images: list[int] = []
    for length in lengths:
        base = len(images)
        images += [base + (i + 1) % length for i in range(length)]
    name = "cycles:" + ",".join(map(str, lengths))
    return Group(name, len(images), (tuple(images),) if max(lengths, default=1) > 1 else ())


def cycle_lengths(permutation: Permutation) -> list[int]:
    """The lengths of the cycles, fixed points included."""
    lengths, seen = [], set()
    for i in range(len(permutation)):
        count = 0
        while i not in seen:
            seen.add(i)
            i, count = permutation[i], count + 1
        if count:
            lengths.append(count)
    return lengths


def subgroups(group: Group) -> Iterator[Group]:
    """Smaller groups: one generator left out, or a generator replaced by its p-th power, p a prime."""
    for i, generator in enumerate(group.generators):
        others = group.generators[:i] + group.generators[i + 1 :]
        order = math.lcm(*cycle_lengths(generator))
        for p in [p for p in divisors(order) if is_prime(p)]:
            power = tuple(range(group.degree))
            for _ in range(p):
                power = compose(power, generator)
            moved = (power,) if p < order else ()
            if moved or others:
                yield Group(f"{group.name} / {i + 1}^{p}", group.degree, (*others, *moved))


def divisors(number: int) -> list[int]:
    """The positive divisors in increasing order."""
    return [d for d in range(1, number + 1) if number % d == 0]


def random_group(degree: int, rng: random.Random) -> Group:
    """A rotation of some blocks of coordinates, perhaps with a permutation that normalises it.

    The blocks have one length k; coordinates left over are fixed or rotate with a length that divides k.
    The second generator multiplies by a unit mod k in each block and may permute blocks and left-over
    coordinates.
    """
    k = rng.choice([k for k in range(2, degree + 1) for _ in range(1 + (degree % k <= 2))])
    copies = rng.randint(max(1, degree // k - 1), degree // k)
    left = degree - k * copies
    part = rng.choice([d for d in divisors(k) if d <= max(1, left)])
    turn = list(range(degree))
    for c in range(copies):
        for i in range(k):
            turn[c * k + i] = c * k + (i + 1) % k
    base = k * copies
    for i in range(part if left else 0):
        turn[base + i] = base + (i + 1) % part
    generators = [tuple(turn)]
    name = f"{copies} cycles of {k}" + (f" and one of {part}" if left and part > 1 else "")
    if rng.random() < 0.6:
        unit = rng.choice([a for a in range(1, k) if math.gcd(a, k) == 1])
        mixed = list(range(copies))
        moved = rng.randint(1, copies)
        mixed[:moved] = mixed[1:moved] + mixed[:1]
        second = list(range(degree))
        for c in range(copies):
            shift = rng.choice((0, 0, rng.randrange(k)))
            for i in range(k):
                second[c * k + i] = mixed[c] * k + (unit * i + shift) % k
        for i in range(part if left else 0):
            second[base + i] = base + unit * i % part
        fixed = list(range(base + (part if left and part > 1 else 0), degree))
        rest = fixed[: rng.randint(0, len(fixed))]
        for i, point in enumerate(rest):
            second[point] = rest[(i + 1) % len(rest)]
        generators.append(tuple(second))
        name += f", times {unit}"
    return Group(name, degree, tuple(generators))


def schedule(degree: int, rng: random.Random) -> Iterator[Group]:
    """Groups to prescribe, without end: named ones first, from large to small, then random ones."""
    names = []
    for q in range(3, degree):
        if is_prime(q):
            names += [f"{c}*psl2:{q}" for c in range(degree // (q + 1), 0, -1)]
    for q in range(3, degree + 1):
        if is_prime(q):
            indices = divisors(q - 1)[:-1]
            names += [f"{c}*affine:{q}:{i}" for i in indices for c in range(degree // q, 0, -1)]
    names += [f"{c}*elementary:{2**b}" for b in (2, 3, 4, 5) for c in range(degree >> b, 0, -1)]
    names += [f"cyclic:{a}wr{degree // a}" for a in range(2, degree // 2 + 1)]
    names += [f"{c}*cyclic:{k}" for k in range(degree, 1, -1) for c in range(degree // k, 0, -1)]
    names += [f"cyclic:{a}xcyclic:{b}" for a in range(2, degree) for b in range(2, min(a, degree - a) + 1)]
    if degree == 24:
        names.insert(0, "m24")
    for name in names:
        yield named_group(name, degree)
    while True:
        yield random_group(degree, rng)


SIMPLE: dict[str, Callable[[int], Group]] = {
    "cyclic": cyclic,
    "psl2": projective,
    "trivial": trivial,
    "agl2": lambda degree: affine_binary(degree.bit_length() - 1),
    "elementary": lambda degree: translations(degree.bit_length() - 1),
}


def named_group(name: str, length: int) -> Group:
    """The group of a name such as cyclic:7, affine:13:2, psl2:11, elementary:8, m24, cycles:3,3,1.

    `2*cyclic:7` acts on two copies, `cyclic:3wr4` is a wreath product, `cyclic:7xcyclic:5` a direct product;
    coordinates up to `length` that are left over are fixed.  Raises GroupError.
    """
    try:
        group = _parse(name)
    except (ValueError, StopIteration) as error:
        reason = str(error) if isinstance(error, GroupError) else f"{name!r} is not the name of a group"
        raise GroupError(reason) from None
    if group.degree > length:
        raise GroupError(f"the group {name} acts on {group.degree} coordinates, more than {length}")
    if group.degree == length:
        return group
    left = length - group.degree
    return Group(f"{group.name}+{left}", length, shifted(group, 0, left))


def _parse(name: str) -> Group:
    if match := re.fullmatch(r"(.+)x(.+)", name):
        return direct(_parse(match[1]), _parse(match[2]))
    if match := re.fullmatch(r"(.+)wr([1-9][0-9]{0,2})", name):
        return wreath(_parse(match[1]), int(match[2]))
    if match := re.fullmatch(r"([1-9][0-9]{0,2})\*(.+)", name):
        return diagonal(_parse(match[2]), int(match[1]))
    if name == "m24":
        return mathieu_24()
    if match := re.fullmatch(r"cycles:([0-9]{1,3}(?:,[0-9]{1,3})*)", name):
        return with_cycles([int(part) for part in match[1].split(",") if int(part) > 0])
    if match := re.fullmatch(r"affine:([0-9]{1,3})(?::([0-9]{1,3}))?", name):
        return multipliers(int(match[1]), int(match[2] or 1))
    match = re.fullmatch(r"([a-z0-9]+):([0-9]{1,3})", name)
    if not match or match[1] not in SIMPLE or int(match[2]) < 1:
        raise GroupError(f"{name!r} is not the name of a group")
    return SIMPLE[match[1]](int(match[2]))


def parse_generators(text: str, length: int, name: str) -> Group:
    """The group of a generator file: one permutation a line, `#` comments.

    A line lists the images of the coordinates 0, 1, ..., or cycles such as (0 1 2)(3 4).  Raises GroupError
    with the line number.
    """
    generators: list[Permutation] = []
    wrong = f"of the generators is not a permutation of {length} points"
    for number, line in enumerate(text.splitlines(), 1):
        entry = line.split("#", 1)[0].strip()
        if not entry:
            continue
        images = list(range(length))
        if re.fullmatch(r"(\(\s*[0-9]{1,6}([\s,]+[0-9]{1,6})*\s*\)\s*)+", entry):
            for cycle in re.findall(r"\(([^)]*)\)", entry):
                points = [int(point) for point in re.findall("[0-9]+", cycle)]
                if max(points) >= length or len(set(points)) < len(points):
                    raise GroupError(f"line {number} {wrong}")
                for i, point in enumerate(points):
                    images[point] = points[(i + 1) % len(points)]
        elif re.fullmatch(r"[0-9]{1,6}([\s,]+[0-9]{1,6})*", entry):
            images = [int(point) for point in re.findall("[0-9]+", entry)]
        else:
            raise GroupError(f"line {number} of the generators is neither a list of images nor cycles")
        if sorted(images) != list(range(length)):
            raise GroupError(f"line {number} {wrong}")
        generators.append(tuple(images))
    if not generators:
        raise GroupError("the generator file holds no permutation")
    return Group(name, length, tuple(generators))
