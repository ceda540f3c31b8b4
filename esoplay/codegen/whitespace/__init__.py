"""Whitespace: the back end, and the assembler that it writes with."""

from __future__ import annotations

from esoplay.codegen.generated import Generated
from esoplay.codegen.ir import Program
from esoplay.codegen.whitespace.assembler import Assembled, Assembler, spell_number
from esoplay.codegen.whitespace.generating import generate

__all__ = ["BACK_END", "Assembled", "Assembler", "spell_number"]


class _Whitespace:
    language = "whitespace"
    ints = None
    intermediates = None

    def generate(self, program: Program, *, comments: bool = False) -> Generated:
        return generate(program, comments=comments)


BACK_END = _Whitespace()
