"""A certificate's chains and its rank claim as SMT-LIB 2.6 text, for solvers that know nothing of theory/.

For one query x the requirement that a head solves the inputs along a chain of tokens is a set of linear
inequalities in the weights a and the products b = a * (effective value) (Lemma 1.6; b is left free, a
relaxation that is sound for unsat).  Each query asserts these raw inequalities and the negation of one
consequence (Corollary 3.2, Theorems 4.2, 4.5), so unsat means that the consequence is proved; that they are
satisfiable by themselves is a query of its own, expected sat.  The rank claim of a code of a few words goes
to nonlinear real arithmetic.

Numbers are written as decimals without a fraction ("3.0", "(- 3.0)"): every inequality is multiplied by the
denominators of its rational coefficients, so that terms stay within the grammar of QF_LRA.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import prod

from verifier.domination import gap_factor
from verifier.minip import difference

# terms of all linear queries together: some seconds of Z3, a minute of cvc5, 25 megabytes of text; one step
# of a position-dependent head reaches it near n = 350
MAX_TERMS = 3_000_000
MAX_RATIO_BITS = 10_000  # of numerator and denominator; Python prints up to 4300 digits
MAX_RANK_WORDS = 8  # words of a code whose rank claim is written out

Form = Mapping[str, int]  # a linear form: variable -> coefficient


class TooLarge(ValueError):
    """The encoding would be beyond the limits of this module; the message is one sentence."""


@dataclass(frozen=True)
class Query:
    """One satisfiability question: lines of SMT-LIB (declarations, assertions, comments) and the answer
    ("sat" or "unsat") that the theory predicts."""

    name: str
    logic: str
    expected: str
    body: tuple[str, ...]


@dataclass(frozen=True)
class Chain:
    """Tokens z_0, ..., z_k with overlaps 0 <= s_0 < ... < s_k (bits) with one query x, as in Theorem 4.1,
    and the head that must solve length n with error < `error` on them.

    `ratio` is R: the claim is D(z_0) > R D(z_k).  `dependent` heads have weights of their own at each of the
    n - 1 companion positions, others share them.
    """

    overlaps: tuple[int, ...]
    n: int
    error: Fraction
    ratio: Fraction
    dependent: bool

    @property
    def last(self) -> int:
        """k, the number of steps."""
        return len(self.overlaps) - 1

    def steps(self) -> Iterator["Chain"]:
        """The k chains of one step each, with ratio F(g) of its gap g (Corollary 3.2)."""
        for low, high in pairwise(self.overlaps):
            yield replace(self, overlaps=(low, high), ratio=gap_factor(high - low, self.n, self.error))


def gap_chain(d: int, parts: Sequence[int], n: int, error: Fraction, dependent: bool) -> Chain:
    """The chain of Theorem 4.2 from overlap 0 to overlap d: R is the product of F over the parts, and the
    last part is enlarged if the parts add up to less than d.

    Raises ValueError unless the parts are positive and add up to at most d, every F is positive, n >= 3 and
    the error is positive; TooLarge if R has too many digits.
    """
    if n < 3 or error <= 0 or not parts or min(parts) < 1 or sum(parts) > d:
        raise ValueError("a chain needs n >= 3, a positive error and positive parts with sum at most d")
    factors = [gap_factor(part, n, error) for part in parts]
    if min(factors) <= 0:
        raise ValueError("a part has a factor that is not positive")
    ratio = prod(factors, start=Fraction(1))
    if max(ratio.numerator.bit_length(), ratio.denominator.bit_length()) > MAX_RATIO_BITS:
        raise TooLarge(f"the ratio of d = {d} has more than {MAX_RATIO_BITS} bits")
    overlaps = [0]
    for part in parts:
        overlaps.append(overlaps[-1] + part)
    overlaps[-1] = d
    return Chain(tuple(overlaps), n, error, ratio, dependent)


# ---- terms -----------------------------------------------------------------------------------------------


def number(value: int) -> str:
    """An integer as a real constant."""
    return f"{value}.0" if value >= 0 else f"(- {-value}.0)"


def total(terms: Sequence[str]) -> str:
    """The sum of terms."""
    return "0.0" if not terms else terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"


def linear(form: Form, factor: int = 1) -> str:
    """factor * form as a term."""
    scaled = ((name, factor * value) for name, value in form.items())
    return total([name if c == 1 else f"(* {number(c)} {name})" for name, c in scaled if c])


# ---- one input of a head, and what it demands ------------------------------------------------------------

SELF = "S"  # the query's own weight, as a "position"


def slots(chain: Chain, i: int) -> Counter[str]:
    """The weights of token z_i at the companion positions, as suffixes of variable names, with their
    multiplicity: n - 1 different ones, or one that occurs n - 1 times."""
    if chain.dependent:
        return Counter(f"{p}_{i}" for p in range(1, chain.n))
    return Counter({str(i): chain.n - 1})


def mixed_inputs(chain: Chain, i: int) -> Iterator[tuple[str, Counter[str]]]:
    """The inputs with z_i once and z_{i+1} n - 2 times: n - 1 arrangements, or one if positions do not
    matter.  Yields a description and the companions' slots."""
    if chain.dependent:
        for p in range(1, chain.n):
            rest = (f"{q}_{i + 1}" for q in range(1, chain.n) if q != p)
            yield f"z_{i} at position {p}, z_{i + 1} elsewhere", Counter([f"{p}_{i}", *rest])
    else:
        yield f"z_{i} once, z_{i + 1} {chain.n - 2} times", Counter({str(i): 1, str(i + 1): chain.n - 2})


