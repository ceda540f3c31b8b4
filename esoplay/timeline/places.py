"""Addresses of instructions, cells and named places, and their text."""

from __future__ import annotations

from esolangs.language import Program
from esolangs.numbers import abbreviate
from esolangs.source import Span
from esolangs.stops import Address, Slot
from esolangs.wording import format_count
from esoplay.errors import UsageError

_MAX_NAMES = 12  # maximum number of places in an error
_MAX_LENGTH = 60  # maximum characters of a quoted name
_ESCAPES = {0x0A: r"\n", 0x09: r"\t", 0x0D: r"\r", 0x22: r"\"", 0x5C: r"\\"}


def address_text(address: Address) -> str:
    """Return an address as text: ``12``, or ``3,-4`` on a plane."""
    parts = address if isinstance(address, tuple) else (address,)
    return ",".join(str(abbreviate(part)) for part in parts)


def slot_text(slot: Slot) -> str:
    """Return a slot as text: ``level 3``, or ``level 3 of stack 1`` if the stack's key is not 0."""
    return f"level {slot.level}" + (f" of stack {slot.stack}" if slot.stack else "")


def is_on_plane(program: Program) -> bool:
    """Return whether the program's locations are points, not offsets."""
    return isinstance(program.address_at(0), tuple)


def instruction_addresses(program: Program) -> frozenset[Address]:
    """Return the addresses of all instructions of the source."""
    return frozenset(program.address_at(start) for start, _ in program.spans())


def next_instruction(program: Program, offset: int) -> Span | None:
    """Return the instruction at or after a source offset.

    Returns None after the last instruction and outside the source.
    """
    if not 0 <= offset < len(program.source):
        return None
    span = program.instruction_at(offset)
    if span is not None:
        return span
    return min((each for each in program.spans() if each[0] >= offset), default=None)


def find_place(program: Program, name: str) -> tuple[str, Address]:
    """Find a label, an act or a scene, ignoring case; return its full name and its address.

    The last words of a name are enough if they are unique. Raises UsageError, with the known names,
    if none or several match.
    """
    places = program.places()
    if name in places:
        return name, places[name]
    wanted = _fold_name(name)
    for known, address in places.items():
        if _fold_name(known) == wanted:
            return known, address
    ending = [known for known in places if _fold_name(known).endswith(f" {wanted}")]
    if len(ending) == 1:
        return ending[0], places[ending[0]]
    if not places:
        raise UsageError(
            f"no place {quote_name(name)}; this program has no named places (such as labels or "
            "scenes)"
        )
    names = list(places)
    listed = ", ".join(names[:_MAX_NAMES])
    more = len(names) - _MAX_NAMES
    rest = f" and {more} more" if more > 0 else ""
    raise UsageError(f"no place {quote_name(name)}; known places: {listed}{rest}")


def quote_name(text: str) -> str:
    """Quote a name for an error message, shortened if it is long."""
    return repr(text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 1] + "…")


def _fold_name(name: str) -> str:
    return " ".join(name.casefold().split()) or name


SHOWN_BYTES = 1_000
"""The default maximum number of bytes in ``bytes_text``."""


def bytes_text(data: bytes, limit: int = SHOWN_BYTES) -> str:
    r"""Return bytes in double quotes, on one line: printable text, and other bytes as ``\xHH``.

    If there are more than ``limit`` bytes, returns their number and the last ``limit``.
    """
    text = data[-limit:].decode("utf-8", "surrogateescape")
    text = '"' + "".join(map(_visible_character, text)) + '"'
    if len(data) <= limit:
        return text
    return f"(the end of {format_count(len(data), 'byte')}) {text}"


def _visible_character(character: str) -> str:
    code = ord(character)
    if code in _ESCAPES:
        return _ESCAPES[code]
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if character.isprintable():
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode())
