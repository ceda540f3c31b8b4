"""A Pygments lexer that joins ``.`` and ``?`` with the character after them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Comment, Error, Keyword, Name, Operator, Punctuation, String, Whitespace


class UnlambdaLexer(RegexLexer):
    """The lexer of Unlambda 2.0; its tokens join to exactly the original text."""

    name = "Unlambda"
    aliases: ClassVar[Sequence[str]] = ["unlambda"]
    filenames: ClassVar[Sequence[str]] = ["*.unl", "*.unlambda"]
    mimetypes: ClassVar[Sequence[str]] = ["text/x-unlambda"]
    url = "http://www.madore.org/~david/programs/unlambda/"

    tokens: ClassVar = {
        "root": [
            (r"[ \t\n\r\v\f]+", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (r"`+", Punctuation),
            (r"\.(?s:.)", String.Char),
            (r"\?(?s:.)", String.Symbol),
            (r"[rR]", String.Escape),
            (r"[sSkKiI]", Keyword),  # the combinators proper
            (r"[vV]", Keyword.Constant),
            (r"[cCdDeE]", Name.Builtin),  # control of evaluation
            (r"[@|]", Operator),  # input
            (r"(?s:.)", Error),
        ],
    }
