"""Expressions and the commands of the debug console."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from esolangs.numbers import shown
from esolangs.stops import Address
from esoplay.dap.panels import spoken
from esoplay.dap.requests import RequestError
from esoplay.service.debugging import Debugger, address_text
from esoplay.service.puts import puts
from esoplay.service.source_maps import variables
from esoplay.service.watches import Watches


def evaluate(debugger: Debugger, text: str) -> str:
    """What an expression comes to: a variable of the source map, else a condition's language.

    Raises RequestError and ConditionError.
    """
    name = text.strip()
    if debugger.source_map is not None:
        for variable in variables(debugger):
            if variable.name == name:
                return variable.text
    watches = Watches(debugger.program)
    watches.add(text)
    watch = watches.values(debugger)[0]
    if watch.value is None:
        raise RequestError(watch.error)
    told = spoken(shown(watch.value))
    return f"{told} ({watch.missing})" if watch.missing else told


def ask(debugger: Debugger, command: str, rest: str) -> str | None:
    """The answer to a question typed behind a colon; None where there is no such one."""
    question = _QUESTIONS.get(command)
    return None if question is None else question(debugger, rest)


def number(text: str, what: str) -> int:
    """A whole number, with or without separators; raises RequestError."""
    digits = text.strip().replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 18:
        raise RequestError(f"{what} is a number from 0, not {text.strip()!r}")
    return int(digits)


def address(text: str) -> Address:
    """A cell as people write it, ``12`` or ``3,-4``; raises RequestError."""
    try:
        parts = [int(part) for part in text.strip().split(",")]
    except ValueError:
        raise RequestError(f"a cell is such as 12, or 3,-4 on a plane, not {text!r}") from None
    return tuple(parts) if len(parts) > 1 else parts[0]


def _printed(debugger: Debugger, rest: str) -> str:
    byte = number(rest, "the byte")
    step = debugger.printed(byte)
    if step is None:
        return f"byte {byte} has not been printed so far"
    return f"step {step:,} printed byte {byte}; :seek {step} goes there"


def _writes(debugger: Debugger, rest: str) -> str:
    cell = address(rest)
    found = puts(debugger, cell, limit=10)
    if not found:
        return f"nothing was written to cell {address_text(cell)} up to here"
    return "\n".join(f"step {put.step:,} ({put.instruction}): {put.value}" for put in found)


def _explain(debugger: Debugger, _rest: str) -> str:
    return debugger.view().location.explanation


def _help(_debugger: Debugger, _rest: str) -> str:
    return "\n".join(f"{usage:16} {meaning}" for usage, meaning in HELP.items())


HELP: Mapping[str, str] = {
    "EXPRESSION": "its value, such as cell[3], stack[-1] + 1 or a variable of the source",
    ":seek STEP": "go to a step, be it in the past or to come",
    ":printed BYTE": "which step printed this byte of the output, counted from 0",
    ":writes CELL": "the last writes to a cell",
    ":explain": "what the next instruction will do",
    ":feed TEXT": "give input to a program that waits for it, and a line break",
    ":eof": "end the input",
}

_QUESTIONS: Mapping[str, Callable[[Debugger, str], str]] = {
    "printed": _printed,
    "writes": _writes,
    "explain": _explain,
    "help": _help,
}
