"""Engines for esoteric languages: parse, run, step, snapshot, view.

The package uses the standard library alone and knows nothing of the application
around it, so any other harness can embed it::

    from esolangs import find_language

    program = find_language("brainfuck").parse(b",[.,]")
    machine = program.start(b"hello")
    machine.run(1_000)
    machine.take_output()          # b"hello"

Each language is one folder beside this file; a folder that exports ``LANGUAGE``
is installed (see :mod:`esolangs.registry`).  A language imports the contracts in
this folder, never another language and never the application.
"""

from esolangs.registry import find_language, language_ids

__all__ = ["find_language", "language_ids"]
