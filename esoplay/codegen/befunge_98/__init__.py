"""The Befunge-98 back end, with the pages, boxes and layout that it uses."""

from __future__ import annotations

from esoplay.codegen.befunge_98.back_end import generate
from esoplay.codegen.befunge_98.layout import WIDTH, Box, Choice, Code, Loop, Sequence, lay_out
from esoplay.codegen.befunge_98.memory import INTS, STACK_INTS, spell
from esoplay.codegen.befunge_98.page import Page
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

BACK_END = BackEnd("befunge-98", generate, INTS, STACK_INTS)
