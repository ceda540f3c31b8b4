"""Source bytes to commands: everything but the eight characters is comment."""

from __future__ import annotations

from array import array

from esolangs.brainfuck.opcodes import CLOSE, HALT, OPEN
from esolangs.errors import ParseError

COMMANDS = b"><+-.,[]"
_KEEP = bytes(range(len(COMMANDS)))
_TO_CODE = bytes.maketrans(COMMANDS, _KEEP)
_COMMENT = bytes(set(range(256)) - set(COMMANDS))


def command_codes(source: bytes) -> bytes:
    """The commands by number, then HALT."""
    return source.translate(_TO_CODE, _COMMENT) + bytes([HALT])


def command_offsets(source: bytes) -> array[int]:
    """The source offset of every command, then the length of the source for HALT."""
    offsets = array("i", [i for i, byte in enumerate(source) if byte in COMMANDS])
    offsets.append(len(source))
    return offsets


def match_brackets(source: bytes, code: bytes) -> tuple[array[int], array[int]]:
    """For every bracket its partner, and how many loops enclose it; raises ParseError."""
    match = array("i", [-1]) * len(code)
    depth = array("i", [0]) * len(code)
    open_loops: list[int] = []
    for at, command in enumerate(code):
        if command == OPEN:
            depth[at] = len(open_loops)
            open_loops.append(at)
        elif command == CLOSE:
            if not open_loops:
                raise _unmatched(source, at, "']' without a '[' before it to jump back to")
            opening = open_loops.pop()
            match[opening], match[at] = at, opening
            depth[at] = len(open_loops)
        else:
            depth[at] = len(open_loops)
    if open_loops:
        raise _unmatched(source, open_loops[-1], "'[' without a ']' that closes the loop")
    return match, depth


def _unmatched(source: bytes, command: int, message: str) -> ParseError:
    offset = command_offsets(source)[command]
    return ParseError(message, source, (offset, offset + 1))
