"""python -m bench.run [--repeat N] [--json]: speed as ratios against plain alternatives in the same run.

Both sides of a ratio are run in turn, N times; the medians and the ratio of the medians are printed.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

import sympy

from bench import plain
from verifier import check
from verifier.codes.code import pair_histogram
from verifier.codes.golay import golay_layer
from verifier.head import matrix_rank

ROOT = Path(__file__).resolve().parent.parent
Job = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """Median seconds of a job and of its alternative; ratio = alternative / ours."""

    job: str
    ours: float
    alternative: str
    theirs: float

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def seconds(job: Job) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def compare(name: str, ours: Job, alternative: str, theirs: Job, repeat: int) -> Row:
    """Run both in turn `repeat` times."""
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(repeat)]
    medians = [statistics.median(column) for column in zip(*pairs, strict=True)]
    return Row(name, medians[0], alternative, medians[1])


def process(*arguments: str) -> Job:
    """A job that runs Python as a new process in the project's folder."""
    return lambda: subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def random_matrix(size: int, seed: int) -> list[list[Fraction]]:
    rng = random.Random(seed)
    return [[Fraction(rng.randint(-9, 9), rng.randint(1, 9)) for _ in range(size)] for _ in range(size)]


def rows(repeat: int, folder: str) -> list[Row]:
    """All comparisons."""
    target = str(Path(folder) / "m24-n3.json")
    bound = process("-m", "verifier.bound", "--m", "24", "--n", "3", "--force", "--output", target)
    bound()
    words = golay_layer(12)
    matrix = random_matrix(12, 1)
    by_loop = "histogram by a double Python loop"
    return [
        compare("bound --m 24 --n 3, whole command", bound, by_loop, process("-m", "bench.plain"), repeat),
        compare(
            "check.py on its certificate, whole command",
            process("-I", check.__file__, target),
            by_loop,
            process("-m", "bench.plain"),
            repeat,
        ),
        compare(
            "pair histogram of 2576 dodecads",
            lambda: pair_histogram(words),
            by_loop,
            lambda: plain.histogram(words.words),
            repeat,
        ),
        compare(
            "exact rank of a 12 x 12 rational matrix",
            lambda: matrix_rank(matrix),
            "sympy Matrix.rank",
            lambda: sympy.Matrix(matrix).rank(),
            repeat,
        ),
    ]


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="python -m bench.run", description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = rows(max(1, options.repeat), folder)
    if options.json:
        print(json.dumps([{**asdict(row), "ratio": row.ratio} for row in results]))
        return 0
    for row in results:
        print(f"{row.job}: {row.ours:.3f} s; {row.alternative}: {row.theirs:.3f} s; ratio {row.ratio:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
