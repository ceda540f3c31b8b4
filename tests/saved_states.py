"""The states of snapshots, for comparison."""

from __future__ import annotations

from typing import Any

from esolangs.machine import Snapshot
from esolangs.pages import SavedMemory, SharedObject


def comparable_state(snapshot: Snapshot) -> Any:
    """Return the payload of a snapshot with the contents of its saved memory."""
    return _comparable(snapshot.payload)


def _comparable(value: Any) -> Any:
    match value:
        case SavedMemory():
            # equal cells always make equal pages
            return value.count, [
                part.value
                if isinstance(part, SharedObject)
                else [(page.width, page.data) for page in part.parts]
                for part in value.parts
            ]
        case SharedObject():
            return _comparable(value.value), [_comparable(part) for part in value.parts]
        case tuple() | list():
            return [_comparable(each) for each in value]
        case dict():
            return {key: _comparable(each) for key, each in value.items()}
        case _ if hasattr(value, "entries"):
            return value.entries()
        case _:
            return value
