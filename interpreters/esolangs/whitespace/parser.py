"""The parser of Whitespace; all bytes but spaces, tabs and line feeds are comments.

The same parser reads the visible notation, in which S, T and L replace these three characters.
"""

from __future__ import annotations

from array import array

from esolangs.errors import ParseError
from esolangs.whitespace.opcodes import (
    BIG,
    HALT,
    INSTRUCTIONS,
    LABEL,
    NAME,
    NO_OPERAND,
    NUMBER,
    PUSH,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

INVISIBLE, VISIBLE = b" \t\n", b"STL"
_NAMES = ("a space (S)", "a tab (T)", "a line feed (L)")

_BY_SPELLING = {
    spelling.encode(): (number, kind, len(spelling))
    for number, (_, spelling, kind) in enumerate(INSTRUCTIONS)
}
_BEGINNINGS = {key[:n] for key in _BY_SPELLING for n in range(len(key))}
_ANY = (
    (b"",),
    (b"S", b"T", b"L"),
    (b"SS", b"ST", b"SL", b"TS", b"TT", b"TL", b"LS", b"LT", b"LL"),
)
# The instruction for each possible sequence of four tokens.
_BY_FOUR_TOKENS = {
    spelling + rest: found
    for spelling, found in _BY_SPELLING.items()
    for rest in _ANY[4 - len(spelling)]
}
_LEFT_OVER = (b"L", b"LL")
_BITS = bytes.maketrans(b"ST", b"01")
_SMALL_BITS = 63
FAR = 1 << 62
"""Replaces larger operands of ``copy`` and ``slide``; it exceeds the depth of any stack."""


class ParsedCode:
    """The result of parsing a source.

    ops: number of every instruction, then HALT.
    args: a number that fits a slot, or BIG; a jump's target, -1 where its label is missing.
    tokens: the S, T and L of the program without comments.
    begins: index into ``tokens`` of each instruction's first token, then of the leftover.
    constants: numbers larger than a slot, by instruction. labels: the instruction that marks each
    label, by spelling. repeated: instructions that mark a label again. left_over: number of line
    feeds at the end, at most two, that begin no instruction; editors add them.
    """

    __slots__ = ("args", "begins", "constants", "labels", "left_over", "ops", "repeated", "tokens")

    def __init__(self, tokens: bytes):
        self.tokens = tokens
        self.ops = bytearray()
        self.args = array("q")
        self.begins = array("i")
        self.constants: dict[int, int] = {}
        self.labels: dict[bytes, int] = {}
        self.repeated: list[int] = []
        self.left_over = 0

    def label_spelling(self, at: int) -> bytes:
        """Return the spelling of the label that an instruction marks or jumps to."""
        return self.tokens[self.begins[at] + 3 : self.begins[at + 1] - 1]


def extract_tokens(source: bytes, letters: bytes = INVISIBLE) -> bytes:
    """Return the tokens of a source as letters S, T and L, without comments.

    letters: the three bytes that are tokens in the source.
    """
    if letters == VISIBLE and b"\\" in source:
        source = mask_escapes(source)
    comment = bytes(set(range(256)) - set(letters))
    return source.translate(bytes.maketrans(letters, VISIBLE), comment)


def mask_escapes(source: bytes) -> bytes:
    """Replace each backslash of visible notation, and the letter after it, by spaces."""
    masked = bytearray(source)
    at = source.find(b"\\")
    while at >= 0:
        masked[at : at + 2] = b"  "[: len(source) - at]
        at = source.find(b"\\", at + 2)
    return bytes(masked)


def token_offsets(source: bytes, letters: bytes = INVISIBLE) -> Sequence[int]:
    """Return the source offset of every token, then the length of the source."""
    if letters == VISIBLE:
        source = mask_escapes(source)
    if not source.translate(None, letters):
        return range(len(source) + 1)
    offsets = array("i", [at for at, byte in enumerate(source) if byte in letters])
    offsets.append(len(source))
    return offsets


def parse(tokens: bytes, source: bytes, letters: bytes = INVISIBLE) -> ParsedCode:
    """Parse ``tokens``; raise ParseError, which points into ``source``."""
    code, error = read_instructions(tokens, source, letters)
    if error is not None:
        raise error
    return code


def read_instructions(
    tokens: bytes, source: bytes, letters: bytes = INVISIBLE
) -> tuple[ParsedCode, ParseError | None]:
    """Return the instructions up to the first error, and that error.

    Labels are resolved here, so that jumps need no search later.
    """
    code = ParsedCode(tokens)
    error: ParseError | None = None
    ops, args, begins = code.ops, code.args, code.begins
    jumps: list[tuple[int, bytes]] = []
    by_four_tokens, find, end, at = _BY_FOUR_TOKENS, tokens.find, len(tokens), 0
    while at < end:
        found = by_four_tokens.get(tokens[at : at + 4]) or _read_short_instruction(tokens, at)
        if found is None:
            if tokens[at:] in _LEFT_OVER:
                code.left_over = end - at
                break
            error = _error(tokens, at, source, letters)
            break
        op, kind, length = found
        begins.append(at)
        at += length
        arg = 0
        if kind != NO_OPERAND:
            stop = find(b"L", at)
            if stop < 0:
                what = "the number" if kind == NUMBER else "the label"
                at = begins.pop()
                expected = f"{_name(op)} needs a line feed (L) after {what}"
                error = _incomplete_error(at, source, letters, expected)
                break
            operand = tokens[at:stop]
            at = stop + 1
            if kind == NUMBER:
                arg = parse_number(operand)
                if not -1 << _SMALL_BITS < arg < 1 << _SMALL_BITS:
                    if op == PUSH:
                        code.constants[len(ops)] = arg
                    arg = BIG if op == PUSH else max(-FAR, min(arg, FAR))
            elif op == LABEL:
                if code.labels.setdefault(operand, len(ops)) != len(ops):
                    code.repeated.append(len(ops))
            elif kind == NAME:
                jumps.append((len(ops), operand))
        ops.append(op)
        args.append(arg)
    for jump, operand in jumps:
        args[jump] = code.labels.get(operand, -1)
    ops.append(HALT)
    args.append(0)
    begins.append(end - code.left_over if error is None else at)
    return code, error


def parse_number(operand: bytes) -> int:
    """Convert a sign and binary digits to a number; an empty operand and a lone sign are 0."""
    digits = operand[1:].translate(_BITS)
    value = int(digits, 2) if digits else 0
    return -value if operand[:1] == b"T" else value


def _read_short_instruction(tokens: bytes, at: int) -> tuple[int, int, int] | None:
    """Return number, operand kind and length of an instruction of 2 or 3 tokens, or None."""
    for length in (2, 3):
        found = _BY_SPELLING.get(tokens[at : at + length])
        if found is not None and at + length <= len(tokens):
            return found
    return None


def _error(tokens: bytes, begin: int, source: bytes, letters: bytes) -> ParseError:
    """Return the error for tokens at ``begin`` that are not the beginning of an instruction."""
    length = 1
    while tokens[begin : begin + length] in _BEGINNINGS and begin + length <= len(tokens):
        length += 1
    wrong = tokens[begin : begin + length]
    expected = [
        _NAMES[n]
        for n in range(3)
        if _begins_instruction(tokens[begin : begin + length - 1] + b"STL"[n : n + 1])
    ]
    tokens_expected = " or ".join(expected)
    if begin + length > len(tokens):
        return _incomplete_error(
            begin, source, letters, f"expected {tokens_expected} after {wrong.decode()}"
        )
    offsets = token_offsets(source, letters)
    first, last = offsets[begin], offsets[begin + length - 1]
    message = (
        f"{wrong.decode()} does not begin an instruction: "
        f"expected {tokens_expected} after {wrong[:-1].decode()}"
    )
    return ParseError(message, source, (last, last + 1) if last > first else (first, last + 1))


def _incomplete_error(begin: int, source: bytes, letters: bytes, expected: str) -> ParseError:
    """Return the error for an incomplete last instruction."""
    first = token_offsets(source, letters)[begin]
    message = f"the program ends inside an instruction: {expected}"
    return ParseError(message, source, (first, len(source)))


def _begins_instruction(tokens: bytes) -> bool:
    return tokens in _BEGINNINGS or tokens in _BY_SPELLING


def _name(op: int) -> str:
    return INSTRUCTIONS[op][0]
