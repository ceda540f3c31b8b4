"""What a run in a lane came to: nothing but silence on stderr and exit status 0 is well."""

from __future__ import annotations

import signal
from pathlib import Path

from esolangs.limits import Limits
from esoplay.running.host.lane import Lane
from esoplay.running.host.process import MOST_STDERR, Ended
from esoplay.running.outcome import Outcome

_MOST_WORDS = 400  # characters of stderr that an outcome tells


def outcome_of(
    lane: Lane, dialect: str, ended: Ended, limits: Limits, time_limit: float, folder: Path
) -> Outcome:
    """Of a run; ``folder`` is where the program lay."""
    by_clock = ended.why == "signal" and ended.code == signal.SIGXCPU
    if ended.why == "time" or by_clock:
        words = f"the limit of {time_limit:g} s was reached"
        return _outcome(lane, dialect, ended, "time_limit", words, time_limit)
    if ended.why == "output":
        loud = len(ended.stderr) > MOST_STDERR
        most, where = (MOST_STDERR, "on stderr") if loud else (limits.output, "of output")
        words = f"the limit of {most} bytes {where} was reached"
        return _outcome(lane, dialect, ended, "output_limit", words, most)
    text = ended.stderr.decode("utf-8", "replace")
    failed = (ended.why, ended.code) != ("exit", 0)
    if ended.why == "memory" or (failed and any(mark in text for mark in lane.memory_marks)):
        words = f"the limit of {limits.memory} bytes of memory was reached"
        return _outcome(lane, dialect, ended, "memory_limit", words, limits.memory)
    told = _shortened(ended.stderr, folder)
    if failed:
        words = f"{_how(ended)}: {told}" if told else _how(ended)
        return _outcome(lane, dialect, ended, "fault", words)
    if ended.stderr:
        return _outcome(lane, dialect, ended, "fault", f"it wrote to stderr: {told}")
    return _outcome(lane, dialect, ended, "ok", "")


def refusal_of(lane: Lane, dialect: str, ended: Ended, folder: Path) -> Outcome:
    """Of a source that the compiler did not take."""
    told = ended.stderr + ended.stdout  # some compilers complain on stdout
    complaint = _shortened(told, folder, first=True) or _how(ended)
    return Outcome(lane.id, dialect, {}, "parse_error", b"", complaint)


def _outcome(
    lane: Lane,
    dialect: str,
    ended: Ended,
    status: str,
    words: str,
    limit: float | None = None,
) -> Outcome:
    return Outcome(
        *(lane.id, dialect, {}, status, ended.stdout, words),  # type: ignore[arg-type]
        limit=limit,
        program_exit_code=ended.code if ended.why == "exit" else None,
    )


def _how(ended: Ended) -> str:
    if ended.why == "exit":
        return f"exit status {ended.code}"
    if ended.why == "signal":
        try:
            return f"ended by {signal.Signals(ended.code).name}"
        except ValueError:
            return f"ended by signal {ended.code}"
    return f"ended by the limit on {ended.why}"


def _shortened(stderr: bytes, folder: Path, *, first: bool = False) -> str:
    """The end of what was written, without the places of files, which differ from run to run.

    first: of a compiler the beginning, as it tells the first error first.
    """
    text = stderr.decode("utf-8", "replace").replace(f"{folder}/", "").strip()
    if len(text) <= _MOST_WORDS:
        return text
    return f"{text[:_MOST_WORDS]}…" if first else f"…{text[-_MOST_WORDS:]}"
