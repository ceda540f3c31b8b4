"""The instructions of FPRT, with Python's formatting where it agrees with C's."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from oracles.befunge_98.floats import pop_double, pop_float
from oracles.befunge_98.integers import pop_long

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle

CONVERSION = re.compile(
    r"(?P<flags>[-+ #0]*)(?P<width>[0-9]*)(?P<precise>(?:\.[0-9]*)?)"
    r"(?:hh|ll|[hlqjztL])?(?P<letter>[a-zA-Z])",
    re.ASCII,
)
MAX_CHARACTERS = 1 << 20


class Format:
    """A format, split into its one conversion and the text before and after it."""

    def __init__(self, cells: list[int]) -> None:
        self.valid = False
        text = "".join(chr(c) if 0 < c < 128 else "\x80" for c in cells)
        at, parts, literal = 0, list[list[int]](), list[int]()
        while at < len(cells):
            if text.startswith("%%", at):
                literal.append(37)
                at += 2
            elif text[at] == "%":
                found = CONVERSION.match(text, at + 1)
                if found is None or parts:
                    return
                self.found = found
                parts, literal = [literal], []
                at = found.end()
            else:
                literal.append(cells[at])
                at += 1
        if parts:
            self.valid, self.before, self.after = True, parts[0], literal
            self.flags, self.letter = self.found["flags"], self.found["letter"]
            self.width = int(self.found["width"] or "0")
            precise = self.found["precise"]
            self.precision = int(precise[1:] or "0") if precise else None


def justified(form: Format, text: str, fill: str = " ") -> str:
    if "-" in form.flags:
        return text.ljust(form.width)
    if fill == "0":
        return text.zfill(form.width) if text[:2] not in ("0x", "0X") else (
            text[:2] + text[2:].rjust(form.width - 2, "0")
        )  # fmt: skip
    return text.rjust(form.width)


def plus(form: Format, text: str) -> str:
    if text.startswith("-"):
        return text
    return ("+" if "+" in form.flags else " " if " " in form.flags else "") + text


def integer(form: Format, value: int, bits: int) -> str:
    signed = form.letter in "di"
    if not signed and bits:
        value %= 2**bits
    base = {"o": "o", "x": "x", "X": "X"}.get(form.letter, "d")
    digits = f"{abs(value):{base}}"
    if form.precision == 0 and value == 0:
        digits = ""
    digits = digits.zfill(form.precision or 0)
    if "#" in form.flags and form.letter == "o" and digits[:1] != "0":
        digits = "0" + digits
    prefix = "0" + form.letter if "#" in form.flags and form.letter in "xX" and value else ""
    minus = "-" if value < 0 else ""
    head = plus(form, minus) if signed else minus
    if "0" in form.flags and "-" not in form.flags and form.precision is None:
        return head + prefix + digits.zfill(form.width - len(head) - len(prefix))
    return justified(form, head + prefix + digits)


def real(form: Format, value: float) -> str:
    precision = 6 if form.precision is None else form.precision
    sharp = "#" if "#" in form.flags else ""
    text = format(math.fabs(value), f"{sharp}.{precision}{form.letter}")
    minus = not math.isnan(value) and math.copysign(1, value) < 0
    text = plus(form, "-" + text if minus else text)
    zeros = "0" in form.flags and "-" not in form.flags and math.isfinite(value)
    if not zeros:
        return justified(form, text)
    head = text[:1] if text[:1] in ("-", "+", " ") else ""
    return head + text[len(head) :].zfill(form.width - len(head))


def formatted(
    o: Oracle, ip: IP, cells: list[int], letters: str, convert: Callable[[Format], list[int]]
) -> None:
    form = Format(cells)
    if not form.valid or form.letter not in letters:
        ip.reflect()
        return
    o.afford(max(form.width, form.precision or 0))
    done = [*form.before, *convert(form), *form.after]
    ip.push_string(done[: done.index(0)] if 0 in done else done)


def characters(text: str) -> list[int]:
    return [ord(char) for char in text]


def padded(form: Format, cells: list[int]) -> list[int]:
    padding = [32] * max(0, form.width - len(cells))
    return [*cells, *padding] if "-" in form.flags else [*padding, *cells]


def format_int(o: Oracle, ip: IP) -> None:
    value, cells = ip.pop(), ip.string()
    formatted(
        o, ip, cells, "dioxXuc",
        lambda form: padded(form, [value % 256]) if form.letter == "c"
        else characters(integer(form, value, o.bits)),
    )  # fmt: skip


def format_long(o: Oracle, ip: IP) -> None:
    value, cells = pop_long(ip), ip.string()
    formatted(o, ip, cells, "dioxXu", lambda form: characters(integer(form, value, 64)))


def format_text(o: Oracle, ip: IP) -> None:
    text, cells = ip.string(), ip.string()
    formatted(
        o, ip, cells, "s",
        lambda form: padded(form, text if form.precision is None else text[: form.precision]),
    )  # fmt: skip


def format_real(pop: Callable[[IP], float]) -> Callable[[Oracle, IP], None]:
    def run(o: Oracle, ip: IP) -> None:
        value, cells = pop(ip), ip.string()
        formatted(o, ip, cells, "eEfFgG", lambda form: characters(real(form, value)))

    return run


FPRT = {
    "I": format_int, "L": format_long, "S": format_text,
    "F": format_real(pop_float), "D": format_real(pop_double),
}  # fmt: skip
