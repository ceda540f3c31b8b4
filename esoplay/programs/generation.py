"""Generate esoteric programs from sources in a subset of Python; see ``docs/write-once.md``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from esolangs.errors import EngineError
from esolangs.language import Language
from esolangs.registry import find_language
from esoplay.codegen.back_ends import back_end_ids, find_back_end, generate_program
from esoplay.codegen.cpython import run_source
from esoplay.codegen.grammar import source_text
from esoplay.codegen.lowering import compile_source
from esoplay.codegen.source_map import MAP_SUFFIX, SourceMap, check_distinct_paths, make_map
from esoplay.errors import UsageError
from esoplay.running.run import bytes_as_json

__all__ = [
    "MAP_SUFFIX",
    "GeneratedProgram",
    "back_end_ids",
    "check_distinct_paths",
    "generate",
    "run_in_python",
    "source_text",
]


@dataclass(frozen=True, slots=True)
class GeneratedProgram:
    """Generated program in one language, with its source map."""

    language: str
    extension: str
    source: bytes
    source_map: SourceMap

    def as_json(self) -> dict[str, Any]:
        """Return the program in the format of ``esoplay generate --json``."""
        return {
            "language": self.language,
            **bytes_as_json("program", self.source),  # as in `debug.open`
            "size": len(self.source),
            "source_map": self.source_map.as_json(),
        }


def generate(
    text: str, language: str, *, name: str = "source", comments: bool = False
) -> GeneratedProgram:
    """Compile a source in a subset of Python to a program in ``language``.

    name: file name of the source in errors and in the source map.
    Raises SourceError with line and column, and UsageError for a language without a back end.
    """
    target = _target(language)
    program = compile_source(text, name, target.id)
    made = generate_program(program, target.id, name=name, comments=comments)
    return GeneratedProgram(
        target.id,
        target.extensions[0],
        made.text.encode("latin-1"),
        make_map(made, name, text, program.labels),
    )


def run_in_python(
    text: str,
    stdin: bytes,
    *,
    name: str = "source",
    language: str | None = None,
    write: Callable[[bytes], object] | None = None,
) -> bytes:
    """Run a source in CPython, and return its output; see ``codegen.cpython.run_source``."""
    id = _target(language).id if language is not None else None
    return run_source(text, stdin, name=name, language=id, write=write)


def _target(language: str) -> Language:
    """Return the language with this id or alias; raise UsageError if it has no back end."""
    try:
        found = find_language(language)
    except EngineError as error:
        raise UsageError(str(error)) from None
    find_back_end(found.id)
    return found
