"""Benchmarks that are the same for every language: parsing a long program, and time travel."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from measure import Row, WrongAnswerError, cpu_seconds, in_turns, percentile, power_of_ten
from workloads import ENDLESS, long_program

from esolangs.language import Language
from esolangs.registry import find_language, language_ids
from esoplay.debugging.debugger import Debugger

MOST_PARSE_SECONDS = 0.100
MOST_SEEK_SECONDS = 0.050
MOST_BACK_SECONDS = 0.5
HISTORY = 10_000_000  # steps
BACK = 1_000_000  # steps
SEEKS = 200


def rows(quick: bool) -> Iterator[Row]:
    """The rows of this benchmark; ``quick`` takes shorter histories."""
    scale = 100 if quick else 1
    found = [find_language(id) for id in language_ids()]
    for language in found:
        yield _parsing(language, 1 if quick else 5)
    for language in found:
        if language.id in ENDLESS:
            yield from _travel(language, HISTORY // scale, BACK // scale, 20 if quick else SEEKS)
        else:
            yield Row(f"time travel: {language.name}", "skipped: no program without an end is here")


def _parsing(language: Language, rounds: int) -> Row:
    source = long_program(language)
    (seconds,) = in_turns(rounds, lambda: cpu_seconds(lambda: language.parse(source)))
    return Row(
        f"parse {len(source) // 1000} kB: {language.name}",
        f"{seconds * 1e3:.1f} ms, {len(language.parse(source).spans()):,} instructions",
        f"≤ {MOST_PARSE_SECONDS * 1e3:.0f} ms",
        seconds <= MOST_PARSE_SECONDS,
        {"seconds": seconds, "bytes": len(source)},
    )


def _travel(language: Language, history: int, back: int, count: int) -> Iterator[Row]:
    """Seek between random steps; then go many steps back from the end, and forward again."""
    debugger = Debugger.open(language.id, ENDLESS[language.id])
    if debugger.seek(history).step != history:
        raise WrongAnswerError(f"the endless program of {language.name} has ended")
    targets = random.Random(language.id).sample(range(history + 1), count)
    seconds = [_timed_seek(debugger, target) for target in targets]
    yield Row(
        f"seek in {power_of_ten(history)} steps: {language.name}",
        f"median {percentile(seconds, 50) * 1e3:.1f} ms, slowest {max(seconds) * 1e3:.1f} ms",
        f"≤ {MOST_SEEK_SECONDS * 1e3:.0f} ms",
        max(seconds) <= MOST_SEEK_SECONDS,
        {"median": percentile(seconds, 50), "max": max(seconds), "seeks": count},
    )
    debugger.seek(history)
    backwards = _timed_seek(debugger, history - back)
    forwards = _timed_seek(debugger, history)
    yield Row(
        f"{power_of_ten(back)} steps back and forth: {language.name}",
        f"{backwards * 1e3:.1f} ms back, {forwards * 1e3:.1f} ms forth",
        f"≤ {MOST_BACK_SECONDS * 1e3:.0f} ms",
        max(backwards, forwards) <= MOST_BACK_SECONDS,
        {"back": backwards, "forth": forwards},
    )


def _timed_seek(debugger: Debugger, target: int) -> float:
    began = time.perf_counter()
    way = target - debugger.step
    stop = debugger.step_by(abs(way), reverse=way < 0)
    seconds = time.perf_counter() - began
    if stop.step != target:
        raise WrongAnswerError(f"a move to step {target} ends at {stop.step}")
    return seconds
