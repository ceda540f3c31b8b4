"""Parameters that several methods take."""

from __future__ import annotations

from pathlib import Path

from esoplay.errors import UsageError
from esoplay.rpc.connection import Call
from esoplay.rpc.errors import invalid_params, rejected
from esoplay.rpc.framing import MAX_LINE
from esoplay.rpc.parameters import (
    Parameter,
    base64_bytes,
    either,
    mapping_of,
    record,
    seconds,
    text,
    utf8,
    whole,
)

SESSION = Parameter("session", text)
DEBUG = Parameter("debug", text, required=True)
LANGUAGE = Parameter("language", text, required=True)
PROBLEM = Parameter("problem", text, required=True)
PACK = Parameter("pack", text)
PROGRAM = (
    Parameter("program", utf8),
    Parameter("program_base64", base64_bytes),
    Parameter("path", text),
)
STDIN = (Parameter("stdin", utf8), Parameter("stdin_base64", base64_bytes))
MEANING = (
    Parameter("dialect", text),
    Parameter("options", mapping_of(either(text, whole(-1), what="a string or a whole number"))),
)
SEED = Parameter("seed", whole())
LIMITS = Parameter(
    "limits",
    record(
        Parameter("steps", whole()),
        Parameter("output", whole()),
        Parameter("memory", whole()),
        Parameter("time", seconds(86_400)),
    ),
)


def read_program(
    call: Call, program: bytes | None, program_base64: bytes | None, path: str | None
) -> bytes:
    """The source bytes, however they travelled; a path is for the operator alone."""
    if path is not None and not call.connection.is_operator:
        raise rejected("path is for the operator; send the program's text")
    given = [source for source in (program, program_base64, path) if source is not None]
    if len(given) != 1:
        raise invalid_params("give exactly one of program, program_base64, path")
    return given[0] if isinstance(given[0], bytes) else _read_file(given[0])


def read_stdin(stdin: bytes | None, stdin_base64: bytes | None) -> bytes:
    """The input bytes; none given is an empty input."""
    if stdin is not None and stdin_base64 is not None:
        raise invalid_params("give stdin or stdin_base64, not both")
    return stdin or stdin_base64 or b""


def _read_file(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            source = file.read(MAX_LINE + 1)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path!r}: {getattr(error, 'strerror', error)}") from None
    if len(source) > MAX_LINE:
        raise UsageError(f"{path!r} is longer than {MAX_LINE} bytes")
    return source
