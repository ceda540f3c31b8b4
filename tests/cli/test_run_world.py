"""What a program may learn of, and do to, the world outside: as much as it was allowed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shell import esoplay

from esolangs.limits import World
from esolangs.registry import find_language, language_ids
from esoplay.debugging.debugger import Debugger
from esoplay.running.run import run_source
from esoplay.running.worker import Worker

WRITE = b'4100 0 0"txt.f"o@'  # 4 × 1 cells from the origin go to the file f.txt


@pytest.fixture
def writer(tmp_path: Path) -> Path:
    path = tmp_path / "writer.b98"
    path.write_bytes(WRITE)
    return path


def test_a_program_can_access_files_only_if_allowed(writer: Path, tmp_path: Path) -> None:
    folder = tmp_path / "allowed"
    folder.mkdir()
    limits = ("--input", "", "--max-steps", "1000")
    assert esoplay("run", writer, *limits, cwd=folder).returncode in (0, 3)
    assert not list(folder.iterdir())
    done = esoplay("run", writer, *limits, "--allow-files", folder, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (folder / "f.txt").read_bytes().startswith(b"4100")
    assert not (tmp_path / "f.txt").exists()


def test_files_and_a_time_limit_can_be_combined(writer: Path, tmp_path: Path) -> None:
    folder = tmp_path / "allowed"
    folder.mkdir()
    limits = ("--allow-files", "allowed", "--input", "", "--time-limit", "60")
    done = esoplay("run", writer, *limits, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (folder / "f.txt").read_bytes().startswith(b"4100")
    writer.write_bytes(WRITE.replace(b"@", b"><"))
    (folder / "f.txt").unlink()
    # Long enough to write the file first, also on a busy machine.
    done = esoplay("run", writer, *limits[:-1], "2", cwd=tmp_path)
    assert (done.returncode, (folder / "f.txt").exists()) == (3, True)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--allow-files", "/no/such/folder"], "expected a folder, found '/no/such/folder'"),
    ],
)
def test_invalid_folder_is_reported(args: list[str], words: str, writer: Path) -> None:
    done = esoplay("run", writer, "--input", "", *args)
    assert done.returncode == 2
    assert words in done.stderr.decode()


def test_languages_without_files_say_so(tmp_path: Path) -> None:
    for id in language_ids():
        language = find_language(id)
        if not language.uses_files:
            path = tmp_path / f"program{language.extensions[0]}"
            path.write_bytes(language.sample())
            done = esoplay("run", path, "--allow-files", tmp_path)
            assert done.returncode == 2
            assert f"{language.name} has no file access" in done.stderr.decode()


def test_debugging_and_workers_see_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Debugger.open("befunge-98", WRITE).seek(1000)
    with Worker() as worker:
        worker.run("befunge-98", WRITE)
    assert not list(tmp_path.iterdir())


def test_a_program_sets_its_exit_code(tmp_path: Path) -> None:
    path = tmp_path / "seven.b98"
    path.write_bytes(b"7q")
    assert esoplay("run", path).returncode == 0
    told = json.loads(esoplay("run", path, "--json").stdout)
    assert (told["status"], told["exit_code"], told["program_exit_code"]) == ("ok", 0, 7)
    path.write_bytes(b"@")
    assert "program_exit_code" not in json.loads(esoplay("run", path, "--json").stdout)


def test_the_clock_of_the_world_does_not_advance(tmp_path: Path) -> None:
    """y's 21st cell: 256² × hours + 256 × minutes + seconds."""
    source = b"a2*1+y.@"
    noon = run_source("befunge-98", source, world=World(started=12 * 3600 + 34 * 60 + 56))
    assert int(noon.stdout) == 12 << 16 | 34 << 8 | 56
    assert int(run_source("befunge-98", source).stdout) == 0
    with Worker() as worker:
        assert int(worker.run("befunge-98", source, started=61).stdout) == 1 << 8 | 1
        assert int(worker.run("befunge-98", source).stdout) == 0
    debugger = Debugger.open("befunge-98", source, started=62)
    for _ in range(2):
        debugger.seek(0)
        debugger.seek(100)
        assert int(debugger.output) == 1 << 8 | 2
    path = tmp_path / "clock.b98"
    path.write_bytes(b"a2*y.@")  # the date: 256² × (year - 1900) + 256 × month + day
    assert int(esoplay("run", path).stdout) >> 16 > 120
