"""The assembler and disassembler of Whitespace; ``assemble`` exactly reverses ``disassemble``.

::

    label loop           the bytes of a name are spelled with eight tokens each (S: 0, T: 1);
    push 'A'             `jump STS` gives the spelling itself, and `jump ""` an empty one.
    printc     ;prints   Numbers: 65, -3, 'A', '\\n'; a number with an unusual spelling
    jump loop            (leading zeros, no sign) is written as S and T, too.

A comment runs from a semicolon to the end of its line.  In Whitespace a comment cannot hold
whitespace: it becomes no-break spaces (U+00A0), and comments on a line of their own follow a
line separator (U+2028).  ``;@2 text`` puts a comment after the second token of the
instruction before it.  ``feed``, only at the end, is a line feed that begins no instruction.
"""

from __future__ import annotations

from array import array

from esolangs.errors import ParseError
from esolangs.numbers import MAX_BITS, decimal, from_decimal
from esolangs.whitespace.opcodes import INSTRUCTIONS, LABEL, NAME, NO_OPERAND, NUMBER
from esolangs.whitespace.parser import (
    INVISIBLE,
    VISIBLE,
    extract_tokens,
    parse,
    parse_number,
    token_offsets,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.source import Span


# Whitespace in visible notation: S, T and L for space, tab and line feed, both ways.
#
# In the visible notation every other byte is a comment, whitespace has no meaning, and a backslash
# makes the next byte a comment.  So every sequence of
# bytes has a visible form, and :func:`from_visible` undoes :func:`to_visible` exactly.

_LETTERS = {32: b"S", 9: b"T", 10: b"L\n"}
_BLANKS = {83: b" ", 84: b"\t", 76: b"\n"}
_ESCAPED = b"STL\\"
_LAYOUT = b" \t\n"
_BACKSLASH = 92
NO_BREAK_SPACE = "\u00a0".encode()
"""Represents a space inside a comment, where a space would be an instruction."""


def to_visible(source: bytes) -> bytes:
    """Return a Whitespace source in visible letters, with the same lines."""
    return b"".join(
        [
            _LETTERS.get(byte) or (b"\\%c" % byte if byte in _ESCAPED else b"%c" % byte)
            for byte in source
        ]
    )


def from_visible(text: bytes) -> bytes:
    """Return the Whitespace source of a visible text.

    Spaces between the words of a comment become no-break spaces; others are left out.
    """
    parts: list[bytes] = []
    at, size = 0, len(text)
    in_comment = False
    while at < size:
        byte = text[at]
        at += 1
        if byte in _BLANKS:
            parts.append(_BLANKS[byte])
            in_comment = False
        elif byte in _LAYOUT:
            begin = at - 1
            while at < size and text[at] in _LAYOUT:
                at += 1
            if in_comment and at < size and text[at] not in _BLANKS:
                parts.append(NO_BREAK_SPACE * text.count(b" ", begin, at) or NO_BREAK_SPACE)
        elif byte == _BACKSLASH:
            escaped = text[at : at + 1]
            at += 1
            # Whitespace cannot be part of a comment: it is always an instruction.
            parts.append(NO_BREAK_SPACE if escaped and escaped in _LAYOUT else escaped)
            in_comment = True
        else:
            parts.append(bytes((byte,)))
            in_comment = True
    return b"".join(parts)


NEW_LINE = "\u2028".encode()
_MAX_BITS_IN_DECIMAL = 4096
_MAX_NAME = 64
_FEED, _MAX_FEEDS = b"feed", 2
_NAME_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_ALIASES = {
    "pop": "discard", "drop": "discard", "load": "retrieve", "fetch": "retrieve", "jmp": "jump",
    "ret": "return", "exit": "end", "halt": "end", "putc": "printc", "outchar": "printc",
    "putn": "printn", "outnum": "printn", "getc": "readc", "readchar": "readc", "getn": "readn",
    "readnum": "readn",
}  # fmt: skip
_BY_NAME = {name: op for op, (name, _, _) in enumerate(INSTRUCTIONS)}
_BY_NAME.update({alias: _BY_NAME[name] for alias, name in _ALIASES.items()})
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "e": 27, "s": 32, "'": 39, '"': 34, "\\": 92}
_SIGNS = frozenset((b"-", b"+"))
_BASES = {b"0x": 16, b"0o": 8, b"0b": 2}
_BITS = bytes.maketrans(b"01", b"ST")
_SPELLED_BYTE = [format(byte, "08b").encode().translate(_BITS) for byte in range(256)]
_TOKENS = {VISIBLE[at]: INVISIBLE[at : at + 1] for at in range(3)}


