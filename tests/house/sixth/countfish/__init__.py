"""Countfish: one number, six commands.  A language for tests, after Deadfish.

``i`` adds 1, ``d`` takes 1, ``s`` squares, ``o`` prints the number and a newline, ``r`` adds the
next byte of input, ``j`` goes back to the start unless the number is 0.  The rest is comment.
"""

from __future__ import annotations

import os

from esolangs.language import Language, Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from esolangs.countfish.diagnosis import CountfishDiagnostics
    from esolangs.countfish.program import CountfishProgram

    from esolangs.language import Options


class Countfish(Language):
    """The descriptor; see :class:`esolangs.language.Language`."""

    id = "countfish"
    name = "Countfish"
    extensions = (".cfish",)
    options = (Option("eof", 0, (0, -1), "what a read at the end of input adds"),)
    dialects: Mapping[str, Options] = {"standard": {}, "benchmark": {"eof": -1}}

    def parse(self, source: bytes, options: Options | None = None) -> CountfishProgram:
        from esolangs.countfish.program import CountfishProgram

        return CountfishProgram(self, source, self.configure() if options is None else options)

    def card(self, dialect: str = "standard") -> str:
        return f"# Countfish\n\n{__doc__}\n"

    def sample(self) -> bytes:
        with open(os.path.join(os.path.dirname(__file__), "sample.cfish"), "rb") as file:
            return file.read()

    def starter(self) -> bytes:
        return b"# ...\n"

    def diagnostics(self) -> CountfishDiagnostics:
        from esolangs.countfish.diagnosis import CountfishDiagnostics

        return CountfishDiagnostics()


LANGUAGE = Countfish()
