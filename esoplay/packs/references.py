"""References: programs that solve a problem, written by hand or made from its write-once source."""

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
    "generated_reference",
    "has_reference",
    "reference_digest",
    "reference_of",
]


_KEPT = 128
"""Generated programs that are cached: with its map one takes 0.2 MB at most."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A program that solves a problem.

    by_hand: whether somebody wrote it; else it was made from the source.
    source_name, source_text: of the problem's write-once source, also beside a program that was
    written by hand; the name is one for a file, such as ``E08.py``, and the text None where the
    problem has no source.
    source_map: leads from the program to the source; None where the program was not made from it.
    """

    program: bytes
    by_hand: bool
    source_name: str
    source_text: str | None
    source_map: SourceMap | None

    def as_json(self) -> dict[str, Any]:
        """The program as text, or in base64 where it is not UTF-8, and the source."""
        return {
            **bytes_as_json("program", self.program),
            "by_hand": self.by_hand,
            "source": self.source_text,
            "source_name": self.source_name,
        }


def reference_of(
    problem: Problem | str, language: str, *, pack: str | Path | None = None
) -> Reference | None:
    """The reference to read: the one written by hand if there is one, else what is generated.

    ``problem``: one that was loaded, or the id of one in ``pack``.  None where there is neither.
    Generating one needs up to 0.1 s, and each is made once in a process; any thread may ask.
    Raises UsageError for an unknown language, UnknownProblem, and PackError for a source that is
    none.
    """
    found, id = _found(problem, pack), _language(language)
    program = found.reference(id)
    if program is None:
        return generated_reference(found, id)
    return Reference(program, True, _name(found), found.source(), None)


def generated_reference(
    problem: Problem | str, language: str, *, pack: str | Path | None = None
) -> Reference | None:
    """The program made from the source, with its map, also where one was written by hand.

    None where the problem has no source or the language no back end; else as ``reference_of``.
    """
    found, id = _found(problem, pack), _language(language)
    text = found.source()
    if text is None or id not in back_end_ids():
        return None
    try:
        with _making:
            made = _made(text, id, _name(found))
    except SourceError as error:
        raise PackError(f"{found.folder}: {error}") from error
    return Reference(made.source, False, _name(found), text, made.source_map)


def reference_digest(problem: Problem, language: str) -> str | None:
    """Return a digest that identifies a reference's version without making it; None without one.

    A generated one is another one when its source or the version of esoplay is.
    """
    program = problem.reference(language)
    if program is None:
        if not has_reference(problem, language):
            return None
        program = f"{VERSION}\n{problem.source()}".encode()
    return sha256(program).hexdigest()


def has_reference(problem: Problem | str, language: str, *, pack: str | Path | None = None) -> bool:
    """Whether there is a reference, without making it."""
    found, id = _found(problem, pack), _language(language)
    if found.reference(id) is not None:
        return True
    return id in back_end_ids() and found.source() is not None


_making = threading.Lock()  # two threads that want the same one shall not both make it


@lru_cache(_KEPT)
def _made(text: str, language: str, name: str) -> GeneratedProgram:
    from esoplay.programs.generation import generate  # the compiler is not needed to start

    return generate(text, language, name=name)


def _found(problem: Problem | str, pack: str | Path | None) -> Problem:
    return get_problem(problem, pack) if isinstance(problem, str) else problem


def _language(language: str) -> str:
    try:
        return find_language(language).id
    except EngineError as error:
        raise UsageError(str(error)) from None


def _name(problem: Problem) -> str:
    return f"{problem.id}.py"
