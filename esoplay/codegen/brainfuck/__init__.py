"""The Brainfuck back end, with the layer of named cells, ints and arrays that it uses."""

from __future__ import annotations

from esoplay.codegen.brainfuck.back_end import INTS, generate
from esoplay.codegen.brainfuck.layout import Names
from esoplay.codegen.brainfuck.tape_builder import TapeBuilder, build
from esoplay.codegen.brainfuck.writer import Writer
from esoplay.codegen.generated import BackEnd

__all__ = ["BACK_END", "Machine", "Names", "TapeBuilder", "Writer", "build"]

Machine = TapeBuilder
"""The former name of :class:`TapeBuilder`, which recipes may still use."""

BACK_END = BackEnd("brainfuck", generate, INTS, INTS)
