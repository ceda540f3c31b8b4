"""What may be typed behind ``:``, read into values.

::

    :123  :+10  :-10  :50%      go to a step
    :b …                        set a breakpoint (nothing: at the cursor), see breakpoint_text
    :d 2                        delete breakpoint 2
    :o 2   :i 2                 the step that printed output byte 2, that read input byte 2
    :cell 3   :set 3 65         select a cell, write into it (forks the recording); 3,-4 on a plane
    :set n 65                   give a variable of the source another value
    :top   :top 2               select the top of the stack shown first, or the value 2 below it
    :slot 5   :slot 2:5         select level 5 of the first stack, of stack 2
    :input TEXT                 start over with another input (escapes: \\n \\t \\x00 \\\\)
    :feed TEXT                  type input to a program that waits for it
    :coverage   :coverage all   what was executed up to here, in all of known history
    :why   :why 1000000         why the run ended, or whether it does within so many steps
    :compare input TEXT         where another run parts; file PATH, dialect NAME, option NAME=VALUE
    :compare other              debug the run that was compared with
    :watch cell[3] + 1          watch the value of an expression (nothing: list them)
    :unwatch 2                  do not watch expression 2 any more
    :export FILE                write the notes as Markdown (export! FILE: over one that is there)
    :speed 100                  steps a second while playing
    :redraw                     paint every cell of the screen anew
    :q                          leave
"""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from esolangs.stops import Address


class GoTo(NamedTuple):
    step: int


class GoBy(NamedTuple):
    steps: int


class GoToShare(NamedTuple):
    """percent: of the known history, 0 to 100."""

    percent: float


class Break(NamedTuple):
    """text: see breakpoint_text; empty toggles the breakpoint at the cursor."""

    text: str


class Delete(NamedTuple):
    id: int


class Printed(NamedTuple):
    byte: int


class ReadBy(NamedTuple):
    byte: int


class SelectCell(NamedTuple):
    cell: Address


class SelectSlot(NamedTuple):
    """stack: None is the one shown first.  level: from the bottom, below 0 from the top: -1."""

    stack: int | None
    level: int


class SetCell(NamedTuple):
    cell: Address
    value: int


class SetVariable(NamedTuple):
    """name: as the source map has it, such as ``n`` or ``a[3]``."""

    name: str
    value: int


class SetInput(NamedTuple):
    data: bytes


class Feed(NamedTuple):
    data: bytes


class Speed(NamedTuple):
    steps_per_second: int


class Coverage(NamedTuple):
    """everything: in all of known history, not only up to here."""

    everything: bool


class Why(NamedTuple):
    """bound: steps within which a repeated state is looked for; None for the usual number."""

    bound: int | None


class Compare(NamedTuple):
    """what: ``input``, ``file``, ``dialect``, ``option`` or ``other``; text: which."""

    what: str
    text: str


class Export(NamedTuple):
    """overwrite: also a file that is there."""

    path: str
    overwrite: bool


class WatchExpression(NamedTuple):
    """text: empty lists what is watched."""

    text: str


class Unwatch(NamedTuple):
    id: int


class Quit(NamedTuple):
    pass


Command = (
    GoTo
    | GoBy
    | GoToShare
    | Break
    | Delete
    | Printed
    | ReadBy
    | SelectCell
    | SelectSlot
    | SetCell
    | SetVariable
    | SetInput
    | Feed
    | Speed
    | Coverage
    | Why
    | Compare
    | Export
    | WatchExpression
    | Unwatch
    | Quit
)


class CommandError(ValueError):
    """The line is no command; the message says what would have been."""


USAGE = "try :123  :50%  :b cell[3]==10  :o 2  :i 2  :cell 3  :set 3 65  :input …  :q"


