"""The fields of a grid's file; what is wrong with one is told with file, key and what it takes."""

from __future__ import annotations

import re
from typing import Any, NoReturn, cast

from esoplay.errors import UsageError
from esoplay.grading.schema import Fields

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""The name of a variable of the environment."""
_TIME = re.compile(r"([0-9]+)(s|m|h)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


class GridFields(Fields):
    """A table of a grid's file."""

    def _refuse(self, where: str, words: str) -> NoReturn:
        raise UsageError(f"{self._file}: {where}: {words}")

    def refuse(self, name: str, words: str) -> NoReturn:
        self._refuse(self._where(name), words)

    def count(self, name: str, least: int, most: int, default: int | None) -> int | None:
        if not self.has(name):
            return default
        value = self._get(name)
        if type(value) is not int or not least <= value <= most:
            self.fail(name, f"a whole number from {least} to {most:,}", value)
        return value

    def seconds(self, name: str, default: int) -> int:
        """A time such as "90s", "20m" or "4h"."""
        if not self.has(name):
            return default
        value = self._get(name)
        found = _TIME.fullmatch(value) if isinstance(value, str) else None
        if found is None or not 0 < (seconds := int(found[1]) * _SECONDS[found[2]]) <= 10**7:
            self.fail(name, 'a time, such as "90s", "20m" or "4h"', value)
        return seconds

    def some(self, name: str) -> tuple[str, ...]:
        """A list of texts that has at least one, none of them twice."""
        found = self.texts(name)
        if not found:
            self.fail(name, "a list of at least one text", list(found))
        if twice := next((one for one in found if found.count(one) > 1), None):
            self.refuse(name, f"{twice!r} is there twice")
        return found

    def mapping(self, name: str) -> dict[str, str]:
        """A table of variables with texts."""
        if not self.has(name):
            return {}
        value = self._get(name)
        if not isinstance(value, dict):
            self.fail(name, "a table of texts", value)
        table = cast("dict[str, Any]", value)
        for key, text in table.items():
            if not VARIABLE.fullmatch(key) or not isinstance(text, str) or "\0" in text:
                self.fail(f"{name}.{key}", "the name of a variable, with a text", text)
        return table
