"""The Whitespace back end, with the assembler that it uses."""

from __future__ import annotations

from esoplay.codegen.generated import BackEnd
from esoplay.codegen.whitespace.assembler import AssembledProgram, Assembler, spell_number
from esoplay.codegen.whitespace.back_end import generate

__all__ = ["BACK_END", "AssembledProgram", "Assembler", "spell_number"]

BACK_END = BackEnd("whitespace", generate)
