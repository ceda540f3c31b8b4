"""Saved state, and what happens when it is damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from play_damage import damage
from textual.keys import format_key

from esoplay.errors import StoreError, UsageError
from esoplay.progress import database
from esoplay.progress.store import ProgressStore
from esoplay.tui.buffers import Buffers, write_file
from esoplay.tui.keys import KEYS, is_key, read_keys, textual_name
from esoplay.tui.workspace import FILE_NAME, NO_PROGRESS, PlayState, PracticeSubmission

PASS6 = ("pass",) * 6
FAIL1 = (*("pass",) * 5, "wrong_answer")


def test_settings_are_restored(tmp_path: Path) -> None:
    state = PlayState(tmp_path)
    assert state.setting("view") is None
    state.set_setting("view", "edit")
    state.set_setting("view", "debug")
    state.close()
    again = PlayState(tmp_path)
    assert again.setting("view") == "debug"
    assert again.notices == []


def test_progress_keeps_the_best_of_solutions_only(tmp_path: Path) -> None:
    state = PlayState(tmp_path)
    for verdicts, steps, size in (
        (FAIL1, 10, 5),
        (PASS6, 300, 40),
        (PASS6, 200, 60),
        (FAIL1, 1, 1),
    ):
        state.save_submission(
            "p", "brainfuck", "standard", PracticeSubmission("E08", verdicts, steps, size)
        )
    state.save_submission("p", "brainfuck", "standard", PracticeSubmission("E02", FAIL1, 10, 5))
    state.save_submission("p", "unlambda", "standard", PracticeSubmission("E02", PASS6, 10, 5))
    progress = PlayState(tmp_path).progress("p", "brainfuck")
    assert set(progress) == {"E08", "E02"}
    best = progress["E08"]
    assert (best.tries, best.solved, best.steps, best.size) == (4, True, 200, 40)
    assert best.latest == PracticeSubmission("E08", FAIL1, 1, 1)
    assert not progress["E02"].solved
    assert progress["E02"].steps is None
    assert [each.size for each in state.own_solutions("p", "brainfuck", "E08")] == [40, 60]


def test_submission_without_tests_is_not_a_solution() -> None:
    assert not NO_PROGRESS.with_submission(PracticeSubmission("E01", (), 0, 0)).solved


@pytest.mark.parametrize(
    "damage",
    [b"this is no database", b"", b"SQLite format 3\0" + b"\xff" * 5000],
    ids=["text", "empty", "rubbish"],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: bytes) -> None:
    state = PlayState(tmp_path)
    state.set_setting("view", "edit")
    state.close()
    (tmp_path / FILE_NAME).write_bytes(damage)
    again = PlayState(tmp_path)
    assert again.setting("view") is None
    again.set_setting("view", "debug")
    assert again.setting("view") == "debug"
    backups = list(tmp_path.glob("*.damaged-*"))
    if damage:  # an empty file is simply a new one
        assert [backup.read_bytes() for backup in backups] == [damage]
        assert backups[0].name in again.notices[0]
    else:
        assert backups == []


def test_file_of_a_later_version_is_rejected_unchanged(tmp_path: Path) -> None:
    state = PlayState(tmp_path)
    state.set_setting("view", "edit")
    state.close()
    db = sqlite3.connect(tmp_path / FILE_NAME)
    db.execute("PRAGMA journal_mode = DELETE")
    db.execute("PRAGMA user_version = 99")
    db.commit()
    db.close()
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(StoreError, match="has format 99; this version of esoplay reads format 1"):
        PlayState(tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [FILE_NAME]
    assert (tmp_path / FILE_NAME).read_bytes() == before


READS: dict[str, Callable[[ProgressStore], object]] = {
    "setting": lambda state: state.setting("view"),
    "settings": lambda state: state.settings(""),
    "records": lambda state: state.records(),
    "progress": lambda state: state.progress("p", "brainfuck"),
    "cell": lambda state: state.standing("p", "brainfuck", "E08"),
    "streak": lambda state: state.streak(),
    "own_solutions": lambda state: state.own_solutions("p", "brainfuck", "E08"),
    "others": lambda state: state.imported_solutions("p", "brainfuck", "E08"),
    "all_others": lambda state: state.all_imported_solutions(),
}


@pytest.mark.parametrize("name", READS)
def test_file_damaged_while_open_is_reported(tmp_path: Path, name: str) -> None:
    ProgressStore(tmp_path).close()
    store = ProgressStore(tmp_path)
    damage(tmp_path)
    with pytest.raises(StoreError, match=f"cannot read .*{FILE_NAME}"):
        READS[name](store)


@pytest.mark.parametrize("name", READS)
def test_screen_continues_with_a_new_file_after_damage(tmp_path: Path, name: str) -> None:
    PlayState(tmp_path).close()
    state, told = PlayState(tmp_path), list[str]()
    state.listen(told.append)
    damage(tmp_path)
    READS[name](state)
    (backup,) = tmp_path.glob("*.damaged-????????-??????")
    assert set(backup.read_bytes()) == {0xFF}
    (notice,) = told
    assert backup.name in notice
    state.set_setting("view", "debug")
    state.close()
    again = PlayState(tmp_path)
    assert again.setting("view") == "debug"
    assert again.notices == []


def test_screen_writes_to_a_new_file_after_damage(tmp_path: Path) -> None:
    PlayState(tmp_path).close()
    state = PlayState(tmp_path)
    damage(tmp_path)
    state.save_submission(
        "p", "brainfuck", "standard", PracticeSubmission("E08", PASS6, 300, 40), b"+"
    )
    assert len(state.notices) == 1
    state.close()
    assert PlayState(tmp_path).progress("p", "brainfuck")["E08"].solved


class Disk:
    """Opens databases as on a full or read-only disk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pragma = ""
        self._opened: list[sqlite3.Connection] = []
        self._open = database.open_database
        monkeypatch.setattr(database, "open_database", self.open)

    def open(self, path: Path) -> sqlite3.Connection:
        db = self._open(path)
        self._opened.append(db)
        if self.pragma:
            db.execute(self.pragma)
        return db

    def refuse(self, pragma: str) -> None:
        self.pragma = pragma
        self._opened[-1].execute(pragma)


