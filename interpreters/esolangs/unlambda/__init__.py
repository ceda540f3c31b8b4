"""Unlambda 2.0: combinators applied to each other, nothing else.

Sources: David Madore's description of the language (version 2) for the meaning; choices where
implementations differ are explained in ``docs/languages/unlambda.md``.
"""

from __future__ import annotations

from esolangs.language import Language, Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from esolangs.language import Options
    from esolangs.unlambda.program import UnlambdaProgram


class Unlambda(Language):
    """The descriptor of Unlambda; see :class:`esolangs.language.Language`."""

    id = "unlambda"
    name = "Unlambda"
    extensions = (".unl", ".unlambda")
    options: tuple[Option, ...] = ()
    dialects: Mapping[str, Options] = {"standard": {}, "benchmark": {}}

    def parse(self, source: bytes, options: Options | None = None) -> UnlambdaProgram:
        from esolangs.unlambda.program import UnlambdaProgram

        return UnlambdaProgram(self, source, self.configure() if options is None else options)


LANGUAGE = Unlambda()
