"""Watch expressions of an open program, and their values at the current step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary, ref

from esolangs.numbers import abbreviate
from esoplay.debugging.debugger import Debugger
from esoplay.errors import EsoplayError, UsageError
from esoplay.timeline.conditions import CheckedExpression, ConditionResult, evaluate_all

__all__ = ["MAX_WATCHES", "WatchedExpression", "Watches", "shared_watches", "watch_as_json"]


MAX_WATCHES = 50
"""The maximum number of expressions per program; each is evaluated at every step shown."""

MAX_LENGTH = 500
"""The maximum number of characters in an expression."""


@dataclass(frozen=True, slots=True)
class WatchedExpression:
    """A watch expression and its value.

    value: None if the expression has an ``error``. missing: names or places that do not exist and
    count as 0. previous_value: None if unknown. changed: whether ``value`` differs from
    ``previous_value``.
    """

    id: int
    text: str
    value: int | None
    missing: str = ""
    error: str = ""
    previous_value: int | None = None

    @property
    def changed(self) -> bool:
        return None not in (self.value, self.previous_value) and self.value != self.previous_value


class Watches:
    """The watch expressions of one open program, in the order in which they were added.

    Expressions may name variables of the source map that is open when they are evaluated.
    """

    def __init__(self, debugger: Debugger) -> None:
        self._debugger = ref(debugger)  # a weak reference: watches must not keep the program alive
        self._program = debugger.program
        self._lines = debugger.source_lines
        self._watched: tuple[CheckedExpression, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The expressions as they were typed."""
        return tuple(each.text for each in self._watched)

    def add(self, text: str, *, strict: bool = True) -> int:
        """Watch an expression; return the id of its watch, which may exist already.

        Raises UsageError if ``text`` is empty or too long or there are too many watches. For an
        invalid expression, raises ConditionError if ``strict``; otherwise the watch shows the
        error.
        """
        text = self._check_expression(text, strict=strict)
        for each in self._watched:
            if each.text == text:
                return each.id
        if len(self._watched) >= MAX_WATCHES:
            raise UsageError(f"at most {MAX_WATCHES} expressions can be watched; delete some first")
        id = max((each.id for each in self._watched), default=0) + 1
        self._watched += (self._make_watch(id, text),)
        return id

    def change(self, id: int, text: str, *, strict: bool = True) -> None:
        """Replace the expression of a watch and keep its id. Raises the errors of ``add``."""
        self._find(id)
        new = CheckedExpression(id, self._check_expression(text, strict=strict), self._program)
        self._watched = tuple(new if each.id == id else each for each in self._watched)

    def delete(self, id: int) -> None:
        """Delete a watch. Raises UsageError if no watch has this id."""
        self._find(id)
        self._watched = tuple(each for each in self._watched if each.id != id)

    def edit(
        self,
        *,
        delete: Iterable[int] = (),
        change: Mapping[int, str] | None = None,
        add: Iterable[str] = (),
    ) -> None:
        """Make all changes, or none if one is invalid. Raises the errors of ``add``, ``delete``."""
        before, gone = self._watched, list(delete)
        for id in gone:  # check all ids before removing a watch
            self._find(id)
        try:
            for id in gone:
                self.delete(id)
            for id, text in (change or {}).items():
                self.change(id, text)
            for text in add:
                self.add(text)
        except EsoplayError:
            self._watched = before
            raise

    def expression_error(self, id: int) -> str:
        """Return the error of an expression, or "". Raises UsageError if no watch has this id."""
        return str(self._find(id).error or "")

    def restore(self, texts: Iterable[str]) -> None:
        """Add expressions up to the maximum number; invalid expressions show their errors."""
        for text in texts:
            if len(self._watched) < MAX_WATCHES and 0 < len(text.strip()) <= MAX_LENGTH:
                self.add(text, strict=False)

    def values(
        self, debugger: Debugger, previous_values: Mapping[str, int | None] | None = None
    ) -> tuple[WatchedExpression, ...]:
        """Return the watches with their current and previous values.

        previous_values: by the text of the expression.
        """
        if not self._watched:
            return ()
        if debugger.source_lines is not self._lines:
            self._watched = tuple(self._make_watch(each.id, each.text) for each in self._watched)
        hits = sum(each.hits for each in debugger.breakpoints)
        machine = debugger.timeline.machine
        found = evaluate_all(self._watched, machine, hits, _SourceVariables(debugger).value)
        previous = previous_values or {}
        return tuple(
            _watched_expression(each, seen, previous.get(each.text))
            for each, seen in zip(self._watched, found, strict=True)
        )

    def _make_watch(self, id: int, text: str) -> CheckedExpression:
        debugger = self._debugger()
        self._lines = None if debugger is None else debugger.source_lines
        names = () if self._lines is None else self._lines.values.names
        return CheckedExpression(id, text, self._program, names)

    def _check_expression(self, text: str, *, strict: bool) -> str:
        text = " ".join(text.split())
        if not text:
            raise UsageError("missing expression; expected, for example, cell[3] or stack[-1] + 1")
        if len(text) > MAX_LENGTH:
            raise UsageError(f"an expression can have at most {MAX_LENGTH} characters")
        error = self._make_watch(0, text).error if strict else None
        if error is not None:
            raise error
        return text

    def _find(self, id: int) -> CheckedExpression:
        for each in self._watched:
            if each.id == id:
                return each
        known = ", ".join(str(each.id) for each in self._watched) or "none"
        raise UsageError(f"no watch {id}; watches: {known}")


class _SourceVariables:
    """The variables of the source with their values, which are read on first use."""

    def __init__(self, debugger: Debugger) -> None:
        self._debugger = debugger
        self._values: dict[str, int | None] | None = None

    def value(self, name: str) -> int | None:
        if self._values is None:
            from esoplay.debugging.source_maps import variables

            self._values = {each.name: each.value for each in variables(self._debugger)}
        return self._values.get(name)


def _watched_expression(
    watched: CheckedExpression, result: ConditionResult, previous_value: int | None
) -> WatchedExpression:
    return WatchedExpression(
        watched.id, watched.text, result.value, result.missing, result.error, previous_value
    )


def shared_watches(debugger: Debugger) -> Watches:
    """Return the watches of an open program; the same object is returned each time."""
    watches = _WATCHES.get(debugger)
    if watches is None:
        watches = _WATCHES[debugger] = Watches(debugger)
    return watches


_WATCHES: WeakKeyDictionary[Debugger, Watches] = WeakKeyDictionary()


def watch_as_json(watch: WatchedExpression) -> dict[str, Any]:
    """Return a watch as ``{id, expression, value, missing?}`` or ``{id, expression, error}``."""
    data: dict[str, Any] = {"id": watch.id, "expression": watch.text}
    if watch.value is None:
        return {**data, "error": watch.error}
    data["value"] = abbreviate(watch.value)
    return {**data, "missing": watch.missing} if watch.missing else data
