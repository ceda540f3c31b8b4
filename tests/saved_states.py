"""The states of snapshots, for comparison."""

from __future__ import annotations

from typing import Any

from esolangs.machine import Snapshot
from esolangs.pages import SavedMemory


def comparable_state(snapshot: Snapshot) -> Any:
    """Return the payload of a snapshot with the contents of its saved memory."""
    return _comparable(snapshot.payload)


def _comparable(value: Any) -> Any:
    match value:
        case SavedMemory():
            # equal cells always make equal pages
            return value.count, [
                [(page.width, page.data) for page in group.parts] for group in value.parts
            ]
        case tuple() | list():
            return [_comparable(each) for each in value]
        case dict():
            return {key: _comparable(each) for key, each in value.items()}
        case _:
            return value
