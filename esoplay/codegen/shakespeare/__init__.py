"""The Shakespeare back end, with the writer of plays that it uses."""

from __future__ import annotations

from esoplay.codegen.generated import BackEnd
from esoplay.codegen.shakespeare.back_end import generate
from esoplay.codegen.shakespeare.script import RenderedPlay, Script
from esoplay.codegen.shakespeare.vocabulary import Vocabulary

__all__ = ["BACK_END", "RenderedPlay", "Script", "Vocabulary"]

BACK_END = BackEnd("shakespeare", generate)
