# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The parser from source bytes to an expression tree in source order, without recursion.

An application is a word that names the node of its operand; its operator is the node right after
it.  An atom is its own value.
"""

from __future__ import annotations

from array import array
from time import sleep

try:
    import cython
except ImportError:  # the compiler is not needed at run time
    import esolangs.cython_shim as cython

from esolangs.unlambda.opcodes import (
    CLASSES,
    EMPTY,
    IS_APPLICATION,
    IS_COMMENT,
    IS_NOTHING,
    IS_SPACE,
    NO_CHARACTER,
    OPERAND,
    PAYLOAD,
    PLACE,
    PRINT,
    TEST,
    UNFINISHED,
    UNKNOWN,
    WHOLE,
)

TURN_BYTES = 1 << 16
"""Number of bytes after which the parser lets other threads run."""


class Tree:
    """The expression at the beginning of a source, parsed to words, and how parsing ended.

    code: one word for each application and each atom, in the order of the source. found: WHOLE or
    the kind of error. at: the offset after the expression, or of the error. has_operator: whether
    the unfinished application has its operator. depth: number of applications around the deepest
    atom.
    """

    def __init__(self, source: bytes):
        data: cython.uchar[::1] = bytearray(source) + b"\n"
        classes: cython.uchar[::1] = bytearray(CLASSES)
        length: cython.Py_ssize_t = len(source)
        code = array("q", bytes(8 * (length + 1)))
        words: cython.longlong[::1] = code
        stack: cython.int[::1] = array("i", bytes(4 * (length + 1)))  # incomplete applications
        nodes: cython.Py_ssize_t = 0
        sp: cython.Py_ssize_t = 0
        deepest: cython.Py_ssize_t = 0
        at: cython.Py_ssize_t = 0
        turn: cython.Py_ssize_t = TURN_BYTES
        found: cython.int = EMPTY
        kind: cython.int
        byte: cython.int
        word: cython.longlong
        operand: cython.longlong
        nothing: cython.int = IS_NOTHING
        space: cython.int = IS_SPACE
        comment: cython.int = IS_COMMENT
        application: cython.int = IS_APPLICATION
        prints: cython.int = PRINT
        tests: cython.int = TEST
        payload: cython.int = PAYLOAD
        place: cython.int = PLACE
        apply: cython.longlong = OPERAND
        while at < length:
            if at >= turn:
                sleep(0)
                turn = at + TURN_BYTES
            byte = data[at]
            kind = classes[byte]
            word = at
            word = word << place
            if kind == application:
                words[nodes] = word | apply
                stack[sp] = nodes
                nodes += 1
                sp += 1
                if sp > deepest:
                    deepest = sp
            elif kind == space:
                pass
            elif kind == comment:
                while data[at] != 10:
                    at += 1
            elif kind == nothing:
                found = UNKNOWN
                break
            else:
                word = word | kind
                if kind == prints or kind == tests:
                    operand = 10  # `r` prints a newline
                    if byte == 46 or byte == 63:  # "." and "?"
                        at += 1
                        if at == length:
                            at -= 1
                            found = NO_CHARACTER
                            break
                        operand = data[at]
                    word = word | operand << payload
                words[nodes] = word
                nodes += 1
                # An operator is followed by its operand; with that its application is complete.
                while sp > 0 and words[stack[sp - 1]] >> payload != 0:
                    sp -= 1
                if sp == 0:
                    at += 1
                    found = WHOLE
                    break
                operand = nodes
                words[stack[sp - 1]] = words[stack[sp - 1]] | operand << payload
            at += 1
        self.has_operator = False
        if found == EMPTY and sp > 0:
            found = UNFINISHED
            at = words[stack[sp - 1]] >> place & ((1 << payload - place) - 1)
            self.has_operator = words[stack[sp - 1]] >> payload != 0
        self.found = found
        self.at = at
        self.depth = deepest
        self.code = code[:nodes]
