"""Reading a lesson's tables, with errors that name file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from esoplay.errors import LessonError
from esoplay.grading.schema import Fields

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.]+)\s*\]\]?")
_KEY = re.compile(r"\s*(\w+)\s*=")
_LONG = re.compile("'''|\"\"\"")


class LessonFields(Fields):
    """One table of a lesson's file."""

    def flag(self, name: str) -> bool:
        """true or false; an absent one is false."""
        if not self.has(name):
            return False
        value = self._get(name)
        if not isinstance(value, bool):
            self.fail(name, "true or false", value)
        return value

    def refuse(self, name: str, words: str) -> NoReturn:
        """Raise the LessonError that says what is wrong with a field, or with the table."""
        self._refuse(self._where(name) if name else self._path, words)

    def _refuse(self, where: str, words: str) -> NoReturn:
        source = Path(self._file).read_text("utf-8")
        raise LessonError(f"{self._file}:{line_of(source, where)}: {where or 'lesson'}: {words}")


def line_of(source: str, where: str) -> int:
    """The line, from 1, of the field at a path such as ``task.runs[1].output``.

    Of a field that is missing that of its table, of a table that is missing the first.
    """
    lines = {path: number for number, path in reversed(list(_paths(source)))}
    while where and where not in lines:
        where = where.rpartition(".")[0]
    return lines.get(where, 1)


def _paths(source: str) -> Iterator[tuple[int, str]]:
    """Lines and the tables and fields that begin in them."""
    table, ends = "", ""
    counts: dict[str, int] = {}
    for number, line in enumerate(source.split("\n"), 1):
        if ends:
            ends = "" if ends in line else ends
            continue
        if header := _HEADER.match(line):
            table = header[2]
            if header[1] == "[[":
                index = counts.get(table, 0)
                counts[table] = index + 1
                yield number, table
                table = f"{table}[{index}]"
            yield number, table
        elif key := _KEY.match(line):
            yield number, f"{table}.{key[1]}" if table else key[1]
            marks = _LONG.findall(line)
            ends = marks[0] if len(marks) == 1 else ""
