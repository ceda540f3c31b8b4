"""HRTI, TIME and DATE: a fine clock, the time of day, and dates.

Both clocks are the run's own (see ``Hands.now``), so that a replay sees the same time.

Sources: Cat's Eye Technologies' registry for HRTI, the RC/Funge-98 documentation for the others.
"""

from __future__ import annotations

from esolangs.befunge_98.hands import Hands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Hands], None]

_SECOND = 1_000_000  # microseconds
_DAY = 86_400  # seconds
_EPOCH = 719_162  # days from 1 January of year 1 to 1 January 1970
_JULIAN = 1_721_426  # the Julian day number of 1 January of year 1
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


# Dates. Days are counted from 1 January of year 1, which was a Monday.


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _length(year: int, month: int) -> int:
    return 29 if month == 2 and _is_leap(year) else _LENGTHS[month - 1]


def _first_day(year: int) -> int:
    """The day number of 1 January."""
    before = year - 1
    return 365 * before + before // 4 - before // 100 + before // 400


def _date(day: int) -> tuple[int, int, int]:
    """Year, month and day of a day number; the year before 1 is 0."""
    cycles, rest = divmod(day, 146_097)
    centuries = min(rest // 36_524, 3)
    rest -= 36_524 * centuries
    leaps, rest = divmod(rest, 1_461)
    years = min(rest // 365, 3)
    rest -= 365 * years
    year = 400 * cycles + 100 * centuries + 4 * leaps + years + 1
    month = 1
    while rest >= _length(year, month):
        rest -= _length(year, month)
        month += 1
    return year, month, rest + 1


def _day_of_year(year: int, month: int, day: int) -> int:
    return sum([_length(year, before) for before in range(1, month)]) + day - 1


def _counted(year: int) -> int:
    """A year as people count it, from one in which year 0 comes before year 1, and back."""
    return year if year > 0 else year - 1


def _pop_date(hands: Hands) -> tuple[int, int, int] | None:
    """A date, with a year 0 before year 1; None where there is no such date."""
    day, month, year = hands.pop(), hands.pop(), hands.pop()
    if year == 0 or not 1 <= month <= 12:
        return None
    year = year if year > 0 else year + 1
    return (year, month, day) if 1 <= day <= _length(year, month) else None


def _push_date(hands: Hands, number: int) -> None:
    year, month, day = _date(number)
    hands.push(_counted(year))
    hands.push(month)
    hands.push(day)


def _number(date: tuple[int, int, int]) -> int:
    return _first_day(date[0]) + _day_of_year(*date)


def _of_date(compute: Callable[[tuple[int, int, int]], int]) -> Semantics:
    """A letter that turns a date into a number, and reflects where there is no such date."""

    def run(hands: Hands) -> None:
        date = _pop_date(hands)
        if date is None:
            hands.reflect()
        else:
            hands.push(compute(date))

    return run


def _add_days(hands: Hands) -> None:
    days, date = hands.pop(), _pop_date(hands)
    if date is None:
        hands.reflect()
    else:
        _push_date(hands, _number(date) + days)


def _difference(hands: Hands) -> None:
    second, first = _pop_date(hands), _pop_date(hands)
    if second is None or first is None:
        hands.reflect()
    else:
        hands.push(_number(first) - _number(second))


def _from_day_of_year(hands: Hands) -> None:
    day, year = hands.pop(), hands.pop()
    astronomical = year if year > 0 else year + 1
    if year == 0 or not 0 <= day < 365 + _is_leap(astronomical):
        hands.reflect()
    else:
        _push_date(hands, _first_day(astronomical) + day)


DATE: dict[str, Semantics] = {
    "A": _add_days,
    "C": lambda hands: _push_date(hands, hands.pop() - _JULIAN),
    "D": _difference,
    "J": _of_date(lambda date: _number(date) + _JULIAN),
    "T": _from_day_of_year,
    "W": _of_date(lambda date: _number(date) % 7),
    "Y": _of_date(lambda date: _day_of_year(*date)),
}


# The time of day.


def _today(hands: Hands) -> tuple[int, int, int]:
    return _date(hands.now() // _SECOND // _DAY + _EPOCH)


def _of_today(compute: Callable[[int, int, int], int]) -> Semantics:
    return lambda hands: hands.push(compute(*_today(hands)))


def _of_clock(unit: int, size: int) -> Semantics:
    """A letter that pushes a part of the time of day: units of so many seconds."""
    return lambda hands: hands.push(hands.now() // _SECOND // unit % size)


def _nothing(hands: Hands) -> None:
    """G and L: there is but one time zone, so that no run depends on where it happens."""


TIME: dict[str, Semantics] = {
    "D": _of_today(lambda year, month, day: day),
    "F": _of_today(_day_of_year),
    "G": _nothing,
    "H": _of_clock(3_600, 24),
    "L": _nothing,
    "M": _of_clock(60, 60),
    "O": _of_today(lambda year, month, day: month),
    "S": _of_clock(1, 60),
    "W": _of_today(lambda year, month, day: (_number((year, month, day)) + 1) % 7 + 1),
    "Y": _of_today(lambda year, month, day: _counted(year)),
}


# The fine clock.


def _mark(hands: Hands) -> None:
    hands.save("HRTI", hands.now())


def _since_mark(hands: Hands) -> None:
    mark: int | None = hands.saved("HRTI")
    if mark is None:
        hands.reflect()
    else:
        hands.push(hands.now() - mark)


HRTI: dict[str, Semantics] = {
    "E": lambda hands: hands.save("HRTI", None),
    "G": lambda hands: hands.push(1),
    "M": _mark,
    "S": lambda hands: hands.push(hands.now() % _SECOND),
    "T": _since_mark,
}
