"""The functions of ``import esolangs`` for parsing and running programs; see ``docs/api.md``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from esolangs.registry import find_language, language_ids

if TYPE_CHECKING:
    from collections.abc import Mapping

    from esolangs.errors import Fault
    from esolangs.language import Language, Program
    from esolangs.limits import Limits, World
    from esolangs.view import LimitKind, Status

_SLICE = 1_000_000  # steps between two checks for Ctrl-C


class ProgramResult(NamedTuple):
    """The result of a run.

    status: ``halted``, ``faulted`` or ``limited``.  output: the bytes printed, including bytes
    before a fault.  steps: steps executed.  input_position: bytes read.  memory: peak number of
    bytes in use, by the language's cost model.  fault: set when ``faulted``.  limit: the limit
    reached, when ``limited``.
    exit_code: the exit code that the program set, or None.
    """

    status: Status
    output: bytes
    steps: int
    input_position: int
    memory: int
    fault: Fault | None
    limit: LimitKind | None
    exit_code: int | None


def languages() -> list[Language]:
    """Return the installed languages, sorted by id, without loading an engine."""
    return [find_language(id) for id in language_ids()]


def parse(
    language: str | Language,
    source: bytes,
    *,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
) -> Program:
    """Parse a program.

    language: id or descriptor of the language.  options: values that override the dialect's.

    Raises UnknownLanguage if the language is not installed, OptionError if the dialect or an option
    is invalid, and ParseError, with a line and a column, if the source is invalid.
    """
    if isinstance(language, str):
        language = find_language(language)
    return language.parse(source, language.configure(dialect, options))


def run(
    program: Program,
    stdin: bytes = b"",
    *,
    limits: Limits | None = None,
    seed: int = 0,
    world: World | None = None,
) -> ProgramResult:
    """Run a program until it ends, faults or reaches a limit.

    limits: limits on steps, output bytes and memory bytes; by default the number of steps is
    unlimited, so an endless program runs until Ctrl-C.  seed: seed of the program's random numbers.
    world: the files and the clock that the program can access; by default none.  Two runs with
    equal arguments have equal results.  A fault of the program is returned, not raised.
    """
    machine = program.start(stdin, limits=limits, seed=seed, world=world)
    status = machine.status
    while status == "running":
        status = machine.run(_SLICE)
    return ProgramResult(
        status,
        machine.take_output(),
        machine.steps,
        machine.input_position,
        machine.memory,
        machine.fault,
        machine.limit,
        machine.exit_code,
    )
