"""Finds the back ends: each is a folder here that exports ``BACK_END``."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from esoplay.errors import UsageError

if TYPE_CHECKING:
    from esoplay.codegen.generated import BackEnd, Generated
    from esoplay.codegen.ir import Program


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


def make(program: Program, language: str, *, comments: bool = False) -> Generated:
    """The program in a language; UsageError names those there are.

    A program is bytes: letters of names that Latin-1 does not have are escaped as in Python.
    """
    labels = {
        own: label.encode("latin-1", "backslashreplace").decode("latin-1")
        for own, label in program.labels.items()
    }
    return find_back_end(language).generate(replace(program, labels=labels), comments=comments)
