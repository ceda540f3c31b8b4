"""Commands that tell how often instructions were executed."""

from __future__ import annotations

from esoplay.debugging import source
from esoplay.debugging.command_line import Line, whole
from esoplay.debugging.panels import times
from esoplay.debugging.session import Command, DebugSession, Reply
from esoplay.errors import UsageError
from esoplay.service import heat as service

_DEFAULT_ROWS = 10
_MAX_ROWS = 1_000
_NAMED = 12


def _heat(session: DebugSession, line: Line) -> Reply:
    said, limit = _read(line, ("all", "lines", "source"))
    everything, lines = "all" in said, "lines" in said
    if "source" in said:
        return source.heat(session, limit, everything=everything)
    counts = session.ask(
        lambda ticker: service.heat(session.debugger, everything=everything, ticker=ticker)
    )
    program = session.debugger.program
    head = f"the most executed up to step {counts.step}, with levels from 0 (never) to 9:"
    if lines:
        rows = service.by_line(counts, program, limit)
        told = [
            f"  line {row.line}: {times(row.count)}, last at step {row.last}, "
            f"{row.executed} of {row.instructions} instructions"
            for row in rows
            if row.count
        ]
        data = {"step": counts.step, "lines": [service.line_as_json(row) for row in rows]}
        head = f"the most executed lines up to step {counts.step}:"
        return Reply([head, *told] if told else ["nothing was executed so far"], data)
    spots = service.hottest(counts, program, limit)
    told = [
        f"  {counts.level(spot.count)}  {spot.place}  {' '.join(spot.instruction.split())}  "
        f"{times(spot.count)}, last at step {spot.last}"
        for spot in spots
    ]
    data = {
        "step": counts.step,
        "most": counts.most,
        "instructions": [service.spot_as_json(spot, counts) for spot in spots],
    }
    return Reply([head, *told] if told else ["nothing was executed so far"], data)


def _coverage(session: DebugSession, line: Line) -> Reply:
    said, limit = _read(line, ("all", "source"), _NAMED)
    everything = "all" in said
    if "source" in said:
        return source.coverage(session, limit, everything=everything)
    told = session.ask(
        lambda ticker: service.coverage(
            session.debugger, limit, everything=everything, ticker=ticker
        )
    )
    return Reply([service.coverage_words(told)], service.coverage_as_json(told))


def _read(line: Line, words: tuple[str, ...], default: int = _DEFAULT_ROWS) -> tuple[set[str], int]:
    """Which of the words are said, and the number of rows."""
    said = {word for word in line.arguments if word in words}
    numbers = [word for word in line.arguments if word not in words]
    if len(numbers) > 1:
        raise UsageError(f"{line.word} takes {', '.join(words)} and a number of rows")
    limit = whole(numbers[0], "the number of rows", 1) if numbers else default
    return said, min(limit, _MAX_ROWS)


COMMANDS = (
    Command(
        ("heat",),
        "[all] [lines | source] [N]",
        "the instructions (or lines, or lines of the generator's source) executed most often up "
        "to here, or in all known history",
        _heat,
        ("heat", "heat all 20", "heat lines", "heat source"),
    ),
    Command(
        ("coverage",),
        "[all] [source] [N]",
        "how many instructions (or lines of the source) were executed up to here, and which never",
        _coverage,
        ("coverage", "coverage all", "coverage source"),
    ),
)