def weights(companions: Counter[str]) -> Form:
    """The denominator of an input."""
    return {f"a{slot}": count for slot, count in [(SELF, 1), *companions.items()]}


def products(companions: Counter[str]) -> Form:
    """The numerator of an input."""
    return {f"b{slot}": count for slot, count in [(SELF, 1), *companions.items()]}


def solved(companions: Counter[str], target: int, error: Fraction) -> Iterator[str]:
    """Den > 0 and |Num - t Den| < e Den (Lemma 1.6), with e = p/q multiplied by q."""
    p, q = error.numerator, error.denominator
    den, num = weights(companions), products(companions)
    yield f"(assert (> {linear(den)} 0.0))"
    yield f"(assert (< {linear(num, q)} {linear(den, q * target + p)}))"
    yield f"(assert (> {linear(num, q)} {linear(den, q * target - p)}))"


def constraints(chain: Chain) -> tuple[str, ...]:
    """Declarations and raw sequence constraints of a chain: nonnegative weights, the constant inputs and,
    for each step, the mixed ones, each within the error of its target."""
    tokens = range(chain.last + 1)
    names = [SELF, *dict.fromkeys(slot for i in tokens for slot in slots(chain, i))]
    lines = [f"; z_{i}: overlap <x,z_{i}> = {s}" for i, s in enumerate(chain.overlaps)]
    lines += [f"(declare-const {kind}{slot} Real)" for slot in names for kind in "ab"]
    lines += [f"(assert (>= a{slot} 0.0))" for slot in names]
    for i in tokens:
        lines.append(f"; companions all z_{i}: target {chain.overlaps[i]}")
        lines += solved(slots(chain, i), chain.overlaps[i], chain.error)
    for i in range(chain.last):
        for description, companions in mixed_inputs(chain, i):
            lines.append(f"; {description}: target {chain.overlaps[i]}")
            lines += solved(companions, chain.overlaps[i], chain.error)
    return tuple(lines)


# ---- linear queries --------------------------------------------------------------------------------------


def at_most(left: Form, ratio: Fraction, right: Form) -> str:
    """The assertion left <= ratio * right, multiplied by the denominator of the ratio."""
    return f"(assert (<= {linear(left, ratio.denominator)} {linear(right, ratio.numerator)}))"


def short(value: Fraction) -> str:
    """A ratio in a name: exact, or its size if it is long."""
    text = str(value)
    return text if len(text) <= 24 else f"R of {len(text)} digits"


def consistency_query(chain: Chain) -> Query:
    """The constraints alone: satisfiable by the heads of Theorem 4.4, so unsat elsewhere is not empty."""
    name = f"constraints: overlaps {', '.join(map(str, chain.overlaps))}"
    return Query(name, "QF_LRA", "sat", constraints(chain))


def ratio_query(chain: Chain) -> Query:
    """The negation D(z_0) <= R D(z_k) of Theorem 4.1 (of Corollary 3.2 for a chain of one step)."""
    k, low, high = chain.last, chain.overlaps[0], chain.overlaps[-1]
    what = f"step gap {high - low}" if k == 1 else f"ratio d={high - low}"
    name = f"{what}: overlaps {low} to {high}, D(z_0) <= {short(chain.ratio)} D(z_{k})"
    negation = at_most(weights(slots(chain, 0)), chain.ratio, weights(slots(chain, k)))
    return Query(name, "QF_LRA", "unsat", (*constraints(chain), "; negation", negation))


def companion_query(chain: Chain) -> Query:
    """The negation A(z_0) <= R A(z_k) of Theorem 4.5(b), A the weights without the self weight; R >= 1."""
    if chain.ratio < 1:
        raise ValueError("the self weight can be dropped for ratios of at least 1 only")
    k, d = chain.last, chain.overlaps[-1] - chain.overlaps[0]
    low, high = ({f"a{slot}": count for slot, count in slots(chain, i).items()} for i in (0, k))
    name = f"companions d={d}: without the self weight, A(z_0) <= {short(chain.ratio)} A(z_{k})"
    negation = at_most(low, chain.ratio, high)
    return Query(name, "QF_LRA", "unsat", (*constraints(chain), "; negation", negation))


def chain_terms(chain: Chain) -> int:
    """About the number of terms of all queries of a chain."""
    width = 2 * chain.n if chain.dependent else 4
    inputs = 1 + chain.last + chain.last * (chain.n - 1 if chain.dependent else 1)
    return 4 * 3 * width * inputs


