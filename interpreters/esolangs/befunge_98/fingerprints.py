"""``(`` and ``)``, and what the letters A to Z mean under each fingerprint.

Sources: the Funge-98 specification and Cat's Eye Technologies' registry of fingerprints for
NULL, ROMA, MODU, ORTH, TOYS, REFC; the RC/Funge-98 documentation for BOOL, CPLI, FIXP, STRN.
"""

from __future__ import annotations

import math

from esolangs.befunge_98.fingerprint_cells import FRTH, INDV, JSTR
from esolangs.befunge_98.fingerprint_floats import FPDP, FPSP
from esolangs.befunge_98.fingerprint_formats import FPRT
from esolangs.befunge_98.fingerprint_integers import BASE, LONG
from esolangs.befunge_98.fingerprint_toys import TOYS
from esolangs.befunge_98.fingerprint_vectors import DSP3
from esolangs.befunge_98.hands import BLOCK, Hands, Refused
from esolangs.befunge_98.opcodes import MEANING
from esolangs.numbers import MOST_BITS, decimal, from_decimal
from esolangs.reasons import FLUSH, MEMORY_FULL, NEEDS_INPUT

TYPE_CHECKING = False


if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Hands], None]

# STRN: strings that end with 0, their first character uppermost on the stack.


def print_string(hands: Hands) -> None:
    """D, and S of ORTH."""
    hands.print(bytes([char & 255 for char in hands.string()]))


def _append(hands: Hands) -> None:
    upper, lower = hands.string(), hands.string()
    hands.push_string(upper + lower)


def _compare(hands: Hands) -> None:
    upper, lower = hands.string(), hands.string()
    hands.push((upper > lower) - (upper < lower))


def _find(hands: Hands) -> None:
    upper, lower = hands.string(), hands.string()
    at = _index(upper, lower)
    hands.push_string([] if at is None else upper[at:])


def _index(text: list[int], part: list[int]) -> int | None:
    """Where ``part`` begins first, in time that their sum bounds (Knuth, Morris, Pratt)."""
    if not part:
        return 0
    borders, length = [0], 0
    for char in part[1:]:
        while length and char != part[length]:
            length = borders[length - 1]
        length += char == part[length]
        borders.append(length)
    length = 0
    for at, char in enumerate(text):
        while length and char != part[length]:
            length = borders[length - 1]
        length += char == part[length]
        if length == len(part):
            return at + 1 - length
    return None


def _get(hands: Hands) -> None:
    """From a cell eastwards up to a 0; reflects when there is none in the space in use."""
    core = hands.core
    x, y = hands.vector()
    x, y = x + hands.ip.ox, y + hands.ip.oy
    core.tighten()
    found: list[int] = []
    if core.low_y <= y <= core.high_y and core.low_x <= x:
        while x <= core.high_x:
            value = core.get(x, y)
            if value == 0:
                hands.push_string(found)
                return
            found.append(value)
            if len(found) > BLOCK:
                raise Refused(MEMORY_FULL)
            x += 1
    hands.reflect()


def _input(hands: Hands) -> None:
    """A line, whose newline is read too; reflects when there is nothing at all."""
    core = hands.core
    rest = core.read_ahead()
    end = rest.find(b"\n")
    if end < 0 and not core.closed:
        raise Refused(NEEDS_INPUT)
    line = rest if end < 0 else rest[: end + 1]
    if not line:
        core.consume(b"")
        hands.reflect()
        return
    if len(core.reads) and len(core.reads) + len(line) > 4096:
        raise Refused(FLUSH)
    hands.push_string(list(line.removesuffix(b"\n")))
    core.consume(line)


def _part(cut: Callable[[list[int], int], list[int]]) -> Callable[[Hands], None]:
    """L and R: as many characters as the stack says, or a reflection."""

    def run(hands: Hands) -> None:
        count, text = hands.pop(), hands.string()
        if 0 <= count <= len(text):
            hands.push_string(cut(text, count))
        else:
            hands.reflect()

    return run


def _middle(hands: Hands) -> None:
    count, start, text = hands.pop(), hands.pop(), hands.string()
    if count >= 0 and start >= 0 and start + count <= len(text):
        hands.push_string(text[start : start + count])
    else:
        hands.reflect()


def _length(hands: Hands) -> None:
    text = hands.string()
    hands.push_string(text)
    hands.push(len(text))


def _put(hands: Hands) -> None:
    x, y = hands.place()
    text = [*hands.string(), 0]
    hands.afford(len(text), text)
    for at, char in enumerate(text):
        hands.put(x + at, y, char)


def _spell(hands: Hands) -> None:
    hands.push_string(list(decimal(hands.pop())))


