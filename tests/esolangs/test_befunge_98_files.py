"""``i`` and ``o`` touch the files of one folder, and nothing else whatever a name says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from engines import engine_names, program

from esolangs.limits import Limits, World
from esolangs.machine import Machine

engines = pytest.mark.parametrize("engine", engine_names("befunge-98"))
LOAD, STORE = "i", "o"
OUTSIDE_WORK = b"nobody's business"


def run(
    engine: str, letter: str, name: str, numbers: str, folder: Path | None, after: str = "1.@"
) -> Machine:
    """Executes ``i`` or ``o`` and then prints 1, or 2 where the IP is reflected.

    numbers: what is pushed before the name, for ``i`` a vector and flags, for ``o`` the size
    before them.
    """
    row = "&" * len(numbers.split()) + f'0"{name[::-1]}"#v{letter}{after}'
    source = f"{row}\n{' ' * row.index('v' + letter)}>2.@\n"
    world = World(started=0, folder=None if folder is None else str(folder))
    machine = program("befunge-98", source.encode("latin-1"), engine).start(
        numbers.encode(), limits=Limits(steps=10_000, memory=10**7), world=world
    )
    machine.run(10_000)
    return machine


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that is allowed, beside files that are not."""
    inner = tmp_path / "allowed"
    inner.mkdir()
    (tmp_path / "outside.txt").write_bytes(OUTSIDE_WORK)
    (tmp_path / "beyond").mkdir()
    (tmp_path / "beyond" / "f.txt").write_bytes(OUTSIDE_WORK)
    (inner / "link.txt").symlink_to(tmp_path / "outside.txt")
    (inner / "nowhere.txt").symlink_to(tmp_path / "new.txt")
    (inner / "way").symlink_to(tmp_path / "beyond")
    (inner / "sub").mkdir()
    return inner


ESCAPES = (
    "{parent}/outside.txt",
    "../outside.txt",
    "sub/../../outside.txt",
    "sub/../f.txt",
    "..",
    ".",
    "sub",
    "link.txt",
    "nowhere.txt",
    "way/f.txt",
    "missing/f.txt",
    "..\\\\outside.txt",
    "c:f.txt",
    "",
)


@engines
@pytest.mark.parametrize("name", ESCAPES)
def test_names_outside_the_folder_reflect(engine: str, name: str, folder: Path) -> None:
    parent = folder.parent
    before = sorted(parent.rglob("*"))
    name = name.format(parent=parent)
    assert run(engine, STORE, name, "4 1 0 0 0", folder).take_output() == b"2 "
    assert run(engine, LOAD, name, "0 5 0", folder).take_output() == b"2 "
    assert sorted(parent.rglob("*")) == before
    assert (parent / "outside.txt").read_bytes() == OUTSIDE_WORK
    assert (parent / "beyond" / "f.txt").read_bytes() == OUTSIDE_WORK


@engines
def test_without_a_folder_i_and_o_reflect(engine: str) -> None:
    assert run(engine, STORE, "f.txt", "4 1 0 0 0", None).take_output() == b"2 "
    assert run(engine, LOAD, "f.txt", "0 5 0", None).take_output() == b"2 "


@engines
def test_a_missing_file_reflects(engine: str, folder: Path) -> None:
    assert run(engine, LOAD, "f.txt", "0 5 0", folder).take_output() == b"2 "


