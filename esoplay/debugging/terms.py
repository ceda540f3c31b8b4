"""Commands about the parts of a term: their list, and which application made one."""

from __future__ import annotations

from esolangs.view import Window, as_json
from esoplay.debugging.command_line import Line, whole
from esoplay.debugging.descriptions import instruction_words
from esoplay.debugging.session import Command, DebugSession, Reply
from esoplay.errors import UsageError
from esoplay.service.terms import (
    Making,
    TermOrigin,
    origin_of_part,
    term_here,
    term_origin_as_json,
)

_WINDOW = Window()
_LISTED = 20  # links of a chain that are said, half of them the newest ones
_LONGEST = 60  # characters of a part


def _term(session: DebugSession, line: Line) -> Reply:
    term = term_here(session.debugger, _WINDOW)
    lines = [f"{term.name}: {term.text or 'nothing is left'}"]
    depth: list[int] = []  # where the terms around the present one end
    for part, (start, end) in enumerate(term.parts):
        while depth and start >= depth[-1]:
            depth.pop()
        text = term.text[start:end]
        text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
        next_ = "  reduced next" if (start, end) == term.redex else ""
        lines.append(f"{'  ' * (len(depth) + 1)}{part}: {text}{next_}")
        depth.append(end)
    return Reply(lines, as_json(term))


def origin_of_a_part(session: DebugSession, words: tuple[str, ...]) -> Reply:
    """What made a part of the term: the application, and those before it."""
    if len(words) != 1:
        raise UsageError("origin part takes the number of a part, which term lists")
    part = whole(words[0], "the number of a part")
    found = session.ask(lambda ticker: origin_of_part(session.debugger, part, _WINDOW, ticker))
    said = [f"  {_making_line(each)}" for each in found.links]
    if len(said) > _LISTED:
        half = _LISTED // 2
        said[half:-half] = [f"  … {len(said) - 2 * half} more applications …"]
    head = f"part {part} is {found.text}"
    lines = [f"{head}, made by, newest step first:", *said] if said else [head]
    return Reply([*lines, _end_line(found)], term_origin_as_json(found))


def _making_line(making: Making) -> str:
    at = making.span[0]
    name = instruction_words(making.instruction)
    return f"step {making.step}: {name} at {at}, applied in {making.application}"


def _end_line(found: TermOrigin) -> str:
    if found.end == "more":
        return f"and more before step {found.links[-1].step}: go there and ask again"
    at = f"line {found.line} column {found.column}"
    return f"{'that' if found.links else 'it'} stands in the source, {at}"


COMMANDS = (
    Command(("term",), "", "list the parts of the term, numbered, the inner ones indented", _term),
)
