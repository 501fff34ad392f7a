"""The codes that `bound` tries for tokens of m bits, and the codes that have a name of their own."""

from collections.abc import Callable, Iterator
from math import comb

from verifier.codes.code import Code
from verifier.codes.golay import golay_layer
from verifier.codes.hadamard import hadamard_code, hadamard_core, witness_code
from verifier.codes.layers import graham_sloane, layer, lexicode, shortened

MAX_WORDS = 10_000  # explicit codes beyond this are slow to check
MAX_LAYER = 20_000  # words of one weight among which a lexicode is chosen
FULL_LAYER = 20  # bits up to which the middle class of Graham and Sloane stays below MAX_WORDS
FACTOR = 64  # bits of a code that is juxtaposed with another one
MAX_LENGTH = 512  # bits; longer tokens are padded with zeros (Lemma 1.7)


def _core() -> Code:
    code = hadamard_core(24)
    assert code is not None
    return code


def _rows() -> Code:
    code = hadamard_code(24)
    assert code is not None
    return code


NAMED: dict[str, Callable[[], Code]] = {
    "witness": witness_code,
    "paley-23": _core,
    "hadamard-24": _rows,
    "octads": lambda: golay_layer(8),
    "dodecads": lambda: golay_layer(12),
}


def hadamard_codes(m: int) -> Iterator[Code]:
    """The Hadamard cores and codes of at most FACTOR bits, and those of the last orders up to m bits."""
    orders = range(4, m + 2, 4)
    for order in [order for order in orders if order <= FACTOR or order > m - 12]:
        for code in (hadamard_core(order), hadamard_code(order)):
            if code is not None and code.length <= m:
                yield code


def golay_codes(m: int) -> Iterator[Code]:
    """Octads, dodecads and words of weight 16, shortened to m bits where m < 24."""
    for weight in (8, 12, 16):
        whole = golay_layer(weight)
        if m >= 24:
            yield whole
        for ones in range(min(weight, 24 - m) + 1 if 12 <= m < 24 else 0):
            part = shortened(whole, 24 - m, ones)
            if part is not None and len(part.words) > 1:
                yield part


def layer_codes(length: int) -> Iterator[Code]:
    """Whole layers of few words, lexicodes and Graham-Sloane classes of this length, at most 63 bits."""
    weights = [w for w in range(1, length // 2 + 1) if comb(length, w) <= length * MAX_WORDS]
    for weight in weights[-2:]:
        if length > 2:
            yield graham_sloane(length, weight)
    for weight in [w for w in weights[-3:] if comb(length, w) <= MAX_LAYER]:
        words = tuple(int(word) for word in layer(length, weight))
        if len(words) <= 1000:
            yield Code(f"all words of length {length} and weight {weight}", length, words)
        for difference in range(2, min(weight, 6) + 1):
            yield lexicode(length, weight, difference)


def factors(m: int) -> Iterator[Code]:
    """Codes to juxtapose: Hadamard codes, Golay layers and small Graham-Sloane classes of at most m bits."""
    yield from hadamard_codes(min(m, FACTOR))
    for length in range(4, min(m, 10) + 1):
        yield graham_sloane(length, length // 2)
    if m >= 24:
        yield golay_layer(8)
        yield golay_layer(12)


def single_word(m: int) -> Code:
    """The code of one word, which proves r >= 1 (Lemma 1.8)."""
    return Code("one word", min(m, MAX_LENGTH), (1,))


def candidates(m: int) -> Iterator[Code]:
    """Explicit codes of length at most m (bits), the weakest first; not the products of `factors`."""
    yield single_word(m)
    for length in sorted({min(m, FULL_LAYER), min(m, 63)}):
        yield from layer_codes(length)
    yield from hadamard_codes(min(m, MAX_LENGTH))
    yield from golay_codes(m)
