"""Let random sources agree in CPython and in every language, as many as you like.

    python tests/agreement.py 3000
    python tests/agreement.py 500 whitespace brainfuck --seed 7
    python tests/agreement.py 1000 --kinds      in how many sources each kind of code occurs

Sources come from ``tests/strategies/sources.py``.  Each is run in CPython with every check, by
the oracle that knows the statements alone, and as a program of each language in both dialects,
unless the source does what none may do: at all, or with the ints of that language, as
``esoplay generate --run --lang`` reports it.  The first disagreement is made as small as can be
and printed.  Exit status 1 if there was one.
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
from oracles.statements import interpret  # noqa: E402
from source_kinds import KINDS, kinds_in  # noqa: E402
from strategies.sources import INPUTS, sources  # noqa: E402

from esolangs.limits import Limits  # noqa: E402
from esoplay.codegen.back_ends import back_end_ids, find_back_end, make  # noqa: E402
from esoplay.codegen.cpython import run_source  # noqa: E402
from esoplay.codegen.errors import SourceError, SourceFault  # noqa: E402
from esoplay.codegen.lowering import compile_source  # noqa: E402
from esoplay.running.run import run_source as run_program  # noqa: E402

LIMITS = Limits(steps=200_000_000, output=100_000, memory=1 << 29)
DIALECTS = ("standard", "benchmark")
ROUNDS = 20_000


def expected(text: str, stdin: bytes) -> bytes | None:
    """What a source prints; None where it does what none may do."""
    try:
        printed = run_source(text, stdin, rounds=ROUNDS)
    except SourceFault:
        return None
    assert interpret(compile_source(text), stdin) == printed
    return printed


def agree(language: str, text: str, stdin: bytes, printed: bytes) -> bool:
    """AssertionError unless the program prints the same in both dialects.

    False where the language has no such ints: CPython, asked for this language, reports so.
    """
    if find_back_end(language).ints is not None:
        try:
            again = run_source(text, stdin, rounds=ROUNDS, language=language)
        except (SourceError, SourceFault) as error:
            if "int in" not in error.message:
                raise
            return False
        assert again == printed
    made = make(compile_source(text), language).text.encode("latin-1")
    for dialect in DIALECTS:
        outcome = run_program(language, made, dialect=dialect, stdin=stdin, limits=LIMITS)
        told = (language, dialect, outcome.stderr)
        assert (outcome.status, outcome.stdout) == ("ok", printed), told
    return True


def campaign(languages: Sequence[str], examples: int, number: int, depth: int = 2) -> Counter[str]:
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
    @given(text=sources(depth), stdin=INPUTS)
    def every(text: str, stdin: bytes) -> None:
        printed = expected(text, stdin)
        if printed is None:
            counted["left out"] += 1
            return
        for language in languages:
            if agree(language, text, stdin, printed):
                counted[language] += 1
        counted["agreed"] += 1
        if counted["agreed"] % 100 == 0:
            print(f"{counted['agreed']:,} agreed", flush=True)

    every()
    return counted


def count_kinds(examples: int, number: int, depth: int = 2) -> Counter[str]:
    """In how many random sources each kind of code occurs; nothing is run."""
    counted: Counter[str] = Counter()

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(text=sources(depth))
    def every(text: str) -> None:
        counted["sources"] += 1
        counted.update(kinds_in(text))

    every()
    return counted


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("examples", type=int, help="how many sources")
    parser.add_argument("languages", nargs="*", metavar="LANG", default=back_end_ids())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=int, default=2, help="of blocks within blocks")
    parser.add_argument("--kinds", action="store_true", help="count kinds of code, run nothing")
    chosen = parser.parse_args()
    if chosen.kinds:
        found = count_kinds(chosen.examples, chosen.seed, chosen.depth)
        for kind in ("sources", *KINDS):
            print(f"{found[kind]:>6,}  {kind}")
        return 0
    try:
        counted = campaign(chosen.languages, chosen.examples, chosen.seed, chosen.depth)
    except AssertionError as error:
        print(error, *getattr(error, "__notes__", ()), sep="\n")
        return 1
    print(f"{counted['agreed']:,} sources agreed, {counted['left out']:,} left out")
    for language in chosen.languages:
        refused = counted["agreed"] - counted[language]
        print(f"{language}: {counted[language]:,} agreed, {refused:,} leave the range of its ints")
    return 0


if __name__ == "__main__":
    sys.exit(main())
