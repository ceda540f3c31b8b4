"""The instructions of LONG and BASE."""

from __future__ import annotations

import re
from collections.abc import Callable
from ctypes import c_int32, c_int64, c_uint32
from typing import TYPE_CHECKING

from oracles.befunge_98.ip import Refused
from oracles.befunge_98.semantics import Semantics, int_div, truncated
from oracles.work import work_of_reading

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle


def pop_long(ip: IP) -> int:
    low, high = ip.pop(), ip.pop()
    return c_int64(c_uint32(high).value * 2**32 + c_uint32(low).value).value


def push_long(ip: IP, value: int) -> None:
    ip.push(c_int32(value >> 32).value)
    ip.push(c_int32(value).value)


def long_unary(compute: Callable[[int], int]) -> Semantics:
    return lambda o, ip: push_long(ip, compute(pop_long(ip)))


def long_binary(compute: Callable[[int, int], int]) -> Semantics:
    def run(o: Oracle, ip: IP) -> None:
        b, a = pop_long(ip), pop_long(ip)
        push_long(ip, compute(a, b))

    return run


def long_left(o: Oracle, ip: IP) -> None:
    n, value = ip.pop(), pop_long(ip)
    if n < 0:
        ip.reflect()
    else:
        push_long(ip, value * 2**n if n < 64 else 0)


def long_right(o: Oracle, ip: IP) -> None:
    n, value = ip.pop(), pop_long(ip)
    if n < 0:
        ip.reflect()
    else:
        push_long(ip, value // 2 ** min(n, 63))


def long_parse(o: Oracle, ip: IP) -> None:
    text = "".join(chr(c) if 0 < c < 128 else "?" for c in ip.string())
    found = re.match(r"[ \t\n\v\f\r]*([-+]?[0-9]+)", text)
    push_long(ip, int(found[1]) if found else 0)


LONG = {
    "A": long_binary(lambda a, b: a + b), "S": long_binary(lambda a, b: a - b),
    "M": long_binary(lambda a, b: a * b), "D": long_binary(int_div), "O": long_binary(truncated),
    "B": long_unary(abs), "N": long_unary(lambda a: -a),
    "E": lambda o, ip: push_long(ip, ip.pop()),
    "L": long_left, "R": long_right, "Z": long_parse,
    "P": lambda o, ip: o.emit(f"{pop_long(ip)} ".encode()),
}  # fmt: skip


# BASE

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def spelled(value: int, base: int) -> str:
    if value < 0:
        return "-" + spelled(-value, base)
    found = ""
    while value or not found:
        found = DIGITS[value % base] + found
        value //= base
    return found


def print_bits(base: int) -> Semantics:
    def run(o: Oracle, ip: IP) -> None:
        value = ip.pop()
        o.emit(f"{spelled(value % 2**o.bits if o.bits else value, base)} ".encode())

    return run


def print_base(o: Oracle, ip: IP) -> None:
    base, value = ip.pop(), ip.pop()
    if 2 <= base <= 36 and value >= 0:
        o.emit(f"{spelled(value, base)} ".encode())
    else:
        ip.reflect()


def read_base(o: Oracle, ip: IP) -> None:
    base = ip.pop()
    if not 2 <= base <= 36:
        ip.reflect()
        return
    rest = o.stdin[o.position :].decode("latin-1")
    digit = f"[{DIGITS[:base]}{DIGITS[:base].upper()}]"
    skipped = re.match(f"(?:(?!{digit}).)*", rest, re.DOTALL)
    assert skipped is not None
    start = end = skipped.end()
    while end < len(rest) and re.match(digit, rest[end]):
        if o.bits and int(rest[start : end + 1], base) >= 1 << (o.bits - 1):
            break
        end += 1
    if end == len(rest) and not o.closed:
        raise Refused("needs_input")
    o.spend(work_of_reading(end - start))
    o.read_at += [o.steps + 1] * end
    o.position += end
    if start == end:
        ip.reflect()
    else:
        minus = rest[:start].endswith("-")
        ip.push(int(rest[start:end], base) * (-1 if minus else 1))


BASE = {
    "B": print_bits(2), "O": print_bits(8), "H": print_bits(16), "N": print_base, "I": read_base,
}  # fmt: skip
