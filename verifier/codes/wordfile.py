"""Plain word lists: one word a line, `#` starts a comment.

A word is a 0/1 string, or hexadecimal (with or without 0x), or decimal behind `d:`.  If every word of a file
is a 0/1 string of one common length that is more than the hexadecimal digits of m bits, the file is read as
0/1 strings; the last character is coordinate 0, so that all three notations agree.
"""

import re
from collections.abc import Iterable

from verifier.codes.code import Code


class WordFileError(ValueError):
    """A word list that cannot be read; the message is one sentence that names the line."""


def parse_words(text: str, m: int, name: str) -> Code:
    """The code in a word list, for tokens of m bits.

    Raises WordFileError for a line that is no word, a word of more than m bits, a repeated word or no word.
    """
    lines = [(i, line.split("#", 1)[0].strip()) for i, line in enumerate(text.splitlines(), 1)]
    entries = [(i, entry) for i, entry in lines if entry]
    if not entries:
        raise WordFileError("the word list holds no word")
    lengths = {len(entry) for _, entry in entries}
    binary = (
        all(re.fullmatch("[01]+", entry) for _, entry in entries)
        and len(lengths) == 1
        and (min(lengths) > -(-m // 4) or m == 1)
    )
    length = lengths.pop() if binary else m
    seen: dict[int, int] = {}
    for i, entry in entries:
        word = parse_word(entry, i, binary)
        if word >> m or length > m:
            raise WordFileError(f"line {i}: the word has more than {m} bits")
        if word in seen:
            raise WordFileError(f"line {i}: the word of line {seen[word]} again")
        seen[word] = i
    return Code(name, length, tuple(seen))


def parse_word(entry: str, line: int, binary: bool) -> int:
    """One word of a list; `line` is its number, for the error message."""
    if binary:
        return int(entry, 2)
    if len(entry) > 1 << 17:
        raise WordFileError(f"line {line}: the word is too long")
    if re.fullmatch("d:[0-9]{1,4000}", entry, re.ASCII):
        return int(entry[2:])
    if re.fullmatch("(?:0[xX])?[0-9a-fA-F]+", entry, re.ASCII):
        return int(entry, 16)
    raise WordFileError(f"line {line}: not a 0/1, hexadecimal or d:decimal word")


def format_words(words: Iterable[int], length: int) -> list[str]:
    """Words as lower-case hexadecimal of ceil(length/4) digits."""
    digits = -(-length // 4)
    return [f"{word:0{digits}x}" for word in words]
