"""Notes on steps of a run, the notebook of a program, and its export as Markdown.

Notebooks are saved in the state folder, one file per program, named after the program's hash.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, cast
from weakref import WeakKeyDictionary

from esolangs.language import Program
from esolangs.numbers import abbreviate
from esolangs.stops import Address
from esolangs.view import View
from esolangs.wording import format_count
from esoplay.debugging.debugger import Debugger, address_text
from esoplay.errors import StoreError, UsageError

__all__ = [
    "MAX_NOTEBOOKS",
    "MAX_NOTES",
    "MAX_NOTE_LENGTH",
    "Note",
    "Notebook",
    "as_markdown",
    "check_note_text",
    "export",
    "make_note",
    "note_as_json",
    "notebook_title",
    "shared_notebook",
]


# A note describes its step completely: reading it does not require running the program

MAX_NOTE_LENGTH = 2_000
"""The maximum number of characters in the text of a note."""

_TAIL_BYTES = 80  # bytes of output and input in a note
_CONTEXT = 36  # characters of the program on either side of the instruction
_VISIBLE_WHITESPACE = {"\t": "→", "\n": "¶", "\r": "␍"}


@dataclass(frozen=True, slots=True)
class Note:
    """A note on one step.

    place: line and column, or a point; empty at the end of a program.  next: the effect of the next
    instruction.  output, input: the last bytes printed and read.  value: the value of the selected
    cell, as text.  excerpt: the line of the program around the instruction; caret: the column of
    the instruction in it, from 0; -1 for none.
    """

    id: int
    step: int
    place: str
    instruction: str
    next: str
    output: str
    input: str
    value: str
    line: int
    excerpt: str
    caret: int
    words: str


def make_note(debugger: Debugger, words: str, selected: Address | None = None) -> Note:
    """Return a note on the current step; the notebook assigns its number.

    selected: the cell whose value the note includes. Raises UsageError if ``words`` is longer than
    ``MAX_NOTE_LENGTH``.
    """
    view, program = debugger.view(), debugger.program
    at = view.location
    on_plane = isinstance(at.address, tuple)
    place = address_text(at.address) if on_plane else f"{at.line}:{at.column}"
    excerpt, caret = _excerpt(program, view)
    return Note(
        id=0,
        step=view.step,
        place=place if at.instruction else "",
        instruction=_on_one_line(at.readable_instruction),
        next=at.explanation,
        output=_tail(debugger.output[: view.output_length]),
        input=_tail(debugger.input[: view.input_position]),
        value=_value(debugger, selected),
        line=at.line,
        excerpt=excerpt,
        caret=caret,
        words=check_note_text(words),
    )


def check_note_text(text: str) -> str:
    """Return the stripped text of a note. Raises UsageError if it is too long."""
    if len(text) > MAX_NOTE_LENGTH:
        raise UsageError(f"a note can have at most {MAX_NOTE_LENGTH} characters")
    return text.strip()


def _value(debugger: Debugger, cell: Address | None) -> str:
    if cell is None:
        return ""
    try:
        value = debugger.timeline.machine.peek(cell)
    except ValueError:
        return ""
    return f"cell {address_text(cell)}: {abbreviate(value)}"


def _tail(data: bytes) -> str:
    """Return the last bytes as text on one line, with unprintable characters escaped."""
    text = data[-_TAIL_BYTES:].decode("utf-8", "backslashreplace")
    escaped = "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
    return ("…" if len(data) > _TAIL_BYTES else "") + escaped


def _on_one_line(text: str) -> str:
    flat = " ".join(text.split()) or _as_visible_line(text)
    return flat if len(flat) <= 2 * _CONTEXT else flat[: 2 * _CONTEXT - 1] + "…"


def _excerpt(program: Program, view: View) -> tuple[str, int]:
    """Return an excerpt around the next instruction, and this instruction's column in it."""
    start = view.location.span[0]
    if view.location.span[0] == view.location.span[1]:
        return "", -1
    source = program.source
    first = source.rfind(b"\n", 0, start) + 1
    end = source.find(b"\n", start)
    line = source[max(first, start - 4 * _CONTEXT) : end if end >= 0 else len(source)]
    before = source[max(first, start - 4 * _CONTEXT) : start].decode("utf-8", "replace")
    text = line[: 8 * _CONTEXT].decode("utf-8", "replace")
    cut = max(0, len(before) - _CONTEXT)
    excerpt, caret = _as_visible_line(text[cut : cut + 2 * _CONTEXT]), len(before) - cut
    return (excerpt if caret < len(excerpt) else excerpt + "¶"), caret


