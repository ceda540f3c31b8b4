"""Constants that a language's ints cannot be, which would be other numbers when a program runs."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, cast

from esoplay.codegen.errors import Errors, SourceError
from esoplay.codegen.ir import Number, Origin, Program


def check_constants(program: Program, ints: range, language: str, name: str) -> None:
    """Raise SourceError for the ints that are spelled and not in a back end's ``ints``."""
    errors = Errors()
    parts: list[tuple[Any, Origin | None]] = [(program.body, None)]
    while parts:
        part, origin = parts.pop()
        if isinstance(part, Number):
            if part.type == "int" and part.value not in ints:
                line, column = (origin.own.line, origin.own.column) if origin else (1, 1)
                message = (
                    f"{part.value:,} is no int in {language}: they go from {ints[0]:,} to "
                    f"{ints[-1]:,}"
                )
                errors.add(SourceError(message, line, column, name))
        elif isinstance(part, tuple):
            parts += [(one, origin) for one in reversed(cast("tuple[Any, ...]", part))]
        elif is_dataclass(part) and not isinstance(part, Origin):
            origin = getattr(part, "origin", origin)
            parts += [(getattr(part, each.name), origin) for each in reversed(fields(part))]
    if errors:
        raise errors.all()
