"""Instructions that print and read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracles.befunge_98.ip import IP, Refused
from oracles.work import work_of_printing, work_of_reading

if TYPE_CHECKING:
    from oracles.befunge_98.oracle import Oracle


def print_number(o: Oracle, ip: IP) -> None:
    number = ip.pop()
    o.spend(work_of_printing(number))
    o.emit(f"{number} ".encode())


def print_char(o: Oracle, ip: IP) -> None:
    o.emit(bytes([ip.pop() & 255]))


def take_byte(o: Oracle) -> int:
    o.position += 1
    return o.stdin[o.position - 1]


def read_char(o: Oracle, ip: IP) -> None:
    if o.position < len(o.stdin):
        ip.push(take_byte(o))
        o.read_at.append(o.steps + 1)
    elif not o.closed:
        raise Refused("needs_input")
    elif o.old or o.options.get("eof") == -1:
        ip.push(-1)
    else:
        ip.reflect()


def read_number(o: Oracle, ip: IP) -> None:
    end = o.position
    rest = o.stdin
    while end < len(rest) and not rest[end : end + 1].isdigit():
        end += 1
    start = end
    while end < len(rest) and rest[end : end + 1].isdigit():
        if o.bits and int(rest[start : end + 1]) >= 1 << (o.bits - 1):
            break
        end += 1
    if end == len(rest) and not o.closed:
        raise Refused("needs_input")
    rule = o.options.get("number-eof", "reflect")
    if start == end and rule == "fault":
        raise Refused("faulted", "no_number")
    negative = o.position < start and rest[start - 1 : start] == b"-"
    o.spend(work_of_reading(end - start + negative))
    o.read_at += [o.steps + 1] * (end - o.position)
    o.position = end
    if start == end and (o.old or rule == -1):
        ip.push(-1)
    elif start == end:
        ip.reflect()
    else:
        ip.push(-int(rest[start:end]) if negative else int(rest[start:end]))


def read_line(o: Oracle) -> bytes | None:
    """Read a line and return it without its newline; None at the end of the input."""
    end = o.stdin.find(b"\n", o.position)
    if end < 0 and not o.closed:
        raise Refused("needs_input")
    stop = len(o.stdin) if end < 0 else end + 1
    line = o.stdin[o.position : stop]
    o.read_at += [o.steps + 1] * len(line)
    o.position = stop
    return line.removesuffix(b"\n") if line else None


PRINTING_AND_READING = {".": print_number, ",": print_char, "~": read_char, "&": read_number}
