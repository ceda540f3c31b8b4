"""``debug.note notebook``: what a client has to say about moments of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from esolangs.stops import Address
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.notebook import (
    Notebook,
    as_markdown,
    export,
    note_as_json,
    notebook_of,
    take_note,
    title_of,
)
from esoplay.paths import state_folder
from esoplay.rpc.connection import Call
from esoplay.rpc.parameters import Parameter, cell, flag, record, text, whole
from esoplay.rpc.protocol import invalid_params, rejected
from esoplay.rpc.table import DEBUG, Method


def note(call: Call, *, debug: str, text: str = "", cell: Address | None = None) -> dict[str, Any]:
    """Keep a note of this moment."""
    debugger = call.connection.debuggers.get(debug)
    kept = _notebook(call, debugger).add(take_note(debugger, text, cell))
    return {"note": note_as_json(kept)}


def notebook(
    call: Call,
    *,
    debug: str,
    change: dict[str, Any] | None = None,
    delete: int | None = None,
    markdown: bool = False,
    path: str | None = None,
    overwrite: bool = False,
) -> dict[str, Any]:
    """All notes, after changing or deleting one; as Markdown as well, if asked."""
    debugger = call.connection.debuggers.get(debug)
    if path is not None and not call.connection.is_operator:
        raise rejected("path is for the operator; ask for markdown")
    if overwrite and path is None:
        raise invalid_params("overwrite goes with path")
    kept = _notebook(call, debugger)
    if change is not None:
        kept.change(change["id"], change["text"])
    if delete is not None:
        kept.delete(delete)
    title = title_of(kept)
    data: dict[str, Any] = {"notes": [note_as_json(each) for each in kept.notes]}
    if path is not None:
        export(kept, Path(path), title, overwrite=overwrite)
        data["written"] = path
    if markdown:
        data["markdown"] = as_markdown(kept, title)
    return data


def _notebook(call: Call, debugger: Debugger) -> Notebook:
    """An operator's notes are kept for the next time; a solver's only as long as it debugs."""
    return notebook_of(debugger, state_folder() if call.connection.is_operator else None)


NOTE_METHODS = (
    Method(
        "debug.note", note, (DEBUG, Parameter("text", text), Parameter("cell", cell)), solver=True
    ),
    Method(
        "debug.notebook",
        notebook,
        (
            DEBUG,
            Parameter(
                "change",
                record(
                    Parameter("id", whole(1), required=True),
                    Parameter("text", text, required=True),
                ),
            ),
            Parameter("delete", whole(1)),
            Parameter("markdown", flag),
            Parameter("path", text),
            Parameter("overwrite", flag),
        ),
        solver=True,
    ),
)
