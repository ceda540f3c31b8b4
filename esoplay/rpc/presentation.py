"""Compact results of protocol version 2: only the data that the client does not have yet.

A handler returns the same result in both versions. For a client of version 2, this module replaces
a state by its differences from an earlier state, writes planes as text, and omits members that the
client has received before. docs/json-rpc.md describes the format.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal, cast
from weakref import WeakKeyDictionary

from esoplay.debugging.debugger import Debugger

Presented = Literal["view", "new_view", "state", "known", "status"]
"""Which part of a method's result is sent in compact form in version 2 of the protocol.

``view``: the member ``view``. ``new_view``: the member ``view`` of a new debugger. ``state``: the
whole result, which is a view. ``known``: the members ``head`` and ``options``. ``status``: the
whole result, which is the status of a session.
"""

MAX_REMEMBERED_STATES = 8
"""Maximum number of remembered states per debugger."""

MAX_REMEMBERED_BYTES = 256 << 10
"""Maximum total size in bytes of the remembered states of a debugger."""

PRINTABLE = range(32, 127)
"""Cell values that are shown as characters in the rows of a plane."""

NOT_PRINTABLE = "\u00b7"
"""Character shown for a cell value outside ``PRINTABLE``; the field ``values`` has the value."""

_MAX_SHIFTS = 64  # maximum number of items at the front of a list that a splice adds or removes

Json = dict[str, Any]


class Presentation:
    """Shortens the results for one client by omitting data that it already has.

    Not thread-safe.
    """

    def __init__(self) -> None:
        self._states: WeakKeyDictionary[Debugger, SentStates] = WeakKeyDictionary()
        self._known: dict[tuple[str, ...], Any] = {}

    def view_changes(
        self, debugger: Debugger, view: Json, *, since: int | None, fields: Sequence[str] | None
    ) -> Json:
        """Return the changes of a view since an earlier state, or the whole view.

        since: see :meth:`SentStates.add`. The whole view is returned if that state is not
        remembered. fields: the members that the client selected; None if it selected none.
        """
        states = self._states.get(debugger)
        if states is None:
            states = self._states[debugger] = SentStates()
        return states.add(view, since, selected=fields is not None)

    def omit_known(self, result: Json, session: str, *, details: bool) -> Json:
        """Omit ``head`` and ``options`` if the client was sent the same values before.

        ``head`` is the digest of the session's log, ``options`` are the options of the dialect.
        details: omit nothing, but remember the values as sent.
        """
        is_head_known = self._remember_sent(result, "head", session)
        where = (str(result.get("language")), str(result.get("dialect")))
        are_options_known = self._remember_sent(result, "options", *where)
        known_members = (("head", is_head_known), ("options", are_options_known))
        omitted = {name for name, is_known in known_members if is_known}
        if details:
            return result
        return {name: value for name, value in result.items() if name not in omitted}

    def shorten_status(self, result: Json, session: str, *, details: bool) -> Json:
        """Return the short status: counts, and the remaining limits of the active problem."""
        if details:
            return self.omit_known(result, session, details=True)
        return self.omit_known(short_status(result), session, details=False)

    def _remember_sent(self, result: Json, member: str, *about: str) -> bool:
        """Remember ``result[member]``; return whether it equals the value that was sent last time.

        about: what the value belongs to, such as a session.
        """
        if member not in result:
            return False
        key = (member, *about)
        known = key in self._known and self._known[key] == result[member]
        self._known[key] = result[member]
        return known


def short_status(status: Json) -> Json:
    """Return the status of a session with the current problem's limits instead of all problems."""
    omitted = {"problems", "tiers", "visible_processes"}
    short = {name: value for name, value in status.items() if name not in omitted}
    for problem in status["problems"]:
        if problem["problem"] == status["current"]:
            short |= {name: problem[name] for name in ("runs_left", "submissions_left")}
    return short


class SentStates:
    """The last states of a debugger that were sent to the client, numbered from 1."""

    def __init__(self) -> None:
        self._last = 0
        self._encoded: dict[int, bytes] = {}

    def add(self, view: Json, since: int | None, *, selected: bool) -> Json:
        """Add the view to send next; return its number and its changes since an earlier state.

        since: the number of an earlier state; None: the last state; 0: send the complete view.
        selected: whether the client selected members, which are then sent even if unchanged.
        """
        new = dict(view)
        if "panels" in view:
            new["panels"] = [*map(_compact, view["panels"])]
        base = self._last if since is None else since
        encoded = self._encoded.get(base)
        old: Json = {} if encoded is None else json.loads(encoded)
        self._last += 1
        self._remember({**old, **new})
        named: Json = {"state": self._last}
        if encoded is not None:
            named["since"] = base
        return {**named, **_changes(old, new, selected=selected)}

    def _remember(self, state: Json) -> None:
        members = {name: value for name, value in state.items() if name not in _ON_REQUEST}
        self._encoded[self._last] = json.dumps(members, separators=(",", ":")).encode()
        held = sum(map(len, self._encoded.values()))
        while len(self._encoded) > MAX_REMEMBERED_STATES or held > MAX_REMEMBERED_BYTES:
            held -= len(self._encoded.pop(min(self._encoded)))


_ON_REQUEST = frozenset(
    {"output", "output_base64", "output_truncated", "output_bytes", "input", "input_base64"}
    | {"registers", "places"}
)
"""Members of a view that are sent only if ``fields`` names them, and then even if unchanged."""


def _changes(old: Json, new: Json, *, selected: bool) -> Json:
    changed: Json = {}
    for name, value in new.items():
        if name == "panels" and "panels" in old:
            if value != old["panels"]:
                changed[name] = _panel_changes(old["panels"], value)
        elif selected or name == "step" or value != old.get(name):
            changed[name] = value
    return changed