def read_command(text: str) -> Command:
    """The command that a line spells; raises CommandError."""
    line = text.strip()
    if match := re.fullmatch(r"([+-]?)([\d,_]+)", line):
        number = int(re.sub("[,_]", "", match[2]) or 0)
        return GoBy(number if match[1] == "+" else -number) if match[1] else GoTo(number)
    if match := re.fullmatch(r"(\d+(?:\.\d+)?)\s*%", line):
        return GoToShare(min(100.0, float(match[1])))
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    match word:
        case "b" | "break":
            return Break(rest)
        case "d" | "delete":
            return Delete(*_numbers(line, rest, 1))
        case "o" | "printed":
            return Printed(*_numbers(line, rest, 1))
        case "i" | "read":
            return ReadBy(*_numbers(line, rest, 1))
        case "cell":
            return SelectCell(_address(line, rest))
        case "top":
            return SelectSlot(None, -1 - max(0, *_numbers(line, rest or "0", 1)))
        case "slot":
            stack, colon, level = rest.rpartition(":")
            place = [*_numbers(line, stack, 1), *_numbers(line, level, 1)] if colon else None
            place = place or [0, *_numbers(line, rest, 1)]
            if min(place) < 0:
                raise CommandError("'slot' takes STACK:LEVEL, both from 0 on")
            return SelectSlot(*place)
        case "set":
            cell, _, value = rest.rpartition(" ")
            if not cell:
                raise CommandError(f"'set' takes a cell and a number, not {rest!r}")
            if re.match(r"[^\W\d]", cell):
                return SetVariable(cell.removesuffix("=").strip(), *_numbers(line, value, 1))
            return SetCell(_address(line, cell), *_numbers(line, value, 1))
        case "input":
            return SetInput(unescape(rest))
        case "feed":
            return Feed(unescape(rest))
        case "speed":
            return Speed(max(1, *_numbers(line, rest, 1)))
        case "coverage":
            if rest not in ("", "all"):
                raise CommandError(f"'coverage' takes nothing, or all, not {rest!r}")
            return Coverage(rest == "all")
        case "why":
            return Why(max(1, *_numbers(line, rest, 1)) if rest else None)
        case "compare":
            return _compare(rest)
        case "export" | "export!":
            if not rest:
                raise CommandError("'export' takes a file: export notes.md; export! overwrites one")
            return Export(rest, word == "export!")
        case "watch":
            return WatchExpression(rest)
        case "unwatch":
            return Unwatch(*_numbers(line, rest, 1))
        case "q" | "quit":
            return Quit()
        case _:
            raise CommandError(f"no command {word!r}; {USAGE}")


def _compare(text: str) -> Compare:
    what, _, which = text.partition(" ")
    which = which.strip()
    if what == "input" or (what == "other" and not which):
        return Compare(what, which)
    if what in ("file", "dialect") and which:
        return Compare(what, which)
    if what == "option" and "=" in which:
        return Compare(what, which)
    raise CommandError(
        "compare takes input TEXT, file PATH, dialect NAME, option NAME=VALUE, or other"
    )


def unescape(text: str) -> bytes:
    """The bytes of typed text: UTF-8, with ``\\n \\t \\xHH \\\\``; other backslashes stay."""
    return re.sub(
        rb"\\(?:n|t|r|0|\\|x[0-9a-fA-F]{2})",
        lambda match: ast.literal_eval(f'"{match[0].decode()}"').encode("latin-1"),
        text.encode("utf-8", "surrogateescape"),
    )


def _address(line: str, text: str) -> Address:
    """A number, or several with commas between them."""
    if "," not in text:
        return _numbers(line, text, 1)[0]
    return tuple(_numbers(line, part, 1)[0] for part in text.split(","))


def _numbers(line: str, rest: str, count: int) -> list[int]:
    words = rest.split()
    try:
        numbers = [int(word, 0) for word in words]
    except ValueError:
        numbers = []
    if len(numbers) != count:
        wanted = "a number" if count == 1 else f"{count} numbers"
        raise CommandError(f"{line.split()[0]!r} takes {wanted}, not {rest!r}")
    return numbers
