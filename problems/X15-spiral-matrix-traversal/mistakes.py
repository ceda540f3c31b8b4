"""Wrong ways around a spiral, by the edge class that catches each."""

from __future__ import annotations


def _rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.split("\n")[1:]]


def _walk(
    rows: list[list[str]], row_back: bool = False, column_back: bool = False, rounds: int = 3
) -> str:
    """By four borders; ``…_back`` forgets to ask whether the row or column is a new one."""
    top, bottom, left, right = 0, len(rows) - 1, 0, len(rows[0]) - 1
    found: list[str] = []
    while top <= bottom and left <= right and rounds:
        found += rows[top][left : right + 1]
        found += [rows[at][right] for at in range(top + 1, bottom + 1)]
        if top < bottom or row_back:
            found += [rows[bottom][at] for at in range(right - 1, left - 1, -1)]
        if left < right or column_back:
            found += [rows[at][left] for at in range(bottom - 1, top, -1)]
        top, bottom, left, right = top + 1, bottom - 1, left + 1, right - 1
        rounds -= 1
    return " ".join(found)


def single__nothing_inside(text: str) -> str:
    rows = _rows(text)
    return _walk(rows) if min(len(rows), len(rows[0])) > 1 else ""


def row__walked_back(text: str) -> str:
    return _walk(_rows(text), row_back=True)


def column__walked_up(text: str) -> str:
    return _walk(_rows(text), column_back=True)


def wide__inner_row_walked_back(text: str) -> str:
    rows = _rows(text)
    return _walk(rows, row_back=len(rows) > 1)


def wide__row_by_row(text: str) -> str:
    return " ".join(text.split()[2:])


def wide__rows_taken_for_columns(text: str) -> str:
    r, _, *elements = text.split()
    columns = int(r)
    return _walk([elements[at : at + columns] for at in range(0, len(elements), columns)])


def tall__inner_column_walked_up(text: str) -> str:
    rows = _rows(text)
    return _walk(rows, column_back=len(rows[0]) > 1)


def tall__every_other_row_backwards(text: str) -> str:
    rows = _rows(text)
    return " ".join(" ".join(row[::-1] if at % 2 else row) for at, row in enumerate(rows))


def square__counter_clockwise(text: str) -> str:
    return _walk([list(column) for column in zip(*_rows(text), strict=True)])


def square__one_round(text: str) -> str:
    return _walk(_rows(text), rounds=1)


def square__space_at_the_end(text: str) -> str:
    return _walk(_rows(text)) + " "