def _as_visible_line(text: str) -> str:
    """Return ``text`` on one line with visible tabs; show spaces if it has only whitespace."""
    if text and not text.strip():
        text = text.replace(" ", "·")
    return "".join(_VISIBLE_WHITESPACE.get(each) or _visible_character(each) for each in text)


def _visible_character(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else "�"


MAX_NOTES = 200
"""The maximum number of notes of one program."""
MAX_NOTEBOOKS = 200
"""The maximum number of saved notebooks; the oldest files are deleted."""
FOLDER = "notes"

_FORMAT_VERSION = 1


class Notebook:
    """The notes of one program, sorted by step; not saved if ``folder`` is None."""

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
        """Add a note and number it. Raises UsageError if there are ``MAX_NOTES`` notes already."""
        notes = self._read()
        if len(notes) >= MAX_NOTES:
            raise UsageError(f"at most {MAX_NOTES} notes are allowed; delete some first")
        note = replace(note, id=max((each.id for each in notes), default=0) + 1)
        self._write((*notes, note))
        return note

    def change(self, id: int, words: str) -> Note:
        """Replace the words of a note.

        Raises UsageError if no note has this id or the words are too long.
        """
        notes, note = self._read(), self._find(id)
        note = replace(note, words=check_note_text(words))
        self._write(tuple(note if each.id == id else each for each in notes))
        return note

    def delete(self, id: int) -> None:
        """Delete a note. Raises UsageError if no note has this id."""
        self._find(id)
        self._write(tuple(each for each in self._read() if each.id != id))

    def _find(self, id: int) -> Note:
        for each in self._read():
            if each.id == id:
                return each
        raise UsageError(f"there is no note {id}")

    def _read(self) -> tuple[Note, ...]:
        """Return the notes in the file; if the file is damaged, rename it."""
        if self._file is None:
            return getattr(self, "_notes", ())
        try:
            data = cast("dict[str, Any]", json.loads(self._file.read_text("utf-8")))
            if data["format"] != _FORMAT_VERSION:
                raise ValueError("another format")
            return tuple(_decode_note(each) for each in data["notes"][:MAX_NOTES])
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            self._rename_damaged(self._file)
            return ()

    def _write(self, notes: tuple[Note, ...]) -> None:
        notes = tuple(sorted(notes, key=lambda note: (note.step, note.id)))
        if self._file is not None:
            data = {
                "format": _FORMAT_VERSION,
                "language": self.language,
                "notes": [asdict(note) for note in notes],
            }
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                new = self._file.with_suffix(".new")
                new.write_text(json.dumps(data, indent=1), "utf-8")
                new.replace(self._file)
                _delete_oldest(self._file.parent)
            except OSError as error:
                raise StoreError(f"cannot write {self._file}: {error.strerror}") from error
        self._notes = notes

    @staticmethod
    def _rename_damaged(file: Path) -> None:
        try:
            file.replace(file.with_suffix(".damaged"))
        except OSError:
            return  # if this fails, the next write fails and reports it


def _decode_note(data: dict[str, Any]) -> Note:
    """Return a note from its stored fields. Raises TypeError for a missing or invalid field."""
    note = Note(**data)
    for field in fields(Note):
        wanted = int if field.name in ("id", "step", "line", "caret") else str
        if type(getattr(note, field.name)) is not wanted:
            raise TypeError(field.name)
    return note


def shared_notebook(debugger: Debugger, folder: Path | None) -> Notebook:
    """Return the notebook of an open program; the same object is returned each time.

    folder: the state folder; None does not save the notes.
    """
    notebook = _NOTEBOOKS.get(debugger)
    if notebook is None:
        notebook = _NOTEBOOKS[debugger] = Notebook(debugger.program, folder)
    return notebook


_NOTEBOOKS: WeakKeyDictionary[Debugger, Notebook] = WeakKeyDictionary()


def note_as_json(note: Note) -> dict[str, Any]:
    """Return all fields of a note as JSON."""
    return asdict(note)


def _delete_oldest(folder: Path) -> None:
    """Delete the oldest notebooks if the folder has more than ``MAX_NOTEBOOKS``."""
    files = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
    for file in files[:-MAX_NOTEBOOKS]:
        file.unlink(missing_ok=True)


# Export as Markdown

_BACKTICKS = re.compile("`+")


def notebook_title(notebook: Notebook) -> str:
    """Return a title for the notes that names the language, such as ``a Whitespace program``."""
    article = "an" if notebook.language[:1] in "AEIOU" else "a"
    return f"{article} {notebook.language} program"


def as_markdown(notebook: Notebook, title: str) -> str:
    """Return all notes as Markdown under the heading ``title``, with excerpts and states."""
    count = len(notebook.notes)
    notes = "one note" if count == 1 else f"{count} notes"
    about = f"{notebook.language}, {format_count(notebook.size, 'byte')}, {notes}"
    known = f"the program's hash begins with {notebook.hash[:12]}."
    lines = [f"# Notes on {title}", "", f"{about}; {known}"]
    for note in notebook.notes:
        lines += _section(note)
    return "\n".join(lines) + "\n"


def export(notebook: Notebook, path: Path, title: str, *, overwrite: bool = False) -> int:
    """Write the notes to a file; return the number of notes.

    Raises UsageError if there are no notes, if the file cannot be written, or if it exists and
    ``overwrite`` is false.
    """
    if not notebook.notes:
        raise UsageError("there are no notes to write yet")
    try:
        with path.open("w" if overwrite else "x", encoding="utf-8", errors="replace") as file:
            file.write(as_markdown(notebook, title))
    except FileExistsError:
        how = "to replace it, add a space and ! after its name (RPC: overwrite)"
        raise UsageError(f"{path} already exists: {how}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"cannot write {path}: {reason}") from None
    return len(notebook.notes)


def _section(note: Note) -> list[str]:
    place = f", {note.place}" if note.place else ", the end"
    lines = ["", f"## Step {note.step}{place}", ""]
    if note.words:
        lines += [note.words, ""]
    if note.excerpt:
        number = f"{note.line} | "
        text = [number + note.excerpt, " " * (len(number) + note.caret) + "^"]
        fence = "`" * max(3, 1 + _longest_run(note.excerpt))
        lines += [f"{fence}text", *text, fence, ""]
    if note.instruction:
        lines.append(f"- next: {_code(note.instruction)} – {note.next}")
    else:
        lines.append(f"- {note.next}")
    if note.value:
        lines.append(f"- {note.value}")
    lines.append(f"- printed so far: {_code(note.output) if note.output else 'nothing'}")
    if note.input:
        lines.append(f"- read so far: {_code(note.input)}")
    return lines


def _code(text: str) -> str:
    """Return text as Markdown code, even with backticks in it (CommonMark 0.31, section 6.1)."""
    ticks = "`" * (1 + _longest_run(text))
    padded = f" {text} " if "`" in (text[:1], text[-1:]) or text.strip(" ") != text else text
    return f"{ticks}{padded}{ticks}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)
