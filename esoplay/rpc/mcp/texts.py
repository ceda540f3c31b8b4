"""Results of tools as compact text, for models that do not read structured content.

The state of a program is formatted for people; other results are JSON without spaces. The
structured content is complete; the text of a large plane or panel is shortened.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

_MAX_PANEL_LENGTH = 700
"""Maximum characters of one panel, so that a plane and two stacks take at most 1.5 kB."""

_SCREEN_MEMBERS = {"panel", "name", "parts", "made", "trail", "low", "high", "bits"}
"""Members of panels that only the screen uses."""

_SHOWN_MEMBERS = {
    "step",
    "status",
    "location",
    "panels",
    "output_length",
    "input_position",
    "memory",
}
"""Members of a state that are in the first lines of its text."""


def format_result(content: Mapping[str, Any]) -> str:
    """Format the result of a tool as text."""
    if "card" in content:
        return content["card"]
    if isinstance(content.get("view"), dict):
        others = {name: value for name, value in content.items() if name != "view"}
        return "\n".join([_json(others), *_state_lines(content["view"])])
    if "panels" in content:
        return "\n".join(_state_lines(content))
    return _json(content)


def _state_lines(view: Mapping[str, Any]) -> Iterator[str]:
    if "step" in view and "status" in view:
        yield f"step {view['step']}, {view['status']}{_place(view.get('location'))}"
    counts = {
        "output": view.get("output_length"),
        "input read": view.get("input_position"),
        "memory": view.get("memory"),
    }
    if any(counts.values()):
        yield ", ".join(f"{name} {count}" for name, count in counts.items() if count is not None)
    others = {name: view[name] for name in view.keys() - _SHOWN_MEMBERS if view[name] is not None}
    if others:
        yield _json(dict(sorted(others.items())))
    for panel in view["panels"]:
        yield from _grid_lines(panel) if panel["panel"] == "grid" else _panel_lines(panel)


def _place(location: Mapping[str, Any] | None) -> str:
    if location is None:
        return ""
    address = f" {_json(location['address'])}" if "address" in location else ""
    place = f"; next: line {location['line']} column {location['column']}{address}"
    return f"{place} {location['instruction']} ({location['explanation']})"


def _panel_lines(panel: Mapping[str, Any]) -> Iterator[str]:
    members = {name: value for name, value in panel.items() if name not in _SCREEN_MEMBERS}
    text = _json(members)
    if len(text) > _MAX_PANEL_LENGTH:
        rest = len(text) - _MAX_PANEL_LENGTH
        text = f"{text[:_MAX_PANEL_LENGTH]}… ({rest} characters more; select less with window)"
    yield f"{panel['name']}: {text}"


def _grid_lines(panel: Mapping[str, Any]) -> Iterator[str]:
    """Yield a title, the rows near the active pointer as characters, and the pointers.

    Blank rows at the top and bottom are omitted.
    """
    left, top = panel["left"], panel["top"]
    rows = [_row_text(row) for row in panel["rows"]]
    used = [at for at, row in enumerate(rows) if row]
    pointers = panel["pointers"]
    active = next((pointer for pointer in pointers if pointer["active"]), None)
    middle = active["position"][1] - top if active else 0
    first, last = _rows_around(rows, used, middle)
    shown = f"rows {top + first} to {top + last}, from column {left}"
    omitted = sum(at < first or at > last for at in used)
    if omitted:
        shown += f" ({omitted} other rows are not blank; select them with window)"
    yield f"{panel['name']}: {shown}"
    for row in rows[first : last + 1]:
        yield f"|{row}"
    special = [
        f"{_json([left + x, top + y])}={value}"
        for y, row in enumerate(panel["rows"][first : last + 1], first)
        for x, value in enumerate(row)
        if not _is_printable(value)
    ]
    if special:
        more = f" and {len(special) - 8} more" if len(special) > 8 else ""
        yield f"not printable (shown as ·): {' '.join(special[:8])}{more}"
    for pointer in pointers[:8]:
        mark = ", next to execute" if pointer is active and len(pointers) > 1 else ""
        place = f"at {_json(pointer['position'])} delta {_json(pointer['delta'])}"
        yield f"IP {pointer['id']} {place}{mark}"
    if len(pointers) > 8:
        yield f"{len(pointers) - 8} more IPs"
    if panel["written"]:
        yield f"written by the last step: {_json(panel['written'][:8])}"


def _rows_around(rows: Sequence[str], used_rows: Sequence[int], middle: int) -> tuple[int, int]:
    """Return the first and the last of the rows around ``middle`` that fit into a panel's text."""
    if not used_rows:
        return 0, 0
    minimum, maximum = used_rows[0], used_rows[-1]
    first = last = min(max(middle, minimum), maximum)
    size = len(rows[first])
    while first > minimum or last < maximum:
        above = len(rows[first - 1]) + 2 if first > minimum else None
        below = len(rows[last + 1]) + 2 if last < maximum else None
        upwards = below is None or (above is not None and middle - first <= last - middle)
        size += cast(int, above if upwards else below)
        if size > _MAX_PANEL_LENGTH:
            break
        first, last = (first - 1, last) if upwards else (first, last + 1)
    return first, last


def _row_text(row: Sequence[object]) -> str:
    return "".join(chr(cast(int, v)) if _is_printable(v) else "·" for v in row).rstrip()


def _is_printable(value: object) -> bool:
    return isinstance(value, int) and 32 <= value < 127


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
