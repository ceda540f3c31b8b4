"""The first fingerprints of Cat's Eye Technologies' registry, and BOOL of RC/Funge-98.

NULL reflects. BOOL, MODU, and ROMA compute. ORTH has the instructions of Orthogonal, REFC numbers
points.
"""

from __future__ import annotations

from esolangs.befunge_98.fingerprint_strings import print_string
from esolangs.befunge_98.opcodes import MEANING
from esolangs.befunge_98.states import Log
from esolangs.befunge_98.transaction import Transaction
from esolangs.division import divide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]


def constant(value: int) -> Semantics:
    return lambda step: step.push(value)


def unary(compute: Callable[[int], int]) -> Semantics:
    return lambda step: step.push(compute(step.pop()))


def binary(compute: Callable[[int, int], int]) -> Semantics:
    def run(step: Transaction) -> None:
        b, a = step.pop(), step.pop()
        step.push(compute(a, b))

    return run


def quotient(a: int, b: int) -> int:
    """Return the quotient, rounded toward zero; 0 if ``b`` is 0."""
    if b == 0:
        return 0
    size, _ = divide(abs(a), abs(b))
    return size if (a < 0) == (b < 0) else -size


def _remainder(a: int, b: int) -> int:
    return a - b * quotient(a, b) if b else 0


def _floored(a: int, b: int) -> int:
    """Return the remainder, with the sign of ``b``; 0 if ``b`` is 0."""
    rest = _remainder(a, b)
    return rest + b if rest and (a < 0) != (b < 0) else rest


NULL: dict[str, Semantics] = {chr(letter): Transaction.reflect for letter in range(65, 91)}
BOOL: dict[str, Semantics] = {
    "A": binary(lambda a, b: a & b),
    "N": unary(lambda a: ~a),
    "O": binary(lambda a, b: a | b),
    "X": binary(lambda a, b: a ^ b),
}
MODU: dict[str, Semantics] = {
    "M": binary(_floored),
    "R": binary(_remainder),
    "U": binary(lambda a, b: abs(_remainder(a, b))),
}
ROMA: dict[str, Semantics] = {
    "I": constant(1),
    "V": constant(5),
    "X": constant(10),
    "L": constant(50),
    "C": constant(100),
    "D": constant(500),
    "M": constant(1000),
}


# ORTH: the instructions of Orthogonal.


def _orth_x(step: Transaction) -> None:
    step.ip.x = step.pop()


def _orth_y(step: Transaction) -> None:
    step.ip.y = step.pop()


def _orth_v(step: Transaction) -> None:
    step.ip.dx = step.pop()


def _orth_w(step: Transaction) -> None:
    step.ip.dy = step.pop()


def _orth_get(step: Transaction) -> None:
    y, x = step.vector()
    step.push(step.get(x, y))


def _orth_put(step: Transaction) -> None:
    (y, x), value = step.vector(), step.pop()
    step.reserve_memory(step.outside(x, y), (value,))
    step.put(x, y, value)


def _orth_ramp(step: Transaction) -> None:
    if step.pop() == 0:
        step.core.hop()


ORTH: dict[str, Semantics] = {
    "A": BOOL["A"],
    "O": BOOL["O"],
    "E": BOOL["X"],
    "X": _orth_x,
    "Y": _orth_y,
    "V": _orth_v,
    "W": _orth_w,
    "G": _orth_get,
    "P": _orth_put,
    "Z": _orth_ramp,
    "S": print_string,
}


# REFC: points by number, for all IPs.


def _refc_reference(step: Transaction) -> None:
    point = step.vector()
    points: Log = step.load("REFC", shared=True) or Log()
    points = points.appended(point)
    step.push(points.length)
    step.save("REFC", points, MEANING * points.length, shared=True)


def _refc_dereference(step: Transaction) -> None:
    number = step.pop()
    points: Log = step.load("REFC", shared=True) or Log()
    if 1 <= number <= points.length:
        step.push_vector(*points.item(number - 1))
    else:
        step.reflect()


REFC: dict[str, Semantics] = {"R": _refc_reference, "D": _refc_dereference}
