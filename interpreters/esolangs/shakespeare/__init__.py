"""Shakespeare: programs that read like plays.

Sources: Karl Hasselström and Jon Åslund, The Shakespeare Programming Language (2001), and their
compiler spl 1.2.1; choices where implementations differ are explained in
``docs/languages/shakespeare.md``.
"""

from __future__ import annotations

from esolangs.language import Language, Option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from esolangs.language import Options
    from esolangs.shakespeare.program import ShakespeareProgram


class Shakespeare(Language):
    """The descriptor of Shakespeare; see :class:`esolangs.language.Language`."""

    id = "shakespeare"
    name = "Shakespeare"
    extensions = (".spl",)
    options = (
        Option("number", "line", ("line", "digits"), "how 'Listen to your heart' reads a number"),
        Option("io", "utf8", ("utf8", "bytes"), "encoding of characters in input and output"),
        Option(
            "missing",
            "refused",
            ("refused", "fault"),
            "whether a play may name missing scenes and characters",
        ),
    )
    dialects: Mapping[str, Options] = {
        "standard": {},
        "benchmark": {"number": "digits", "missing": "fault"},
    }

    def parse(self, source: bytes, options: Options | None = None) -> ShakespeareProgram:
        from esolangs.shakespeare.program import ShakespeareProgram

        return ShakespeareProgram(self, source, self.configure() if options is None else options)

    def card(self, dialect: str = "standard") -> str:
        text = super().card()
        if dialect != "benchmark":
            return text
        text = text.replace("read a line that begins with an integer", "read digits (see below)")
        return text + "\n" + self.read_file("card.benchmark.md").decode()


LANGUAGE = Shakespeare()
