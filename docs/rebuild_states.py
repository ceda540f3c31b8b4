"""Rebuild whole states of a program from the changes that protocol version 2 sends.

A client that wants the state, and not only what changed, keeps one ``States`` for each debugger and
passes every view that it receives to ``add``.  docs/json-rpc.md describes the format.
"""

from __future__ import annotations

from typing import Any, cast

Json = dict[str, Any]

ON_REQUEST = {
    *("output", "output_base64", "output_truncated", "output_bytes", "input", "input_base64"),
    *("registers", "places"),
}
"""Members that only an answer to a request with ``fields`` has."""


class States:
    """The states of one debugger that the server has sent."""

    def __init__(self) -> None:
        self._states: dict[int, Json] = {}

    def add(self, answer: Json) -> Json:
        """Return the whole state, as version 1 sends it; ``answer``: a view of version 2."""
        changes = dict(answer)
        number = changes.pop("state")
        old = self._states[changes.pop("since")] if "since" in changes else {}
        state = {**old, **changes}
        if "panels" in changes:
            known = {_identity(panel): panel for panel in old.get("panels", [])}
            state["panels"] = [
                _apply(known.get(_identity(panel), {}), panel) for panel in changes["panels"]
            ]
        self._states[number] = {name: state[name] for name in state.keys() - ON_REQUEST}
        return state


def _identity(panel: Json) -> tuple[str, str]:
    return panel["panel"], panel["name"]


def _apply(old: Json, changes: Json) -> Json:
    panel = {**old, **changes}
    for name, value in changes.items():
        if isinstance(value, dict) and "splice" in value:
            panel[name] = list(old[name])
            edits = cast("list[Any]", value["splice"])
            for at, deleted, items in edits:
                panel[name][at : at + deleted] = items
    if panel["panel"] == "grid":
        _apply_to_plane(panel, changes)
    return panel


def _apply_to_plane(panel: Json, changes: Json) -> None:
    """Replace rows of text by rows of numbers, and set the changed cells."""
    left, top = panel["left"], panel["top"]
    if "rows" in changes:
        texts = panel["rows"] + [""] * (panel["height"] - len(panel["rows"]))
        panel["rows"] = [[*map(ord, text.ljust(panel["width"]))] for text in texts]
        cells = panel.pop("values")
    else:
        panel["rows"] = [list(row) for row in panel["rows"]]
        cells = panel.pop("changes", [])
    for x, y, value in cells:
        panel["rows"][y - top][x - left] = value


def as_version_1(state: Json) -> Json:
    """Return a whole state with exactly the members of version 1."""
    view = {name: value for name, value in state.items() if value is not None}
    view["panels"] = [
        {name: value for name, value in panel.items() if name not in ("width", "height")}
        if panel["panel"] == "grid"
        else panel
        for panel in state["panels"]
    ]
    return {**view, "fault": state.get("fault"), "limit": state.get("limit")}
