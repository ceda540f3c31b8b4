"""HRTI, TIME and DATE with the standard library's dates, shifted by cycles of 400 years.

The clock advances by a microsecond with each step.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import TYPE_CHECKING

from oracles.befunge_98.semantics import Semantics

if TYPE_CHECKING:
    from oracles.befunge_98.ip import IP
    from oracles.befunge_98.oracle import Oracle

CYCLE = 146_097  # days of 400 years
JULIAN = 1_721_425  # the Julian day number minus the ordinal of a date


def ordinal(year: int, month: int, day: int) -> int | None:
    """Return the ordinal of a date in a calendar without a year 0; None if it is invalid."""
    if year == 0 or not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    cycles, within = divmod(year if year > 0 else year + 1, 400)
    try:
        return datetime.date(within + 400, month, day).toordinal() + (cycles - 1) * CYCLE
    except ValueError:
        return None


def date_of(number: int) -> tuple[int, int, int]:
    cycles, within = divmod(number, CYCLE)
    date = datetime.date.fromordinal(within + CYCLE)
    year = date.year + (cycles - 1) * 400
    return (year if year > 0 else year - 1), date.month, date.day


def pop_date(ip: IP) -> int | None:
    day, month, year = ip.pop(), ip.pop(), ip.pop()
    return ordinal(year, month, day)


def push_date(o: Oracle, ip: IP, number: int) -> None:
    for part in date_of(number):
        ip.push(o.fit(part))


def date_add(o: Oracle, ip: IP) -> None:
    n, date = ip.pop(), pop_date(ip)
    if date is None:
        ip.reflect()
    else:
        push_date(o, ip, date + n)


def date_from_julian(o: Oracle, ip: IP) -> None:
    push_date(o, ip, ip.pop() - JULIAN)


def date_days(o: Oracle, ip: IP) -> None:
    second, first = pop_date(ip), pop_date(ip)
    if first is None or second is None:
        ip.reflect()
    else:
        ip.push(o.fit(first - second))


def of_date(compute: Callable[[int], int]) -> Semantics:
    def run(o: Oracle, ip: IP) -> None:
        date = pop_date(ip)
        if date is None:
            ip.reflect()
        else:
            ip.push(o.fit(compute(date)))

    return run


def day_of_year(number: int) -> int:
    first = ordinal(date_of(number)[0], 1, 1)
    assert first is not None
    return number - first


def date_in_year(o: Oracle, ip: IP) -> None:
    n, year = ip.pop(), ip.pop()
    first = ordinal(year, 1, 1)
    if first is None or n < 0 or date_of(first + n)[0] != year:
        ip.reflect()
    else:
        push_date(o, ip, first + n)


DATE = {
    "A": date_add, "C": date_from_julian, "D": date_days, "T": date_in_year,
    "J": of_date(lambda date: date + JULIAN), "W": of_date(lambda date: (date - 1) % 7),
    "Y": of_date(day_of_year),
}  # fmt: skip


def clock(o: Oracle) -> datetime.datetime:
    begin = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=o.started)
    return begin + datetime.timedelta(microseconds=o.steps)


def of_clock(compute: Callable[[datetime.datetime], int]) -> Semantics:
    return lambda o, ip: ip.push(compute(clock(o)))


def nothing(o: Oracle, ip: IP) -> None:
    pass


TIME = {
    "D": of_clock(lambda now: now.day), "F": of_clock(lambda now: now.timetuple().tm_yday - 1),
    "G": nothing, "H": of_clock(lambda now: now.hour), "L": nothing,
    "M": of_clock(lambda now: now.minute), "O": of_clock(lambda now: now.month),
    "S": of_clock(lambda now: now.second), "W": of_clock(lambda now: now.isoweekday() % 7 + 1),
    "Y": of_clock(lambda now: now.year),
}  # fmt: skip


def hrti_mark(o: Oracle, ip: IP) -> None:
    ip.states["HRTI"] = o.steps


def hrti_since(o: Oracle, ip: IP) -> None:
    if "HRTI" in ip.states:
        ip.push(o.steps - ip.states["HRTI"])
    else:
        ip.reflect()


def hrti_erase(o: Oracle, ip: IP) -> None:
    ip.states.pop("HRTI", None)


HRTI = {
    "E": hrti_erase, "G": lambda o, ip: ip.push(1), "M": hrti_mark,
    "S": of_clock(lambda now: now.microsecond), "T": hrti_since,
}  # fmt: skip
