"""A loaded Befunge program.  Any bytes are one."""

from __future__ import annotations

from esolangs.befunge_98.machine import BefungeMachine
from esolangs.befunge_98.opcodes import FAULT, IGNORE, REFLECT, codes
from esolangs.befunge_98.parser import Layout
from esolangs.engines import Engine
from esolangs.language import Program
from esolangs.limits import UNLIMITED, Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from esolangs.befunge_98._core import Core
    from esolangs.language import Language, Options
    from esolangs.machine import Snapshot
    from esolangs.source import Span
    from esolangs.tally import PlaneTally
    from esolangs.world import World

SIZE_93 = (80, 25)  # Befunge-93's page: columns and rows

ENGINE = Engine(__name__, Core="_core", IP="_core")


class BefungeProgram(Program):
    """The source as a plane; ``layout`` leads from its cells back to its bytes."""

    def __init__(self, language: Language, source: bytes, options: Options, engine: Any = None):
        """``engine`` picks the compiled or the plain core; tests use both.

        Cells without bound are beyond the compiled core, so the plain one is taken for them.
        """
        engine = engine or ENGINE
        self.language = language
        self.source = source
        self.options = options
        self.engine = engine.name
        self.new_ip = engine.IP
        self._new_core = engine.Core
        if options["cell"] == "unbounded":
            from esolangs.befunge_98 import _core as plain

            self.engine, self.new_ip, self._new_core = "plain", plain.IP, plain.Core
        old = options["befunge"] == 93
        self.torus = old or options["space"] == "box"
        self.codes = codes("93" if old else str(options["instructions"]))
        self.layout = Layout(source, SIZE_93 if old else None, self.torus)
        if old:
            self.layout.width, self.layout.height = SIZE_93
        self._plane: bytes | None = None
        self._spans: tuple[Span, ...] | None = None

    def start(
        self,
        stdin: bytes = b"",
        *,
        closed: bool = True,
        seed: int = 0,
        limits: Limits | None = None,
        world: World | None = None,
    ) -> BefungeMachine:
        machine = BefungeMachine(self, stdin, closed, seed, limits or Limits(), world)
        machine.begin()
        return machine

    def resume(
        self,
        snapshot: Snapshot,
        stdin: bytes = b"",
        *,
        closed: bool = True,
        limits: Limits | None = None,
        world: World | None = None,
    ) -> BefungeMachine:
        machine = BefungeMachine(self, stdin, closed, 0, limits or Limits(), world)
        machine.restore(snapshot)
        return machine

    def new_core(self, limits: Limits, seed: int, extras: Any) -> Core:
        """A core without a program under these options."""
        options = self.options
        old = options["befunge"] == 93
        unknown = {"reflect": IGNORE if old else REFLECT, "ignore": IGNORE, "fault": FAULT}
        rules = {
            "unbounded": options["cell"] == "unbounded",
            "sgml": not old,
            "torus": self.torus,
            "outside_is_nothing": old,
            "strict": options["underflow"] == "fault",
            "zero_fault": options["by-zero"] == "fault",
            "floored": options["modulo"] == "floor",
            "unknown": unknown[str(options["unknown"])],
            "eof_value": old or options["eof"] == -1,
            "number_value": options["number-eof"] == -1
            or (old and options["number-eof"] != "fault"),
            "number_fault": options["number-eof"] == "fault",
            "byte_cells": options["put"] == "byte",
        }
        memory, output = min(limits.memory, UNLIMITED), min(limits.output, UNLIMITED)
        return self._new_core(self.codes, rules, seed, memory, output, extras)

    def load(self, core: Core, most_memory: int) -> None:
        """Put the program into a new core."""
        layout = self.layout
        if self._plane is None and layout.width * layout.height <= most_memory:
            self._plane = layout.plane()
        core.begin(self._plane, layout.width, layout.height, layout.far)

    def spans(self) -> tuple[Span, ...]:
        if self._spans is None:
            found: list[Span] = []
            for y, row in enumerate(self.layout.rows):
                for x, byte in enumerate(row):
                    if byte != 32:
                        offset = self.layout.offset_of(x, y)
                        if offset is not None:
                            found.append((offset, offset + 1))
            self._spans = tuple(found)
        return self._spans

    def new_tally(self) -> PlaneTally:
        from esolangs.tally import PlaneTally

        return PlaneTally((0, 0, self.layout.width, self.layout.height))

    def instruction_at(self, offset: int) -> Span | None:
        point = self.layout.point_of(offset)
        return None if point is None or self.source[offset] == 32 else (offset, offset + 1)

    def address_of(self, offset: int) -> tuple[int, int] | int:
        """The cell that a byte was loaded into; the offset itself where it made none."""
        point = self.layout.point_of(offset)
        return offset if point is None else point

    def register_names(self) -> Mapping[str, str]:
        return {
            "x": "column of the IP that executes next",
            "y": "row of that IP",
            "dx": "its delta to the right",
            "dy": "its delta downwards",
            "ox": "column of its storage offset",
            "oy": "row of its storage offset",
            "top": "the uppermost value of its stack, 0 when it is empty",
            "depth": "cells on its uppermost stack (TOSS)",
            "stacks": "stacks on its stack of stacks",
            "string": "1 inside a string, else 0",
            "repeats": "executions that a k has still to do",
            "id": "number of that IP, from 0",
            "ips": "how many IPs there are",
            "tick": "rounds over all IPs so far",
        }
