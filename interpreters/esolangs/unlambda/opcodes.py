"""The encoding of values, expressions and continuation frames as 64-bit words.

The low five bits are the tag, the next 28 the source offset of the atom that it originates from,
the upper 30 a payload: an index into the heap, a node of the program, or a byte.
``_core.pxd`` defines the same numbers for the C compiler.
"""

from __future__ import annotations

TAG = 31
PLACE = 5  # shift of the source offset
PLACES = (1 << 28) - 1
PAYLOAD = 33  # shift of the payload

# Atoms.  Upper-case letters and `r` have no tag of their own.
K, S, I, V, C, D, PRINT, EXIT, READ, TEST, REPRINT = range(11)  # noqa: E741
# payload: the byte for PRINT and TEST

# Values that are made while a program runs, each with the place of the atom that made it.
K1 = 11  #         → x           `kx
S1 = 12  #         → x           `sx
S2 = 13  #         → x, y        ``sxy
LATER = 14  #      → x           `dx of a value x
LATER_PAIR = 15  # → x, y        `d`xy of two values, where d came out of an s
LATER_TERM = 16  # → node        `dF of an expression
CONT = 17  #       → frame, or 0 when nothing is left to do

LAST_VALUE = CONT

# Frames.  A value on the stack is a frame too: it waits for its operand.
OPERAND = 18  # → node   evaluates it, then applies what was returned; also a node of the program
SHARE = 19  #   → x, y   of an S2, with z below it: `xz was returned, next is `yz
GIVE = 20  #             was returned what a promise held; applies it to the value below
UNDER = 21  #            bottom of the stack: the frames that `c` moved to the heap follow
LINK = 22  #    → frame, LINK (and the value below, of SHARE and GIVE); the place counts frames
MOVED = 23  #   → heap   while words are copied: where the first word of an object has gone

NURSERY = 1 << 14
"""Number of words that are allocated between two measurements of the live words, or more."""

SLACK = 16
"""Spare words of every heap and stack, more than a step uses without a check."""

LEAST_PART, MOST_PART = 1 << 9, 1 << 16
"""Number of words in a part of a snapshot; a smaller one is the last of its snapshot."""

PACKED_WORD, TABLE = 9, 192
"""The maximum number of bytes of a packed word, and the number of entries of a packing table."""

HASH = 0x1E3779B97F4A7C15
"""An odd number; the top bits of its product with a word are an entry of a packing table."""

WORD_COST = 24
"""Size of a live word, in bytes of the cost model."""

REMEMBERED = 1 << 20
"""Number of latest steps for which a tracing core stores the application that each made."""


def word(tag: int, location: int, payload: int = 0) -> int:
    """Return the word with this tag, source offset and payload."""
    return payload << PAYLOAD | location << PLACE | tag


def word_location(word: int) -> int:
    """Return the source offset of a word."""
    return word >> PLACE & PLACES


# Classes of program bytes that are not the tag of an atom.
IS_NOTHING, IS_SPACE, IS_COMMENT, IS_APPLICATION = range(32, 36)

# Results of the parser.
WHOLE, EMPTY, UNFINISHED, UNKNOWN, NO_CHARACTER = range(5)

ATOMS = b"ksivcd.e@?|"
"""The character of every atom by its tag."""


def _classes() -> bytes:
    classes = bytearray([IS_NOTHING]) * 256
    for space in b" \t\n\r\v\f":
        classes[space] = IS_SPACE
    classes[ord("#")] = IS_COMMENT
    classes[ord("`")] = IS_APPLICATION
    for tag, byte in enumerate(ATOMS):
        classes[byte] = classes[ord(chr(byte).upper())] = tag
    classes[ord("r")] = classes[ord("R")] = PRINT
    return bytes(classes)


CLASSES = _classes()
"""For every byte of a program, the tag of its atom, or another class."""

MOST_WORDS = 1 << 28
"""Maximum number of words for any memory limit, so that every index fits a payload."""

ALL_BITS = 0xFFFFFFFF
"""The marks of 32 words that all live."""

ODD_BITS = 0x55555555
"""Every second one of 32 bits."""

SIZES = sum(3 << 2 * tag for tag in (S2, LATER_PAIR, CONT, SHARE, LINK)) | sum(
    1 << 2 * tag for tag in (K1, S1, LATER)
)
"""Two bits for every tag: the marks of the words that it refers to."""

ONE = 1
"""The mark of the first word of a group."""


def lowest_bit(bits: int) -> int:
    """Return the number of the lowest bit that is set; one is."""
    return (bits & -bits).bit_length() - 1
