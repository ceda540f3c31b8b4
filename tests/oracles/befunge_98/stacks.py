"""Instructions for the stack and the stack of stacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracles.befunge_98.ip import IP

if TYPE_CHECKING:
    from oracles.befunge_98.oracle import Oracle


def duplicate(o: Oracle, ip: IP) -> None:
    if ip.toss and (ip.invert or ip.queue):
        value = ip.pop()
        ip.push(value)
        ip.push(value)
        return
    if not ip.toss and not ip.strict:
        ip.push(0)
    ip.push(ip.toss[-1] if ip.toss else 0)  # strictly one zero, not two


def swap(o: Oracle, ip: IP) -> None:
    b, a = ip.pop(), ip.pop()
    ip.push(b)
    ip.push(a)


def discard(o: Oracle, ip: IP) -> None:
    ip.pop()


def clear(o: Oracle, ip: IP) -> None:
    if not o.bits:
        o.move(ip, 32 * len(ip.toss))
    ip.toss.clear()


def begin(o: Oracle, ip: IP) -> None:
    n = ip.pop()
    o.afford(abs(n))
    o.move(ip, 2 * abs(n))
    soss = ip.toss
    ip.stacks.append([])
    if n > 0:
        ip.toss.extend([0] * (n - len(soss)) + soss[max(0, len(soss) - n) :])
        del soss[max(0, len(soss) - n) :]
    soss.extend([0] * -n)
    soss.extend(ip.offset)
    ip.offset = o.next_to(ip.at, ip.delta)


def end(o: Oracle, ip: IP) -> None:
    if len(ip.stacks) == 1:
        ip.reflect()
        return
    depth = len(ip.toss)
    n = ip.pop()
    o.afford(n)
    gone = min(len(ip.stacks[-2]), 2 + max(0, -n))
    o.move(ip, 2 * max(0, n) + (0 if o.bits else 32 * (depth + gone)))
    toss = ip.stacks.pop()
    y = ip.toss.pop() if ip.toss else 0
    x = ip.toss.pop() if ip.toss else 0
    ip.offset = x, y
    if n > 0:
        ip.toss.extend([0] * (n - len(toss)) + toss[max(0, len(toss) - n) :])
    elif n < 0:
        del ip.toss[max(0, len(ip.toss) + n) :]


def under(o: Oracle, ip: IP) -> None:
    if len(ip.stacks) == 1:
        ip.reflect()
        return
    n = ip.pop()
    o.afford(abs(n))
    o.move(ip, 2 * abs(n))
    source, target = (ip.stacks[-2], ip.toss) if n > 0 else (ip.toss, ip.stacks[-2])
    for _ in range(abs(n)):
        target.append(source.pop() if source else 0)


STACKS = {
    ":": duplicate, "\\": swap, "$": discard, "n": clear, "{": begin, "}": end, "u": under,
}  # fmt: skip