def _value(hands: Hands) -> None:
    """The whole number at the front of a string, after white space; 0 when there is none."""
    text = bytes([char if 0 < char < 128 else 63 for char in hands.string()])
    text = text.lstrip(b" \t\n\v\f\r")
    sign = text[:1] if text[:1] in (b"-", b"+") else b""
    end = len(sign)
    while text[end : end + 1].isdigit():
        end += 1
    if 4 * end > MOST_BITS:
        raise Refused(MEMORY_FULL)
    hands.push(from_decimal(text[:end]) if end > len(sign) else 0)


STRN: dict[str, Callable[[Hands], None]] = {
    "A": _append,
    "C": _compare,
    "D": print_string,
    "F": _find,
    "G": _get,
    "I": _input,
    "L": _part(lambda text, count: text[:count]),
    "M": _middle,
    "N": _length,
    "P": _put,
    "R": _part(lambda text, count: text[len(text) - count :]),
    "S": _spell,
    "V": _value,
}


def load(hands: Hands) -> None:
    """``(``: reflects when there is no such fingerprint."""
    name = _named(hands)
    if name is None:
        hands.reflect()
        return
    letters = FINGERPRINTS[name]
    hands.push(name)
    hands.push(1)
    if not hands.core.charge(MEANING * len(letters)):
        raise Refused(MEMORY_FULL)
    for letter in letters:
        hands.ip.semantics.setdefault(ord(letter), []).append(name)


def unload(hands: Hands) -> None:
    """``)``: takes the latest meaning from each letter that the fingerprint has."""
    name = _named(hands)
    if name is None:
        hands.reflect()
        return
    for letter in FINGERPRINTS[name]:
        meanings = hands.ip.semantics.get(ord(letter))
        if meanings:
            meanings.pop()
            hands.core.used -= MEANING


def _named(hands: Hands) -> int | None:
    """The fingerprint on the stack; None when there is none such."""
    count, name = hands.pop(), 0
    if count < 1:
        return None
    # Past the end of the stack come zeros.  Of a cell of 64 bits, the last eight values count.
    taken = min(count, hands.ip.depth + 8)
    hands.core.drop(max(0, taken - 8))
    for _ in range(min(taken, 8)):
        name = (name * 256 + hands.pop() + (1 << 63)) % (1 << 64) - (1 << 63)
    if hands.core.unbounded and count > 8:
        return None
    return name if name in FINGERPRINTS else None


def constant(value: int) -> Semantics:
    return lambda hands: hands.push(value)


def unary(compute: Callable[[int], int]) -> Semantics:
    return lambda hands: hands.push(compute(hands.pop()))


def binary(compute: Callable[[int, int], int]) -> Semantics:
    def run(hands: Hands) -> None:
        b, a = hands.pop(), hands.pop()
        hands.push(compute(a, b))

    return run


def _quotient(a: int, b: int) -> int:
    """Towards zero; 0 by zero."""
    if b == 0:
        return 0
    return abs(a) // abs(b) if (a < 0) == (b < 0) else -(abs(a) // abs(b))


def _remainder(a: int, b: int) -> int:
    return a - b * _quotient(a, b) if b else 0


