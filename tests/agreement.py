"""Compare random sources in CPython with the programs generated from them.

    python tests/agreement.py 3000
    python tests/agreement.py 500 whitespace brainfuck --seed 7
    python tests/agreement.py 1000 --kinds      count the sources with each kind of code

Sources come from ``tests/strategies/sources.py``.  Each is run in CPython with all checks, by the
oracle for statements, and as a generated program of each language in both dialects.  A source that
faults in CPython is skipped, and a language is skipped if the source exceeds the range of its ints,
as ``esoplay generate --run --lang`` reports.  The first difference is reduced to a small source and
printed.  Exit status 1 if there was one.
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
from esoplay.codegen.back_ends import back_end_ids, find_back_end, generate_program  # noqa: E402
from esoplay.codegen.cpython import run_source  # noqa: E402
from esoplay.codegen.errors import SourceError, SourceFault  # noqa: E402
from esoplay.codegen.lowering import compile_source  # noqa: E402
from esoplay.running.run import run_source as run_program  # noqa: E402

LIMITS = Limits(steps=200_000_000, output=100_000, memory=1 << 29)
DIALECTS = ("standard", "benchmark")
ROUNDS = 20_000


def expected(text: str, stdin: bytes) -> bytes | None:
    """Return what a source prints; None if it faults."""
    try:
        printed = run_source(text, stdin, rounds=ROUNDS)
    except SourceFault:
        return None
    assert interpret(compile_source(text), stdin) == printed
    return printed


def check_agreement(language: str, text: str, stdin: bytes, printed: bytes) -> bool:
    """Raise AssertionError unless the generated program prints ``printed`` in both dialects.

    Return False if the source exceeds the range of the language's ints.
    """
    if find_back_end(language).ints is not None:
        try:
            again = run_source(text, stdin, rounds=ROUNDS, language=language)
        except (SourceError, SourceFault) as error:
            if "int in" not in error.message:
                raise
            return False
        assert again == printed
    made = generate_program(compile_source(text), language).text.encode("latin-1")
    for dialect in DIALECTS:
        outcome = run_program(language, made, dialect=dialect, stdin=stdin, limits=LIMITS)
        context = (language, dialect, outcome.stderr)
        assert (outcome.status, outcome.stdout) == ("ok", printed), context
    return True


def compare_sources(
    languages: Sequence[str], examples: int, number: int, depth: int = 2
) -> Counter[str]:
    """Count the sources that agree and the skipped sources; raise at the first difference."""
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
    def check_source(text: str, stdin: bytes) -> None:
        printed = expected(text, stdin)
        if printed is None:
            counted["left out"] += 1
            return
        for language in languages:
            if check_agreement(language, text, stdin, printed):
                counted[language] += 1
        counted["agreed"] += 1
        if counted["agreed"] % 100 == 0:
            print(f"{counted['agreed']:,} agreed", flush=True)

    check_source()
    return counted


def count_kinds(examples: int, number: int, depth: int = 2) -> Counter[str]:
    """Count the random sources with each kind of code, without running them."""
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
    def check_source(text: str) -> None:
        counted["sources"] += 1
        counted.update(kinds_in(text))

    check_source()
    return counted


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("examples", type=int, help="how many sources")
    parser.add_argument("languages", nargs="*", metavar="LANG", default=back_end_ids())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=int, default=2, help="depth of nested blocks")
    parser.add_argument(
        "--kinds", action="store_true", help="count kinds of code without running anything"
    )
    chosen = parser.parse_args()
    if chosen.kinds:
        found = count_kinds(chosen.examples, chosen.seed, chosen.depth)
        for kind in ("sources", *KINDS):
            print(f"{found[kind]:>6,}  {kind}")
        return 0
    try:
        counted = compare_sources(chosen.languages, chosen.examples, chosen.seed, chosen.depth)
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
