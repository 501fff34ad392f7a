"""The strongest rank lower bound that explicit codes prove for given m and n (theory chapters 4 and 5)."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from verifier.amplification import Amplification, amplify
from verifier.codes.catalog import MAX_LENGTH, MAX_WORDS, candidates, factors
from verifier.codes.code import Code, pair_histogram
from verifier.codes.improve import improve
from verifier.codes.layers import product
from verifier.rank import METHODS, Entries, Histogram, RankBound

IMPROVABLE = 12  # bits: longest code that the improving search starts on
STEPS = 200  # its perturbations for each weight and cost, if no budget is given

Watch = Callable[[Iterable[Code]], Iterable[Code]]


class UnusableCode(ValueError):
    """A code with a difference that no composition of positive factors brings to a ratio of 1."""


@dataclass(frozen=True)
class CodeBound:
    """A rank lower bound with its code and, for each d = |x \\ y| that occurs, a composition of d."""

    code: Code
    bound: RankBound
    gaps: dict[int, tuple[int, ...]]

    @property
    def strength(self) -> tuple[int, int]:
        """What makes one bound better than another: a larger r, then fewer words."""
        return self.bound.r, -len(self.code.words)


@dataclass(frozen=True)
class Outcome:
    """The best bound of a search; ended is "" if it ran to its end, else "budget" or "interrupt"."""

    best: CodeBound
    ended: str = ""


def entries(histogram: Histogram, ratios: Amplification) -> Entries:
    """h_d = 1/R(d) for the differences that occur; raises UnusableCode where R(d) < 1 (Theorem 5.1)."""
    for d in histogram:
        if d == 0:
            raise UnusableCode("a word lies inside another one (|x \\ y| = 0), which forces nothing")
        if ratios.ratios[d] < 1:
            raise UnusableCode(
                f"two words have |x \\ y| = {d}, whose ratio {ratios.ratios[d]} is below 1 here"
            )
    return {d: 1 / ratios.ratios[d] for d in histogram}


def rank_bound(size: int, histogram: Histogram, ratios: Amplification, methods: Iterable[str]) -> RankBound:
    """The best of the named methods for a code of `size` words; raises UnusableCode as `entries` does."""
    h = entries(histogram, ratios)
    return max((METHODS[method](size, histogram, h) for method in methods), key=lambda bound: bound.r)


def bound_of_code(code: Code, ratios: Amplification, methods: Iterable[str]) -> CodeBound:
    """The bound that one code proves; raises UnusableCode as `entries` does."""
    histogram = pair_histogram(code)
    bound = rank_bound(len(code.words), histogram, ratios, methods)
    return CodeBound(code, bound, {d: ratios.gaps(d) for d in histogram})


def convolution(a: Histogram, size_a: int, b: Histogram, size_b: int) -> Histogram:
    """The histogram of the product code, from those of its factors."""
    whole_a, whole_b = {0: size_a, **a}, {0: size_b, **b}
    total: Counter[int] = Counter()
    for d, count in whole_a.items():
        for e, times in whole_b.items():
            total[d + e] += count * times
    total[0] -= size_a * size_b
    return +total


def products(m: int, ratios: Amplification, methods: Iterable[str]) -> Iterator[Code]:
    """The most promising products of two codes, chosen by histogram alone."""
    parts = [(code, pair_histogram(code)) for code in factors(min(m, MAX_LENGTH))]
    found: list[tuple[int, int, Code, Code]] = []
    for i, (a, hist_a) in enumerate(parts):
        for b, hist_b in parts[i:]:
            size = len(a.words) * len(b.words)
            if a.length + b.length > m or size > MAX_WORDS:
                continue
            histogram = convolution(hist_a, len(a.words), hist_b, len(b.words))
            try:
                bound = rank_bound(size, histogram, ratios, methods)
            except UnusableCode:
                continue
            found.append((bound.r, -size, a, b))
    found.sort(key=lambda entry: entry[:2])
    yield from (product(a, b) for _, _, a, b in found[-1:])


def improved(m: int, ratios: Amplification, seed: int, deadline: float | None) -> Iterator[Code]:
    """Codes of the improving search at the largest length it takes, round after round until the deadline.

    Without a deadline one round.
    """
    length = min(m, IMPROVABLE)
    allowed = {d: 1 / ratios.ratios[d] for d in range(1, length + 1) if ratios.ratios[d] >= 1}
    if not allowed:
        return
    first = seed
    while True:
        for weight in sorted({length // 2, max(1, length // 2 - 1)}):
            for lam in (Fraction(0), allowed[max(allowed)], sorted(allowed.values())[len(allowed) // 2]):
                costs = {d: h * max(Fraction(0), h - lam) for d, h in allowed.items()}
                yield improve(length, weight, costs, STEPS, seed, deadline)
        seed += 1
        if deadline is None or time.monotonic() > deadline or seed - first > 10_000:
            return


def best_explicit(
    m: int,
    n: int,
    error: Fraction,
    methods: Iterable[str],
    seed: int = 0,
    budget: float | None = None,
    watch: Watch = lambda codes: codes,
) -> Outcome:
    """The strongest bound over the catalogue, products and the improving search, n >= 3.

    `budget` (seconds) ends the search early, or lets the improving search go on until then; without one the
    answer is a function of the arguments alone.  `watch` may wrap the codes to show progress.
    """
    methods = tuple(methods)
    deadline = None if budget is None else time.monotonic() + budget
    ratios = amplify(min(m, MAX_LENGTH), n, error)
    best: CodeBound | None = None
    ended = ""

    def sources() -> Iterator[Code]:
        yield from candidates(m)
        yield from products(m, ratios, methods)
        yield from improved(m, ratios, seed, deadline)

    try:
        for code in watch(sources()):
            try:
                found = bound_of_code(code, ratios, methods)
            except UnusableCode:
                continue
            if best is None or found.strength > best.strength:
                best = found
            if deadline is not None and time.monotonic() > deadline:
                break
        if deadline is not None and time.monotonic() > deadline:
            ended = "budget"
    except KeyboardInterrupt:
        if best is None:
            raise
        ended = "interrupt"
    assert best is not None  # the code of one word always counts
    return Outcome(best, ended)
