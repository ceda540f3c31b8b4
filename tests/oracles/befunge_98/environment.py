"""The instructions of EVAR."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle


def variables(o: Oracle) -> dict[tuple[int, ...], list[int]]:
    return o.states.get("EVAR", {})


def evar_get(o: Oracle, ip: IP) -> None:
    ip.push_string(variables(o).get(tuple(ip.string()), []))


def evar_number(o: Oracle, ip: IP) -> None:
    ip.push(len(variables(o)))


def evar_put(o: Oracle, ip: IP) -> None:
    text = ip.string()
    if ord("=") not in text or text[0] == ord("="):
        ip.reflect()
        return
    end = text.index(ord("="))
    o.states["EVAR"] = {**variables(o), tuple(text[:end]): text[end + 1 :]}


def evar_list(o: Oracle, ip: IP) -> None:
    number, all_of_them = ip.pop(), list(variables(o).items())
    if 0 <= number < len(all_of_them):
        name, value = all_of_them[number]
        ip.push_string([*name, ord("="), *value])
    else:
        ip.reflect()


EVAR = {"G": evar_get, "N": evar_number, "P": evar_put, "V": evar_list}
