"""The instructions of STRN, and a function for other instructions that print strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracles.befunge_98.io import read_line
from oracles.work import work_of_reading

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle


def print_string(o: Oracle, ip: IP) -> None:
    text = ip.string()
    o.move(ip)
    o.emit(bytes(char & 255 for char in text))


def strn_append(o: Oracle, ip: IP) -> None:
    upper = ip.string()
    ip.push_string(upper + ip.string())


def strn_compare(o: Oracle, ip: IP) -> None:
    upper, lower = ip.string(), ip.string()
    ip.push((upper > lower) - (upper < lower))


def strn_find(o: Oracle, ip: IP) -> None:
    upper, lower = ip.string(), ip.string()
    for at in range(len(upper) - len(lower) + 1):
        if upper[at : at + len(lower)] == lower:
            ip.push_string(upper[at:])
            return
    ip.push_string([])


def strn_get(o: Oracle, ip: IP) -> None:
    x, y = ip.vector()
    x, y = x + ip.offset[0], y + ip.offset[1]
    left, top, right, bottom = o.space.bounds()
    found: list[int] = []
    while left <= x <= right and top <= y <= bottom and o.space.get((x, y)) != 0:
        found.append(o.space.get((x, y)))
        x += 1
    o.move(ip, 64 * len(found))
    if left <= x <= right and top <= y <= bottom:
        ip.push_string(found)
    else:
        ip.reflect()


def strn_input(o: Oracle, ip: IP) -> None:
    line = read_line(o)
    if line is None:
        ip.reflect()
    else:
        ip.push_string(list(line))


def strn_left(o: Oracle, ip: IP) -> None:
    n, text = ip.pop(), ip.string()
    if 0 <= n <= len(text):
        ip.push_string(text[:n])
    else:
        ip.reflect()


def strn_right(o: Oracle, ip: IP) -> None:
    n, text = ip.pop(), ip.string()
    if 0 <= n <= len(text):
        ip.push_string(text[len(text) - n :])
    else:
        ip.reflect()


def strn_middle(o: Oracle, ip: IP) -> None:
    n, start, text = ip.pop(), ip.pop(), ip.string()
    if n >= 0 and start >= 0 and start + n <= len(text):
        ip.push_string(text[start : start + n])
    else:
        ip.reflect()


def strn_length(o: Oracle, ip: IP) -> None:
    text = ip.string()
    ip.push_string(text)
    ip.push(len(text))


def strn_put(o: Oracle, ip: IP) -> None:
    x, y = ip.vector()
    text = [*ip.string(), 0]
    o.move(ip, 256 * len(text))
    for place, char in enumerate(text):
        o.write((x + ip.offset[0] + place, y + ip.offset[1]), char)


def strn_value(o: Oracle, ip: IP) -> None:
    text = "".join(chr(c) if 0 < c < 128 else "?" for c in ip.string()).lstrip(" \t\n\v\f\r")
    sign = text[:1] if text[:1] in ("-", "+") else ""
    digits = ""
    for char in text[len(sign) :]:
        if not "0" <= char <= "9":
            break
        digits += char
    o.spend(work_of_reading(len(sign + digits)))
    ip.push(o.fit(int(sign + (digits or "0"))))


STRN = {
    "A": strn_append, "C": strn_compare, "D": print_string, "F": strn_find, "G": strn_get,
    "I": strn_input, "L": strn_left, "M": strn_middle, "N": strn_length, "P": strn_put,
    "R": strn_right, "V": strn_value,
    "S": lambda o, ip: ip.push_string([ord(digit) for digit in str(ip.pop())]),
}  # fmt: skip
