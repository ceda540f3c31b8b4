"""FILE and DIRF: as the oracle has them, below one folder, and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from engines import engine_names, one_fast_engine, program
from hypothesis import given
from oracles.befunge_98 import Oracle
from oracles.befunge_98.files import Disk
from strategies.befunge_98_files import sources
from test_befunge_98_equals_oracle import assert_same, assert_same_cells

from esolangs.befunge_98.program import BefungeMachine
from esolangs.limits import Limits, World

engines = pytest.mark.parametrize("engine", engine_names("befunge-98"))
FILE, DIRF = '"ELIF"4($$', '"FRID"4($$'
OUTSIDE_WORK = b"outside"


def start(engine: str, source: str | bytes, folder: Path | None, **limits: int) -> BefungeMachine:
    text = source if isinstance(source, bytes) else source.encode("latin-1")
    world = World(started=0, folder=None if folder is None else str(folder))
    return program("befunge-98", text, engine).start(limits=Limits(**limits), world=world)


def output(engine: str, source: str | bytes, folder: Path | None, **limits: int) -> bytes:
    machine = start(engine, source, folder, **limits)
    machine.run(100_000)
    return machine.take_output()


def push_name(name: str) -> str:
    """Code that pushes a name, of any length but without a quotation mark."""
    return f'0"{name[::-1]}"' if name else "0"


def reflection_test(code: str, letter: str) -> str:
    """Code before ``letter``, then 1 is printed, or 2 where it reflects."""
    row = f"{code}#v{letter}1.@"
    return f"{row}\n{' ' * (len(row) - 5)}>2.@\n"


def contents(folder: Path) -> tuple[dict[tuple[str, ...], bytes], set[tuple[str, ...]]]:
    files: dict[tuple[str, ...], bytes] = {}
    folders: set[tuple[str, ...]] = {()}
    for path in folder.rglob("*"):
        way = path.relative_to(folder).parts
        if path.is_dir():
            folders.add(way)
        else:
            files[way] = path.read_bytes()
    return files, folders


@pytest.mark.parametrize("engine", one_fast_engine("befunge-98"))
@given(source=sources())
def test_files_and_folders_match_the_oracle(engine: str, source: bytes) -> None:
    with TemporaryDirectory() as folder:
        machine = start(engine, source, Path(folder))
        oracle = Oracle(source, disk=Disk())
        for _ in range(3):
            machine.run(100)
            oracle.run(100)
            assert_same(machine, oracle)
            assert_same_cells(machine, oracle)
        assert oracle.disk is not None
        assert contents(Path(folder)) == (oracle.disk.files, oracle.disk.folders)


@engines
def test_file_fingerprints_need_a_folder(engine: str) -> None:
    for name in ("ELIF", "FRID"):
        row = f'"{name}"4#v(1.@'
        source = f"{row}\n{' ' * row.index('v')}>2.@\n"
        assert output(engine, source, None) == b"2 "


@engines
@pytest.mark.parametrize(
    "name",
    ["{parent}/outside", "../outside", "sub/../../outside", "link", "way/f", "..\\outside", "c:f",
     "", ".", "sub", "sub/", "missing/f"],
)  # fmt: skip
def test_names_outside_the_folder_reflect(engine: str, name: str, tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    (allowed / "sub").mkdir(parents=True)
    (tmp_path / "beyond").mkdir()
    (tmp_path / "beyond" / "f").write_bytes(OUTSIDE_WORK)
    (tmp_path / "outside").write_bytes(OUTSIDE_WORK)
    (allowed / "link").symlink_to(tmp_path / "outside")
    (allowed / "way").symlink_to(tmp_path / "beyond")
    before = sorted(tmp_path.rglob("*"))
    code = push_name(name.format(parent=tmp_path))
    for mode in "012345":
        assert output(engine, reflection_test(f"{FILE}00{mode}{code}", "O"), allowed) == b"2 "
    assert output(engine, reflection_test(f"{FILE}{code}", "D"), allowed) == b"2 "
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "outside").read_bytes() == OUTSIDE_WORK
    assert (tmp_path / "beyond" / "f").read_bytes() == OUTSIDE_WORK


@engines
@pytest.mark.parametrize("name", ["..", "sub/../..", "{parent}", "way", "link", "missing", ""])
def test_the_current_folder_stays_within_the_allowed_one(
    engine: str, name: str, tmp_path: Path
) -> None:
    allowed = tmp_path / "allowed"
    (allowed / "sub").mkdir(parents=True)
    (tmp_path / "beyond").mkdir()
    (allowed / "way").symlink_to(tmp_path / "beyond")
    (allowed / "link").symlink_to(tmp_path / "nowhere")
    code = push_name(name.format(parent=tmp_path))
    assert output(engine, reflection_test(f"{DIRF}{code}", "C"), allowed) == b"2 "


@engines
@pytest.mark.parametrize("name", ["../new", "{parent}/new", "way/new", "link", "sub", "a/b"])
def test_folders_are_made_only_within_the_allowed_one(
    engine: str, name: str, tmp_path: Path
) -> None:
    allowed = tmp_path / "allowed"
    (allowed / "sub").mkdir(parents=True)
    (tmp_path / "beyond").mkdir()
    (allowed / "way").symlink_to(tmp_path / "beyond")
    (allowed / "link").symlink_to(tmp_path / "nowhere")
    before = sorted(tmp_path.rglob("*"))
    code = push_name(name.format(parent=tmp_path))
    assert output(engine, reflection_test(f"{DIRF}{code}", "M"), allowed) == b"2 "
    assert sorted(tmp_path.rglob("*")) == before


@engines
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_pipes_and_folders_are_not_files(engine: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        for mode in "012345":
            source = reflection_test(f"{FILE}00{mode}{push_name(name)}", "O")
            assert output(engine, source, tmp_path) == b"2 "
        assert output(engine, reflection_test(FILE + push_name(name), "D"), tmp_path) == b"2 "
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pipe"]


@engines
def test_a_path_that_becomes_a_link_is_refused(engine: str, tmp_path: Path) -> None:
    allowed, outside = tmp_path / "allowed", tmp_path / "outside"
    (allowed / "sub").mkdir(parents=True)
    outside.mkdir()
    (outside / "f").write_bytes(OUTSIDE_WORK)
    machine = start(engine, reflection_test(f"{FILE}004{push_name('sub/f')}O0'x\\", "P"), allowed)
    while not (allowed / "sub" / "f").exists():
        assert machine.step() is not None
    (allowed / "sub" / "f").unlink()
    (allowed / "sub").rmdir()
    (allowed / "sub").symlink_to(outside)
    machine.run(1000)
    assert machine.take_output() == b"2 "
    assert (outside / "f").read_bytes() == OUTSIDE_WORK


@engines
def test_a_file_grows_to_four_mebibytes(engine: str, tmp_path: Path) -> None:
    # 4 MiB are 2 to the 22nd; one byte fits before the end, not at it.
    size = "2:*:*:*:*4*4*4*"  # 2^16 * 64
    fits = f"{FILE}004{push_name('f')}O0{size}1-S0'xP"
    assert output(engine, f"{fits}L.@", tmp_path) == b"4194304 "
    assert (tmp_path / "f").stat().st_size == 1 << 22
    assert (
        output(engine, reflection_test(f"{FILE}003{push_name('f')}O0{size}S0'x", "P"), tmp_path)
        == b"2 "
    )
    assert (tmp_path / "f").stat().st_size == 1 << 22


@engines
def test_64_handles_are_open_at_most(engine: str, tmp_path: Path) -> None:
    once = f"004{push_name('f')}"
    source = reflection_test(FILE + f"{once}O." * 64 + once, "O")
    printed = output(engine, source, tmp_path).split()
    assert printed == [str(number).encode() for number in (*range(1, 65), 2)]


@engines
def test_a_long_line_reaches_the_memory_limit(engine: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"x" * 100_000)
    machine = start(engine, f"{FILE}000{push_name('f')}OG.@", tmp_path, memory=100_000)
    machine.run(1000)
    assert (machine.status, machine.limit) == ("limited", "memory")


@engines
def test_handles_and_the_current_folder_belong_to_the_state(engine: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"one\ntwo\n")
    source = f"{FILE}000{push_name('f')}OG.n1G.@"
    machine = start(engine, source, tmp_path)
    while "FILE" not in machine.core.states:
        assert machine.step() is not None
    world = World(started=0, folder=str(tmp_path))
    twin: Any = machine.program.resume(machine.snapshot(), limits=Limits(), world=world)
    machine.run(1000)
    twin.run(1000)
    ended = machine.take_output(), machine.steps, machine.snapshot().payload[5]
    assert ended == (twin.take_output(), twin.steps, twin.snapshot().payload[5])
    assert ended[0] == b"4 4 "


@engines
def test_names_of_i_and_o_begin_at_the_current_folder(engine: str, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    source = f"{DIRF}{push_name('sub')}C31000{push_name('f')}o@"
    output(engine, source, tmp_path)
    assert (tmp_path / "sub" / "f").read_bytes() == b'"FR\n'


@engines
@pytest.mark.parametrize(
    "code",
    [
        pytest.param(lambda name: reflection_test(FILE + "000" + push_name(name), "O"), id="open"),
        pytest.param(lambda name: reflection_test(FILE + push_name(name), "D"), id="delete"),
        pytest.param(
            lambda name: reflection_test(DIRF + push_name(name.removesuffix("f") + "d"), "C"),
            id="enter",
        ),
        pytest.param(lambda name: reflection_test("000" + push_name(name), "i"), id="load"),
    ],
)
def test_a_name_has_at_most_1024_bytes(
    engine: str, code: Callable[[str], str], tmp_path: Path
) -> None:
    (tmp_path / "f").touch()
    (tmp_path / "d").mkdir()
    longest = "./" * 511 + "/f"
    assert len(longest) == 1024
    for name, expected in (("./" + longest, b"2 "), (longest, b"1 ")):
        source = code(name).encode()
        assert output(engine, source, tmp_path) == expected
        if b"(" in source:
            oracle = Oracle(source, disk=Disk({("f",): b""}, {(), ("d",)}))
            oracle.run(100_000)
            assert bytes(oracle.output) == expected


@engines
@pytest.mark.parametrize("letter", ["O", "M", "o"])
def test_a_run_creates_a_bounded_number_of_files(
    engine: str, letter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("esolangs.befunge_98.folder.MAX_CREATED", 3)

    def code(name: str) -> str:
        if letter == "o":
            return f"11000{push_name(name)}"
        return f"001{push_name(name)}" if letter == "O" else push_name(name)

    prefix = (DIRF if letter == "M" else FILE) + "".join(code(name) + letter for name in "abc")
    assert output(engine, reflection_test(prefix + code("d"), letter), tmp_path) == b"2 "
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c"]
    if letter != "M":  # an existing file can still be written
        assert output(engine, reflection_test(prefix + code("b"), letter), tmp_path) == b"1 "
    # Deleted files count too: they were created.
    if letter == "O":
        for path in tmp_path.iterdir():
            path.unlink()
        again = prefix + push_name("a") + "D" + code("a")
        assert output(engine, reflection_test(again, letter), tmp_path) == b"2 "
