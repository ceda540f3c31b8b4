"""Commands that add, change, list and export notes on steps."""

from __future__ import annotations

from pathlib import Path

from esolangs.stops import Address, Slot
from esoplay.debugging.command_line import CommandLine, parse_whole_number
from esoplay.debugging.notebook import Note, export, make_note, note_as_json, notebook_title
from esoplay.debugging.session import DebugCommand, DebugSession, Reply
from esoplay.errors import UsageError


def _note(session: DebugSession, line: CommandLine) -> Reply:
    cell: Address | None
    try:
        place = session.focused_place()
        cell = None if isinstance(place, Slot) else place
    except UsageError:  # this language has no cell pointer
        cell = None
    note = session.notebook.add(make_note(session.debugger, line.rest, cell))
    return Reply([f"note {note.id}: {_note_line(note)}"], {"note": note_as_json(note)})


def _notes(session: DebugSession, line: CommandLine) -> Reply:
    notebook = session.notebook
    if line.arguments:
        verb, _, rest = line.rest.strip().partition(" ")
        number, _, words = rest.strip().partition(" ")
        if verb not in ("change", "delete"):
            raise UsageError("expected notes, notes change NUMBER TEXT, or notes delete NUMBER")
        id = parse_whole_number(number, "the number of a note", 1)
        if verb == "delete":
            notebook.delete(id)
            return Reply([f"note {id} deleted"], {"deleted": id})
        note = notebook.change(id, words)
        return Reply([f"note {id}: {_note_line(note)}"], {"note": note_as_json(note)})
    lines = [f"note {note.id}: {_note_line(note)}" for note in notebook.notes]
    data = {"notes": [note_as_json(note) for note in notebook.notes]}
    return Reply(lines or ["no notes yet"], data)


def _export(session: DebugSession, line: CommandLine) -> Reply:
    name = line.rest.strip()
    overwrite = name.endswith(" !") or line.word == "export!"
    name = name.removesuffix(" !").strip()
    if not name:
        raise UsageError("missing file name; expected, for example, export notes.md")
    notebook = session.notebook
    count = export(notebook, Path(name).expanduser(), notebook_title(notebook), overwrite=overwrite)
    written = "one note" if count == 1 else f"{count} notes"
    return Reply([f"{written} written to {name}"], {"notes": count, "path": name})


def _note_line(note: Note) -> str:
    words = f" {note.words}" if note.words else ""
    place = f"at {note.place}" if note.place else "at the end"
    return f"step {note.step} {place},{words or ' ' + note.next}"


COMMANDS = (
    DebugCommand(
        ("note",),
        "[TEXT]",
        "add a note on this step; notes are saved with the program",
        _note,
        ("note here the carry is lost",),
        kind="change",
    ),
    DebugCommand(
        ("notes",),
        "[change NUMBER TEXT | delete NUMBER]",
        "list, change or delete notes",
        _notes,
        ("notes", "notes change 2 off by one", "notes delete 1"),
        kind="change",
    ),
    DebugCommand(
        ("export",),
        "FILE [!]",
        "write the notes as Markdown; ! overwrites an existing file",
        _export,
        ("export notes.md", "export notes.md !"),
        kind="change",
        aliases=("export!",),
    ),
)
