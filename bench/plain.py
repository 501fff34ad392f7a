"""The plain alternatives: what one would write without thinking about speed."""

from collections import Counter
from fractions import Fraction

from verifier.amplification import amplify
from verifier.codes.golay import golay_layer
from verifier.rank import projection_bound


def histogram(words: tuple[int, ...]) -> Counter[int]:
    """H_d by a double loop over all ordered pairs."""
    counts: Counter[int] = Counter()
    for x in words:
        for y in words:
            if x != y:
                counts[bin(x & ~y).count("1")] += 1
    return counts


def main() -> None:
    """The dodecads' bound at n = 3 with the double loop: the main job without its tools."""
    words = golay_layer(12).words
    counts = histogram(words)
    ratios = amplify(24, 3, Fraction(1, 2)).ratios
    print(projection_bound(len(words), counts, {d: 1 / ratios[d] for d in counts}).r)


if __name__ == "__main__":
    main()