# Panels


def _compact(panel: Json) -> Json:
    return _grid_as_text(panel) if panel["panel"] == "grid" else panel


def _grid_as_text(panel: Json) -> Json:
    """Return a grid with rows of text.

    ``values`` lists cells whose values are not printable as ``[x, y, value]``.
    """
    rows: list[list[Any]] = panel["rows"]
    texts = [_row_text(row).rstrip(" ") for row in rows]
    while texts and not texts[-1]:
        texts.pop()
    values = [
        [x, y, cell]
        for y, (row, text) in enumerate(zip(rows, texts, strict=False), panel["top"])
        if NOT_PRINTABLE in text
        for x, cell in enumerate(row, panel["left"])
        if not _is_printable(cell)
    ]
    data: Json = {}
    for name, value in panel.items():
        if name == "rows":
            size = {"width": len(rows[0]) if rows else 0, "height": len(rows)}
            data |= {**size, "rows": texts, "values": values}
        else:
            data[name] = value
    return data


def _row_text(row: list[Any]) -> str:
    try:
        text = bytes(row).decode("ascii")
        if text.isprintable():  # fast path for almost every row
            return text
    except (TypeError, ValueError):  # not a number, or not a character
        pass
    return "".join(map(_character, row))


def _is_printable(cell: object) -> bool:
    return isinstance(cell, int) and cell in PRINTABLE


def _character(cell: object) -> str:
    return chr(cast(int, cell)) if _is_printable(cell) else NOT_PRINTABLE


def _cells(panel: Json) -> list[list[Any]]:
    """Return the cell values of a grid whose rows are text."""
    rows = [[*map(ord, row.ljust(panel["width"]))] for row in panel["rows"]]
    rows += [[32] * panel["width"] for _ in range(panel["height"] - len(rows))]
    for x, y, value in panel["values"]:
        rows[y - panel["top"]][x - panel["left"]] = value
    return rows


def _panel_changes(old: Sequence[Json], new: Sequence[Json]) -> list[Json]:
    """Return the kind, name and changed members of every panel."""
    counts = Counter(map(_identity, old)) + Counter(map(_identity, new))
    before = {_identity(panel): panel for panel in old if counts[_identity(panel)] == 2}
    return [
        _changed_members(before[_identity(panel)], panel) if _identity(panel) in before else panel
        for panel in new
    ]


def _identity(panel: Json) -> tuple[str, str]:
    return panel["panel"], panel["name"]


def _changed_members(old: Json, new: Json) -> Json:
    changed: Json = {"panel": new["panel"], "name": new["name"]}
    plane = {"rows", "values"} if new["panel"] == "grid" else set[str]()
    for name, value in new.items():
        if value != old.get(name) and name not in plane:
            changed[name] = _shorter_list(old.get(name), value)
    if plane and any(new[name] != old[name] for name in (*plane, *_GEOMETRY)):
        changed |= _plane_changes(old, new)
    return changed


_GEOMETRY = ("left", "top", "width", "height")


def _plane_changes(old: Json, new: Json) -> Json:
    """Return the changed cells as ``[x, y, value]``, or all rows if the window moved."""
    whole = {"rows": new["rows"], "values": new["values"]}
    if any(new[name] != old[name] for name in _GEOMETRY):
        return whole
    changes = [
        [x, y, after]
        for y, (row, other) in enumerate(zip(_cells(old), _cells(new), strict=True), new["top"])
        for x, (before, after) in enumerate(zip(row, other, strict=True), new["left"])
        if before != after
    ]
    return min({"changes": changes}, whole, key=_size)


# Lists, such as the values of a stack: as splices


def _shorter_list(old: object, new: object) -> object:
    """Return ``new``, or ``{"splice": [[index, deleted, items], …]}`` if that is shorter."""
    if not isinstance(old, list) or not isinstance(new, list):
        return new
    before, after = cast("list[Any]", old), cast("list[Any]", new)
    forms = ({"splice": edits} for edits in _splices(before, after))
    return min((after, *forms), key=_size)


def _splices(old: list[Any], new: list[Any]) -> Iterator[list[list[Any]]]:
    """Yield alternative lists of splices; each list changes ``old`` to ``new``.

    A splice is ``[index, deleted, items]``; the splices of a list are applied in order.
    """
    if len(old) == len(new):
        yield [[at, 1, [after]] for at, after in enumerate(new) if after != old[at]]
    else:
        yield [_middle_splice(old, new)]
    for count in range(1, min(_MAX_SHIFTS, max(len(old), len(new))) + 1):
        same = min(len(old), len(new) - count)  # items were added at the front
        if same > 0 and new[count : count + same] == old[:same]:
            yield [
                [0, 0, new[:count]],
                *_end_splices(old[same:], new[count + same :], count + same),
            ]
            return
        same = min(len(old) - count, len(new))  # items were removed from the front
        if same > 0 and new[:same] == old[count : count + same]:
            yield [[0, count, []], *_end_splices(old[count + same :], new[same:], same)]
            return


def _middle_splice(old: list[Any], new: list[Any]) -> list[Any]:
    """Return the splice between the common start and the common end of two lists."""
    shorter = min(len(old), len(new))
    start = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    end = next(
        (at for at in range(shorter - start) if old[-1 - at] != new[-1 - at]), shorter - start
    )
    return [start, len(old) - start - end, new[start : len(new) - end]]


def _end_splices(removed: list[Any], added: list[Any], index: int) -> list[list[Any]]:
    """Return a list with the splice that replaces the end of a list; empty if it is not needed."""
    return [[index, len(removed), added]] if removed or added else []


def _size(value: object) -> int:
    return len(json.dumps(value, separators=(",", ":")))
