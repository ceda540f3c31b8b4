"""The notebook: moments of a run that somebody had something to say about.

Notebooks are kept in the state folder, one file for each program, found by its content.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, cast
from weakref import WeakKeyDictionary

from esolangs.language import Program
from esoplay.errors import StoreError, UsageError
from esoplay.service.debugging import Debugger
from esoplay.service.note import Note, checked_words, take_note

__all__ = [
    "MOST_NOTEBOOKS",
    "MOST_NOTES",
    "Note",
    "Notebook",
    "note_as_json",
    "notebook_of",
    "take_note",
]

MOST_NOTES = 200
"""Notes of one program."""
MOST_NOTEBOOKS = 200
"""Files in the folder; those written longest ago make room."""
FOLDER = "notes"

_FORMAT = 1


class Notebook:
    """The notes of one program, in the order of their steps; ``folder`` None keeps no file."""

    def __init__(self, program: Program, folder: Path | None = None) -> None:
        self.language = program.language.name
        self.size = len(program.source)
        self.hash = hashlib.sha256(
            program.language.id.encode() + b"\0" + program.source
        ).hexdigest()
        self._file = None if folder is None else folder / FOLDER / f"{self.hash}.json"
        self._notes: tuple[Note, ...] = self._read()

    @property
    def notes(self) -> tuple[Note, ...]:
        return self._notes

    def add(self, note: Note) -> Note:
        """Keep a note under a number of its own; UsageError when there are too many."""
        notes = self._read()
        if len(notes) >= MOST_NOTES:
            raise UsageError(f"a notebook holds at most {MOST_NOTES} notes: delete some first")
        note = replace(note, id=max((each.id for each in notes), default=0) + 1)
        self._write((*notes, note))
        return note

    def change(self, id: int, words: str) -> Note:
        """Give a note other words.  Raises UsageError."""
        notes, note = self._read(), self._found(id)
        note = replace(note, words=checked_words(words))
        self._write(tuple(note if each.id == id else each for each in notes))
        return note

    def delete(self, id: int) -> None:
        """Raises UsageError when there is none of this number."""
        self._found(id)
        self._write(tuple(each for each in self._read() if each.id != id))

    def _found(self, id: int) -> Note:
        for each in self._read():
            if each.id == id:
                return each
        raise UsageError(f"there is no note {id}")

    def _read(self) -> tuple[Note, ...]:
        """The notes as they stand in the file; what cannot be read is set aside."""
        if self._file is None:
            return getattr(self, "_notes", ())
        try:
            data = cast("dict[str, Any]", json.loads(self._file.read_text("utf-8")))
            if data["format"] != _FORMAT:
                raise ValueError("another format")
            return tuple(_note_from(each) for each in data["notes"][:MOST_NOTES])
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            self._set_aside(self._file)
            return ()

    def _write(self, notes: tuple[Note, ...]) -> None:
        notes = tuple(sorted(notes, key=lambda note: (note.step, note.id)))
        if self._file is not None:
            data = {
                "format": _FORMAT,
                "language": self.language,
                "notes": [asdict(note) for note in notes],
            }
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                new = self._file.with_suffix(".new")
                new.write_text(json.dumps(data, indent=1), "utf-8")
                new.replace(self._file)
                _make_room(self._file.parent)
            except OSError as error:
                raise StoreError(f"cannot write {self._file}: {error.strerror}") from error
        self._notes = notes

    @staticmethod
    def _set_aside(file: Path) -> None:
        try:
            file.replace(file.with_suffix(".damaged"))
        except OSError:
            return  # it will be in the way when something is to be written, and that is told


def _note_from(data: dict[str, Any]) -> Note:
    """A note that was stored; TypeError for what is none."""
    note = Note(**data)
    for field in fields(Note):
        wanted = int if field.name in ("id", "step", "line", "caret") else str
        if type(getattr(note, field.name)) is not wanted:
            raise TypeError(field.name)
    return note


def notebook_of(debugger: Debugger, folder: Path | None) -> Notebook:
    """The notebook of an open program, the same whenever it is asked for.

    folder: the state folder that it is kept in; None keeps it in memory.
    """
    notebook = _NOTEBOOKS.get(debugger)
    if notebook is None:
        notebook = _NOTEBOOKS[debugger] = Notebook(debugger.program, folder)
    return notebook


_NOTEBOOKS: WeakKeyDictionary[Debugger, Notebook] = WeakKeyDictionary()


def note_as_json(note: Note) -> dict[str, Any]:
    """A note with everything in it."""
    return asdict(note)


def _make_room(folder: Path) -> None:
    """Delete the notebooks written longest ago, where there are too many."""
    files = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
    for file in files[:-MOST_NOTEBOOKS]:
        file.unlink(missing_ok=True)
