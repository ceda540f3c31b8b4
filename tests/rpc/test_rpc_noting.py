"""``debug.note`` and ``debug.notebook``: kept for operators, forgotten for solvers."""

from __future__ import annotations

from pathlib import Path

from debug_shapes import Moved, Opened
from rpc_client import Ask
from rpc_shapes import Shape

from esoplay.rpc.connection import Connection
from esoplay.rpc.methods import recordings as noting


class Note(Shape):
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


class Noted(Shape):
    note: Note


class Notes(Shape):
    notes: list[Note]
    markdown: str | None = None
    written: str | None = None


def opened(ask: Ask) -> dict[str, str]:
    return {"debug": ask(Opened, "debug.open", language="brainfuck", program="+[.+]").debug}


def test_notes_are_saved_changed_and_written(ask: Ask, tmp_path: Path) -> None:
    mine = opened(ask)
    ask(Moved, "debug.seek", **mine, step=4)
    note = ask(Noted, "debug.note", **mine, text="two now", cell=0).note
    assert (note.id, note.step, note.place, note.value) == (1, 4, "1:5", "cell 0: 2")
    ask(Moved, "debug.seek", **mine, step=1)
    ask(Noted, "debug.note", **mine)
    assert [each.step for each in ask(Notes, "debug.notebook", **mine).notes] == [1, 4]
    again = opened(ask)  # another debugger of the same program
    told = ask(Notes, "debug.notebook", **again, change={"id": 1, "text": "2"}, delete=2)
    assert [each.words for each in told.notes] == ["2"]
    path = str(tmp_path / "notes.md")
    told = ask(Notes, "debug.notebook", **mine, markdown=True, path=path)
    assert told.markdown is not None
    assert "## Step 4, 1:5" in told.markdown
    assert Path(path).read_text("utf-8") == told.markdown
    refused = ask.client.refuse("debug.notebook", **mine, path=path)
    assert refused["data"]["kind"] == "usage"
    assert ask(Notes, "debug.notebook", **mine, path=path, overwrite=True).written == path
    assert ask.client.refuse("debug.notebook", **mine, overwrite=True)["code"] == -32602
    assert ask.client.refuse("debug.notebook", **mine, delete=9)["data"]["kind"] == "usage"
    assert ask.client.refuse("debug.note", **mine, text="x" * 3_000)["data"]["kind"] == "usage"


def test_notes_of_a_solver_are_not_saved(ask: Ask, tmp_path: Path) -> None:
    mine = opened(ask)
    ask(Noted, "debug.note", **mine, text="the operator's")
    methods = {each.name: each for each in noting.NOTE_METHODS}
    assert all(each.solver_may_call for each in methods.values())
    solver = Connection("some session")
    debugger = _debugger()
    name = solver.debuggers.add(debugger)

    class Call:
        connection = solver

    assert noting.notebook(Call(), debug=name)["notes"] == []  # type: ignore[arg-type]
    noting.note(Call(), debug=name, text="mine")  # type: ignore[arg-type]
    assert len(noting.notebook(Call(), debug=name)["notes"]) == 1  # type: ignore[arg-type]
    kept = ask(Notes, "debug.notebook", **mine).notes
    assert [each.words for each in kept] == ["the operator's"]


def _debugger():  # type: ignore[no-untyped-def]
    from esoplay.debugging.debugger import Debugger

    return Debugger.open("brainfuck", b"+[.+]")