def chain_queries(chains: Sequence[Chain]) -> tuple[Query, ...]:
    """All queries of the chains: consistency, every step, the end-to-end ratio and the ratio without the
    self weight; identical ones once.

    Raises TooLarge if they have more than MAX_TERMS terms.
    """
    if sum(map(chain_terms, chains)) > MAX_TERMS:
        raise TooLarge(f"the constraints of the sequences have more than {MAX_TERMS} terms to write out")
    found: dict[tuple[str, ...], Query] = {}
    for chain in chains:
        queries = [consistency_query(chain), *map(ratio_query, chain.steps()), ratio_query(chain)]
        if chain.ratio >= 1:
            queries.append(companion_query(chain))
        for query in queries:
            found.setdefault(query.body, query)
    return tuple(found.values())


# ---- the rank claim --------------------------------------------------------------------------------------


def rank_query(words: Sequence[int], ratios: Mapping[int, Fraction], r: int) -> Query:
    """Does some matrix M with unit diagonal and entries 0 <= M[x,y] < 1/R(|x \\ y|), as in Theorem 5.1,
    factor through r - 1 features?  unsat proves rank M >= r.

    A K x K matrix M = U V with inner dimension r - 1 is one with k = K - r + 1 independent row relations:
    a K x k matrix N of rank k with transpose(N) M = 0.  Let J be k rows of N with the largest |det N_J|, and
    replace N by N N_J^-1: it is then the identity in the rows J, and by Cramer's rule its entries lie in
    [-1, 1].  In this form, one case for each J, the solvers manage; with U and V they do not.

    `ratios` maps |x \\ y| to R.  Raises ValueError unless 2 <= r <= K, TooLarge above MAX_RANK_WORDS words.
    """
    size = len(words)
    if not 2 <= r <= size:
        raise ValueError("a rank query needs 2 <= r <= number of words")
    if size > MAX_RANK_WORDS:
        raise TooLarge(f"the rank claim is written out for codes of at most {MAX_RANK_WORDS} words")
    rows, relations = range(size), range(size - r + 1)
    lines = ["; m: the matrix M, with ones on the diagonal"]
    for x, y in permutations(rows, 2):
        d = difference(words[x], words[y])
        bound = linear({f"m{x}_{y}": ratios[d].numerator})
        lines += [
            f"(declare-const m{x}_{y} Real) ; |x \\ y| = {d}",
            f"(assert (>= m{x}_{y} 0.0))",
            f"(assert (< {bound} {number(ratios[d].denominator)}))",
        ]
    lines.append(f"; v: {len(relations)} independent relations between the rows of M")
    for x, j in product(rows, relations):
        lines += [f"(declare-const v{x}_{j} Real)", f"(assert (<= (- 1.0) v{x}_{j} 1.0))"]
    cases = []
    for chosen in combinations(rows, len(relations)):
        unit = [f"(= v{x}_{j} {number(int(i == j))})" for i, x in enumerate(chosen) for j in relations]
        cases.append(unit[0] if len(unit) == 1 else f"(and {' '.join(unit)})")
    lines.append(f"(assert (or {' '.join(cases)}))")
    for j, y in product(relations, rows):
        terms = [f"v{x}_{j}" if x == y else f"(* v{x}_{j} m{x}_{y})" for x in rows]
        lines.append(f"(assert (= {total(terms)} 0.0))")
    name = f"rank r={r}: the matrix of {size} words has a factorisation of inner dimension {r - 1}"
    return Query(name, "QF_NRA", "unsat", tuple(lines))


# ---- text ------------------------------------------------------------------------------------------------


def script(query: Query) -> str:
    """A query alone, up to but without (check-sat): what a solver's library reads."""
    return "\n".join(["(set-info :smt-lib-version 2.6)", f"(set-logic {query.logic})", *query.body, ""])


def block(query: Query) -> Iterator[str]:
    """A query in its place in a file; linear ones in a scope of their own."""
    scoped = query.logic == "QF_LRA"
    yield f"\n; {query.name}"
    if scoped:
        yield "(push 1)"
    yield from query.body
    yield f"(set-info :status {query.expected})"
    yield "(check-sat)"
    if scoped:
        yield "(pop 1)"


def section(queries: Sequence[Query], source: str) -> Iterator[str]:
    """Queries of one logic."""
    yield "(set-info :smt-lib-version 2.6)"
    yield f"(set-logic {queries[0].logic})"
    yield f"(set-info :source |{source}|)"
    yield '(set-info :category "crafted")'
    for query in queries:
        yield from block(query)


def document(queries: Sequence[Query], source: str) -> str:
    """One file with all queries: first those of QF_LRA, each between push and pop, then, each after a
    (reset), those of QF_NRA.  `source` is printable ASCII without | and backslash."""
    lines: list[str] = []
    linear_ones = [query for query in queries if query.logic == "QF_LRA"]
    for group in filter(None, [linear_ones, *([query] for query in queries if query.logic != "QF_LRA")]):
        lines += ["", "(reset)"] if lines else []
        lines += section(group, source)
    return "\n".join([*lines, "", "(exit)", ""])
