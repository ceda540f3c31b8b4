"""Finds the back ends: each is a folder here that exports ``BACK_END``."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from esoplay.codegen.errors import TOO_DEEP, SourceError
from esoplay.codegen.ir import Origin, Program, nodes
from esoplay.codegen.letters import Letters
from esoplay.codegen.ranges import check_constants
from esoplay.errors import UsageError

if TYPE_CHECKING:
    from esoplay.codegen.generated import BackEnd, Generated


@cache
def back_end_ids() -> tuple[str, ...]:
    """The ids of the languages that sources can be compiled to."""
    folders = Path(__file__).parent.glob("*/__init__.py")
    return tuple(sorted(path.parent.name.replace("_", "-") for path in folders))


def find_back_end(language: str) -> BackEnd:
    """The back end of a language; UsageError names those there are."""
    if language not in back_end_ids():
        known = ", ".join(back_end_ids())
        raise UsageError(f"nothing is generated in {language!r}; there are {known}")
    return import_module(f"esoplay.codegen.{language.replace('-', '_')}").BACK_END


def make(
    program: Program, language: str, *, name: str = "source", comments: bool = False
) -> Generated:
    """The program in a language; UsageError names those there are.

    ``name`` is what the SourceError calls the source where it is nested too deeply, or spells an
    int that the language cannot hold.
    A program is bytes: letters of names that are not in ASCII are UTF-8.
    """
    back_end, letters = find_back_end(language), Letters(program.labels)
    if back_end.ints is not None:
        check_constants(program, back_end.ints, language, name)
    try:
        made = back_end.generate(replace(program, labels=letters.labels), comments=comments)
    except RecursionError:
        place = _deepest(program)
        line, column = (place.own.line, place.own.column) if place else (1, 1)
        raise SourceError(TOO_DEEP, line, column, name) from None
    return letters.spelt(made)


def _deepest(program: Program) -> Origin | None:
    """Where the part of a program that lies in most others comes from; None for an empty one."""
    found, most = None, -1
    for _, depth, origin in nodes(program):
        if depth >= most and origin is not None:
            found, most = origin, depth
    return found
