"""What A to Z do under each fingerprint: functions of the interpreter and the pointer."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from oracles.befunge_98.strings import STRN, print_string

if TYPE_CHECKING:
    from oracles.befunge_98 import IP, Oracle

Semantics = Callable[["Oracle", "IP"], None]


def constant(value: int) -> Semantics:
    return lambda o, ip: ip.push(value)


def unary(compute: Callable[[int], int]) -> Semantics:
    return lambda o, ip: ip.push(o.fit(compute(ip.pop())))


def binary(compute: Callable[[int, int], int]) -> Semantics:
    def run(o: Oracle, ip: IP) -> None:
        b, a = ip.pop(), ip.pop()
        ip.push(o.fit(compute(a, b)))

    return run


def truncated(a: int, b: int) -> int:
    """The remainder with the sign of ``a``."""
    return a - b * int_div(a, b) if b else 0


def int_div(a: int, b: int) -> int:
    if b == 0:
        return 0
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


BOOL = {
    "A": binary(lambda a, b: a & b), "N": unary(lambda a: ~a),
    "O": binary(lambda a, b: a | b), "X": binary(lambda a, b: a ^ b),
}  # fmt: skip
MODU = {
    "M": binary(lambda a, b: a % b if b else 0),
    "R": binary(truncated),
    "U": binary(lambda a, b: abs(truncated(a, b))),
}
ROMA = {
    letter: constant(value)
    for letter, value in zip("IVXLCDM", (1, 5, 10, 50, 100, 500, 1000), strict=True)
}
NULL = {chr(letter): (lambda o, ip: ip.reflect()) for letter in range(ord("A"), ord("Z") + 1)}


# ORTH


def orth_x(o: Oracle, ip: IP) -> None:
    ip.at = ip.pop(), ip.at[1]


def orth_y(o: Oracle, ip: IP) -> None:
    ip.at = ip.at[0], ip.pop()


def orth_v(o: Oracle, ip: IP) -> None:
    ip.delta = ip.pop(), ip.delta[1]


def orth_w(o: Oracle, ip: IP) -> None:
    ip.delta = ip.delta[0], ip.pop()


def orth_get(o: Oracle, ip: IP) -> None:
    y, x = ip.vector()
    ip.push(o.space.get((x, y)))


def orth_put(o: Oracle, ip: IP) -> None:
    y, x = ip.vector()
    o.write((x, y), ip.pop())


def orth_ramp(o: Oracle, ip: IP) -> None:
    if ip.pop() == 0:
        o.jump(ip, 1)


ORTH = {
    "A": BOOL["A"], "O": BOOL["O"], "E": BOOL["X"],
    "X": orth_x, "Y": orth_y, "V": orth_v, "W": orth_w,
    "G": orth_get, "P": orth_put, "Z": orth_ramp, "S": print_string,
}  # fmt: skip


# TOYS


def toys_gable(o: Oracle, ip: IP) -> None:
    n, value = ip.pop(), ip.pop()
    o.afford(n)
    if n < 0:
        ip.reflect()
    for _ in range(n):
        ip.push(value)


def toys_butterfly(o: Oracle, ip: IP) -> None:
    b, a = ip.pop(), ip.pop()
    ip.push(o.fit(a + b))
    ip.push(o.fit(a - b))


def toys_copy(upwards: bool, moving: bool) -> Semantics:
    """C, K, M and V: source, size and target; from the least cell on, or from the greatest."""

    def run(o: Oracle, ip: IP) -> None:
        (tx, ty), (width, height), (sx, sy) = ip.vector(), ip.vector(), ip.vector()
        if width < 0 or height < 0:
            if width and height:
                ip.reflect()
            return
        o.afford(width * height)
        points = [(x, y) for y in range(height) for x in range(width)]
        ox, oy = ip.offset
        for x, y in points if upwards else reversed(points):
            source = o.wrap_point((ox + sx + x, oy + sy + y))
            o.write(o.wrap_point((ox + tx + x, oy + ty + y)), o.space.get(source))
            if moving:
                o.write(source, 32)

    return run


def toys_fold(start: int, compute: Callable[[int, int], int]) -> Semantics:
    def run(o: Oracle, ip: IP) -> None:
        total = start
        for value in ip.toss:
            total = o.fit(compute(total, value))
        ip.toss[:] = [total]

    return run


def toys_put_matrix(o: Oracle, ip: IP) -> None:
    (tx, ty), rows, columns = ip.vector(), ip.pop(), ip.pop()
    o.afford(max(0, rows) * max(0, columns))
    for y in range(rows):
        for x in range(columns):
            o.write(o.wrap_point((tx + ip.offset[0] + x, ty + ip.offset[1] + y)), ip.pop())


def toys_get_matrix(o: Oracle, ip: IP) -> None:
    (sx, sy), rows, columns = ip.vector(), ip.pop(), ip.pop()
    o.afford(max(0, rows) * max(0, columns))
    for y in reversed(range(rows)):
        for x in reversed(range(columns)):
            ip.push(o.space.get(o.wrap_point((sx + ip.offset[0] + x, sy + ip.offset[1] + y))))


def toys_shift(o: Oracle, ip: IP) -> None:
    b, a = ip.pop(), ip.pop()
    if b <= 0:
        ip.push(a >> min(-b, 1 << 20))
    elif o.bits:
        ip.push(o.fit(a << min(b, 64)))
    else:
        o.afford(b if a else 0)
        ip.push(a << b if a else 0)


def toys_translate(axis: int) -> Semantics:
    """J and O: the whole column or row of the pointer moves."""

    def run(o: Oracle, ip: IP) -> None:
        n = ip.pop()
        cells = {at: v for at, v in o.space.cells.items() if at[1 - axis] == ip.at[1 - axis]}
        for at in cells:
            o.write(at, 32)
        for (x, y), value in cells.items():
            o.write((x + n, y) if axis == 0 else (x, y + n), value)

    return run


def toys_beside(turns: int) -> Semantics:
    """L and R: the cell to the left or right of the pointer."""

    def run(o: Oracle, ip: IP) -> None:
        dx, dy = ip.delta
        beside = o.space.move(ip.at, (dy, -dx) if turns < 0 else (-dy, dx))
        ip.push(o.space.get(beside or ip.at))

    return run


def toys_write_behind(o: Oracle, ip: IP) -> None:
    value = ip.pop()
    behind = o.space.move(ip.at, (-ip.delta[0], -ip.delta[1]))
    o.write(behind or ip.at, value)


def toys_fill(o: Oracle, ip: IP) -> None:
    (tx, ty), (width, height), value = ip.vector(), ip.vector(), ip.pop()
    if width < 0 or height < 0:
        if width and height:
            ip.reflect()
        return
    o.afford(width * height)
    for y in range(height):
        for x in range(width):
            o.write((tx + ip.offset[0] + x, ty + ip.offset[1] + y), value)


def toys_branch(o: Oracle, ip: IP) -> None:
    which, value = ip.pop(), 0
    if which == 0:
        value = ip.pop()
        ip.delta = (-1, 0) if value else (1, 0)
    elif which == 1:
        value = ip.pop()
        ip.delta = (0, -1) if value else (0, 1)
    else:
        ip.reflect()


def toys_tumbler(o: Oracle, ip: IP) -> None:
    direction = o.draw() >> 62
    o.write(ip.at, ord("><v^"[direction]))
    ip.delta = ((1, 0), (-1, 0), (0, 1), (0, -1))[direction]


def toys_wait(o: Oracle, ip: IP) -> None:
    (x, y), value = ip.vector(), ip.pop()
    there = o.space.get((x + ip.offset[0], y + ip.offset[1]))
    if there < value:
        ip.push(value)
        ip.push(x)
        ip.push(y)
        ip.stays = True
    elif there > value:
        ip.reflect()


def toys_x(o: Oracle, ip: IP) -> None:
    ip.at = o.fit(ip.at[0] + 1), ip.at[1]


def toys_y(o: Oracle, ip: IP) -> None:
    ip.at = ip.at[0], o.fit(ip.at[1] + 1)


TOYS = {
    "A": toys_gable, "B": toys_butterfly, "C": toys_copy(True, False), "D": unary(lambda a: a - 1),
    "E": toys_fold(0, lambda a, b: a + b), "F": toys_put_matrix, "G": toys_get_matrix,
    "H": toys_shift, "I": unary(lambda a: a + 1), "J": toys_translate(1),
    "K": toys_copy(False, False), "L": toys_beside(-1), "M": toys_copy(True, True),
    "N": unary(lambda a: -a), "O": toys_translate(0), "P": toys_fold(1, lambda a, b: a * b),
    "Q": toys_write_behind, "R": toys_beside(1), "S": toys_fill, "T": toys_branch,
    "U": toys_tumbler, "V": toys_copy(False, True), "W": toys_wait, "X": toys_x, "Y": toys_y,
    "Z": lambda o, ip: ip.reflect(),
}  # fmt: skip


# REFC


def refc_reference(o: Oracle, ip: IP) -> None:
    o.references.append(ip.vector())
    ip.push(len(o.references))


def refc_dereference(o: Oracle, ip: IP) -> None:
    number = ip.pop()
    if 1 <= number <= len(o.references):
        ip.push(o.references[number - 1][0])
        ip.push(o.references[number - 1][1])
    else:
        ip.reflect()


REFC = {"R": refc_reference, "D": refc_dereference}


# FIXP: angles in ten-thousandths of a degree, ratios in ten-thousandths


def rounded(value: float) -> int:
    """To the nearest, halves away from zero."""
    return math.floor(abs(value) + 0.5) * (1 if value >= 0 else -1)


def measured(function: Callable[[float], float]) -> Semantics:
    """Reflects where there is no such angle, or where a number is beyond floating point."""

    def run(o: Oracle, ip: IP) -> None:
        a = ip.pop()
        try:
            ip.push(o.fit(rounded(function(a / 10000) * 10000)))
        except (OverflowError, ValueError):
            ip.reflect()

    return run


def fixp_power(o: Oracle, ip: IP) -> None:
    b, a = ip.pop(), ip.pop()
    if abs(a) < 2:
        ip.push(1 if b == 0 else a if b % 2 else abs(a))
    elif b < 0:
        ip.push(0)
    elif o.bits:
        ip.push(o.fit(pow(a, b, 1 << 64)))
    else:
        o.afford(b)
        ip.push(a**b)


def fixp_root(o: Oracle, ip: IP) -> None:
    a = ip.pop()
    if a < 0:
        ip.reflect()
    else:
        root = math.isqrt(a)
        ip.push(root + (a - root * root > root))


def fixp_pi(o: Oracle, ip: IP) -> None:
    try:
        ip.push(o.fit(int(ip.pop() * math.pi)))
    except OverflowError:
        ip.reflect()


def fixp_random(o: Oracle, ip: IP) -> None:
    n = ip.pop()
    drawn = o.draw() % abs(n) if n else 0
    ip.push(drawn if n > 0 else -drawn)


FIXP = {
    "A": BOOL["A"], "O": BOOL["O"], "X": BOOL["X"],
    "B": measured(lambda a: math.degrees(math.acos(a))),
    "J": measured(lambda a: math.degrees(math.asin(a))),
    "U": measured(lambda a: math.degrees(math.atan(a))),
    "C": measured(lambda a: math.cos(math.radians(a))),
    "I": measured(lambda a: math.sin(math.radians(a))),
    "T": measured(lambda a: math.tan(math.radians(a))),
    "D": fixp_random, "N": unary(lambda a: -a), "P": fixp_pi,
    "Q": fixp_root, "R": fixp_power, "S": unary(lambda a: (a > 0) - (a < 0)), "V": unary(abs),
}  # fmt: skip


# CPLI


def complex_pair(compute: Callable[[int, int, int, int], tuple[int, int]]) -> Semantics:
    def run(o: Oracle, ip: IP) -> None:
        bi, br, ai, ar = ip.pop(), ip.pop(), ip.pop(), ip.pop()
        for part in compute(ar, ai, br, bi):
            ip.push(o.fit(part))

    return run


def complex_quotient(ar: int, ai: int, br: int, bi: int) -> tuple[int, int]:
    norm = br * br + bi * bi
    return int_div(ar * br + ai * bi, norm), int_div(ai * br - ar * bi, norm)


def complex_print(o: Oracle, ip: IP) -> None:
    i, r = ip.pop(), ip.pop()
    o.emit(f"{r}{'+' if i > 0 else ''}{i}i ".encode())


def complex_absolute(o: Oracle, ip: IP) -> None:
    i, r = ip.pop(), ip.pop()
    ip.push(o.fit(math.isqrt(r * r + i * i)))


CPLI = {
    "A": complex_pair(lambda ar, ai, br, bi: (ar + br, ai + bi)),
    "S": complex_pair(lambda ar, ai, br, bi: (ar - br, ai - bi)),
    "M": complex_pair(lambda ar, ai, br, bi: (ar * br - ai * bi, ar * bi + ai * br)),
    "D": complex_pair(complex_quotient),
    "O": complex_print,
    "V": complex_absolute,
}

FINGERPRINTS: dict[int, dict[str, Semantics]] = {
    int.from_bytes(name.encode()): semantics
    for name, semantics in {
        "NULL": NULL, "BOOL": BOOL, "MODU": MODU, "ROMA": ROMA, "ORTH": ORTH, "TOYS": TOYS,
        "REFC": REFC, "FIXP": FIXP, "STRN": STRN, "CPLI": CPLI,
    }.items()
}  # fmt: skip
