"""Befunge-98: Funge-98 in two dimensions.

Source: Chris Pressey's Funge-98 final specification of 1998; choices that it leaves open are
explained in ``docs/languages/befunge-98.md``.
"""

from __future__ import annotations

from esolangs.language import Language, Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from esolangs.befunge_98.program import BefungeProgram
    from esolangs.language import Options


class Befunge98(Language):
    """The descriptor of Befunge-98; see :class:`esolangs.language.Language`."""

    id = "befunge-98"
    name = "Befunge-98"
    extensions = (".b98", ".bf98")
    uses_files = True
    draws = True
    options = (
        Option(
            "cell", 64, (64, "unbounded"), "size of a cell in bits; values wrap unless unbounded"
        ),
        Option("befunge", 98, (98, 93), "93: Befunge-93 on a torus of 80 × 25 cells"),
        Option("space", "unbounded", ("unbounded", "box"), "box: a torus around the program"),
        Option(
            "instructions", "all", ("all", "reduced"), "reduced: the instructions of the benchmark"
        ),
        Option(
            "unknown", "reflect", ("reflect", "ignore", "fault"), "effect of an unknown instruction"
        ),
        Option("underflow", 0, (0, "fault"), "result of popping from an empty stack"),
        Option("by-zero", 0, (0, "fault"), "result of a division by zero"),
        Option(
            "modulo",
            "truncate",
            ("truncate", "floor"),
            "sign of a remainder: of the dividend (truncate) or of the divisor (floor)",
        ),
        Option("eof", "reflect", ("reflect", -1), "effect of ~ at the end of input"),
        Option(
            "number-eof", "reflect", ("reflect", -1, "fault"), "effect of & at the end of input"
        ),
        Option("put", "cell", ("cell", "byte"), "how p and s store a value"),
    )
    dialects: Mapping[str, Options] = {
        "standard": {},
        "benchmark": {
            "space": "box",
            "instructions": "reduced",
            "unknown": "fault",
            "underflow": "fault",
            "by-zero": "fault",
            "modulo": "floor",
            "eof": -1,
            "number-eof": "fault",
            "put": "byte",
        },
    }

    def parse(self, source: bytes, options: Options | None = None) -> BefungeProgram:
        from esolangs.befunge_98.program import BefungeProgram

        return BefungeProgram(self, source, self.configure() if options is None else options)

    def card(self, dialect: str = "standard") -> str:
        name = "card.benchmark.md" if dialect == "benchmark" else "card.md"
        return self.read_file(name).decode()


LANGUAGE = Befunge98()
