"""Notes: what they contain, how they are saved, and how they read as Markdown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from esolangs.registry import find_language, language_ids
from esoplay.debugging import notebook as module
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.notebook import MAX_NOTES, Notebook, as_markdown, export, make_note
from esoplay.errors import UsageError


def notebook_with_note(
    source: bytes, step: int, words: str = "", language: str = "brainfuck"
) -> Notebook:
    debugger = Debugger.open(language, source, stdin=b"esolang")
    debugger.seek(step)
    notebook = Notebook(debugger.program)
    notebook.add(make_note(debugger, words))
    return notebook


@pytest.mark.parametrize("language_id", language_ids())
def test_notes_work_at_every_step_of_every_language(language_id: str) -> None:
    debugger = Debugger.open(language_id, find_language(language_id).sample(), stdin=b"esolang")
    notebook = Notebook(debugger.program)
    for _ in range(100):
        note = notebook.add(make_note(debugger, f"at {debugger.step}"))
        assert note.next
        if note.caret >= 0:
            assert note.caret < len(note.excerpt)
        if debugger.step_by(1).reasons[0].kind == "end":
            break
    assert len(as_markdown(notebook, "it").split("## Step")) == len(notebook.notes) + 1


def test_notes_are_restored_in_order(tmp_path: Path) -> None:
    debugger = Debugger.open("brainfuck", b"+++.")
    for step in (3, 1, 2):
        debugger.seek(step)
        Notebook(debugger.program, tmp_path).add(make_note(debugger, f"step {step}", 0))
    again = Notebook(debugger.program, tmp_path)
    assert [(note.step, note.words, note.value) for note in again.notes] == [
        (step, f"step {step}", f"cell 0: {step}") for step in (1, 2, 3)
    ]
    assert len({note.id for note in again.notes}) == 3
    other = Debugger.open("brainfuck", b"+++")
    assert Notebook(other.program, tmp_path).notes == ()


@pytest.mark.parametrize(
    "damage",
    ["", "[", "[]", "null", '{"format": 9}', '{"format": 1, "notes": [{"id": 1}]}', "\xff"],
)
def test_a_damaged_notebook_is_set_aside(tmp_path: Path, damage: str) -> None:
    debugger = Debugger.open("brainfuck", b"+++.")
    notebook = Notebook(debugger.program, tmp_path)
    notebook.add(make_note(debugger, "a"))
    (file,) = (tmp_path / "notes").glob("*.json")
    file.write_bytes(damage.encode("latin-1"))
    again = Notebook(debugger.program, tmp_path)
    assert again.notes == ()
    again.add(make_note(debugger, "b"))
    assert [note.words for note in Notebook(debugger.program, tmp_path).notes] == ["b"]
    assert file.with_suffix(".damaged").exists()


def test_note_with_wrong_types_is_damaged(tmp_path: Path) -> None:
    debugger = Debugger.open("brainfuck", b"+++.")
    Notebook(debugger.program, tmp_path).add(make_note(debugger, "a"))
    (file,) = (tmp_path / "notes").glob("*.json")
    data = json.loads(file.read_text())
    data["notes"][0]["step"] = "one"
    file.write_text(json.dumps(data))
    assert Notebook(debugger.program, tmp_path).notes == ()


def test_notebook_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_NOTEBOOKS", 3)
    for size in range(1, 6):
        debugger = Debugger.open("brainfuck", b"+" * size)
        Notebook(debugger.program, tmp_path).add(make_note(debugger, "a"))
    assert len(list((tmp_path / "notes").glob("*.json"))) == 3
    debugger = Debugger.open("brainfuck", b"+")
    notebook, note = Notebook(debugger.program), make_note(debugger, "a")
    for _ in range(MAX_NOTES):
        notebook.add(note)
    with pytest.raises(UsageError):
        notebook.add(note)
    with pytest.raises(UsageError):
        make_note(debugger, "x" * 2_001)


def test_a_file_is_only_overwritten_when_asked(tmp_path: Path) -> None:
    notebook, path = notebook_with_note(b"+", 0, "words"), tmp_path / "notes.md"
    assert export(notebook, path, "p.bf") == 1
    first = path.read_text("utf-8")
    assert first.startswith("# Notes on p.bf\n")
    with pytest.raises(UsageError, match="!"):
        export(notebook, path, "another")
    assert path.read_text("utf-8") == first
    export(notebook, path, "another", overwrite=True)
    assert path.read_text("utf-8") != first
    with pytest.raises(UsageError):
        export(notebook, tmp_path / "no" / "such", "p.bf")
    with pytest.raises(UsageError):
        export(Notebook(Debugger.open("brainfuck", b"+").program), tmp_path / "n", "p.bf")


@given(st.text("`~ +.<>#|\t\r", max_size=30), st.integers(0, 20))
def test_markdown_is_valid_for_any_program(text: str, step: int) -> None:
    notebook = notebook_with_note(b"+++.,." + text.replace("[", "").encode(), step)
    tokens = MarkdownIt().parse(as_markdown(notebook, "it"))
    assert [token.type for token in tokens if token.type == "fence"] in (["fence"], [])
    assert sum(token.type == "bullet_list_open" for token in tokens) == 1
