"""A parsed Brainfuck program."""

from __future__ import annotations

from array import array

from esolangs.brainfuck.machine import BrainfuckMachine
from esolangs.brainfuck.parser import command_codes, command_offsets, match_brackets
from esolangs.core_machine import CoreProgram
from esolangs.engines import Engine
from esolangs.errors import OptionError
from esolangs.limits import UNLIMITED, Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from esolangs.brainfuck._core import Core
    from esolangs.language import Language, Options
    from esolangs.source import Span
    from esolangs.stops import Address
    from esolangs.tally import IndexedTally

MANY = 64
"""Locations from which on all commands are gone through rather than each location looked up."""

ENGINE = Engine(__name__, Blocks="_blocks", Core="_core")


class BrainfuckProgram(CoreProgram):
    """Commands are numbered from 0 in source order; ``offsets`` leads back to the source."""

    machine_class = BrainfuckMachine

    def __init__(self, language: Language, source: bytes, options: Options, engine: Any = None):
        """Raises ParseError.  ``engine`` picks the compiled or the plain core; tests use both."""
        if options["tape"] == "wrap" and not options["size"]:
            raise OptionError("option tape=wrap needs a tape of fixed size, such as size=30000")
        if options["tape"] == "both-ways" and options["size"]:
            raise OptionError("option tape=both-ways means a tape without ends: leave size at 0")
        if int(options["size"]) > UNLIMITED:
            raise OptionError(f"option size takes at most {UNLIMITED} cells")
        engine = engine or ENGINE
        self.language = language
        self.source = source
        self.options = options
        self.engine = engine.name
        self.code = command_codes(source)
        self.match, self.depth = match_brackets(source, self.code)
        self._offsets: array[int] | None = None
        self._enclosing: array[int] | None = None
        self._new_blocks, self._new_core = engine.Blocks, engine.Core
        self._tables: tuple[Any, ...] | None = None

    @property
    def tables(self) -> tuple[Any, ...]:
        """What cores run by; made on first use, as finding what is wrong needs no blocks."""
        if self._tables is None:
            blocks = self._new_blocks(self.code, self.match, self.depth)
            code = bytearray(self.code)
            self._tables = code, self.match, self.depth, blocks.ops, blocks.entry, max(self.depth)
        return self._tables

    @property
    def offsets(self) -> array[int]:
        """Source offset of every command; found on first use, as plain runs need none."""
        if self._offsets is None:
            self._offsets = command_offsets(self.source)
        return self._offsets

    @property
    def enclosing(self) -> array[int]:
        """For every command the ``[`` of the innermost loop around it, or -1."""
        if self._enclosing is None:
            self._enclosing = array("i", [-1]) * len(self.code)
            inner = -1
            for at, partner in enumerate(self.match):
                if partner >= 0 and partner < at:
                    inner = self._enclosing[partner]
                self._enclosing[at] = inner
                if partner > at:
                    inner = at
                elif partner >= 0:
                    self._enclosing[at] = partner
            # a "]" belongs to its loop: it decides whether the loop goes on
        return self._enclosing

    def new_core(self, limits: Limits) -> Core:
        """A core at step 0 under this program's options."""
        options = self.options
        bits = int(options["cell"])
        eof = -2 if options["eof"] == "unchanged" else int(options["eof"])
        cells = max(1, min(limits.memory, UNLIMITED) // (bits // 8))
        return self._new_core(
            self.tables,
            bits,
            eof,
            str(options["tape"]),
            int(options["size"]),
            cells,
            min(limits.output, UNLIMITED),
        )

    def spans(self) -> tuple[Span, ...]:
        return tuple((offset, offset + 1) for offset in self.offsets[:-1])

    def new_tally(self) -> IndexedTally:
        from esolangs.tally import IndexedTally

        return IndexedTally(self.offsets)

    def instruction_at(self, offset: int) -> Span | None:
        from bisect import bisect_left

        at = bisect_left(self.offsets, offset, hi=len(self.offsets) - 1)
        return (offset, offset + 1) if self.offsets[at] == offset < len(self.source) else None

    def reads(self, cell: Address) -> tuple[tuple[str, ...], str] | None:
        return ((".", "[", "]"), f"ptr == {cell}") if isinstance(cell, int) else None

    def register_names(self) -> Mapping[str, str]:
        return {
            "ptr": "the pointer",
            "value": "the cell under the pointer",
            "depth": "loops around the next instruction",
        }

    def marks_at(self, locations: Collection[Address]) -> bytearray:
        """A 1 for each command that stands at one of the locations, else 0."""
        size = len(self.source)
        wanted = [at for at in locations if isinstance(at, int) and 0 <= at < size]
        if len(wanted) < MANY:
            marks = bytearray(len(self.code))
            for at in map(self.command_at, wanted):
                if at >= 0:
                    marks[at] = 1
            return marks
        by_offset = bytearray(size + 1)
        for at in wanted:
            by_offset[at] = 1
        return bytearray(map(by_offset.__getitem__, self.offsets))

    def command_at(self, offset: int) -> int:
        """The number of the command at a source offset; -1 on comment."""
        from bisect import bisect_left

        at = bisect_left(self.offsets, offset, hi=len(self.offsets) - 1)
        return at if self.offsets[at] == offset < len(self.source) else -1