class AssemblySource:
    """The result of assembling a text.

    source: the same program in Whitespace.  spans: of every instruction, in the text.
    """

    __slots__ = ("source", "spans")

    def __init__(self, source: bytes, spans: list[Span]):
        self.source = source
        self.spans = spans


def spell_number(value: int) -> bytes:
    """Return the shortest spelling of a number: its sign, and its bits without leading zeros."""
    sign = b"T" if value < 0 else b"S"
    return sign + (bin(abs(value))[2:].encode().translate(_BITS) if value else b"")


def spell_name(name: bytes) -> bytes:
    """Return the spelling of a label with this name; a name of only S and T is its own spelling."""
    if not name.strip(b"ST"):
        return name
    return b"".join([_SPELLED_BYTE[byte] for byte in name])


def number_text(operand: bytes) -> bytes:
    """Return the text in assembly of a number that is spelled with S and T.

    The text is decimal if the number is short and the assembler spells its decimal form in the same
    way; otherwise it is the spelling itself.
    """
    if len(operand) <= _MAX_BITS_IN_DECIMAL:
        value = parse_number(operand)
        if spell_number(value) == operand:
            return decimal(value)
    return operand


def label_text(operand: bytes) -> bytes:
    """Return a label as assembly shows it: its name, or else its spelling in S and T.

    operand: the spelling, with S for space and T for tab.  An empty label is shown as ``""``.
    """
    return readable_name(operand).encode() or operand or b'""'


def readable_name(operand: bytes) -> str:
    """Return the name whose bytes a label spells, or '' if they are not a name."""
    size = len(operand) // 8
    if len(operand) == 8 * size and 0 < size <= _MAX_NAME:
        bits = int(operand.translate(bytes.maketrans(b"ST", b"01")), 2)
        name = bits.to_bytes(size, "big")
        if _NAME_BYTES.issuperset(name) and name.strip(b"ST"):
            return name.decode()
    return ""


def instruction_text(op: int, operand: bytes) -> bytes:
    """Return an instruction in assembly."""
    name, _, kind = INSTRUCTIONS[op]
    if kind == NO_OPERAND:
        return name.encode()
    told = number_text(operand) if kind == NUMBER else label_text(operand)
    return name.encode() + b" " + told if told else name.encode()


def disassemble(source: bytes) -> bytes:
    """Return the assembly of a Whitespace program, comments included.

    Raises ParseError if it is invalid.
    """
    code = parse(extract_tokens(source), source)
    offsets = token_offsets(source)
    begins, tokens = code.begins, code.tokens
    lines = _comment_lines(source[: offsets[0]], 0)
    for at in range(len(code.ops) - 1):
        op, first, after = code.ops[at], begins[at], begins[at + 1]
        _, spelling, kind = INSTRUCTIONS[op]
        operand = b"" if kind == NO_OPERAND else tokens[first + len(spelling) : after - 1]
        line = instruction_text(op, operand)
        size = after - first
        comments = _comment_lines(source[offsets[after - 1] + 1 : offsets[after]], size, True)
        for position in range(1, size):
            comment = source[offsets[first + position - 1] + 1 : offsets[first + position]]
            comments += _comment_lines(comment, position)
        if comments and comments[0]:
            line = line.ljust(20) + comments.pop(0)
        lines.append(line if op == LABEL else b"    " + line)
        lines += filter(None, comments)
    for at in range(begins[-1], len(tokens)):
        comments = _comment_lines(source[offsets[at] + 1 : offsets[at + 1]], 1, True)
        joined = comments.pop(0) if comments and comments[0] else b""
        lines += [b"    " + _FEED.ljust(20 if joined else 0) + joined, *filter(None, comments)]
    return b"".join([line + b"\n" for line in lines])


