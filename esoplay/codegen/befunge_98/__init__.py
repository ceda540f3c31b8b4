"""Befunge-98: the back end, and the pages, boxes and layout that it writes with."""

from __future__ import annotations

from esoplay.codegen.befunge_98.generating import generate
from esoplay.codegen.befunge_98.layout import WIDTH, lay_out
from esoplay.codegen.befunge_98.memory import INTS, STACK
from esoplay.codegen.befunge_98.numbers import spell
from esoplay.codegen.befunge_98.page import Page
from esoplay.codegen.befunge_98.pieces import Box, Choice, Code, Loop, Sequence
from esoplay.codegen.generated import BackEnd

__all__ = [
    "BACK_END",
    "WIDTH",
    "Box",
    "Choice",
    "Code",
    "Loop",
    "Page",
    "Sequence",
    "lay_out",
    "spell",
]

BACK_END = BackEnd("befunge-98", generate, INTS, STACK)
