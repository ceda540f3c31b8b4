"""From the text of a source to a program, or to what is wrong with it; no widget here."""

from __future__ import annotations

from typing import NamedTuple

from esolangs.errors import ParseError
from esoplay.codegen.errors import SourceError
from esoplay.service.generating import GeneratedProgram, generate

DEEPEST = "it is nested too deeply"


class Wanted(NamedTuple):
    """A source as it stands, and the language to make a program in."""

    text: bytes
    language_id: str
    name: str


class Made(NamedTuple):
    """What came of it: a program, or else an error with its place in the text."""

    wanted: Wanted
    program: GeneratedProgram | None
    error: ParseError | None


def make(wanted: Wanted) -> Made:
    """Compile a source.  Never raises, so that any thread may do it."""
    try:
        text = wanted.text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        span = error.start, error.start + 1
        return Made(wanted, None, ParseError("this is no text in UTF-8", wanted.text, span))
    try:
        return Made(wanted, generate(text, wanted.language_id, name=wanted.name), None)
    except SourceError as error:
        at = _offset(wanted.text, error.line, error.column)
        words = error.message
    except RecursionError:
        at, words = 0, DEEPEST
    except Exception as error:  # a defect of a back end, which must not cost anybody the source
        at, words = 0, f"the back end failed, which is a defect of its own ({error!r})"
    span = at, min(at + 1, len(wanted.text))
    return Made(wanted, None, ParseError(words, wanted.text, span))


def _offset(text: bytes, line: int, column: int) -> int:
    """The byte at a line and a column, both from 1; at most the end of the line."""
    lines = text.split(b"\n")
    line = max(1, min(line, len(lines)))
    before = sum(len(each) + 1 for each in lines[: line - 1])
    return before + max(0, min(column - 1, len(lines[line - 1])))
