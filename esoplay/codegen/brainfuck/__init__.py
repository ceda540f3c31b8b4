"""The Brainfuck back end, with the layer of named cells, ints and arrays that it uses."""

from __future__ import annotations

from esoplay.codegen.brainfuck.back_end import INTS, generate
from esoplay.codegen.brainfuck.layout import Names
from esoplay.codegen.brainfuck.machine import Machine, build
from esoplay.codegen.brainfuck.writer import Writer
from esoplay.codegen.generated import BackEnd

__all__ = ["BACK_END", "Machine", "Names", "Writer", "build"]

BACK_END = BackEnd("brainfuck", generate, INTS, INTS)
