"""Whitespace: a stack, a heap and 24 instructions of spaces, tabs and line feeds.

Sources: the Whitespace tutorial of Edwin Brady and Chris Morris and the behaviour of wspace 0.3;
choices where implementations differ are explained in ``docs/languages/whitespace.md``.
"""

from __future__ import annotations

from esolangs.language import Language, Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from esolangs.language import Options
    from esolangs.whitespace.listing import WhitespaceListing
    from esolangs.whitespace.program import WhitespaceProgram


class Whitespace(Language):
    """The descriptor of Whitespace; see :class:`esolangs.language.Language`."""

    id = "whitespace"
    name = "Whitespace"
    extensions = (".ws",)
    options = (
        Option(
            "division",
            "floor",
            ("floor", "truncate", "mixed"),
            "how div and mod round; mixed: div truncates, mod floors",
        ),
        Option(
            "eof", -1, (-1, 0, "error", "unchanged"), "value stored by a read at the end of input"
        ),
        Option("io", "utf8", ("utf8", "bytes"), "encoding of characters"),
        Option(
            "number",
            "line",
            ("line", "token"),
            "how much input readn reads: a whole line, or one number in it",
        ),
        Option("labels", "first", ("first", "error"), "treatment of a label that is marked twice"),
        Option(
            "notation",
            "invisible",
            ("invisible", "visible", "assembly"),
            "notation of the source: whitespace, the letters S T L, or mnemonics",
        ),
    )
    dialects: Mapping[str, Options] = {
        "standard": {},
        "benchmark": {"division": "mixed", "number": "token", "labels": "error"},
    }

    def parse(self, source: bytes, options: Options | None = None) -> WhitespaceProgram:
        from esolangs.whitespace.program import WhitespaceProgram

        return WhitespaceProgram(self, source, self.configure() if options is None else options)

    def listing(self, source: bytes, options: Options | None = None) -> WhitespaceListing | None:
        """Return a listing, or None for a source in mnemonics."""
        from esolangs.whitespace.listing import list_source
        from esolangs.whitespace.parser import INVISIBLE, VISIBLE

        notation = (self.configure() if options is None else options)["notation"]
        if notation == "assembly":
            return None
        return list_source(source, VISIBLE if notation == "visible" else INVISIBLE)

    def card(self, dialect: str = "standard") -> str:
        name = "card.benchmark.md" if dialect == "benchmark" else "card.standard.md"
        return super().card() + "\n" + self.read_file(name).decode()


LANGUAGE = Whitespace()
