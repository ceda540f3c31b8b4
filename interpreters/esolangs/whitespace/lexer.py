"""A Pygments lexer for Whitespace, by the role of each space, tab and line feed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from pygments.lexer import Lexer
from pygments.token import Comment, Error, Keyword, Name, Number, Operator

from esolangs.whitespace.opcodes import INSTRUCTIONS, NAME, NO_OPERAND, NUMBER

_LETTERS = {" ": "S", "\t": "T", "\n": "L"}
_ROLES: dict[str, Any] = {
    "S": Name.Builtin.Pseudo,  # the stack
    "TS": Operator,
    "TT": Name.Variable,  # the heap
    "TL": Name.Tag,  # input and output
    "L": Keyword,
}
_BY_SPELLING = {spelling: kind for _, spelling, kind in INSTRUCTIONS}
_BEGINNINGS = {key[:length] for key in _BY_SPELLING for length in range(1, len(key))}
_LEFT_OVER = ("L", "LL")  # at the end: ignored by the parser
_Token = tuple[int, Any, str]


class WhitespaceLexer(Lexer):
    """The lexer of Whitespace; its tokens join to exactly the original text.

    Instructions, numbers and labels each have a token type, which includes the line feed at the
    end of a number or label; everything else is comment.
    """

    name = "Whitespace"
    aliases: ClassVar[Sequence[str]] = ["whitespace"]
    filenames: ClassVar[Sequence[str]] = ["*.ws"]
    mimetypes: ClassVar[Sequence[str]] = ["text/x-whitespace"]
    url = "https://esolangs.org/wiki/Whitespace"

    def __init__(self, **options: Any) -> None:
        """Create a lexer that keeps blank lines at the start and end: they are code."""
        options = {"stripnl": False, "ensurenl": False, **options}
        super().__init__(**options)  # pyright: ignore[reportUnknownMemberType]

    def get_tokens_unprocessed(self, text: str) -> Iterator[_Token]:
        """Yield the tokens with their offsets; see :class:`pygments.lexer.Lexer`."""
        spelled = ""
        waiting: list[tuple[int, str]] = []  # pieces of an instruction whose kind is not known yet
        operand: Any = None  # the kind of the number or label that is being read
        for at, piece in _pieces(text):
            if piece not in _LETTERS:
                if waiting:
                    waiting.append((at, piece))
                else:
                    yield at, Comment, piece
                continue
            if operand is not None:
                yield at, operand, piece
                if piece == "\n":
                    operand = None
                continue
            waiting.append((at, piece))
            spelled += _LETTERS[piece]
            if spelled in _BEGINNINGS:
                continue
            kind = _BY_SPELLING.get(spelled)
            yield from _tokens_of_kind(waiting, Error if kind is None else _token_role(spelled))
            if kind is not None and kind != NO_OPERAND:
                operand = Number.Integer if kind == NUMBER else Name.Label
                assert kind in (NUMBER, NAME)
            waiting.clear()
            spelled = ""
        yield from _tokens_of_kind(waiting, Comment if spelled in _LEFT_OVER else Error)


def _token_role(spelled: str) -> Any:
    return _ROLES.get(spelled[:2]) or _ROLES[spelled[:1]]


def _tokens_of_kind(pieces: list[tuple[int, str]], kind: Any) -> Iterator[_Token]:
    for at, piece in pieces:
        yield at, kind if piece in _LETTERS else Comment, piece


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield index and text of every whitespace character and of every run of other characters."""
    begin = 0
    for at, character in enumerate(text):
        if character in _LETTERS:
            if begin < at:
                yield begin, text[begin:at]
            yield at, character
            begin = at + 1
    if begin < len(text):
        yield begin, text[begin:]
