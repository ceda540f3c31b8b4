"""Files of the user: opened, saved, watched, never overwritten without asking."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Play

from esoplay.tui.dialogs import ChoiceDialog
from esoplay.tui.workspace import LaunchRequest

ECHO = b",[.,]"


async def test_a_users_file_is_opened_edited_and_saved(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(b"+.\xff")
    async with play(launch=LaunchRequest(path)) as player:
        assert player.screen.program.source == b"+.\xff"
        await player.press("-")
        assert player.screen.program.is_dirty
        assert "●" in player.text(player.screen.program)
        assert path.read_bytes() == b"+.\xff"
        await player.press("ctrl+s")
        assert path.read_bytes() == b"-+.\xff"
        await player.press("ctrl+t")
        assert not player.screen.test_runner.is_running


async def test_a_file_without_tests_offers_none(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(b"+")
    async with play(launch=LaunchRequest(path)) as player:
        assert not player.screen.results.display
        await player.press("f5")
        said = [each.message for each in player.app._notifications]
        assert said == ["Tests need a problem; choose one in the list."]
        await player.open("E01")
        assert "F5" in player.text(player.screen.results)


@pytest.mark.slow
async def test_unsaved_changes_of_a_file_are_restored(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(b"+")
    async with play(launch=LaunchRequest(path)) as player:
        await player.press("-")
        await player.press("ctrl+q")
        assert isinstance(player.app.screen, ChoiceDialog)
        await player.press("k")
    assert path.read_bytes() == b"+"
    async with play(launch=LaunchRequest(path)) as player:
        assert player.screen.program.source == b"-+"
        assert player.screen.program.is_dirty
        await player.press("ctrl+q", "s")
    assert path.read_bytes() == b"-+"


@pytest.mark.slow
async def test_a_file_is_debugged_with_the_input_given(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(ECHO)
    async with play(launch=LaunchRequest(path, debug=True, stdin=b"hi")) as player:
        assert player.screen.view == "debug"
        assert player.screen.debugger.has_program
        assert "hi" in player.text(player.screen.debugger)


@pytest.mark.parametrize("playing", [False, True])
async def test_the_debugger_starts_at_a_step(play: Play, tmp_path: Path, playing: bool) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(b"+[>+]")
    async with play(launch=LaunchRequest(path, debug=True, step=300, play=playing)) as player:
        debugger = player.screen.debugger
        await player.until(lambda: debugger.step > 300 if playing else debugger.step == 300)
        assert debugger.time.is_playing is playing


async def test_a_file_changed_on_disk_is_read_again(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(b"+")
    async with play(launch=LaunchRequest(path)) as player:
        path.write_bytes(b"+++")
        buffer = player.screen.workspace.buffer
        assert buffer is not None
        await player.screen.current_file.check_disk(buffer)
        assert player.screen.program.source == b"+++"
        assert not player.screen.program.is_dirty
        await player.press("ctrl+z")
        assert player.screen.program.source == b"+"


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        (("r",), b"++"),
        (("k",), b"-+"),
        pytest.param(("d", "escape", "k"), b"-+", marks=pytest.mark.slow),
        (("escape",), b"-+"),
    ],
)
async def test_unsaved_changes_are_never_overwritten(
    play: Play, tmp_path: Path, keys: tuple[str, ...], left: bytes
) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(b"+")
    async with play(launch=LaunchRequest(path)) as player:
        await player.press("-")
        path.write_bytes(b"++")
        buffer = player.screen.workspace.buffer
        assert buffer is not None
        worker = player.screen.run_worker(player.screen.current_file.check_disk(buffer))
        await player.until(lambda: isinstance(player.app.screen, ChoiceDialog))
        await player.press(*keys)
        await worker.wait()
        assert player.screen.program.source == left
        assert path.read_bytes() == b"++"


async def test_the_watcher_notices_a_replaced_file(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "own.bf"
    path.write_bytes(b"+")
    async with play(launch=LaunchRequest(path)) as player:
        other = tmp_path / "other"
        for number in range(2000):  # changes are missed until the watch has started
            other.write_bytes(b"-" * (number + 1))
            other.replace(path)
            await player.pilot.pause(0.05)
            if player.screen.program.source != b"+":
                return
        raise AssertionError("nobody noticed")


@pytest.mark.slow
async def test_another_editor_gets_exact_bytes(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor"
    script.write_text("#!/bin/sh\nprintf '\\377+\\r' >> \"$1\"\n")
    script.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(script))
    async with play() as player:
        await player.open("E02")
        await player.write(b",.\x00")
        with monkeypatch.context() as patched:
            patched.setattr(player.app, "suspend", _no_suspension)
            await player.press("f4")
        assert player.screen.program.source == b",.\x00\xff+\r"
        monkeypatch.setenv("VISUAL", "/nonexistent/editor")
        monkeypatch.setattr(player.app, "suspend", _no_suspension)
        await player.press("f4")
        assert player.screen.program.source == b",.\x00\xff+\r"


class _NoSuspension:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


def _no_suspension() -> _NoSuspension:
    return _NoSuspension()


async def test_unchanged_new_file_is_not_saved(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "own.bf"
    async with play(launch=LaunchRequest(path)) as player:
        assert player.screen.program.source
        player.screen.current_file.autosave()
    path.write_bytes(b"+.")
    async with play(launch=LaunchRequest(path)) as player:
        assert player.screen.program.source == b"+."
