"""Reading tables of a pack field by field, with errors that name file and field."""

from __future__ import annotations

from typing import Any, NoReturn, Self, cast

from esoplay.errors import PackError


class Fields:
    """One table of a pack file.

    Every field is asked for by name and type; :meth:`finish` then refuses what
    nobody asked for, so that a misspelt field is never silently ignored.
    """

    def __init__(self, table: object, file: str, path: str = "", *, secret: bool = False):
        """``secret``: errors tell the place and not what was found there."""
        self._file = file
        self._secret = secret
        self._path = path
        self._asked: set[str] = set()
        if not isinstance(table, dict):
            self._complain(path or "the file", "a table", table)
        self._table = cast("dict[str, Any]", table)

    def has(self, name: str) -> bool:
        """Whether an optional field is given."""
        self._asked.add(name)
        return name in self._table

    def value(self, name: str) -> Any:
        """Whatever stands there."""
        return self._get(name)

    def text(self, name: str) -> str:
        """A string that is not blank."""
        value = self._get(name)
        if not isinstance(value, str) or not value.strip() or _is_broken(value):
            self.fail(name, "a text that is not empty", value)
        return value

    def word(self, name: str, known: tuple[str, ...]) -> str:
        """One of the ``known`` words."""
        value = self._get(name)
        if value not in known:
            self.fail(name, " | ".join(known), value)
        return value

    def integer(self, name: str) -> int:
        value = self._get(name)
        if type(value) is not int:
            self.fail(name, "a whole number", value)
        return value

    def bytes(self, name: str) -> bytes:
        """A string, which may be empty, as its UTF-8 bytes."""
        value = self._get(name)
        if not isinstance(value, str) or _is_broken(value):
            self.fail(name, "a text", value)
        return value.encode()

    def texts(self, name: str, count: int | None = None) -> tuple[str, ...]:
        """A list of strings, ``count`` of them where that is given."""
        expected = "a list of texts" if count is None else f"a list of {count} texts"
        items = self._list(name, expected)
        if count not in (None, len(items)):
            self.fail(name, expected, items)
        for index, item in enumerate(items):
            if not isinstance(item, str) or not item.strip() or _is_broken(item):
                self.fail(f"{name}[{index}]", "a text that is not empty", item)
        return tuple(items)

    def tables(self, name: str) -> tuple[Self, ...]:
        """A list of tables, at least one."""
        expected = "a list of at least one table"
        items = self._list(name, expected)
        if not items:
            self.fail(name, expected, items)
        return tuple(
            type(self)(item, self._file, self._where(f"{name}[{index}]"), secret=self._secret)
            for index, item in enumerate(items)
        )

    def table(self, name: str) -> Self:
        """A table within this one; an absent one counts as empty."""
        self._asked.add(name)
        return type(self)(
            self._table.get(name, {}), self._file, self._where(name), secret=self._secret
        )

    def interval(self, name: str) -> tuple[int, int]:
        """``[least, greatest]``."""
        expected = "two whole numbers [least, greatest]"
        items = self._list(name, expected)
        if len(items) != 2 or not all(type(item) is int for item in items) or items[0] > items[1]:
            self.fail(name, expected, items)
        return items[0], items[1]

    def names(self) -> tuple[str, ...]:
        """The fields that there are, in the order of the file."""
        return tuple(self._table)

    def finish(self) -> None:
        """Refuse fields that nobody asked for."""
        for name in self._table:
            if name not in self._asked:
                known = ", ".join(sorted(self._asked))
                self._refuse(self._where(name), f"unknown field; known here: {known}")

    def fail(self, name: str, expected: str, found: object) -> NoReturn:
        """Raise the PackError that says what was expected in field ``name``."""
        self._complain(self._where(name), expected, found)

    def _get(self, name: str) -> Any:
        self._asked.add(name)
        if name not in self._table:
            self._refuse(self._where(name), "this field is missing")
        return self._table[name]

    def _list(self, name: str, expected: str) -> list[Any]:
        value = self._get(name)
        if not isinstance(value, list):
            self.fail(name, expected, value)
        return cast("list[Any]", value)

    def _where(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name

    def _complain(self, where: str, expected: str, found: object) -> NoReturn:
        if self._secret:
            self._refuse(where, f"expected {expected}")
        shown = repr(found)
        if len(shown) > 60:
            shown = shown[:57] + "..."
        self._refuse(where, f"expected {expected}, found {shown}")

    def _refuse(self, where: str, words: str) -> NoReturn:
        """Raise the error of this kind of file."""
        raise PackError(f"{self._file}: {where}: {words}")


def _is_broken(text: str) -> bool:
    """JSON can spell half a surrogate pair, which is no character and has no bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
