"""Let random sources agree in CPython and in every language, as many as you like.

    python tests/agreement.py 3000
    python tests/agreement.py 500 whitespace brainfuck --seed 7

Sources come from ``tests/strategies/sources.py``.  Each is run in CPython with every check, by
the oracle that knows the statements alone, and as a program of each language in both dialects.
The first disagreement is made as small as can be and printed.  Exit status 1 if there was one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

TESTS = Path(__file__).resolve().parent
for folder in (TESTS, TESTS.parent / "interpreters", TESTS.parent):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from hypothesis import HealthCheck, Phase, given, seed, settings  # noqa: E402
from oracles.statements import TooLarge, interpret  # noqa: E402
from strategies.sources import INPUTS, sources  # noqa: E402

from esolangs.limits import Limits  # noqa: E402
from esoplay.codegen.back_ends import back_end_ids, find_back_end  # noqa: E402
from esoplay.codegen.cpython import run_source  # noqa: E402
from esoplay.codegen.errors import SourceFault  # noqa: E402
from esoplay.codegen.lowering import compile_source  # noqa: E402
from esoplay.running.run import run_source as run_program  # noqa: E402

LIMITS = Limits(steps=200_000_000, output=100_000, memory=1 << 29)
DIALECTS = ("standard", "benchmark")
LARGEST = 49_999_999
"""What every back end can hold, on either side of 0."""


def expected(text: str, stdin: bytes) -> bytes | None:
    """What a source prints; None where it does what none may do, or its ints grow too large."""
    try:
        printed = run_source(text, stdin, rounds=20_000)
        assert interpret(compile_source(text), stdin, LARGEST) == printed
    except (SourceFault, TooLarge):
        return None
    return printed


def agree(language: str, text: str, stdin: bytes, printed: bytes) -> None:
    """AssertionError unless the program prints the same in both dialects."""
    made = find_back_end(language).generate(compile_source(text)).text.encode("latin-1")
    for dialect in DIALECTS:
        outcome = run_program(language, made, dialect=dialect, stdin=stdin, limits=LIMITS)
        told = (language, dialect, outcome.stderr)
        assert (outcome.status, outcome.stdout) == ("ok", printed), told


def campaign(languages: Sequence[str], examples: int, number: int) -> Counter[str]:
    """How many sources agreed, and how many were left out; raises at the first that did not."""
    counted: Counter[str] = Counter()

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(text=sources(), stdin=INPUTS)
    def every(text: str, stdin: bytes) -> None:
        printed = expected(text, stdin)
        if printed is None:
            counted["left out"] += 1
            return
        for language in languages:
            agree(language, text, stdin, printed)
        counted["agreed"] += 1
        if counted["agreed"] % 100 == 0:
            print(f"{counted['agreed']:,} agreed", flush=True)

    every()
    return counted


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("examples", type=int, help="how many sources")
    parser.add_argument("languages", nargs="*", metavar="LANG", default=back_end_ids())
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    try:
        counted = campaign(chosen.languages, chosen.examples, chosen.seed)
    except AssertionError as error:
        print(error, *getattr(error, "__notes__", ()), sep="\n")
        return 1
    agreed, left_out = counted["agreed"], counted["left out"]
    print(f"{', '.join(chosen.languages)}: {agreed:,} agreed, {left_out:,} left out")
    return 0


if __name__ == "__main__":
    sys.exit(main())