REFUSALS = {
    "full": ("PRAGMA max_page_count = 1", "disk is full"),
    "read-only": ("PRAGMA query_only = 1", "readonly database"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_screen_retries_writing_to_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    pragma, words = REFUSALS[name]
    disk = Disk(monkeypatch)
    state = PlayState(tmp_path)
    state.set_setting("theme", "paper")
    disk.refuse(pragma)
    wide = "edit" * 5000  # more than what free pages take
    state.set_setting("view", wide)
    state.save_submission("p", "brainfuck", "standard", PracticeSubmission("E08", PASS6, 300, 40))
    assert state.setting("view") == wide
    assert state.setting("theme") == "paper"
    assert state.progress("p", "brainfuck")["E08"].solved
    (notice,) = state.notices
    assert words in notice
    with pytest.raises(StoreError, match=words):
        state.close()
    assert ProgressStore(tmp_path).settings("") == {"theme": "paper"}


def test_pending_results_are_written_when_the_disk_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "RETRY_SECONDS", 0.0)
    disk = Disk(monkeypatch)
    state = PlayState(tmp_path)
    disk.refuse("PRAGMA query_only = 1")
    state.set_setting("view", "edit")
    state.save_submission("p", "brainfuck", "standard", PracticeSubmission("E08", PASS6, 300, 40))
    disk.pragma = ""
    state.set_setting("theme", "paper")
    assert len(state.notices) == 2
    assert "again" in state.notices[1]
    other = ProgressStore(tmp_path)
    assert other.setting("view") == "edit"
    assert other.setting("theme") == "paper"
    assert other.progress("p", "brainfuck")["E08"].tries == 1
    state.close()


def test_a_setting_that_is_not_json_is_ignored(tmp_path: Path) -> None:
    PlayState(tmp_path).close()
    db = sqlite3.connect(tmp_path / FILE_NAME)
    db.execute("INSERT INTO settings VALUES ('view', '{')")
    db.commit()
    db.close()
    assert PlayState(tmp_path).setting("view", "edit") == "edit"


def test_invalid_state_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=FILE_NAME):
        PlayState(tmp_path / "missing")


def test_program_of_a_problem_is_saved_automatically(tmp_path: Path) -> None:
    buffer = Buffers(tmp_path).for_problem("pack", "E08", "brainfuck")
    assert buffer.saved_source is None
    buffer.autosave(b"+\xff\r\n")
    assert buffer.path.read_bytes() == b"+\xff\r\n"
    assert buffer.path.name == "E08.bf"
    assert Buffers(tmp_path).for_problem("pack", "E08", "brainfuck").saved_source == b"+\xff\r\n"


def test_a_folder_in_place_of_a_saved_program_is_reported_when_saving(tmp_path: Path) -> None:
    buffer = Buffers(tmp_path).for_problem("pack", "E08", "brainfuck")
    buffer.path.mkdir(parents=True)
    buffer = Buffers(tmp_path).for_problem("pack", "E08", "brainfuck")
    assert buffer.saved_source is None
    with pytest.raises(StoreError, match=r"cannot write .*E08\.bf"):
        buffer.autosave(b"+")
    assert buffer.path.is_dir()


