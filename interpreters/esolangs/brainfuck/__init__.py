"""Brainfuck: eight commands on a tape.

Sources: Urban Müller's distribution of 1993 for the commands; choices where implementations differ
are explained in ``docs/languages/brainfuck.md``.
"""

from __future__ import annotations

from esolangs.language import Language, Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from esolangs.brainfuck.program import BrainfuckProgram
    from esolangs.language import Options


class Brainfuck(Language):
    """The descriptor of Brainfuck; see :class:`esolangs.language.Language`."""

    id = "brainfuck"
    name = "Brainfuck"
    extensions = (".bf", ".b")
    options = (
        Option("cell", 8, (8, 16, 32), "bits of a cell; values wrap around"),
        Option("tape", "error", ("error", "wrap", "both-ways"), "effect of moving left of cell 0"),
        Option("size", 0, (), "number of cells; 0 lets the tape grow"),
        Option("eof", 0, (0, -1, "unchanged"), "value stored by a read at the end of input"),
    )
    dialects: Mapping[str, Options] = {"standard": {}, "benchmark": {}}

    def parse(self, source: bytes, options: Options | None = None) -> BrainfuckProgram:
        from esolangs.brainfuck.program import BrainfuckProgram

        return BrainfuckProgram(self, source, self.configure() if options is None else options)


LANGUAGE = Brainfuck()
