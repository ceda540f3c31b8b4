"""Engines for esoteric languages: parse, run, step, snapshot, view.

The package uses only the standard library and does not depend on the application, so any other
program can embed it::

    import esolangs

    program = esolangs.parse("brainfuck", b",[.,]")
    esolangs.run(program, b"hello").output      # b"hello"

    machine = program.start(b"hello")
    machine.step()                              # the effects of the first step

The names in ``__all__`` are stable; ``docs/api.md`` describes them.  Each is loaded when it is
first used, so importing the package is fast.

Each language is one folder next to this file; a folder that exports ``LANGUAGE``
is installed (see :mod:`esolangs.registry`).  A language imports the contracts in
this folder, never another language and never the application.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.api import ProgramResult, languages, parse, run
    from esolangs.errors import EngineError, Fault, OptionError, ParseError, UnknownLanguage
    from esolangs.language import Language, Program
    from esolangs.limits import Limits, World
    from esolangs.machine import Machine, Snapshot
    from esolangs.registry import find_language, language_ids, language_of_file
    from esolangs.stops import Leap, Slot, Step, StopSet, Write
    from esolangs.view import View, Window, as_json

__all__ = [
    "EngineError",
    "Fault",
    "Language",
    "Leap",
    "Limits",
    "Machine",
    "OptionError",
    "ParseError",
    "Program",
    "ProgramResult",
    "Slot",
    "Snapshot",
    "Step",
    "StopSet",
    "UnknownLanguage",
    "View",
    "Window",
    "World",
    "Write",
    "as_json",
    "find_language",
    "language_ids",
    "language_of_file",
    "languages",
    "parse",
    "run",
]

_HOMES = {
    "api": ("ProgramResult", "languages", "parse", "run"),
    "errors": ("EngineError", "Fault", "OptionError", "ParseError", "UnknownLanguage"),
    "language": ("Language", "Program"),
    "limits": ("Limits", "World"),
    "machine": ("Machine", "Snapshot"),
    "registry": ("find_language", "language_ids", "language_of_file"),
    "stops": ("Leap", "Slot", "Step", "StopSet", "Write"),
    "view": ("View", "Window", "as_json"),
}


def __getattr__(name: str) -> object:
    """Return a public name, imported from the module that defines it."""
    for home, names in _HOMES.items():
        if name in names:
            from importlib import import_module

            value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
