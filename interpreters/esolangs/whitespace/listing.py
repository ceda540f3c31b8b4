"""The listing of a Whitespace program, with decimal numbers and named labels.

A label whose spelling is the bytes of a name has that name, which is how assembly writes labels.
Other labels are named L1, L2 and so on, in the order of their marks.
"""

from __future__ import annotations

from esolangs.errors import ParseError
from esolangs.listing import Listing, ListingRow
from esolangs.numbers import abbreviate
from esolangs.whitespace.assembly import readable_name, spell_name
from esolangs.whitespace.opcodes import BIG, INSTRUCTIONS, LABEL, NAME, NUMBER, PUSH
from esolangs.whitespace.parser import INVISIBLE, extract_tokens, read_instructions, token_offsets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from esolangs.source import Span
    from esolangs.whitespace.parser import ParsedCode

MISSING = "?"
"""The name of a label that the program does not mark."""
_ESCAPES = {9: r"'\t'", 10: r"'\n'", 13: r"'\r'", 27: r"'\e'", 39: r"'\''", 92: r"'\\'"}
_MAX_COMMENT = 120  # characters of a comment that are shown
_MAX_LOOKED_AT = 4096  # bytes around an instruction that are searched for comments
_MAX_DIGITS = 40
_MAX_RAW = 40


def label_names(code: ParsedCode) -> dict[bytes, str]:
    """Return a readable name for each label that the program marks; keys are label spellings."""
    own = {spelling: readable_name(spelling) for spelling in code.labels}
    taken = {name for name in own.values() if name}
    names: dict[bytes, str] = {}
    for number, (spelling, name) in enumerate(own.items(), 1):
        given = name or f"L{number}"
        while not name and given in taken:
            given += "_"
        names[spelling] = given
    return names


def visible_character(value: int) -> str:
    """Return the character with this code in quotes, or '' if it is not printable."""
    if value in _ESCAPES:
        return _ESCAPES[value]
    if 32 <= value < 0x110000 and chr(value).isprintable():
        return f"'{chr(value)}'"
    return ""


class WhitespaceListing(Listing):
    """The parsed instructions, and the error after them, if any."""

    def __init__(
        self,
        code: ParsedCode,
        spans: Sequence[Span],
        source: bytes,
        letters: bytes = INVISIBLE,
        error: ParseError | None = None,
    ) -> None:
        """Create a listing of parsed instructions, whose source bytes are ``spans``.

        letters: the three bytes that are tokens in the source; empty for assembly.
        """
        self._code = code
        self._spans = spans
        self._source = source
        self._letters = letters
        self._error = error
        self._count = len(spans)
        self.names: Mapping[bytes, str] = label_names(code)
        self._first_jumps: dict[int, int] | None = None

    def __len__(self) -> int:
        return self._count + (self._error is not None)

    def start(self, index: int) -> int:
        if index < self._count:
            return self._spans[index][0]
        return len(self._source) if self._error is None else self._error.span[0]

    def end(self, index: int) -> int:
        if index < self._count:
            return self._spans[index][1]
        return len(self._source)

    def row(self, index: int) -> ListingRow:
        if index >= self._count:
            assert self._error is not None
            return ListingRow(self._error.span, "", error=self._error.message)
        code = self._code
        name, spelling, kind = INSTRUCTIONS[code.ops[index]]
        span, comment = self._spans[index], self._comment(index)
        if kind == NUMBER:
            number, character = self._number(index), self._character(index)
            return ListingRow(span, name, number, character, comment=comment)
        if kind != NAME:
            return ListingRow(span, name, comment=comment)
        begin = code.begins[index] + len(spelling)
        operand = code.tokens[begin : code.begins[index + 1] - 1]
        named = self.names.get(operand) or readable_name(operand) or MISSING
        raw = "" if _spells(operand, named) else operand.decode() or '""'
        raw = raw if len(raw) <= _MAX_RAW else f"{raw[: _MAX_RAW - 1]}…"
        if code.ops[index] == LABEL:
            return ListingRow(span, name, named, raw=raw, marks_label=True, comment=comment)
        target = code.args[index]
        return ListingRow(
            span, name, named, raw=raw, target=target if target >= 0 else None, comment=comment
        )

    def partner(self, index: int) -> int | None:
        if index >= self._count or self._code.ops[index] != LABEL:
            return super().partner(index) if index < self._count else None
        if self._first_jumps is None:
            code = self._code
            self._first_jumps = {}
            for jump in range(self._count):
                op = code.ops[jump]
                if op != LABEL and INSTRUCTIONS[op][2] == NAME:
                    self._first_jumps.setdefault(code.args[jump], jump)
        return self._first_jumps.get(index)

    def _number(self, index: int) -> str:
        value = self._value(index)
        text = str(abbreviate(value))
        return text if len(text) <= _MAX_DIGITS else f"{text[: _MAX_DIGITS - 1]}…"

    def _value(self, index: int) -> int:
        arg = self._code.args[index]
        return self._code.constants[index] if arg == BIG else arg

    def _character(self, index: int) -> str:
        return visible_character(self._value(index)) if self._code.ops[index] == PUSH else ""

    def _comment(self, index: int) -> str:
        """Return the comments before and inside an instruction; for the last one, also after it."""
        if not self._letters:
            return ""
        first = self._spans[index - 1][1] if index else 0
        end = self._spans[index][1]
        if index == self._count - 1 and self._error is None:
            end = len(self._source)
        if end - first == self._code.begins[index + 1] - self._code.begins[index]:
            return ""  # only code
        text = self._source[first : min(end, first + _MAX_LOOKED_AT)]
        blank = dict.fromkeys(self._letters, " ")
        words = text.decode("utf-8", "replace").translate(blank).split()
        joined = " ".join(word for word in words if word.strip("\\"))
        return joined if len(joined) <= _MAX_COMMENT else f"{joined[: _MAX_COMMENT - 1]}…"


def list_source(source: bytes, letters: bytes = INVISIBLE) -> WhitespaceListing:
    """List the instructions of a source up to its first error, which is listed and not raised."""
    code, error = read_instructions(extract_tokens(source, letters), source, letters)
    offsets, begins = token_offsets(source, letters), code.begins
    spans = [
        (offsets[begins[at]], offsets[begins[at + 1] - 1] + 1) for at in range(len(begins) - 1)
    ]
    return WhitespaceListing(code, spans, source, letters, error)


def _spells(operand: bytes, name: str) -> bool:
    return spell_name(name.encode()) == operand
