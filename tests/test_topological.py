"""Theory chapter 9: the combinatorics of its proof by enumeration, and the bound against genuine kernels."""

import copy
import json
from fractions import Fraction
from itertools import combinations, product

import pytest

from verifier import check
from verifier.certificate import lower_bound, render
from verifier.head import matrix_rank
from verifier.topological import topological_bound

HALF = Fraction(1, 2)
Pair = tuple[frozenset[int], frozenset[int]]


def pairs(m: int) -> list[Pair]:
    """The sign patterns (A, B), not both empty: one for each nonempty face of the cross-polytope."""
    patterns = product((0, 1, -1), repeat=m)
    found = [
        (frozenset(i for i in range(m) if p[i] == 1), frozenset(i for i in range(m) if p[i] == -1))
        for p in patterns
    ]
    return [pair for pair in found if pair != (frozenset(), frozenset())]


@pytest.mark.parametrize(("m", "k"), [(3, 1), (4, 1), (4, 2), (5, 2), (5, 3)])
def test_the_two_parts(m: int, k: int) -> None:
    """Y is closed upwards; Z has chains of at most 2k - 2 elements and no pair fixed by the exchange."""
    poset = pairs(m)
    assert len(poset) == 3**m - 1
    y = {pair for pair in poset if max(len(pair[0]), len(pair[1])) >= k}
    z = [pair for pair in poset if pair not in y]
    for a, b in y:
        assert all((c, d) in y for c, d in poset if a <= c and b <= d)
    assert max((len(a) + len(b) for a, b in z), default=0) == 2 * k - 2
    assert all((b, a) != (a, b) for a, b in poset)
    # the query taken from the least pair of a chain separates every pair above it, with one sign
    for a, b in y:
        query = set(list(b)[:k]) if len(b) >= k else set(list(a)[:k])
        sign = 1 if len(b) >= k else -1
        for c, d in poset:
            if a <= c and b <= d:
                low, high = (c, d) if sign == 1 else (d, c)
                assert (len(query & low), len(query & high)) == (0, k)


@pytest.mark.parametrize("m", range(4, 10))
def test_it_is_the_known_value_at_length_three(m: int) -> None:
    """r*(m,3) = m - 2 for m = 4..9: heads with m - 2 features are known, so more would be false."""
    found = topological_bound(m, 3, HALF)
    assert found is None if m < 4 else found is not None and found.r == m - 2


@pytest.mark.parametrize(
    ("m", "n", "error"), [(4, 3, HALF), (5, 4, HALF), (3, 3, Fraction(1, 4)), (4, 5, Fraction(1, 3))]
)
def test_below_the_rank_of_a_kernel_that_solves(m: int, n: int, error: Fraction) -> None:
    """The kernel of Remark 3.5 solves the task, and its weight-k queries obey the order of the proof."""
    found = topological_bound(m, n, error)
    assert found is not None
    factor = (n - 2) * (m - 2 * error) / (2 * error)
    base = max(Fraction(1), n * factor / (n - 1)) + 1
    kernel = [[base ** -(x & z).bit_count() for z in range(1 << m)] for x in range(1 << m)]
    assert found.r <= matrix_rank(kernel) <= 1 << m
    for chosen in combinations(range(m), found.gap):
        query = sum(1 << i for i in chosen)
        rows = kernel[query]
        assert min(rows[z] for z in range(1 << m) if not query & z) > max(
            rows[z] for z in range(1 << m) if query & z == query
        )


@pytest.mark.parametrize(
    ("m", "n", "error", "r"),
    [
        (2, 3, HALF, None),
        (10, 3, HALF, 8),
        (10, 7, HALF, 8),
        (10, 3, Fraction(1, 4), 10),
        (10, 3, Fraction(1), 4),
    ],
)
def test_values(m: int, n: int, error: Fraction, r: int | None) -> None:
    """m - 2k + 2 with k = 2, 1 and, at error < 1 and n = 3, k = 4 (F(3) = 1/2, F(4) = 1)."""
    found = topological_bound(m, n, error)
    assert (None if found is None else found.r) == r


def test_certificate_and_corruptions() -> None:
    found = topological_bound(12, 3, HALF)
    assert found is not None
    document = json.loads(render(lower_bound(12, 3, HALF, found, {})))
    assert check.check_bytes(json.dumps(document).encode()) == "r*(12,3) >= 10"
    for path, value in [
        (("claim", "r"), 11),
        (("claim", "m"), 11),
        (("claim", "n"), 2),
        (("claim", "error"), "3/5"),
        (("claim", "kernel"), "signed"),
        (("evidence", "gap"), 1),
        (("evidence", "gap"), 3),
        (("evidence", "gap"), 0),
        (("evidence", "parts"), []),
        (("evidence", "parts"), [1]),
        (("evidence", "parts"), [1, 1]),
        (("evidence", "parts"), [3]),
        (("evidence", "parts"), [-2]),
    ]:
        mutant = copy.deepcopy(document)
        mutant[path[0]][path[1]] = value
        with pytest.raises((check.Malformed, check.Unproved)):
            check.check_bytes(json.dumps(mutant).encode())
