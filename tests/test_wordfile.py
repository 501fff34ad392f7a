"""Word lists: the notations agree, and every mistake is named with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.codes.wordfile import WordFileError, format_words, parse_words

words = st.sets(st.integers(0, 2**21 - 1), min_size=1, max_size=20).map(sorted)


@given(words)
def test_all_notations_agree(values: list[int]) -> None:
    texts = [
        "\n".join(format_words(values, 21)),
        "\n".join(f"0x{value:X}  # a word" for value in values),
        "\n".join(f"d:{value}" for value in values),
        "# head\n\n" + "\n".join(f"{value:021b}" for value in values),
    ]
    for text in texts:
        code = parse_words(text, 21, "test")
        assert list(code.words) == values
        assert code.length == 21


def test_shorter_binary_words_are_padded() -> None:
    code = parse_words("1100110\n0011001\n", 24, "test")
    assert code.length == 7
    assert code.words == (0b1100110, 0b0011001)


def test_binary_digits_of_hexadecimal_length_are_hexadecimal() -> None:
    assert parse_words("000110\n001001\n", 24, "test").words == (0x110, 0x1001)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no word"),
        ("# nothing\n", "no word"),
        ("0f\n0f\n", "line 2: the word of line 1 again"),
        ("1ff\n", "line 1: the word has more than 8 bits"),
        ("0f\nxyz\n", "line 2: not a"),
        ("0f 1e\n", "line 1: not a"),
        ("-1\n", "line 1: not a"),
        ("d:-1\n", "line 1: not a"),
        ("d:99999999999\n", "line 1: the word has more than 8 bits"),
        ("٣\n", "line 1: not a"),
        ("01" * 8, "line 1: the word has more than 8 bits"),
        ("f" * (1 << 18), "line 1: the word is too long"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(WordFileError, match=message):
        parse_words(text, 8, "test")
