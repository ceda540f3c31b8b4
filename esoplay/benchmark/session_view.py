"""Conversion of a session's runs and submissions to entries of the viewer."""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps

from esolangs.wording import plural
from esoplay.benchmark.exports import iso_time
from esoplay.benchmark.replay import Replay, ReplayAttempt, clock_text
from esoplay.reporting.viewer import ViewerEntry, ViewerRun, ViewerSection

COLUMNS = ("problem", "time", "kind", "number")


def session_view(replay: Replay) -> ViewerRun:
    """Return a session as a run for the viewer, with an entry for each attempt.

    Hidden tests are shown only if they were revealed, or if the protocol showed them to the solver.
    """
    export = replay.export
    attempts = replay.attempts
    facts = [
        ("session", export.session),
        ("solver", export.solver or "–"),
        ("language", f"{export.language}, dialect {export.dialect}"),
        ("protocol", export.protocol),
        ("pack", f"{export.pack_id} {export.pack_version}"),
        ("started", f"{iso_time(attempts[0].time_ms)}" if attempts else "–"),
        ("solved", plural(replay.solved_count, "problem")),
        ("state", "closed" if export.closed else "open"),
        ("commitment to the seed", export.seed_commitment),
    ]
    title = f"Session {export.session}"
    entries = tuple(_entry(replay, attempt) for attempt in attempts)
    return ViewerRun(title, COLUMNS, tuple(facts), entries)


def _entry(replay: Replay, attempt: ReplayAttempt) -> ViewerEntry:
    program = replay.program(attempt)
    problem = attempt.problem or "-"
    number = "" if attempt.number is None else str(attempt.number)
    return ViewerEntry(
        attempt.index + 1,
        problem,
        (problem, clock_text(attempt.elapsed_ms), attempt.kind, number),
        attempt.outcome,
        attempt.tone,
        attempt.kind == "submission",
        replay.export.language,
        attempt.problem,
        program,
        tuple(_sections(replay, attempt, program)),
    )


def _sections(replay: Replay, attempt: ReplayAttempt, program: bytes) -> Iterator[ViewerSection]:
    size = f"program, {plural(len(program), 'byte')}"
    yield ViewerSection("program", size, program.decode("utf-8", "backslashreplace"))
    if attempt.input is not None:
        data = replay.export.input(attempt.input)
        yield ViewerSection("text", f"input, {plural(len(data), 'byte')}", _quote_bytes(data))
    if attempt.arguments:
        lines = "\n".join(_quote_bytes(word.encode()) for word in attempt.arguments)
        yield ViewerSection("text", plural(len(attempt.arguments), "argument"), lines)
    steps = "" if attempt.steps is None else f"{plural(attempt.steps, 'step')}"
    lines = [steps] if steps else []
    if attempt.kind == "submission":
        for used in replay.inputs(attempt):
            if used.expected is not None and not used.is_example:
                lines.append(
                    f"test  input {_quote_bytes(used.data)}  expected {_quote_bytes(used.expected)}"
                )
    yield ViewerSection("result", f"result: {attempt.outcome}", "\n".join(lines))


def _quote_bytes(data: bytes) -> str:
    return dumps(data.decode("utf-8", "backslashreplace"), ensure_ascii=False)
