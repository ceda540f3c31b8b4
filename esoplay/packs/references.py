"""References: programs that solve a problem, handwritten or generated from a Python source."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from esolangs.errors import EngineError
from esolangs.registry import find_language
from esoplay.codegen.back_ends import back_end_ids
from esoplay.codegen.errors import SourceError
from esoplay.errors import PackError, UsageError
from esoplay.grading.problem import Problem
from esoplay.packs.catalogue import get_problem
from esoplay.running.run import bytes_as_json
from esoplay.version import VERSION

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap
    from esoplay.programs.generation import GeneratedProgram

__all__ = [
    "Reference",
    "find_reference",
    "generated_reference",
    "has_reference",
    "reference_digest",
]


_MAX_CACHED = 128
"""Maximum number of generated programs in the cache; a program with its map has at most 0.2 MB."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A program that solves a problem.

    by_hand: whether the program is handwritten; otherwise it was generated.
    source_name, source_text: file name of the problem's source, such as ``E08.py``, and its text,
        also for a handwritten program; the text is None if the problem has no source.
    source_map: maps the generated program to the source; None for a handwritten one.
    """

    program: bytes
    by_hand: bool
    source_name: str
    source_text: str | None
    source_map: SourceMap | None

    def as_json(self) -> dict[str, Any]:
        """Return all fields except the source map as JSON.

        The program is text or, if it is not UTF-8, in base64.
        """
        return {
            **bytes_as_json("program", self.program),
            "by_hand": self.by_hand,
            "source": self.source_text,
            "source_name": self.source_name,
        }


def find_reference(
    problem: Problem | str, language: str, *, pack: str | Path | None = None
) -> Reference | None:
    """Return the handwritten reference or, without one, the generated reference; else None.

    ``problem``: a loaded problem, or the id of one in ``pack``. Generating takes at most 0.1 s,
    once per process.  Thread-safe. Raises UsageError for an unknown language, UnknownProblem for an
    unknown problem, and PackError for an invalid source.
    """
    found, id = _as_problem(problem, pack), _find_language_id(language)
    program = found.reference(id)
    if program is None:
        return generated_reference(found, id)
    return Reference(program, True, _source_name(found), found.solution_source(), None)


def generated_reference(
    problem: Problem | str, language: str, *, pack: str | Path | None = None
) -> Reference | None:
    """Return the program generated from the source, even if a handwritten one exists.

    Return None if the problem has no source or the language has no back end; otherwise like
    ``find_reference``.
    """
    found, id = _as_problem(problem, pack), _find_language_id(language)
    text = found.solution_source()
    if text is None or id not in back_end_ids():
        return None
    try:
        with _generation_lock:
            made = _generate(text, id, _source_name(found))
    except SourceError as error:
        raise PackError(f"{found.folder}: {error}") from error
    return Reference(made.source, False, _source_name(found), text, made.source_map)


def reference_digest(problem: Problem, language: str) -> str | None:
    """Return a digest that identifies the version of a reference; None without a reference.

    No reference is generated: the digest of a generated reference depends only on its source and on
    the version of esoplay.
    """
    program = problem.reference(language)
    if program is None:
        if not has_reference(problem, language):
            return None
        program = f"{VERSION}\n{problem.solution_source()}".encode()
    return sha256(program).hexdigest()


def has_reference(problem: Problem | str, language: str, *, pack: str | Path | None = None) -> bool:
    """Return whether a problem has a reference in a language, without generating it."""
    found, id = _as_problem(problem, pack), _find_language_id(language)
    if found.reference(id) is not None:
        return True
    return id in back_end_ids() and found.solution_source() is not None


_generation_lock = threading.Lock()  # two threads must not generate the same program at once


@lru_cache(_MAX_CACHED)
def _generate(text: str, language: str, name: str) -> GeneratedProgram:
    from esoplay.programs.generation import (
        generate,
    )  # imported late: starting does not need the compiler

    return generate(text, language, name=name)


def _as_problem(problem: Problem | str, pack: str | Path | None) -> Problem:
    return get_problem(problem, pack) if isinstance(problem, str) else problem


def _find_language_id(language: str) -> str:
    try:
        return find_language(language).id
    except EngineError as error:
        raise UsageError(str(error)) from None


def _source_name(problem: Problem) -> str:
    return f"{problem.id}.py"