@engines
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_pipes_do_not_block(engine: str, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    assert run(engine, LOAD, "pipe", "0 5 0", folder).take_output() == b"2 "
    assert run(engine, STORE, "pipe", "4 1 0 0 0", folder).take_output() == b"2 "


@engines
@pytest.mark.parametrize("name", ["f.txt", "sub/f.txt", "f g.txt", "\xe9.txt"])
def test_a_file_of_the_folder_is_written_and_read_back(
    engine: str, name: str, folder: Path
) -> None:
    assert run(engine, STORE, name, "5 1 0 0 0", folder).take_output() == b"1 "
    path = Path(os.fsdecode(os.path.join(os.fsencode(folder), name.encode("latin-1"))))
    assert path.read_bytes() == b"&&&&&\n"
    # The size and the corner are pushed, the corner uppermost.
    machine = run(engine, LOAD, name, "3 7 0", folder, "....1.@")
    assert machine.take_output() == b"7 3 1 5 1 "
    assert [machine.peek((x, 7)) for x in range(2, 9)] == [32, *b"&&&&&", 32]


@engines
def test_writing_less_truncates_the_file(engine: str, folder: Path) -> None:
    (folder / "f.txt").write_bytes(b"long " * 100)
    run(engine, STORE, "f.txt", "2 1 0 0 0", folder)
    assert (folder / "f.txt").read_bytes() == b"&&\n"


@engines
def test_text_and_binary_mode_differ_in_lines(engine: str, folder: Path) -> None:
    (folder / "f.txt").write_bytes(b"ab\n c\r\n\fd\n")
    text = run(engine, LOAD, "f.txt", "0 5 0", folder, "$$..1.@")
    assert text.take_output() == b"3 2 1 "
    assert bytes(text.peek((x, y)) for y in (5, 6, 7) for x in (0, 1, 2)) == b"ab  c d  "
    binary = run(engine, LOAD, "f.txt", "0 5 1", folder, "$$..1.@")
    assert binary.take_output() == b"1 10 1 "
    assert bytes(binary.peek((x, 5)) for x in range(10)) == b"ab\n c\r\n\fd\n"


@engines
def test_spaces_of_a_file_leave_cells_unchanged(engine: str, folder: Path) -> None:
    (folder / "f.txt").write_bytes(b"z z")
    machine = run(engine, LOAD, "f.txt", "0 0 0", folder)
    assert bytes(machine.peek((x, 0)) for x in range(3)) == b"z&z"


@engines
def test_linear_text_is_written_without_trailing_spaces(engine: str, folder: Path) -> None:
    (folder / "f.txt").write_bytes(b"ab  c\n   \n")
    source = run(engine, LOAD, "f.txt", "0 5 0", folder)
    assert source.take_output() == b"1 "
    row = '&&&0"txt.f"i$$$$&&&&&0"txt.g"o&&&&&0"txt.h"o@'
    world = World(started=0, folder=str(folder))
    numbers = b"0 5 0  8 4 0 5 1  8 2 0 5 0"
    machine = program("befunge-98", row.encode(), engine).start(numbers, world=world)
    assert machine.run(1000) == "halted"
    assert (folder / "g.txt").read_bytes() == b"ab  c"
    assert (folder / "h.txt").read_bytes() == b"ab  c   \n" + b" " * 8 + b"\n"


@engines
@pytest.mark.parametrize("size", ["0 1", "1 0", "-1 4", "4 -9223372036854775807"])
def test_invalid_sizes_reflect(engine: str, size: str, folder: Path) -> None:
    assert run(engine, STORE, "f.txt", f"{size} 0 0 0", folder).take_output() == b"2 "
    assert not (folder / "f.txt").exists()


@engines
@pytest.mark.parametrize("size", ["9223372036854775807 9223372036854775807", "4000000 4000000"])
def test_huge_blocks_reach_the_memory_limit(engine: str, size: str, folder: Path) -> None:
    machine = run(engine, STORE, "f.txt", f"{size} 0 0 0", folder)
    assert (machine.status, machine.limit) == ("limited", "memory")
    assert not (folder / "f.txt").exists()


@engines
def test_huge_files_reach_the_memory_limit(engine: str, folder: Path) -> None:
    with (folder / "f.txt").open("wb") as file:
        file.truncate(1 << 40)  # of holes, which occupy nothing
    machine = run(engine, LOAD, "f.txt", "0 5 0", folder)
    assert (machine.status, machine.limit) == ("limited", "memory")
