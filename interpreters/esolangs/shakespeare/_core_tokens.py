# cython: language_level=3, boundscheck=False, wraparound=False
"""The words and marks of a play: one pass over its bytes.

A phrase of several words, such as a name, is one token however its words are spaced
or broken over lines; of several phrases that fit the longest is taken.
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
    """Kinds, values, starts and ends of all tokens, as four lists.

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
    after: cython.Py_ssize_t
    word: bytes
    unknown_word, unknown_mark = unknown
    while True:
        while at < size and classes[lower[at]] == 0:
            at += 1
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
        while at < size and classes[lower[at]] == 2:
            at += 1
        word = lower[start:at]
        kind = unknown_word
        value = 0
        entries = table.get(word)
        if entries is not None:
            for rest, a_kind, a_value in entries:
                far = at
                for expected in rest:
                    after = far
                    while after < size and classes[lower[after]] == 0:
                        after += 1
                    if after == far:
                        far = -1
                        break
                    far = after
                    while after < size and classes[lower[after]] == 2:
                        after += 1
                    if lower[far:after] != expected:
                        far = -1
                        break
                    far = after
                if far >= 0:
                    kind = a_kind
                    value = a_value
                    at = far
                    break
        kinds.append(kind)
        values.append(value)
        starts.append(start)
        ends.append(at)
    return kinds, values, starts, ends
