"""The strongest rank lower bound over every kind of evidence: listed codes, schemes, counting, topology."""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from verifier.amplification import amplify
from verifier.codes.catalog import MAX_WORDS, candidates, single_word
from verifier.codes.code import Code, pair_histogram
from verifier.codes.groups import Permutation
from verifier.codes.objective import rank_improvements
from verifier.codes.symmetric import SYMMETRIC_LENGTHS, Symmetric, codes_of_length
from verifier.counting import CountingBound, best_counting
from verifier.explicit import CodeBound, UnusableCode, Watch, best_explicit, bound_of_code, entries
from verifier.nonnegative import NonnegativeBound, best_nonnegative
from verifier.rank import METHODS, RankBound
from verifier.scheme import SchemeBound, scheme_bound
from verifier.signed import SignedBound, best_signed, signed_trace, signed_trace_shifted
from verifier.topological import TopologicalBound, topological_bound

RANK_METHODS = tuple(METHODS)
ALL_METHODS = (*RANK_METHODS, "scheme", "counting", "topological")
LONGEST_SEARCH = 24  # bits of the codes that the search with prescribed groups looks for
UNSYMMETRIC = 300  # words of a code without generators whose scheme the checker can count


@dataclass(frozen=True)
class SignedCodeBound:
    """r features for position-independent signed heads (Theorem 8.3): (b) with the parts `own`, else (a)."""

    r: int
    code: Code
    gaps: dict[int, tuple[int, ...]]
    own: tuple[int, ...]


Finding = (
    CodeBound
    | SchemeBound
    | CountingBound
    | TopologicalBound
    | SignedBound
    | SignedCodeBound
    | NonnegativeBound
)


@dataclass(frozen=True)
class Outcome:
    """The best bound of a search; ended is "" if it ran to its end, else "budget" or "interrupt"."""

    best: Finding
    ended: str = ""


def rank_of(finding: Finding) -> int:
    """The number of features that a finding proves necessary."""
    return finding.bound.r if isinstance(finding, CodeBound) else finding.r


def longest_symmetric(m: int) -> Iterator[Symmetric]:
    """The codes with known groups of the largest length up to m bits."""
    length = max((length for length in SYMMETRIC_LENGTHS if length <= m), default=0)
    yield from codes_of_length(length)


def scheme_of_code(
    code: Code,
    n: int,
    error: Fraction,
    seed: int,
    budget: float | None,
    generators: tuple[Permutation, ...] = (),
) -> list[Finding]:
    """The Eckart-Young bound of a code (Theorems 5.8, 5.9), if there is one and the checker can count it."""
    if not generators and len(code.words) > UNSYMMETRIC:
        return []
    bound = scheme_bound(code, generators, n, error, budget, seed)
    return [] if bound is None else [bound]


def of_code(code: Code, n: int, error: Fraction, methods: tuple[str, ...], seed: int) -> Finding:
    """The best of the named methods on one code, n >= 3.

    Raises UnusableCode if a difference of two words has no ratio of at least 1, or if no method fits.
    """
    explicit = tuple(method for method in methods if method in RANK_METHODS)
    ratios = amplify(code.length, n, error)
    found: list[Finding] = [bound_of_code(code, ratios, explicit or ("trace",))]
    if "scheme" in methods:
        found = (found if explicit else []) + scheme_of_code(code, n, error, seed, None)
    if not found:
        raise UnusableCode("the method does not fit the code")
    return max(found, key=rank_of)


def strongest(
    m: int,
    n: int,
    error: Fraction,
    methods: tuple[str, ...] = ALL_METHODS,
    seed: int = 0,
    budget: float | None = None,
    watch: Watch = lambda codes: codes,
) -> Outcome:
    """The strongest bound of the named methods for m bits, length n >= 3 and strict error bound.

    Counting comes first: where it proves more than any listed code could, no code is listed.  `budget`,
    `seed` and `watch` are as in explicit.best_explicit.  At least r >= 1 (Lemma 1.8).
    """
    deadline = None if budget is None else time.monotonic() + budget

    def share(part: float) -> float | None:
        """This part of the seconds that are left."""
        return None if deadline is None else max(0.01, part * (deadline - time.monotonic()))

    explicit = tuple(method for method in methods if method in RANK_METHODS)
    found: list[Finding] = [one_feature(m)]
    if "topological" in methods:
        order = topological_bound(m, n, error)
        found += [order] if order is not None else []
    if "counting" in methods and m >= 2:
        found.append(best_counting(m, n, error))
    if rank_of(found[-1]) > MAX_WORDS:
        return Outcome(found[-1])
    ended = ""
    try:
        for code, generators in longest_symmetric(m) if "scheme" in methods else ():
            found += scheme_of_code(code, n, error, seed, share(0.4), generators)
        if explicit or "scheme" in methods:
            outcome = best_explicit(m, n, error, explicit or RANK_METHODS, seed, share(0.3), watch)
            found += [outcome.best] if explicit else []
            ended = outcome.ended
            if deadline is not None and ended != "interrupt" and explicit:
                length = min(m, LONGEST_SEARCH)
                for proposal in rank_improvements(
                    length, n, error, seed=seed, deadline=deadline, methods=explicit
                ):
                    found.append(proposal.bound)
            if "scheme" in methods and not ended:
                found += scheme_of_code(outcome.best.code, n, error, seed, share(1))
    except KeyboardInterrupt:
        ended = "interrupt"
    return Outcome(max(found, key=rank_of), ended)


def one_feature(m: int) -> CodeBound:
    """r >= 1 (Lemma 1.8), as the trace bound of one word."""
    return CodeBound(single_word(m), RankBound(1, "trace"), {})


def signed_of_code(code: Code, n: int, error: Fraction) -> SignedCodeBound:
    """What Theorem 8.3 proves from one code, n >= 3; raises UnusableCode as explicit.entries does."""
    ratios = amplify(code.length, n, error)
    histogram = pair_histogram(code)
    h = entries(histogram, ratios)
    gaps = {d: ratios.gaps(d) for d in histogram}
    size, least = len(code.words), min(word.bit_count() for word in code.words)
    plain = SignedCodeBound(signed_trace(size, histogram, h), code, gaps, ())
    if least < 1 or ratios.ratios[least] < 1:
        return plain
    shifted = signed_trace_shifted(size, histogram, h, 1 / (n * ratios.ratios[least]))
    return max(plain, SignedCodeBound(shifted, code, gaps, ratios.gaps(least)), key=lambda bound: bound.r)


def strongest_signed(m: int, n: int, error: Fraction, positions: str) -> Outcome:
    """The strongest bound for signed kernels (chapter 8); `positions` is "independent" or "dependent"."""
    found: list[Finding] = [one_feature(m)]
    if m >= 2:
        found.append(best_signed(m, n, error, positions))
    if positions == "independent" and rank_of(found[-1]) <= MAX_WORDS:
        for code in candidates(m):
            with suppress(UnusableCode):
                found.append(signed_of_code(code, n, error))
    return Outcome(max(found, key=rank_of))


def strongest_of_nonnegative_features(outcome: Outcome, m: int, n: int, error: Fraction) -> Outcome:
    """The better of an outcome for real features and of Theorem 12.3."""
    if m < 2:
        return outcome
    return Outcome(max(outcome.best, best_nonnegative(m, n, error), key=rank_of), outcome.ended)
