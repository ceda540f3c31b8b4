"""HRTI, TIME and DATE: a microsecond clock, the time of day, and dates.

Both clocks belong to the run (see ``Transaction.clock``), so that a replay sees the same time.

Sources: Cat's Eye Technologies' registry for HRTI, the RC/Funge-98 documentation for the others.
"""

from __future__ import annotations

from esolangs.befunge_98.transaction import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]

_SECOND = 1_000_000  # microseconds
_DAY = 86_400  # seconds
_EPOCH = 719_162  # days from 1 January of year 1 to 1 January 1970
_JULIAN = 1_721_426  # the Julian day number of 1 January of year 1
_MONTH_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


# Dates. Days are counted from 1 January of year 1, which was a Monday.


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _month_length(year: int, month: int) -> int:
    return 29 if month == 2 and _is_leap(year) else _MONTH_LENGTHS[month - 1]


def _days_before_year(year: int) -> int:
    """Return the number of days from 1 January of the year 1 to 1 January of ``year``."""
    before = year - 1
    return 365 * before + before // 4 - before // 100 + before // 400


def _date(day: int) -> tuple[int, int, int]:
    """Return year, month and day of a day number; the year before 1 is 0."""
    cycles, rest = divmod(day, 146_097)
    centuries = min(rest // 36_524, 3)
    rest -= 36_524 * centuries
    leaps, rest = divmod(rest, 1_461)
    years = min(rest // 365, 3)
    rest -= 365 * years
    year = 400 * cycles + 100 * centuries + 4 * leaps + years + 1
    month = 1
    while rest >= _month_length(year, month):
        rest -= _month_length(year, month)
        month += 1
    return year, month, rest + 1


def _day_of_year(year: int, month: int, day: int) -> int:
    """Return the number of days since the beginning of the year; 0 for 1 January."""
    return sum([_month_length(year, before) for before in range(1, month)]) + day - 1


def _convert_year(year: int) -> int:
    """Convert a year counted with a year 0 to the year of the calendar, which has no year 0."""
    return year if year > 0 else year - 1


def _pop_date(transaction: Transaction) -> tuple[int, int, int] | None:
    """Pop a date and return its year, month and day; None if the date is invalid.

    The popped date has no year 0: -1 is the year before 1.  That year is returned as 0.
    """
    day, month, year = transaction.pop(), transaction.pop(), transaction.pop()
    if year == 0 or not 1 <= month <= 12:
        return None
    year = year if year > 0 else year + 1
    return (year, month, day) if 1 <= day <= _month_length(year, month) else None


def _push_date(transaction: Transaction, number: int) -> None:
    year, month, day = _date(number)
    transaction.push(_convert_year(year))
    transaction.push(month)
    transaction.push(day)


def _day_number(date: tuple[int, int, int]) -> int:
    return _days_before_year(date[0]) + _day_of_year(*date)


def _make_date_letter(compute: Callable[[tuple[int, int, int]], int]) -> Semantics:
    """Return an instruction that pops a date and pushes ``compute(date)``.

    The instruction reflects if the date is invalid.
    """

    def run(transaction: Transaction) -> None:
        date = _pop_date(transaction)
        if date is None:
            transaction.reflect()
        else:
            transaction.push(compute(date))

    return run


def _add_days(transaction: Transaction) -> None:
    days, date = transaction.pop(), _pop_date(transaction)
    if date is None:
        transaction.reflect()
    else:
        _push_date(transaction, _day_number(date) + days)


def _difference(transaction: Transaction) -> None:
    second, first = _pop_date(transaction), _pop_date(transaction)
    if second is None or first is None:
        transaction.reflect()
    else:
        transaction.push(_day_number(first) - _day_number(second))


def _from_day_of_year(transaction: Transaction) -> None:
    day, year = transaction.pop(), transaction.pop()
    astronomical = year if year > 0 else year + 1
    if year == 0 or not 0 <= day < 365 + _is_leap(astronomical):
        transaction.reflect()
    else:
        _push_date(transaction, _days_before_year(astronomical) + day)


DATE: dict[str, Semantics] = {
    "A": _add_days,
    "C": lambda transaction: _push_date(transaction, transaction.pop() - _JULIAN),
    "D": _difference,
    "J": _make_date_letter(lambda date: _day_number(date) + _JULIAN),
    "T": _from_day_of_year,
    "W": _make_date_letter(lambda date: _day_number(date) % 7),
    "Y": _make_date_letter(lambda date: _day_of_year(*date)),
}


# The time of day.


def _today(transaction: Transaction) -> tuple[int, int, int]:
    return _date(transaction.clock() // _SECOND // _DAY + _EPOCH)


def _make_today_letter(compute: Callable[[int, int, int], int]) -> Semantics:
    return lambda transaction: transaction.push(compute(*_today(transaction)))


def _make_clock_letter(unit_seconds: int, modulus: int) -> Semantics:
    """Return a function that pushes the time in units of ``unit_seconds``, modulo ``modulus``."""
    return lambda transaction: transaction.push(
        transaction.clock() // _SECOND // unit_seconds % modulus
    )


def _ignore(transaction: Transaction) -> None:
    """Do nothing (G and L): there is only one time zone, to make runs reproducible."""


TIME: dict[str, Semantics] = {
    "D": _make_today_letter(lambda year, month, day: day),
    "F": _make_today_letter(_day_of_year),
    "G": _ignore,
    "H": _make_clock_letter(3_600, 24),
    "L": _ignore,
    "M": _make_clock_letter(60, 60),
    "O": _make_today_letter(lambda year, month, day: month),
    "S": _make_clock_letter(1, 60),
    "W": _make_today_letter(lambda year, month, day: (_day_number((year, month, day)) + 1) % 7 + 1),
    "Y": _make_today_letter(lambda year, month, day: _convert_year(year)),
}


# The microsecond clock.


def _save_mark(transaction: Transaction) -> None:
    transaction.save("HRTI", transaction.clock())


def _push_time_since_mark(transaction: Transaction) -> None:
    mark: int | None = transaction.load("HRTI")
    if mark is None:
        transaction.reflect()
    else:
        transaction.push(transaction.clock() - mark)


HRTI: dict[str, Semantics] = {
    "E": lambda transaction: transaction.save("HRTI", None),
    "G": lambda transaction: transaction.push(1),
    "M": _save_mark,
    "S": lambda transaction: transaction.push(transaction.clock() % _SECOND),
    "T": _push_time_since_mark,
}
