"""The instructions ``y``, ``(`` and ``)``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from oracles.befunge_98.ip import IP
from oracles.befunge_98.registry import FINGERPRINTS

if TYPE_CHECKING:
    from oracles.befunge_98.oracle import Oracle

NEED_DISK = {int.from_bytes(name) for name in (b"FILE", b"DIRF")}
VERSION, HANDPRINT = 100, b"ESOP"


def information(o: Oracle, ip: IP) -> list[int]:
    """Return the cells that ``y`` pushes, from the top."""
    left, top, right, bottom = o.space.bounds()
    at = time.gmtime(o.started)
    flags, version, handprint = 0x01, VERSION, int.from_bytes(HANDPRINT)
    return [
        flags, o.bits // 8 or -1, handprint, version, 0, ord("/"), 2, ip.id, 0,
        ip.at[1], ip.at[0], ip.delta[1], ip.delta[0], ip.offset[1], ip.offset[0],
        top, left, bottom - top, right - left,
        (at.tm_year - 1900) * 65536 + at.tm_mon * 256 + at.tm_mday,
        at.tm_hour * 65536 + at.tm_min * 256 + at.tm_sec,
        len(ip.stacks), *[len(stack) for stack in reversed(ip.stacks)],
        0, 0, 0,  # one argument, the empty name of the program, and the end of arguments
        0,  # no environment
    ]  # fmt: skip


def sysinfo(o: Oracle, ip: IP) -> None:
    n = ip.pop()
    cells = information(o, ip)
    if n <= 0:
        o.move(ip, 64 * (len(ip.stacks) - 1))
        for cell in reversed(cells):
            ip.push(cell)
    elif n <= len(cells):
        ip.push(cells[n - 1])
    else:
        below = n - len(cells)
        ip.push(ip.toss[-below] if below <= len(ip.toss) else 0)


def named(o: Oracle, ip: IP) -> int | None:
    """Pop the number of a fingerprint; return None if it is unknown or not available."""
    count, value = ip.pop(), 0
    if count < 1:
        return None
    for _ in range(min(count, len(ip.toss) + 9)):
        value = o.fit(value * 256 + ip.pop())
    known = count <= 8 or o.bits
    if value in NEED_DISK and o.disk is None:
        return None
    return value if known and value in FINGERPRINTS else None


def load(o: Oracle, ip: IP) -> None:
    name = named(o, ip)
    if name is None:
        ip.reflect()
        return
    for letter in FINGERPRINTS[name]:
        ip.bindings.setdefault(letter, []).append((name, letter))
    ip.push(name)
    ip.push(1)


def unload(o: Oracle, ip: IP) -> None:
    name = named(o, ip)
    if name is None:
        ip.reflect()
        return
    for letter in FINGERPRINTS[name]:
        if ip.bindings.get(letter):
            ip.bindings[letter].pop()


SYSTEM = {"y": sysinfo, "(": load, ")": unload}
