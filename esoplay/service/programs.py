"""Run and check programs."""

from __future__ import annotations

import os

from esolangs.errors import EngineError, ParseError, UnknownLanguage
from esolangs.registry import find_language, language_ids, language_of_file
from esoplay.errors import UsageError
from esoplay.running.run import run_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from esolangs.language import Language
    from esolangs.limits import Limits
    from esoplay.running.outcome import Outcome
    from esoplay.running.run import Read, Tick, Write

KNOWN = ("befunge-98", "brainfuck", "shakespeare", "unlambda", "whitespace")
"""The languages of the project; those without a folder answer "not installed"."""

_EXTENSIONS = {
    ".b98": "befunge-98",
    ".bf98": "befunge-98",
    ".spl": "shakespeare",
    ".unl": "unlambda",
    ".ws": "whitespace",
}
"""Of languages that may not be installed; the others know theirs."""


def languages() -> list[Language]:
    """The installed languages."""
    return [find_language(id) for id in language_ids()]


def language_for(path: str, id: str | None = None) -> Language:
    """The language named ``id``, else that of the file's extension; raises UsageError."""
    if not id and path == "-":
        raise UsageError("stdin has no extension to tell the language by: name it with --lang")
    try:
        return find_language(id.lower()) if id else language_of_file(path)
    except UnknownLanguage as error:
        told = error
    known = None if id else _EXTENSIONS.get(os.path.splitext(path)[1].lower())
    if known is not None:
        raise UsageError(f"{path}: language {known!r} is not installed")
    raise UsageError(str(told) if id else f"{told} (name the language with --lang)")


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
) -> Outcome:
    """Run a program; with ``time_limit`` (seconds) in a process that is killed when it is up.

    ``write`` streams; ``stdin`` streams where there is no time limit, else all of it is read
    first; ``tick`` is for runs without a time limit.  See ``running.run``.
    Raises UsageError for an unknown language, dialect or option.
    """
    try:
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
            )
        from esolangs.limits import Limits
        from esoplay.running.worker import Worker

        with Worker() as worker:
            return worker.run(
                language_id,
                source,
                dialect=dialect,
                options=options,
                stdin=_read_all(stdin) if callable(stdin) else stdin,
                limits=limits or Limits(),
                seed=seed,
                write=write,
                time_limit=time_limit,
            )
    except EngineError as error:
        raise UsageError(str(error)) from None


def check(
    language_id: str,
    source: bytes,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
) -> ParseError | None:
    """The parse error of ``source``, or None when it is a program."""
    language = find_language(language_id)
    try:
        language.parse(source, language.configure(dialect, options))
    except ParseError as error:
        return error
    return None


def _read_all(read: Read) -> bytes:
    return b"".join(iter(read, b""))
