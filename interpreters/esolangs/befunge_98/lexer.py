"""A Pygments lexer with a colour for each group of instructions, such as moves or files.

Every row is read from left to right, although code can also run west.  Strings, characters between
``;`` and fingerprint names look the same from both sides, but ``'`` is always read eastward.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pygments.lexer import RegexLexer
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
    Whitespace,
)


class Befunge98Lexer(RegexLexer):
    """The lexer of Befunge-98; its tokens join to exactly the original text."""

    name = "Befunge-98"
    aliases: ClassVar[Sequence[str]] = ["befunge-98", "befunge98"]
    filenames: ClassVar[Sequence[str]] = ["*.b98", "*.bf98"]
    mimetypes: ClassVar[Sequence[str]] = ["text/x-befunge-98"]
    url = "https://catseye.tc/node/Funge-98"

    tokens: ClassVar = {
        "root": [
            (r"[\r\n]+", Whitespace),
            (r"[ \t\f]+", Whitespace),
            (r'"[^"\r\n]*"(?=[1-9a-f][()])', Name.Namespace),
            (r'"[^"\r\n]*"', String.Double),
            (r'"', String.Delimiter),
            (r"'[^\r\n]", String.Char),
            (r";[^;\r\n]*;", Comment),
            (r";", Comment.Special),
            (r"[0-9a-f]+", Number),
            (r"[-+*/%!`]", Operator),
            (r"[><^v?\[\]rx]+", Keyword),  # direction
            (r"[_|w]", Keyword.Type),  # … depending on the stack
            (r"[#jk]", Keyword.Pseudo),  # skipping and repeating
            (r"[@qt]", Keyword.Reserved),  # start and end of pointers
            (r"z", Keyword.Constant),
            (r"[$:\\n]", Name.Builtin),
            (r"[{}u]", Name.Builtin.Pseudo),  # stacks of stacks
            (r"[.,~&]", Name.Function),
            (r"[io=]", Name.Function.Magic),  # files and commands
            (r"[gps']", Name.Variable),
            (r"y", Name.Variable.Magic),
            (r"[()]", Punctuation),
            (r"[A-Z]", Name.Class),
            (r".", Text),
        ],
    }
