"""Brainfuck programs that spend their time in counted loops around counted loops.

    python nests.py hanoi > hanoi.bf
    python nests.py long > long.bf

``hanoi`` counts the moves of a tower of disks as the recursion does it: a tower takes twice the
moves of the tower without its largest disk, and one more.  ``long`` only passes time: each level
multiplies, clears and moves numbers around the next one.  Both print one byte.
"""

from __future__ import annotations

import sys

DISKS = 24
LEVELS, ROUNDS = 4, 60


def hanoi(disks: int = DISKS) -> str:
    """Brainfuck source that prints the number of moves modulo 256."""

    def tower(height: int, cell: int) -> str:
        if not height:
            return ""
        smaller = tower(height - 1, cell + 1)
        return f"++[->{smaller}<]{'<' * cell}+{'>' * cell}"

    return f">{tower(disks, 1)}<."


def moves(disks: int = DISKS) -> bytes:
    """What ``hanoi`` prints."""
    return bytes([(2**disks - 1) % 256])


def long(levels: int = LEVELS, rounds: int = ROUNDS) -> str:
    """Brainfuck source of ``levels`` counted loops, each of ``rounds`` rounds around the next.

    A level has three cells: its counter, a factor and a product.
    """
    code = ""
    for _ in range(levels):
        inner = f">>>{code}<<<" if code else ""
        code = f"{'+' * rounds}[->+++[->++<]>[-<+>]<{inner}[-]<]"
    return f"{code}>>>+++++++."


def passed() -> bytes:
    """What ``long`` prints."""
    return b"\x07"


if __name__ == "__main__":
    print({"hanoi": hanoi, "long": long}[sys.argv[1]](), end="")
