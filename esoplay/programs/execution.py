"""Run and check programs, and give advice on failures; few imports, for a fast start."""

from __future__ import annotations

import os
import time

from esolangs.errors import EngineError, ParseError, UnknownLanguage
from esolangs.limits import World
from esolangs.registry import find_language, language_ids, language_of_file
from esoplay.errors import LaneError, UsageError
from esoplay.running.run import run_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from esolangs.language import Language
    from esolangs.limits import Limits
    from esoplay.running.run import Outcome, Read, Tick, Write
    from esoplay.running.worker import Worker


def languages() -> list[Language]:
    """Return the installed languages."""
    return [find_language(id) for id in language_ids()]


def language_for(path: str, id: str | None = None) -> Language:
    """Return the language by id or by the file's extension; raise UsageError if unknown."""
    if not id and path == "-":
        raise UsageError("stdin has no extension; use --lang to choose the language")
    try:
        return find_language(id.lower()) if id else language_of_file(path)
    except UnknownLanguage as error:
        lane = _find_lane_name(path, id)
        if lane is not None:
            raise UsageError(
                f"{lane} is a host lane, whose programs esoplay can only grade; run them with "
                "the tools of the language"
            ) from None
        raise UsageError(
            str(error) if id else f"{error}\ntry: choose the language with --lang"
        ) from None


def _find_lane_name(path: str, id: str | None) -> str | None:
    """Return the name of the host lane with this id or file extension, or None."""
    from esoplay.running.host.lanes import find_lane, find_lane_by_file, is_lane  # rarely needed

    try:
        if id:
            return find_lane(id.lower()).name if is_lane(id.lower()) else None
        lane = find_lane_by_file(path)
        return None if lane is None else lane.name
    except LaneError:  # reported only if a lane is requested
        return None


def run(
    language_id: str,
    source: bytes,
    *,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
    stdin: bytes | Read = b"",
    limits: Limits | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    write: Write | None = None,
    tick: Tick | None = None,
    folder: str | None = None,
    include_drawing: bool = False,
    worker: Worker | None = None,
    progress: Callable[[int], object] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Outcome:
    """Run a program; with ``time_limit`` (seconds), in a process that is killed at the limit.

    write: function that receives the output as it is printed. stdin: with a time limit, it is read
    completely before the run, otherwise during the run. tick: see ``running.run``; used only
    without a time limit. folder: the folder in which the program can access files, in languages
    with file access. include_drawing: whether to set ``Outcome.drawing``, in languages that can
    draw. worker: the process to run in, with ``progress`` and ``cancelled`` (see ``Worker.run``); a
    worker requires a time limit, which may be infinite, and stops the program between two steps.
    The program can read the current time.
    Raises UsageError for an unknown language, dialect or option.
    """
    started = int(time.time())
    try:
        if folder is not None:
            _check_folder(language_id, folder)
        if include_drawing and not find_language(language_id).draws:
            name = find_language(language_id).name
            raise UsageError(
                f"{name} cannot draw; --drawing requires a language that can, such as befunge-98"
            )
        if time_limit is None:
            return run_source(
                language_id,
                source,
                dialect=dialect,
                options=options,
                stdin=stdin,
                limits=limits,
                seed=seed,
                write=write,
                tick=tick,
                world=World(started, folder),
                include_drawing=include_drawing,
            )
        from contextlib import nullcontext

        from esolangs.limits import Limits
        from esoplay.running.worker import Worker

        with Worker() if worker is None else nullcontext(worker) as chosen:
            return chosen.run(
                language_id,
                source,
                dialect=dialect,
                options=options,
                stdin=_read_all(stdin) if callable(stdin) else stdin,
                limits=limits or Limits(),
                seed=seed,
                started=started,
                folder=folder,
                include_drawing=include_drawing,
                write=write,
                progress=progress,
                time_limit=time_limit,
                stop_at_step=include_drawing or worker is not None,
                cancelled=cancelled,
            )
    except EngineError as error:
        raise UsageError(str(error)) from None


def check(
    language_id: str,
    source: bytes,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
) -> ParseError | None:
    """Return the parse error of ``source``, or None if it is valid."""
    language = find_language(language_id)
    try:
        language.parse(source, language.configure(dialect, options))
    except ParseError as error:
        return error
    return None


def _check_folder(language_id: str, folder: str) -> None:
    language = find_language(language_id)
    if not language.uses_files:
        raise UsageError(f"{language.name} has no file access; --allow-files cannot be used")
    if not os.path.isdir(folder):  # noqa: PTH112 (pathlib is slow to import)
        raise UsageError(f"--allow-files: expected a folder, found {folder!r}")


def _read_all(read: Read) -> bytes:
    return b"".join(iter(read, b""))


# Advice


def advice_on(language_id: str, kind: str, message: str = "") -> str:
    """Return advice on a fault of this kind (or ``parse_error``), or "" if there is no advice."""
    diagnostics = find_language(language_id).diagnostics()
    if diagnostics is None:
        return ""
    from esolangs.diagnosis import PARSE_ERROR

    if kind == PARSE_ERROR:
        return diagnostics.parse_error_advice(message)
    return diagnostics.advice.get(kind, "")


def outcome_as_json(outcome: Outcome) -> dict[str, Any]:
    """Return the outcome of a run as JSON, with ``advice`` after a fault."""
    data = outcome.as_json()
    fault = outcome.fault
    advice = "" if fault is None else advice_on(outcome.language, fault.kind, fault.message)
    return {**data, "advice": advice} if advice else data


def code_size(language_id: str, source: bytes) -> int:
    """Return the size of a program in bytes, without comments."""
    return find_language(language_id).editing().code_size(source)
