"""STRN: strings that end with 0, with the first character on top of the stack.

Source: the RC/Funge-98 documentation.
"""

from __future__ import annotations

from esolangs import work
from esolangs.befunge_98.transaction import FREE_VALUES, MAX_BLOCK_CELLS, StepRefused, Transaction
from esolangs.numbers import MAX_BITS, decimal, from_decimal
from esolangs.reasons import FLUSH, MEMORY_FULL, NEEDS_INPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]


def print_string(transaction: Transaction) -> None:
    """Print a string (D; also S of ORTH)."""
    transaction.print(bytes([char & 255 for char in transaction.pop_string()]))


def _append(transaction: Transaction) -> None:
    upper, lower = transaction.pop_string(), transaction.pop_string()
    transaction.push_string(upper + lower)


def _compare(transaction: Transaction) -> None:
    upper, lower = transaction.pop_string(), transaction.pop_string()
    transaction.push((upper > lower) - (upper < lower))


def _find(transaction: Transaction) -> None:
    upper, lower = transaction.pop_string(), transaction.pop_string()
    at = _index(upper, lower)
    transaction.push_string([] if at is None else upper[at:])


def _index(text: list[int], part: list[int]) -> int | None:
    """Return the index of the first ``part`` in ``text``, in linear time (Knuth, Morris, Pratt)."""
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


def _get(transaction: Transaction) -> None:
    """Read a string from a row up to a 0 (G); reflect if no 0 follows in the used space."""
    core = transaction.core
    x, y = transaction.pop_vector()
    x, y = x + transaction.ip.ox, y + transaction.ip.oy
    core.tighten_bounds()
    found: list[int] = []
    taken = 0  # number of values already charged
    if core.low_y <= y <= core.high_y and core.low_x <= x:
        while x <= core.high_x:
            value = core.get(x, y)
            if value == 0:
                transaction.charge_values(len(found) - taken)
                transaction.push_string(found)
                return
            found.append(value)
            if len(found) > MAX_BLOCK_CELLS:
                raise StepRefused(MEMORY_FULL)
            if len(found) - taken == FREE_VALUES:
                transaction.charge_values(FREE_VALUES)
                taken += FREE_VALUES
            x += 1
        transaction.charge_values(len(found) - taken)
    transaction.reflect()


def _input(transaction: Transaction) -> None:
    """Read a line (I), and push it without its newline; reflect if no input is left."""
    core = transaction.core
    rest = core.read_ahead()
    end = rest.find(b"\n")
    if end < 0 and not core.closed:
        raise StepRefused(NEEDS_INPUT)
    line = rest if end < 0 else rest[: end + 1]
    if not line:
        core.consume(b"")
        transaction.reflect()
        return
    if len(core.reads) and len(core.reads) + len(line) > 4096:
        raise StepRefused(FLUSH)
    transaction.push_string(list(line.removesuffix(b"\n")))
    core.consume(line)


def _make_cut_letter(cut: Callable[[list[int], int], list[int]]) -> Callable[[Transaction], None]:
    """Return the implementation of the instruction ``L`` or ``R``.

    It pops a length and a string, and pushes the string cut to this length by ``cut``.  It reflects
    if the length is negative or the string is shorter.
    """

    def run(transaction: Transaction) -> None:
        count, text = transaction.pop(), transaction.pop_string()
        if 0 <= count <= len(text):
            transaction.push_string(cut(text, count))
        else:
            transaction.reflect()

    return run


def _middle(transaction: Transaction) -> None:
    count, start, text = transaction.pop(), transaction.pop(), transaction.pop_string()
    if count >= 0 and start >= 0 and start + count <= len(text):
        transaction.push_string(text[start : start + count])
    else:
        transaction.reflect()


def _length(transaction: Transaction) -> None:
    text = transaction.pop_string()
    transaction.push_string(text)
    transaction.push(len(text))


def _put(transaction: Transaction) -> None:
    x, y = transaction.pop_place()
    text = [*transaction.pop_string(), 0]
    transaction.charge_writes(len(text))
    transaction.reserve_memory(transaction.count_outside(x, y, len(text)), text)
    for at, char in enumerate(text):
        transaction.put(x + at, y, char)


def _push_digits(transaction: Transaction) -> None:
    transaction.push_string(list(decimal(transaction.pop())))


def _push_integer(transaction: Transaction) -> None:
    """Push the integer at the start of a popped string, after whitespace; by default 0."""
    text = bytes([char if 0 < char < 128 else 63 for char in transaction.pop_string()])
    text = text.lstrip(b" \t\n\v\f\r")
    sign = text[:1] if text[:1] in (b"-", b"+") else b""
    end = len(sign)
    while text[end : end + 1].isdigit():
        end += 1
    if 4 * end > MAX_BITS:
        raise StepRefused(MEMORY_FULL)
    transaction.charge_work(work.of_reading(end) if transaction.core.unbounded else 0)
    transaction.push(from_decimal(text[:end]) if end > len(sign) else 0)


STRN: dict[str, Semantics] = {
    "A": _append,
    "C": _compare,
    "D": print_string,
    "F": _find,
    "G": _get,
    "I": _input,
    "L": _make_cut_letter(lambda text, count: text[:count]),
    "M": _middle,
    "N": _length,
    "P": _put,
    "R": _make_cut_letter(lambda text, count: text[len(text) - count :]),
    "S": _push_digits,
    "V": _push_integer,
}
