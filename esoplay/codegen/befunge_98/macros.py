"""Code fragments that programs use repeatedly, as functions without state.

Most boxes are loops in two rows.  The second row leads back from east to west, so its code is
written backwards.
"""

from __future__ import annotations

from collections.abc import Sequence

from esoplay.codegen.befunge_98.layout import Box
from esoplay.codegen.befunge_98.memory import BASE, LIMBS, MIDDLE, OFFSET, SCRATCH, spell

_HUNDRED = spell(BASE)
_JOIN = [f"{_HUNDRED}*+"] * (LIMBS - 1)
_SHIFT = [f"{spell(MIDDLE)}-"]
_RAISE = [f"{spell(-OFFSET)}+"]
_MAX_STRING_LENGTH = 40
_MAX_SEPARATE_PRINTS = 3

READ = Box(("#v~:1+!+>", " >0     ^"))
"""Code that pushes a byte of the input, or 0 at its end, where ``~`` reflects or pushes -1."""

SIGN = Box((":0\\`#v_     >", "     >'-,0\\-^"))
"""Code that prints a minus if the top value is negative, and makes it positive."""

_DIGITS = Box((">:a%\\a/:#v_$", "^        <"))
_PRINT = Box((">:1+#v_$", "^,+0'<"))


def print_number(*, signed: bool) -> list[str | Box]:
    """Return code that prints the top value in decimal, without the space that ``.`` prints."""
    return [*([SIGN] if signed else []), "01-\\", _DIGITS, _PRINT]


# Ints; each cell is code that pushes its column and row, lowest limb first


def fetch_int(cells: Sequence[str]) -> list[str]:
    """Return code that pushes the int in ``cells``."""
    return [*(f"{cell}g" for cell in cells), *_SHIFT, *_JOIN]


def store_int(cells: Sequence[str]) -> list[str]:
    """Return code that pops an int and stores it in ``cells``."""
    low = [f":{_HUNDRED}%{cell}p{_HUNDRED}/" for cell in cells[:-1]]
    return [*_RAISE, *low, f"{cells[-1]}p"]


def limbs(number: int) -> list[str]:
    """Return code that pushes each limb of a constant, lowest first."""
    rest = number - OFFSET
    found: list[str] = []
    for _ in range(LIMBS - 1):
        rest, limb = divmod(rest, BASE)
        found.append(spell(limb))
    return [*found, spell(rest)]


def set_int(cells: Sequence[str], number: int) -> list[str]:
    """Return code that stores a constant in ``cells``."""
    return [f"{limb}{cell}p" for limb, cell in zip(limbs(number), cells, strict=True)]


def set_int_to_byte(cells: Sequence[str], maximum: int) -> list[str]:
    """Return code that pops a byte of at most ``maximum`` and stores it as an int."""
    first = [f"{cells[0]}p"]
    if maximum >= BASE:
        first = [f":{_HUNDRED}%{cells[0]}p", f"{_HUNDRED}/{cells[1]}p"]
    zeros = [f"0{cell}p" for cell in cells[len(first) : -1]]
    return [*first, *zeros, f"{spell(MIDDLE)}{cells[-1]}p"]


def fetch_element(rows: Sequence[str]) -> list[str]:
    """Return code that pops a column and pushes the int whose limbs are in that column.

    rows: for each limb, lowest first, code that pushes its row.
    """
    low = [f":{row}g\\" for row in rows[:-1]]
    return [*low, f"{rows[-1]}g", *_SHIFT, *_JOIN]


def store_element(rows: Sequence[str], push_column: str) -> list[str]:
    """Return code that pops an int and stores it in the column that ``push_column`` pushes."""
    low = [f":{_HUNDRED}%{push_column}{row}p{_HUNDRED}/" for row in rows[:-1]]
    return [*_RAISE, *low, f"{push_column}{rows[-1]}p"]


def column_storage(length: int) -> tuple[str, str]:
    """Return code that pops a column number into a scratch cell, and code that pushes it again.

    length: the number of elements of the array, and so of its columns.  Column 256 is too large for
    a cell in the dialect ``benchmark``, so 1 less is stored for long arrays.
    """
    if length < 256:
        return f"{SCRATCH}p", f"{SCRATCH}g"
    return f"1-{SCRATCH}p", f"{SCRATCH}g1+"


def add_one(row: str) -> Box:
    """Return code that adds 1 to the int in a row, with carries."""
    return _carry_loop(f":{row}g1+:{_HUNDRED}-!", f"\\{row}p", f"$:0\\{row}p1-")


def subtract_one(row: str) -> Box:
    """Return code that subtracts 1 from the int in a row, with borrows."""
    return _carry_loop(f":{row}g:!", f"1-\\{row}p", f"$:{spell(BASE - 1)}\\{row}p1-")


def _carry_loop(test: str, end: str, back: str) -> Box:
    """Return a loop over the limbs of an int, lowest first, which carries or borrows.

    ``test`` runs for each limb: if it pushes 0, ``end`` runs and the loop ends; otherwise ``back``
    runs and the loop continues with the next limb.
    """
    start = spell(LIMBS)
    test = test.ljust(len(back) - 1)
    return _two_row_loop(start, f"{test}#v_{end}", back)


def fill_rows(rows: Sequence[str], length: int, values: Sequence[int]) -> Box:
    """Return code that fills each of ``rows`` with the value at the same index in ``values``.

    rows: for each row, code that pushes its y coordinate. length: the number of columns, which are
    filled from the last to the first.
    """
    puts = "".join(f":{spell(value)}\\{row}p" for row, value in zip(rows, values, strict=True))
    return _two_row_loop(spell(length), f"{puts}1-:#v_$")


def _two_row_loop(start: str, forward: str, back: str = "") -> Box:
    """Return a loop with ``forward`` in its first row and ``back`` in its second row.

    ``start`` runs once, before the loop.  ``forward`` contains the test ``#v_``: if it pops 0, the
    loop ends and the rest of ``forward`` runs, otherwise ``back`` runs and the loop repeats.
    """
    down = len(start) + 1 + forward.index("#v_") + 1
    west = back[::-1].rjust(down - len(start) - 1)
    return Box((f"{start}>{forward}", f"{' ' * len(start)}^{west}<"))


# Texts


def print_text(text: str) -> list[str]:
    """Return code that prints ASCII text.

    Code for a long text pushes a 0 and the text, and prints characters until it pops the 0.
    """
    code: list[str] = []
    for number, part in enumerate(text.split("\0")):
        if number:
            code.append("0,")
        if len(part) <= _MAX_SEPARATE_PRINTS:
            code += [*_push_text(part), *([","] * len(part))]
        else:
            code += ["0", *_push_text(part), ">:#,_$"]
    return code


def _push_text(text: str) -> list[str]:
    """Return code that pushes a text; two spaces in a string would count as one."""
    code: list[str] = []
    pending = ""
    for character in reversed(text):
        plain = " " <= character <= "~" and character != '"'
        if pending and (
            not plain
            or len(pending) == _MAX_STRING_LENGTH
            or (character == " " and pending.endswith(" "))
        ):
            code.append(_string_code(pending))
            pending = ""
        if plain:
            pending += character
        else:
            code.append(spell(ord(character)))
    return [*code, _string_code(pending)] if pending else code


def _string_code(text: str) -> str:
    return f'"{text}"' if len(text) > 1 or text == " " else f"'{text}"
