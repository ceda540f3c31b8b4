"""The instructions of REXP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracles.posix_regex import InvalidPattern, compile_expression, match_text

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle


def rexp_compile(o: Oracle, ip: IP) -> None:
    flags, cells = ip.pop() & 15, ip.string()
    try:
        compile_expression(cells, flags)
    except InvalidPattern as invalid:
        ip.states.pop("REXP", None)
        ip.push(invalid.number)
        ip.reflect()
    else:
        ip.states["REXP"] = tuple(cells), flags


def rexp_execute(o: Oracle, ip: IP) -> None:
    if "REXP" not in ip.states:
        ip.reflect()
        return
    cells, flags = ip.states["REXP"]
    how, text = ip.pop(), ip.string()
    spans = match_text(cells, flags, text, how)
    if spans is None:
        ip.reflect()
        return
    parts = [] if flags & 4 else [text[first:last] for first, last in filter(None, spans)]
    for part in reversed(parts):
        ip.push_string(part)
    ip.push(len(parts))


REXP = {
    "C": rexp_compile,
    "E": rexp_execute,
    "F": lambda o, ip: ip.states.pop("REXP", None),
}
