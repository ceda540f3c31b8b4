"""The encoding of values, expressions and continuation frames as 64-bit words.

The low five bits of a word are its tag, the next 28 the source offset of the atom from which it
originates, and the upper 30 a payload: an index into the heap, a node of the program, or a byte.
``_core.pxd`` defines the same numbers for the C compiler.
"""

from __future__ import annotations

TAG = 31
PLACE = 5  # shift of the source offset
PLACE_MASK = (1 << 28) - 1
PAYLOAD = 33  # shift of the payload

# Atoms.  Upper-case letters and `r` have no separate tags.
K, S, I, V, C, D, PRINT, EXIT, READ, TEST, REPRINT = range(11)  # noqa: E741
# payload: the byte for PRINT and TEST

# Values that a running program makes, with the source offset of the atom that made them.
K1 = 11  #         → x           `kx
S1 = 12  #         → x           `sx
S2 = 13  #         → x, y        ``sxy
PROMISE_VALUE = 14  #       → x           `dx of a value x
PROMISE_PAIR = 15  #   → x, y        `d`xy of two values; the d is a result of an s
PROMISE_TERM = 16  #   → node        `dF of an expression
CONTINUATION = 17  #         → frame, or 0 if no frame remains

LAST_VALUE = CONTINUATION

# Frames.  A value on the stack is a frame too: it waits for its operand.
OPERAND = 18  # → node   evaluates it, then applies the returned value; also a node of the program
SHARE = 19  #   → x, y   of an S2, with z below it: `xz was returned, next is `yz
FORCE = 20  #             receives the content of a promise; applies it to the value below
HEAP_FRAMES = 21  #            bottom of the stack: the frames that `c` moved to the heap follow
LINK = 22  #    → frame, LINK (and the value below, of SHARE and FORCE); the place counts frames
MOVED = 23  #   → heap   new place of an object's first word, while words are copied

NURSERY = 1 << 14
"""Minimum number of words that are allocated between two counts of the live words."""

SPARE_WORDS = 16
"""Number of spare words at the end of the heap and of the stack.

Between two checks of the free space, a step uses fewer words than this.
A check that finds too little space collects garbage or enlarges the heap or the stack.
"""

MIN_LAZY_BYTES = 1 << 16
"""Size in bytes above which the compiled engine allocates a buffer with ``lazy_zeros``.

Most runs use few pages of their heap and stack, and clearing the others can take longer than the
run.  The plain engine does so only for large buffers, because its arrays are faster.
"""

MIN_PART, MAX_PART = 1 << 9, 1 << 16
"""Minimum and maximum number of words in a ``SavedWords``; the last one may have fewer."""

PACKED_WORD, TABLE_ENTRIES = 9, 192
"""The maximum number of bytes of a packed word; the number of entries of a packing table."""

HASH_FACTOR = 0x1E3779B97F4A7C15
"""An odd factor; the top bits of its product with a word select an entry of a packing table."""

WORD_COST = 24
"""Size of a live word, in bytes of the cost model."""

TRACED_STEPS = 1 << 20
"""Number of recent steps for which a tracing core stores the origin of the executed application."""


def word(tag: int, location: int, payload: int = 0) -> int:
    """Return the word with this tag, source offset and payload."""
    return payload << PAYLOAD | location << PLACE | tag


def word_location(word: int) -> int:
    """Return the source offset of a word."""
    return word >> PLACE & PLACE_MASK


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
"""For every byte, the tag of the atom that it represents, or a class such as IS_SPACE."""

MAX_WORDS = 1 << 28
"""Maximum number of words, whatever the memory limit: an index must fit the payload of a word."""

BIT_MASK = 0xFFFFFFFF
"""The lowest 32 bits.  As marks (one bit per word), it means that all 32 words are live."""

ODD_BIT_MASK = 0x55555555
"""A 32-bit mask of the first, third, fifth … bit, counted from the lowest."""

WORD_SIZES = sum(3 << 2 * tag for tag in (S2, PROMISE_PAIR, CONTINUATION, SHARE, LINK)) | sum(
    1 << 2 * tag for tag in (K1, S1, PROMISE_VALUE)
)
"""Two bits for every tag, one for each word that a word with the tag refers to.

They are 0b00 for no word, 0b01 for one word, and 0b11 for two adjacent words.
"""

ONE = 1
"""The mark of the first word in a group of 32 words: the lowest bit."""


def lowest_bit(bits: int) -> int:
    """Return the number of the lowest bit that is set; ``bits`` must not be 0."""
    return (bits & -bits).bit_length() - 1
