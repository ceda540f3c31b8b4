"""Results of methods in version 2 of the protocol that differ from version 1."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import UNSET, Struct, UnsetType, defstruct
from msgspec.structs import fields as fields_of

from docs.schemas.results import (
    RESULTS,
    Changed,
    Fault,
    Moved,
    Number,
    Opened,
    Outcome,
    Point,
    ProblemStatus,
    Reason,
    Result,
    SessionRun,
    SessionStatus,
    Skipped,
    Source,
    Statement,
    StepOfByte,
    Submitted,
    View,
    shape_of,
)
from esolangs import view

Cell = tuple[int, int, Number]
"""Column, row and value of a cell of a plane."""


class Splices(Result, kw_only=True):
    """Edits of a list, one after the other: index, number of deleted items, items to insert."""

    splice: list[tuple[int, int, list[Any]]]


def _optional(kind: Any) -> Any:
    """A member that may be missing; a list may also be sent as splices."""
    return kind | Splices | UnsetType if get_origin(kind) is list else kind | UnsetType


def _panel(kind: type) -> type[Struct]:
    """A panel whose members are missing where they are as in the state that ``since`` names."""
    whole = shape_of(kind)
    members: dict[str, Any] = {
        name: hint for name, hint in get_type_hints(whole).items() if name != "name"
    }
    if kind is view.Grid:
        members |= {"width": int, "height": int, "rows": None}
    changed = {name: _optional(hint) for name, hint in members.items()}
    if kind is view.Grid:
        changed |= {"rows": list[str] | UnsetType}
        changed |= dict.fromkeys(("values", "changes"), list[Cell] | UnsetType)
    config = whole.__struct_config__
    return defstruct(
        f"{kind.__name__}Changes",
        [("name", str), *((name, hint, UNSET) for name, hint in changed.items())],
        bases=(Result,),
        kw_only=True,
        module=__name__,
        tag_field="panel",
        tag=config.tag,
    )


Location = shape_of(view.Location)
_PANELS = [_panel(kind) for kind in get_args(view.Panel)]
PanelChanges = Union[tuple(_PANELS)]  # noqa: UP007 (computed)


class CompactView(Result, kw_only=True):
    """A state: without ``fields`` only the members that changed since ``since``."""

    state: int
    since: int | UnsetType = UNSET
    step: int | UnsetType = UNSET
    status: (
        Literal["running", "stopped", "halted", "needs_input", "faulted", "limited"] | UnsetType
    ) = UNSET
    location: Location | UnsetType = UNSET  # pyright: ignore
    panels: list[PanelChanges] | UnsetType = UNSET  # pyright: ignore
    output_length: int | UnsetType = UNSET
    input_position: int | UnsetType = UNSET
    memory: int | UnsetType = UNSET
    fault: Fault | UnsetType | None = UNSET
    limit: str | UnsetType | None = UNSET
    source: Source | UnsetType | None = UNSET
    output: str | UnsetType = UNSET
    output_base64: str | UnsetType = UNSET
    output_truncated: Literal[True] | UnsetType = UNSET
    output_bytes: int | UnsetType = UNSET
    input: str | UnsetType = UNSET
    input_base64: str | UnsetType = UNSET
    registers: dict[str, Number] | UnsetType = UNSET
    places: dict[str, int | Point] | UnsetType = UNSET


class FoundStep(StepOfByte, kw_only=True):
    """``stopped``: why running the program did not find the byte."""

    stopped: list[Reason] | UnsetType = UNSET


def _compact(whole: type[Struct], omitted: Collection[str] = (), **added: Any) -> type[Struct]:
    """A result with a compact view, in which ``omitted`` and ``added`` members may be missing."""
    hints = {
        name: CompactView if hint is View else hint for name, hint in get_type_hints(whole).items()
    }
    fields = fields_of(whole)
    members: list[tuple[str, Any] | tuple[str, Any, Any]] = [
        (each.name, hints[each.name])
        if each.required and each.name not in omitted
        else (each.name, hints[each.name] | UnsetType, UNSET)
        for each in fields
    ]
    members += [(name, hint | UnsetType, UNSET) for name, hint in added.items()]
    return defstruct(
        f"Compact{whole.__name__}", members, bases=(Result,), kw_only=True, module=__name__
    )


CompactOpened = _compact(Opened)
CompactChanged = _compact(Changed)
CompactMoved = _compact(Moved)
CompactOutcome = _compact(Outcome, {"options"})
CompactRun = _compact(SessionRun, {"options", "head"})
CompactSubmitted = _compact(Submitted, {"head"})
CompactSkipped = _compact(Skipped, {"head"})
CompactStatement = _compact(
    Statement,
    Statement.__struct_fields__,
    session=str,
    ended=Literal[True],
    closed=bool,
    counts=dict[ProblemStatus, int],
)
"""A statement without a known ``head``; at the end of the session only the members added here."""
CompactStatus = _compact(
    SessionStatus,
    {"tiers", "problems", "head"},
    runs_left=int | None,
    submissions_left=int | None,
)
"""``runs_left`` and ``submissions_left`` are of the current problem."""

RESULTS_2: dict[str, Any] = {
    **RESULTS,
    "run": CompactOutcome,
    "session.fetch": CompactStatement,
    "session.run": CompactRun,
    "session.submit": CompactSubmitted,
    "session.status": CompactStatus,
    "session.skip": CompactSkipped,
    "debug.open": CompactOpened,
    "debug.step": CompactMoved,
    "debug.continue": CompactMoved,
    "debug.seek": CompactMoved,
    "debug.view": CompactView,
    "debug.printed": FoundStep,
    "debug.read": FoundStep,
    "debug.set": CompactChanged,
    "debug.fork": CompactOpened,
}
"""The type of the result of every method in version 2."""
