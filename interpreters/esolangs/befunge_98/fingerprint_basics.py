"""The first fingerprints of Cat's Eye Technologies' registry, and BOOL of RC/Funge-98.

NULL reflects. BOOL, MODU, and ROMA compute. ORTH has the instructions of Orthogonal, REFC numbers
points.
"""

from __future__ import annotations

from esolangs.befunge_98.fingerprint_strings import print_string
from esolangs.befunge_98.hands import Hands
from esolangs.befunge_98.opcodes import MEANING
from esolangs.befunge_98.states import Log
from esolangs.division import divide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Hands], None]


def constant(value: int) -> Semantics:
    return lambda hands: hands.push(value)


def unary(compute: Callable[[int], int]) -> Semantics:
    return lambda hands: hands.push(compute(hands.pop()))


def binary(compute: Callable[[int, int], int]) -> Semantics:
    def run(hands: Hands) -> None:
        b, a = hands.pop(), hands.pop()
        hands.push(compute(a, b))

    return run


def quotient(a: int, b: int) -> int:
    """Towards zero; 0 by zero."""
    if b == 0:
        return 0
    size, _ = divide(abs(a), abs(b))
    return size if (a < 0) == (b < 0) else -size


def _remainder(a: int, b: int) -> int:
    return a - b * quotient(a, b) if b else 0


def _floored(a: int, b: int) -> int:
    """With the sign of ``b``; 0 by zero."""
    rest = _remainder(a, b)
    return rest + b if rest and (a < 0) != (b < 0) else rest


NULL: dict[str, Semantics] = {chr(letter): Hands.reflect for letter in range(65, 91)}
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


def _orth_x(hands: Hands) -> None:
    hands.ip.x = hands.pop()


def _orth_y(hands: Hands) -> None:
    hands.ip.y = hands.pop()


def _orth_v(hands: Hands) -> None:
    hands.ip.dx = hands.pop()


def _orth_w(hands: Hands) -> None:
    hands.ip.dy = hands.pop()


def _orth_get(hands: Hands) -> None:
    y, x = hands.vector()
    hands.push(hands.get(x, y))


def _orth_put(hands: Hands) -> None:
    (y, x), value = hands.vector(), hands.pop()
    hands.afford(hands.outside(x, y), (value,))
    hands.put(x, y, value)


def _orth_ramp(hands: Hands) -> None:
    if hands.pop() == 0:
        hands.core.hop()


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


def _refc_reference(hands: Hands) -> None:
    point = hands.vector()
    points: Log = hands.saved("REFC", shared=True) or Log()
    points = points.appended(point)
    hands.push(points.length)
    hands.save("REFC", points, MEANING * points.length, shared=True)


def _refc_dereference(hands: Hands) -> None:
    number = hands.pop()
    points: Log = hands.saved("REFC", shared=True) or Log()
    if 1 <= number <= points.length:
        hands.push_vector(*points.item(number - 1))
    else:
        hands.reflect()


REFC: dict[str, Semantics] = {"R": _refc_reference, "D": _refc_dereference}