NULL: dict[str, Semantics] = {chr(letter): Hands.reflect for letter in range(65, 91)}
BOOL: dict[str, Semantics] = {
    "A": binary(lambda a, b: a & b),
    "N": unary(lambda a: ~a),
    "O": binary(lambda a, b: a | b),
    "X": binary(lambda a, b: a ^ b),
}
MODU: dict[str, Semantics] = {
    "M": binary(lambda a, b: a % b if b else 0),
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
    hands.afford(1, (value,))
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


# REFC: points by number.


def _refc_reference(hands: Hands) -> None:
    point = hands.vector()
    hands.push(len(hands.core.references) + 1)
    if not hands.core.charge(MEANING):
        raise Refused(MEMORY_FULL)
    hands.core.references.append(point)


def _refc_dereference(hands: Hands) -> None:
    number = hands.pop()
    if 1 <= number <= len(hands.core.references):
        hands.push_vector(*hands.core.references[number - 1])
    else:
        hands.reflect()


REFC: dict[str, Semantics] = {"R": _refc_reference, "D": _refc_dereference}


# FIXP: angles in ten-thousandths of a degree, ratios in ten-thousandths.


def _rounded(value: float) -> int:
    """To the nearest, halves away from zero."""
    return math.floor(abs(value) + 0.5) * (1 if value >= 0 else -1)


def _measured(compute: Callable[[float], float]) -> Semantics:
    """Reflects where a number has no answer, or is beyond floating point."""

    def run(hands: Hands) -> None:
        try:
            answer = _rounded(compute(hands.pop() / 10000) * 10000)
        except (OverflowError, ValueError):
            hands.reflect()
        else:
            hands.push(answer)

    return run


def _fixp_power(hands: Hands) -> None:
    b, a = hands.pop(), hands.pop()
    if b < 0:
        hands.push(a ** (-b & 1) if abs(a) == 1 else 0)
    elif not hands.core.unbounded:
        hands.push(pow(a, b, 1 << 64))
    elif abs(a) > 1 and a.bit_length() * b > MOST_BITS:
        raise Refused(MEMORY_FULL)
    else:
        hands.push(a**b if abs(a) > 1 else a if b & 1 else a * a if b else 1)


def _fixp_root(hands: Hands) -> None:
    a = hands.pop()
    if a < 0:
        hands.reflect()
    else:
        root = math.isqrt(a)
        hands.push(root + (a - root * root > root))


def _fixp_pi(hands: Hands) -> None:
    try:
        hands.push(int(hands.pop() * math.pi))
    except OverflowError:
        hands.reflect()


def _fixp_random(hands: Hands) -> None:
    n = hands.pop()
    drawn = hands.core.draw() % abs(n) if n else 0
    hands.push(drawn if n > 0 else -drawn)


FIXP: dict[str, Semantics] = {
    "A": BOOL["A"],
    "O": BOOL["O"],
    "X": BOOL["X"],
    "B": _measured(lambda a: math.degrees(math.acos(a))),
    "J": _measured(lambda a: math.degrees(math.asin(a))),
    "U": _measured(lambda a: math.degrees(math.atan(a))),
    "C": _measured(lambda a: math.cos(math.radians(a))),
    "I": _measured(lambda a: math.sin(math.radians(a))),
    "T": _measured(lambda a: math.tan(math.radians(a))),
    "D": _fixp_random,
    "N": unary(lambda a: -a),
    "P": _fixp_pi,
    "Q": _fixp_root,
    "R": _fixp_power,
    "S": unary(lambda a: (a > 0) - (a < 0)),
    "V": unary(abs),
}


# CPLI: complex numbers, the real part below the imaginary one.


def _complex(compute: Callable[[int, int, int, int], tuple[int, int]]) -> Semantics:
    def run(hands: Hands) -> None:
        b, a = hands.vector(), hands.vector()
        if max([part.bit_length() for part in (*a, *b)]) > MOST_BITS // 4:
            raise Refused(MEMORY_FULL)
        hands.push_vector(*compute(*a, *b))

    return run


def _complex_quotient(ar: int, ai: int, br: int, bi: int) -> tuple[int, int]:
    norm = br * br + bi * bi
    return _quotient(ar * br + ai * bi, norm), _quotient(ai * br - ar * bi, norm)


def _complex_print(hands: Hands) -> None:
    from esolangs.numbers import decimal

    real, imaginary = hands.vector()
    sign = b"+" if imaginary > 0 else b""
    hands.print(decimal(real) + sign + decimal(imaginary) + b"i ")


def _complex_absolute(hands: Hands) -> None:
    real, imaginary = hands.vector()
    if max(real.bit_length(), imaginary.bit_length()) > MOST_BITS // 4:
        raise Refused(MEMORY_FULL)
    hands.push(math.isqrt(real * real + imaginary * imaginary))


CPLI: dict[str, Semantics] = {
    "A": _complex(lambda ar, ai, br, bi: (ar + br, ai + bi)),
    "S": _complex(lambda ar, ai, br, bi: (ar - br, ai - bi)),
    "M": _complex(lambda ar, ai, br, bi: (ar * br - ai * bi, ar * bi + ai * br)),
    "D": _complex(_complex_quotient),
    "O": _complex_print,
    "V": _complex_absolute,
}

FINGERPRINTS: dict[int, dict[str, Semantics]] = {
    int.from_bytes(name, "big"): semantics
    for name, semantics in (
        (b"NULL", NULL),
        (b"BOOL", BOOL),
        (b"MODU", MODU),
        (b"ROMA", ROMA),
        (b"ORTH", ORTH),
        (b"TOYS", TOYS),
        (b"REFC", REFC),
        (b"FIXP", FIXP),
        (b"STRN", STRN),
        (b"CPLI", CPLI),
        (b"3DSP", DSP3),
        (b"BASE", BASE),
        (b"FPDP", FPDP),
        (b"FPRT", FPRT),
        (b"FPSP", FPSP),
        (b"FRTH", FRTH),
        (b"INDV", INDV),
        (b"JSTR", JSTR),
        (b"LONG", LONG),
    )
}
