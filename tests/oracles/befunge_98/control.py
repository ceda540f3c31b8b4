"""The instructions of FING, IMAP, MODE and SUBR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracles.befunge_98.ip import EAST
from oracles.befunge_98.semantics import Semantics

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle

NULL = int.from_bytes(b"NULL")


# FING


def letter(ip: IP) -> str:
    """Pop a letter or its number from 0; return '' if the value is neither."""
    value = ip.pop()
    if 0 <= value <= 25:
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value]
    return chr(value) if 65 <= value <= 90 else ""


def uppermost(ip: IP, name: str) -> tuple[int, str]:
    return (ip.bindings.get(name) or [(NULL, name)])[-1]


def fing_swap(o: Oracle, ip: IP) -> None:
    b, a = letter(ip), letter(ip)
    if not a or not b:
        ip.reflect()
        return
    of_a, of_b = uppermost(ip, a), uppermost(ip, b)
    ip.bindings[a] = [*ip.bindings.get(a, [])[:-1], of_b]
    ip.bindings[b] = [*ip.bindings.get(b, [])[:-1], of_a]


def fing_drop(o: Oracle, ip: IP) -> None:
    name = letter(ip)
    if not ip.bindings.get(name):
        ip.reflect()
    else:
        ip.bindings[name].pop()


def fing_push(o: Oracle, ip: IP) -> None:
    target, source = letter(ip), letter(ip)
    if not target or not source:
        ip.reflect()
        return
    ip.bindings[target] = [*ip.bindings.get(target, []), uppermost(ip, source)]


FING = {"X": fing_swap, "Y": fing_drop, "Z": fing_push}


# IMAP


def imap_map(o: Oracle, ip: IP) -> None:
    old, new = ip.pop(), ip.pop()
    if 0 <= old <= 255:
        ip.mapping = {**ip.mapping, old: new}
    else:
        ip.reflect()


def imap_unmap(o: Oracle, ip: IP) -> None:
    old = ip.pop()
    if 0 <= old <= 255:
        ip.mapping = {key: new for key, new in ip.mapping.items() if key != old}
    else:
        ip.reflect()


def imap_unmap_all(o: Oracle, ip: IP) -> None:
    ip.mapping = {}


IMAP = {"C": imap_unmap_all, "M": imap_map, "O": imap_unmap}


# MODE


def mode_hover(o: Oracle, ip: IP) -> None:
    ip.hover = not ip.hover


def mode_invert(o: Oracle, ip: IP) -> None:
    ip.invert = not ip.invert


def mode_queue(o: Oracle, ip: IP) -> None:
    ip.queue = not ip.queue


def mode_switch(o: Oracle, ip: IP) -> None:
    ip.switch = not ip.switch


MODE = {"H": mode_hover, "I": mode_invert, "Q": mode_queue, "S": mode_switch}


# SUBR


def relative(relatively: bool) -> Semantics:
    def run(o: Oracle, ip: IP) -> None:
        ip.states["SUBR"] = relatively

    return run


def go(o: Oracle, ip: IP, x: int, y: int) -> None:
    if ip.states.get("SUBR"):
        x, y = x + ip.offset[0], y + ip.offset[1]
    ip.at = o.space.within(o.wrap_point((x, y)))
    ip.delta = EAST
    ip.stays = True


def subr_jump(o: Oracle, ip: IP) -> None:
    go(o, ip, *ip.vector())


def subr_call(o: Oracle, ip: IP) -> None:
    n = ip.pop()
    if n < 0:
        ip.reflect()
        return
    target = ip.vector()
    o.afford(n)
    o.move(ip, 128 * n)
    arguments = [ip.pop() for _ in range(n)]
    for value in (*ip.at, *ip.delta, *reversed(arguments)):
        ip.push(value)
    go(o, ip, *target)


def subr_return(o: Oracle, ip: IP) -> None:
    n = ip.pop()
    if n < 0:
        ip.reflect()
        return
    o.afford(n)
    o.move(ip, 128 * n)
    values = [ip.pop() for _ in range(n)]
    ip.delta = ip.vector()
    ip.at = o.space.within(ip.vector())
    for value in reversed(values):
        ip.push(value)


SUBR = {
    "A": relative(False), "C": subr_call, "J": subr_jump, "O": relative(True), "R": subr_return,
}  # fmt: skip
