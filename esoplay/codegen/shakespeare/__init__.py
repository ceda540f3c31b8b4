"""Shakespeare: the back end, and the writer of scripts that it works with."""

from __future__ import annotations

from esoplay.codegen.generated import Generated
from esoplay.codegen.ir import Program
from esoplay.codegen.shakespeare.generating import generate
from esoplay.codegen.shakespeare.script import Rendered, Script
from esoplay.codegen.shakespeare.vocabulary import Vocabulary

__all__ = ["BACK_END", "Rendered", "Script", "Vocabulary"]


class _Shakespeare:
    language = "shakespeare"
    ints = None
    intermediates = None

    def generate(self, program: Program, *, comments: bool = False) -> Generated:
        return generate(program, comments=comments)


BACK_END = _Shakespeare()
