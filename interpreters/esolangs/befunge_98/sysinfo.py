"""``y``: what a program may know of its interpreter (Funge-98, "System Information")."""

from __future__ import annotations

import time

from esolangs.befunge_98.hands import Hands

VERSION = 100
HANDPRINT = int.from_bytes(b"ESOP", "big")
CONCURRENT, INPUT, OUTPUT = 1, 2, 4  # flags; running commands and unbuffered input are missing


def tell(hands: Hands) -> None:
    """All cells when the argument is not positive; else the one it names.

    A number beyond the last of them counts on into the stack.
    """
    wanted = hands.pop()
    cells = cells_of(hands)
    if wanted <= 0:
        for value in reversed(cells):
            hands.push(value)
    elif wanted <= len(cells):
        hands.push(cells[wanted - 1])
    else:
        ip, below = hands.ip, wanted - len(cells)
        hands.push(ip.buffer[ip.depth - below] if below <= ip.depth else 0)


def cells_of(hands: Hands) -> list[int]:
    """From the uppermost on."""
    core, ip, world = hands.core, hands.ip, hands.world
    core.tighten()
    bounds = core.low_x, core.low_y, core.high_x, core.high_y
    left, top, right, bottom = bounds if core.low_x <= core.high_x else (0, 0, 0, 0)
    flags = CONCURRENT
    if world is not None and world.folder is not None:
        flags |= INPUT | OUTPUT
    return [
        flags,
        -1 if core.unbounded else 8,
        HANDPRINT,
        VERSION,
        0,  # no command can be run
        ord("/"),
        2,
        ip.id,
        0,
        *(ip.y, ip.x),
        *(ip.dy, ip.dx),
        *(ip.oy, ip.ox),
        *(top, left),
        *(bottom - top, right - left),
        *_clock(0 if world is None else world.started),
        len(ip.below) + 1,
        ip.depth,
        *[depth for _, depth in reversed(ip.below)],
        *(0, 0, 0),  # one argument, the empty name of the program, and the end of arguments
        0,  # no environment
    ]


def _clock(seconds: int) -> tuple[int, int]:
    """Date and time in UTC, each in one cell; those of 1970 when the clock is beyond reason."""
    try:
        now = time.gmtime(seconds)
    except (OverflowError, ValueError, OSError):
        now = time.gmtime(0)
    date = (now.tm_year - 1900) * 65536 + now.tm_mon * 256 + now.tm_mday
    return date, now.tm_hour * 65536 + now.tm_min * 256 + now.tm_sec
