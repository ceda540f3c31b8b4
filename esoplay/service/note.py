"""A note: what was seen at a moment of a run, so that it can be read without running anything."""

from __future__ import annotations

from dataclasses import dataclass

from esolangs.language import Program
from esolangs.numbers import shown
from esolangs.stops import Address
from esolangs.view import View
from esoplay.errors import UsageError
from esoplay.service.debugging import Debugger, address_text

LONGEST_WORDS = 2_000
"""Characters of what the user says."""

_TAIL = 80  # bytes of output and input that a note remembers
_AROUND = 36  # characters of the program on either side of the instruction
_SIGNS = {"\t": "→", "\n": "¶", "\r": "␍"}


@dataclass(frozen=True, slots=True)
class Note:
    """One moment.

    place: line and column, or a point; empty at the end of a program.  next: what the next
    instruction does there.  output, input: the last of what was printed and read.
    value: what the selected cell held, in words.  excerpt: the line of the program around
    the instruction; caret: the column of that text where it stands, from 0; -1 for none.
    """

    id: int
    step: int
    place: str
    instruction: str
    next: str
    output: str
    input: str
    value: str
    line: int
    excerpt: str
    caret: int
    words: str


def take_note(debugger: Debugger, words: str, selected: Address | None = None) -> Note:
    """What there is to say of this moment; its number is given by the notebook.

    selected: the cell whose value is noted.  Raises UsageError for words that are too long.
    """
    view, program = debugger.view(), debugger.program
    at = view.location
    on_plane = isinstance(at.address, tuple)
    place = address_text(at.address) if on_plane else f"{at.line}:{at.column}"
    excerpt, caret = _excerpt(program, view)
    return Note(
        id=0,
        step=view.step,
        place=place if at.instruction else "",
        instruction=_on_one_line(at.instruction),
        next=at.explanation,
        output=_tail(debugger.output[: view.output_length]),
        input=_tail(debugger.input[: view.input_position]),
        value=_value(debugger, selected),
        line=at.line,
        excerpt=excerpt,
        caret=caret,
        words=checked_words(words),
    )


def checked_words(words: str) -> str:
    """Raises UsageError for what is too long."""
    if len(words) > LONGEST_WORDS:
        raise UsageError(f"a note has at most {LONGEST_WORDS} characters")
    return words.strip()


def _value(debugger: Debugger, cell: Address | None) -> str:
    if cell is None:
        return ""
    try:
        value = debugger.timeline.machine.peek(cell)
    except ValueError:
        return ""
    return f"cell {address_text(cell)}: {shown(value)}"


def _tail(data: bytes) -> str:
    """The last bytes as text on one line, in which what cannot be seen is escaped."""
    text = data[-_TAIL:].decode("utf-8", "backslashreplace")
    escaped = "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
    return ("…" if len(data) > _TAIL else "") + escaped


def _on_one_line(text: str) -> str:
    flat = " ".join(text.split()) or _visible(text)
    return flat if len(flat) <= 2 * _AROUND else flat[: 2 * _AROUND - 1] + "…"


def _excerpt(program: Program, view: View) -> tuple[str, int]:
    """The text around the next instruction in its line, and where in that it stands."""
    start = view.location.span[0]
    if view.location.span[0] == view.location.span[1]:
        return "", -1
    source = program.source
    first = source.rfind(b"\n", 0, start) + 1
    end = source.find(b"\n", start)
    line = source[max(first, start - 4 * _AROUND) : end if end >= 0 else len(source)]
    before = source[max(first, start - 4 * _AROUND) : start].decode("utf-8", "replace")
    text = line[: 8 * _AROUND].decode("utf-8", "replace")
    cut = max(0, len(before) - _AROUND)
    excerpt, caret = _visible(text[cut : cut + 2 * _AROUND]), len(before) - cut
    return (excerpt if caret < len(excerpt) else excerpt + "¶"), caret


def _visible(text: str) -> str:
    """Text on one line; where there is nothing but blanks they are shown."""
    if text and not text.strip():
        text = text.replace(" ", "·")
    return "".join(_SIGNS.get(each) or _drawable(each) for each in text)


def _drawable(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else "�"
