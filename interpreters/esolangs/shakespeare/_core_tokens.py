# cython: language_level=3, boundscheck=False, wraparound=False
"""The tokenizer of a play, in one pass over its bytes.

A phrase of several words, such as a name, is one token regardless of whitespace and line breaks
between its words; the longest matching phrase wins.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # the compiler is not needed at run time
    import esolangs.cython_shim as cython

_BLANK, _MARK, _LETTER = 0, 1, 2


def _classes():
    table = bytearray([_MARK]) * 256
    for byte in b" \t\n\r\v\f":
        table[byte] = _BLANK
    for byte in range(128, 256):
        table[byte] = _LETTER
    for byte in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'-":
        table[byte] = _LETTER
    return bytes(table)


_CLASS = _classes()


def tokens(source: bytes, table: dict, marks: dict, unknown: tuple):
    """Return the kinds, values, starts and ends of all tokens, as four lists.

    table: see :data:`esolangs.shakespeare.words.TABLE`.  marks: byte → kind.
    unknown: the kinds of a word and of a mark that are not listed.
    """
    lower: bytes = source.lower()
    kinds: list = []
    values: list = []
    starts: list = []
    ends: list = []
    classes: bytes = _CLASS
    size: cython.Py_ssize_t = len(source)
    at: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t
    far: cython.Py_ssize_t
    start_of_next: cython.Py_ssize_t
    word: bytes
    unknown_word, unknown_mark = unknown
    while True:
        at = _skip(lower, at, size)
        if at >= size:
            break
        start = at
        if classes[lower[at]] == 1:
            at += 1
            kinds.append(marks.get(source[start], unknown_mark))
            values.append(0)
            starts.append(start)
            ends.append(at)
            continue
        at = _word_end(lower, at, size)
        word = lower[start:at]
        kind = unknown_word
        value = 0
        entries = table.get(word)
        if entries is not None:
            following = None  # the next word, searched once
            for rest, a_kind, a_value in entries:
                far = at
                if rest:
                    if following is None:
                        start_of_next = _skip(lower, at, size)
                        following = lower[start_of_next : _word_end(lower, start_of_next, size)]
                    if rest[0] != following:
                        continue
                    far = _match(lower, at, size, rest)
                    if far < 0:
                        continue
                kind = a_kind
                value = a_value
                at = far
                break
        kinds.append(kind)
        values.append(value)
        starts.append(start)
        ends.append(at)
    return kinds, values, starts, ends


@cython.cfunc
@cython.inline
def _skip(text: bytes, at: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the end of the whitespace that begins at ``at``."""
    while at < size and (text[at] == 32 or 9 <= text[at] <= 13):
        at += 1
    return at


@cython.cfunc
@cython.inline
def _word_end(text: bytes, at: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the end of the word that begins at ``at``."""
    classes: bytes = _CLASS
    while at < size and classes[text[at]] == 2:
        at += 1
    return at


@cython.cfunc
def _match(
    text: bytes, at: cython.Py_ssize_t, size: cython.Py_ssize_t, rest: tuple
) -> cython.Py_ssize_t:
    """Return the offset after the words ``rest`` if they follow offset ``at``, else -1."""
    start: cython.Py_ssize_t
    for expected in rest:
        start = _skip(text, at, size)
        if start == at:
            return -1
        at = _word_end(text, start, size)
        if text[start:at] != expected:
            return -1
    return at