def _comment_lines(comment: bytes, position: int, at_end: bool = False) -> list[bytes]:
    """Return the lines of a comment; the first is empty if the comment begins on the next line.

    position: number of the instruction's tokens before the comment.  at_end: whether it follows the
    whole instruction.
    """
    if not comment:
        return []
    pieces = comment.replace(NO_BREAK_SPACE, b" ").split(NEW_LINE)
    plain = at_end or position == 0
    lines: list[bytes] = []
    for at, piece in enumerate(pieces):
        if not plain or piece[:1] == b"@":
            if at == 1 and lines == [b""]:
                lines[0] = b";"  # the next line is joined to it
            lines.append(b";@%d %b" % (position, piece))
        elif at == 0 and at_end and not piece and len(pieces) > 1:
            lines.append(b"")
        else:
            lines.append(b";" + piece)
    return lines


def assemble(text: bytes) -> AssemblySource:
    """Assemble a program; raise ParseError, which points into ``text``."""
    return _Assembler(text).run()


class _Assembler:
    def __init__(self, text: bytes):
        self._text = text
        self._out: list[bytes] = []  # tokens, each with the comment after it
        self._first = 0  # index into `_out` of the instruction's first token
        self._commented: set[int] = set()  # positions within the instruction that have a comment
        self._spans: list[Span] = []
        self._feeds = 0

    def run(self) -> AssemblySource:
        self._out.append(b"")  # for comments before the first instruction
        offset = 0
        for line in self._text.split(b"\n"):
            self._assemble_line(line, offset)
            offset += len(line) + 1
        return AssemblySource(b"".join(self._out), self._spans)

    def _assemble_line(self, line: bytes, offset: int) -> None:
        words, comment = self._split_words(line, offset)
        if words:
            tokens = self._feed_tokens(words) or self._instruction_tokens(words)
            self._first = len(self._out)
            self._out += [_TOKENS[letter] for letter in tokens]
            self._commented = set()
        if comment is not None:
            self._add_comment(comment, bool(words))

    def _split_words(
        self, line: bytes, offset: int
    ) -> tuple[list[tuple[bytes, int]], bytes | None]:
        """Return the words of a line with their offsets, and its comment."""
        words: list[tuple[bytes, int]] = []
        column, size = 0, len(line)
        while column < size:
            byte = line[column : column + 1]
            if byte in b" \t\r":
                column += 1
                continue
            if byte == b";":
                return words, line[column + 1 :]
            end = column
            if byte in b"'\"":
                end = column + 1
                while end < size and line[end : end + 1] != byte:
                    end += 2 if line[end : end + 1] == b"\\" else 1
                if end >= size:
                    raise self._error(f"expected a closing {byte.decode()}", offset + column, 1)
                end += 1
            while end < size and line[end : end + 1] not in b" \t\r;":
                end += 1
            words.append((line[column:end], offset + column))
            column = end
        return words, None

    def _feed_tokens(self, words: list[tuple[bytes, int]]) -> bytes:
        """Return b"L" if the line is ``feed``, or b"" if it has another word.

        ``feed`` stands for a line feed that is left over after the last instruction.  Raise
        ParseError if it has an operand, if an instruction follows it, or if it occurs more than
        ``_MAX_FEEDS`` times.
        """
        word, offset = words[0]
        if word.lower() == _FEED:
            if len(words) > 1:
                extra, where = words[1]
                raise self._error("feed expects no operand", where, len(extra))
            self._feeds += 1
        if self._feeds > _MAX_FEEDS:
            message = f"at most {_MAX_FEEDS} lines with feed are allowed"
            raise self._error(message, offset, len(word))
        if self._feeds and word.lower() != _FEED:
            message = "after feed, only comments and more lines with feed are allowed"
            raise self._error(message, offset, len(word))
        return b"L" if self._feeds else b""

    def _instruction_tokens(self, words: list[tuple[bytes, int]]) -> bytes:
        """Return the tokens, as S, T and L, of the instruction that the words of a line spell."""
        word, offset = words[0]
        op = _BY_NAME.get(word.decode(errors="replace").lower(), -1)
        if op < 0:
            shown = word[:40].decode(errors="replace")
            names = ", ".join(name for name, _, _ in INSTRUCTIONS)
            raise self._error(
                f"{shown!r} is not an instruction; expected one of: {names}", offset, len(word)
            )
        name, spelling, kind = INSTRUCTIONS[op]
        end = words[-1][1] + len(words[-1][0])
        if kind == NUMBER and len(words) > 2 and words[1][0] in _SIGNS:
            (sign, where), (digits, _) = words[1:3]
            words = [words[0], (sign + digits, where), *words[3:]]
        most = 1 if kind == NO_OPERAND else 2
        if len(words) > most:
            extra, where = words[most]
            raise self._error(
                f"{name} expects {'no' if most == 1 else 'one'} operand", where, len(extra)
            )
        operand, where = words[1] if len(words) > 1 else (b"", offset + len(word))
        tokens = spelling.encode()
        if kind == NUMBER:
            tokens += self._number_tokens(name, operand, where) + b"L"
        elif kind == NAME:
            tokens += self._label_tokens(name, operand, where) + b"L"
        self._spans.append((offset, end))
        return tokens

    def _number_tokens(self, name: str, operand: bytes, offset: int) -> bytes:
        if not operand.strip(b"ST"):
            return operand
        if operand[:1] == b"'":
            return spell_number(self._character_code(operand, offset))
        bits = 4 if operand.lstrip(b"+-")[:2].lower() == b"0x" else 3
        most = MAX_BITS // bits
        if len(operand) > most:
            message = f"this number has {len(operand)} characters; expected at most {most}"
            raise self._error(message, offset, len(operand))
        try:
            return spell_number(_value(operand))
        except ValueError:
            shown = operand[:40].decode(errors="replace")
            message = (
                f"{name} needs an integer (65, 0x41, or spelled in S and T) or a character "
                "such as 'A'"
            )
            raise self._error(f"{message}, not {shown}", offset, len(operand)) from None

    def _character_code(self, operand: bytes, offset: int) -> int:
        inner = operand[1:-1].decode(errors="replace")
        if operand[-1:] == b"'" and len(operand) > 2:
            if len(inner) == 1 and inner != "\\":
                return ord(inner)
            if len(inner) == 2 and inner[0] == "\\" and inner[1] in _ESCAPES:
                return _ESCAPES[inner[1]]
        raise self._error(
            "expected one character between the quotes, or \\n \\t \\r \\0 \\e \\s \\' \\\\",
            offset,
            len(operand),
        )

    def _label_tokens(self, name: str, operand: bytes, offset: int) -> bytes:
        if not operand:
            raise self._error(
                f'{name} needs a label: a name, the letters S and T, or ""', offset, 1
            )
        if operand == b'""':
            return b""
        if b'"' in operand or b"'" in operand:
            raise self._error('a label is a name, the letters S and T, or ""', offset, len(operand))
        return spell_name(operand)

    def _add_comment(self, comment: bytes, after_instruction: bool) -> None:
        """Insert a comment after the token that it belongs to.

        after_instruction: whether an instruction precedes the comment on the same line.
        """
        size = len(self._out) - self._first if self._first else 0
        position = size
        joined = not after_instruction and bool(self._first or self._commented)
        head, blank, rest = comment.partition(b" ")
        if head[:1] == b"@" and head[1:].isdigit() and blank and int(head[1:9]) <= size:
            position, comment = int(head[1:9]), rest
            joined = position in self._commented
        self._commented.add(position)
        comment = comment.replace(b" ", NO_BREAK_SPACE).replace(b"\t", NO_BREAK_SPACE)
        at = self._first + position - 1 if self._first and position else 0
        self._out[at] += NEW_LINE + comment if joined else comment

    def _error(self, message: str, offset: int, length: int) -> ParseError:
        return ParseError(message, self._text, (offset, offset + length))


def _value(operand: bytes) -> int:
    """Return the value of an optional sign and digits: decimal, or after 0x, 0o or 0b."""
    sign, digits = (operand[:1], operand[1:]) if operand[:1] in _SIGNS else (b"", operand)
    base = _BASES.get(digits[:2].lower())
    if base is None:
        return from_decimal(operand)
    if not digits[2:].isalnum():  # int() would take signs, spaces and underscores
        raise ValueError(f"not an integer: {operand[:40]!r}")
    value = int(digits[2:], base)
    return -value if sign == b"-" else value


def token_starts(spans: list[Span], size: int) -> array[int]:
    """Return the start offsets of instructions, then the length of the text."""
    return array("i", [start for start, _ in spans] + [size])
