"""A notebook as Markdown."""

from __future__ import annotations

import re
from pathlib import Path

from esoplay.errors import UsageError
from esoplay.service.notebook import Note, Notebook

_RUN_OF_TICKS = re.compile("`+")


def title_of(notebook: Notebook) -> str:
    """What to call a program without a name."""
    article = "an" if notebook.language[:1] in "AEIOU" else "a"
    return f"{article} {notebook.language} program"


def as_markdown(notebook: Notebook, title: str) -> str:
    """All notes, each with the program's line, the state and the words; ``title`` heads it."""
    count = len(notebook.notes)
    notes = "one note" if count == 1 else f"{count} notes"
    about = f"{notebook.language}, {notebook.size} bytes, {notes}"
    known = f"the program's hash begins with {notebook.hash[:12]}."
    lines = [f"# Notes on {title}", "", f"{about}; {known}"]
    for note in notebook.notes:
        lines += _section(note)
    return "\n".join(lines) + "\n"


def export(notebook: Notebook, path: Path, title: str, *, overwrite: bool = False) -> int:
    """Write the notes to a file; how many there were.

    Raises UsageError when there are none, when the file cannot be written, and when there is
    one already, unless it may be overwritten.
    """
    if not notebook.notes:
        raise UsageError("there are no notes to write yet")
    try:
        with path.open("w" if overwrite else "x", encoding="utf-8", errors="replace") as file:
            file.write(as_markdown(notebook, title))
    except FileExistsError:
        how = "say so (! or overwrite) to write over it"
        raise UsageError(f"{path} is there already: {how}") from None
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
    """Text as Markdown code, whatever marks it has inside (CommonMark 0.31, section 6.1)."""
    ticks = "`" * (1 + _longest_run(text))
    padded = f" {text} " if "`" in (text[:1], text[-1:]) or text.strip(" ") != text else text
    return f"{ticks}{padded}{ticks}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _RUN_OF_TICKS.findall(text)), default=0)