def test_a_users_file_is_not_written_until_it_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(b"+")
    path.chmod(0o754)
    buffers = Buffers(tmp_path / "state")
    buffer = buffers.for_file(path)
    buffer.autosave(b"++")
    assert path.read_bytes() == b"+"
    assert buffers.read_draft(buffers.for_file(path)) == b"++"
    buffer.save(b"+++")
    assert path.read_bytes() == b"+++"
    assert path.stat().st_mode & 0o777 == 0o754
    assert buffers.read_draft(buffers.for_file(path)) is None
    buffer.autosave(b"-")
    buffer.autosave(b"+++")
    assert buffers.read_draft(buffer) is None
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


def test_saving_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    (tmp_path / "real.bf").write_bytes(b"+")
    (tmp_path / "link.bf").symlink_to("real.bf")
    Buffers(tmp_path).for_file(tmp_path / "link.bf").save(b"-")
    assert (tmp_path / "link.bf").is_symlink()
    assert (tmp_path / "real.bf").read_bytes() == b"-"


def test_files_that_cannot_be_opened_are_reported(tmp_path: Path) -> None:
    buffers = Buffers(tmp_path)
    with pytest.raises(UsageError, match="folder"):
        buffers.for_file(tmp_path)
    with pytest.raises(UsageError, match="xyz"):
        buffers.for_file(tmp_path / "a.xyz")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StoreError, match="cannot write"):
        write_file(tmp_path / "file" / "below", b"")


def test_keys_are_read_nested_or_flat(tmp_path: Path) -> None:
    assert read_keys(tmp_path).keymap == {}
    (tmp_path / "keys.toml").write_text('"quit" = "f10"\n[tests]\nsubmit = "f8,ctrl+y"\n')
    assert read_keys(tmp_path).keymap == {"quit": "f10", "tests.submit": "f8,ctrl+y"}
    (tmp_path / "keys.toml").write_text("quit = ")
    keys = read_keys(tmp_path)
    assert keys.keymap == {}
    assert keys.notice is not None
    assert "keys.toml" in keys.notice
    assert "line 1" in keys.notice
    (tmp_path / "keys.toml").write_text('quit = "f10"\n"tests.submit" = ["f9"\n')
    notice = read_keys(tmp_path).notice
    assert notice is not None
    assert "line 2" in notice


@pytest.mark.parametrize(
    ("text", "notice"),
    [
        (
            'quit = "f10"\n"tests.sumbit" = "f9"\n',
            "line 2: unknown action 'tests.sumbit'; did you mean tests.submit?",
        ),
        ("[debug]\n\nover = 3\n", 'line 3: expected keys as a string such as "f9,ctrl+e", found 3'),
        (
            '[debug]\nover = "n,fo"\n',
            "line 2: unknown key 'fo'; expected a key such as f9 or ctrl+e",
        ),
        ('[debug]\nover = "n"\nplay = "p,n"\n', "line 3: 'n' is already bound to 'debug.over'"),
        ('"jump.cancel" = "q"\n', "line 1: the keys of 'jump.cancel' cannot be changed"),
    ],
)
def test_invalid_line_of_keys_is_reported(tmp_path: Path, text: str, notice: str) -> None:
    (tmp_path / "keys.toml").write_text(text)
    assert read_keys(tmp_path).notice == f"keys.toml, {notice}"


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("esc", "escape"),
        ("Esc", "escape"),
        ("del", "delete"),
        ("pgdn", "pagedown"),
        ("ctrl+pgup", "ctrl+pageup"),
        ("⏎", "enter"),
        ("Enter", "enter"),
        ("/", "slash"),
        ("+", "plus"),
        ("alt+shift+←", "alt+shift+left"),
        ("ctrl+e, Del", "ctrl+e,delete"),
        ("Q", "Q"),
    ],
)
def test_keys_may_be_written_as_displayed(tmp_path: Path, written: str, key: str) -> None:
    (tmp_path / "keys.toml").write_text(f'"tests.submit" = "{written}"\n')
    assert read_keys(tmp_path) == ({"tests.submit": key}, None)


def test_every_key_of_the_page_can_be_written_in_the_file() -> None:
    keys = (
        key for actions in KEYS.values() for keys in actions.values() for key in keys.split(",")
    )
    for key in keys:
        assert textual_name(format_key(key)) == key
        assert is_key(format_key(key))


def test_invalid_line_does_not_affect_others(tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text('quit = "f10"\nqiut = "f9"\n"score.solutions" = "x"\n')
    assert read_keys(tmp_path).keymap == {"quit": "f10", "solutions": "x"}
