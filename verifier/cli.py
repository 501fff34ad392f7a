"""What the commands share: argument types, exit codes, one-sentence errors, Ctrl-C."""

import argparse
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn

DONE, NO, BAD_INPUT, CONTRADICTED, GAVE_UP, INTERRUPTED = 0, 1, 2, 3, 4, 130


class InputError(Exception):
    """Bad input; the message is one clear sentence."""


class GaveUp(Exception):
    """No answer within the limits; the message is one clear sentence."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one sentence."""

    def error(self, message: str) -> NoReturn:
        raise InputError(message)


def whole(low: int, high: int, what: str) -> Callable[[str], int]:
    """An argparse type: a whole number in low..high."""

    def parse(text: str) -> int:
        if not re.fullmatch("-?[0-9]{1,18}", text, re.ASCII) or not low <= int(text) <= high:
            raise InputError(f"{what} must be a whole number from {low} to {high}, not {text[:40]!r}")
        return int(text)

    return parse


def positive_rational(what: str) -> Callable[[str], Fraction]:
    """An argparse type: a positive rational "P/Q", or a decimal, of at most 30 digits each."""

    def parse(text: str) -> Fraction:
        if re.fullmatch("[0-9]{1,30}(/[0-9]{1,30}|[.][0-9]{1,29})?", text, re.ASCII):
            top, _, bottom = text.partition("/")
            value = Fraction(top) / int(bottom or 1) if int(bottom or 1) else Fraction(0)
            if value > 0 and max(value.numerator, value.denominator) < 10**30:
                return value
        raise InputError(f"{what} must be a positive rational P/Q, not {text[:40]!r}")

    return parse


def seconds(text: str) -> float:
    """An argparse type: a positive number of seconds."""
    if not re.fullmatch("[0-9]{1,9}([.][0-9]{1,9})?", text, re.ASCII) or float(text) <= 0:
        raise InputError(f"--budget must be a positive number of seconds, not {text[:40]!r}")
    return float(text)


def run(program: str, main: Callable[[], int]) -> int:
    """Run a command: its exceptions become one sentence and their exit code, Ctrl-C exit code 130."""
    try:
        return main()
    except (InputError, GaveUp) as error:
        print(f"{program}: {error}", file=sys.stderr)
        return BAD_INPUT if isinstance(error, InputError) else GAVE_UP
    except BrokenPipeError:
        sys.stderr.close()  # the reader has gone; nothing is left to say
        return DONE
    except OSError as error:
        where = f" {error.filename!r}" if error.filename else ""
        print(f"{program}: {error.strerror or error}{where}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return INTERRUPTED
