"""Constants that a language's ints cannot be, which would be other numbers when a program runs."""

from __future__ import annotations

from esoplay.codegen.errors import Errors, SourceError
from esoplay.codegen.ir import Number, Program, nodes


def check_constants(program: Program, ints: range, language: str, name: str) -> None:
    """Raise SourceError for the ints that are spelled and not in a back end's ``ints``."""
    errors = Errors()
    for node, _, origin in nodes(program):
        if isinstance(node, Number) and node.type == "int" and node.value not in ints:
            line, column = (origin.own.line, origin.own.column) if origin else (1, 1)
            message = (
                f"{node.value:,} is no int in {language}: they go from {ints[0]:,} to {ints[-1]:,}"
            )
            errors.add(SourceError(message, line, column, name))
    if errors:
        raise errors.all()
