"""The instructions of 3DSP."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from oracles.befunge_98.floats import bits_of, divide, float_of, pop_float, push_float
from oracles.befunge_98.semantics import Semantics
from oracles.befunge_98.space import Point

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle

Vector = list[float]
Matrix = list[list[float]]


def pop(ip: IP) -> Vector:
    return [pop_float(ip) for _ in range(3)][::-1]


def push(ip: IP, vector: Vector) -> None:
    for part in vector:
        push_float(ip, part)


def place(o: Oracle, ip: IP, at: Point, column: int, row: int) -> Point:
    return o.wrap_point((at[0] + ip.offset[0] + column, at[1] + ip.offset[1] + row))


def read(o: Oracle, ip: IP, at: Point) -> Matrix:
    return [
        [float_of(o.space.get(place(o, ip, at, column, row))) for column in range(4)]
        for row in range(4)
    ]


def write(o: Oracle, ip: IP, at: Point, matrix: Matrix) -> None:
    for row in range(4):
        for column in range(4):
            o.write(place(o, ip, at, column, row), bits_of(matrix[row][column]))


def identity() -> Matrix:
    return [[float(row == column) for column in range(4)] for row in range(4)]


def members(compute: Callable[[float, float], float]) -> Semantics:
    def run(o: Oracle, ip: IP) -> None:
        b, a = pop(ip), pop(ip)
        push(ip, [compute(x, y) for x, y in zip(a, b, strict=True)])

    return run


def scalar(a: Vector, b: Vector) -> float:
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total += x * y
    return total


def cross(o: Oracle, ip: IP) -> None:
    b, a = pop(ip), pop(ip)
    push(ip, [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)])


def dot(o: Oracle, ip: IP) -> None:
    b, a = pop(ip), pop(ip)
    push_float(ip, scalar(a, b))


def length(o: Oracle, ip: IP) -> None:
    a = pop(ip)
    push_float(ip, math.sqrt(scalar(a, a)))


def normalize(o: Oracle, ip: IP) -> None:
    a = pop(ip)
    size = math.sqrt(scalar(a, a))
    push(ip, [divide(part, size) for part in a])


def duplicate(o: Oracle, ip: IP) -> None:
    cells = [ip.pop() for _ in range(3)][::-1]
    for cell in cells * 2:
        ip.push(cell)


def scaled(o: Oracle, ip: IP) -> None:
    a, factor = pop(ip), pop_float(ip)
    push(ip, [part * factor for part in a])


def mapped(o: Oracle, ip: IP) -> None:
    x, y, z = pop(ip)
    push_float(ip, x if z == 0 else x / z)
    push_float(ip, y if z == 0 else y / z)


def copy(o: Oracle, ip: IP) -> None:
    source, target = ip.vector(), ip.vector()
    points = [(column, row) for row in range(4) for column in range(4)]
    cells = [o.space.get(place(o, ip, source, *point)) for point in points]
    for point, cell in zip(points, cells, strict=True):
        o.write(place(o, ip, target, *point), cell)


def rotate(o: Oracle, ip: IP) -> None:
    degrees, axis, target = pop_float(ip), ip.pop(), ip.vector()
    if axis not in (1, 2, 3):
        ip.reflect()
        return
    angle = degrees * (math.pi / 180)
    if math.isfinite(angle):
        s, c = math.sin(angle), math.cos(angle)
    else:
        s = c = math.nan
    matrix = identity()
    one, other = [(1, 2), (2, 0), (0, 1)][axis - 1]
    matrix[one][one] = matrix[other][other] = c
    matrix[one][other], matrix[other][one] = -s, s
    write(o, ip, target, matrix)


def scaling(o: Oracle, ip: IP) -> None:
    a, target = pop(ip), ip.vector()
    matrix = identity()
    for at in range(3):
        matrix[at][at] = a[at]
    write(o, ip, target, matrix)


def translation(o: Oracle, ip: IP) -> None:
    a, target = pop(ip), ip.vector()
    matrix = identity()
    for at in range(3):
        matrix[at][3] = a[at]
    write(o, ip, target, matrix)


def product(a: Matrix, b: Matrix) -> Matrix:
    columns = range(len(b[0]))
    return [[scalar(row, [line[column] for line in b]) for column in columns] for row in a]


def transform(o: Oracle, ip: IP) -> None:
    at, a = ip.vector(), pop(ip)
    rows = product(read(o, ip, at), [[part] for part in [*a, 1.0]])
    push(ip, [row[0] for row in rows[:3]])


def multiply(o: Oracle, ip: IP) -> None:
    b, a, target = ip.vector(), ip.vector(), ip.vector()
    write(o, ip, target, product(read(o, ip, b), read(o, ip, a)))


THREE_D_SP = {
    "A": members(lambda a, b: a + b), "B": members(lambda a, b: a - b), "C": cross, "D": dot,
    "L": length, "M": members(lambda a, b: a * b), "N": normalize, "P": copy, "R": rotate,
    "S": scaling, "T": translation, "U": duplicate, "V": mapped, "X": transform, "Y": multiply,
    "Z": scaled,
}  # fmt: skip
