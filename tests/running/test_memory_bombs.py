"""A process that runs a program stays near the memory limit, whatever the program does.

Every file in ``memory_bombs`` takes memory as fast as it can, each of another kind: deep stacks,
many of them, large numbers, far cells, IPs, continuations.  Its process may never have had more
than 1.25 times the limit resident, and 40 MB for the interpreter itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from selection import slow_except
from shell import PATHS

MEBIBYTE = 1 << 20
BOMBS = Path(__file__).resolve().parent / "memory_bombs"
LIMIT = 64 * MEBIBYTE
OPTIONS = {
    ".bf": ["--lang", "brainfuck"],
    ".wsa": ["--lang", "whitespace", "--set", "notation=assembly"],
    ".b98": ["--lang", "befunge-98"],
    ".spl": ["--lang", "shakespeare"],
    ".unl": ["--lang", "unlambda"],
}
MORE_OPTIONS = {
    "unbounded.b98": ["--set", "cell=unbounded"],
    "left_32.bf": ["--set", "cell=32", "--set", "tape=both-ways"],
    "right_16.bf": ["--set", "cell=16"],
    "right_32.bf": ["--set", "cell=32"],
    "wrap_32.bf": ["--set", "cell=32", "--set", "tape=wrap", "--set", "size=16000000"],
}
FAST_COMPILED = {
    "calls.wsa", "heap.wsa", "pairs.unl", "push.b98", "remember.spl", "right_16.bf",
}  # fmt: skip
FAST_PLAIN = {
    "products.wsa", "squares.spl",
}  # fmt: skip
FITS = {"moved.b98", "under.b98", "dense.b98", "wrap_32.bf"}  # these end just below the limit
MEASURE = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""
"""Runs a command and prints its exit code and peak.  The peak of a process begins with the memory
of the one that it was forked from, which must therefore be small, unlike that of the tests."""
ENGINES = {"compiled": "", "plain": "off"}  # the values of ESOPLAY_EXT


def bombs() -> list[object]:
    """File and engine; some of each language are fast tests."""
    cases: list[object] = []
    for path in sorted(BOMBS.iterdir()):
        for engine in ENGINES:
            fast = path.name in (FAST_PLAIN if engine == "plain" else FAST_COMPILED)
            marks = () if fast else pytest.mark.slow
            cases.append(pytest.param(path, engine, marks=marks, id=f"{path.name}-{engine}"))
    return cases


def peak_of(path: Path, limit: int, extension: str = "") -> tuple[int, int, bytes]:
    """Exit code, the most bytes that were ever resident, and stderr of ``esoplay run``."""
    options = OPTIONS[path.suffix] + MORE_OPTIONS.get(path.name, [])
    environment = {**os.environ, "PYTHONPATH": PATHS, "ESOPLAY_EXT": extension}
    if not extension:
        del environment["ESOPLAY_EXT"]
    limits = ["--max-memory", str(limit), "--input", ""]
    program = [sys.executable, "-m", "esoplay", "run", str(path), *options, *limits]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *program], capture_output=True, env=environment, check=True
    )
    code, peak = map(int, done.stdout.split())
    return code, peak * (1 if sys.platform == "darwin" else 1024), done.stderr


def allowed(limit: int) -> int:
    return limit + limit // 4 + 40_000_000


def check_peak(path: Path, limit: int, engine: str) -> None:
    code, peak, stderr = peak_of(path, limit, ENGINES[engine])
    if path.name in FITS:
        assert (code, stderr) == (0, b"")
    else:
        assert code == 3, stderr
        assert b"bytes of memory was reached" in stderr
    assert peak <= allowed(limit), f"{peak >> 20} MiB resident, {allowed(limit) >> 20} allowed"


@pytest.mark.parametrize(("path", "engine"), bombs())
def test_a_memory_bomb_stays_near_its_limit(path: Path, engine: str) -> None:
    slow = engine == "plain" and path.name not in FAST_PLAIN | FITS
    check_peak(path, LIMIT // 4 if slow else LIMIT, engine)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [path for path in sorted(BOMBS.iterdir()) if path.name != "repeats.b98"],  # it takes 64 MiB
    ids=lambda path: path.name,
)
def test_a_memory_bomb_stays_near_the_default_limit(path: Path) -> None:
    check_peak(path, 256 * MEBIBYTE, "compiled")


@pytest.mark.slow
def test_pages_with_one_large_number_stay_near_the_limit() -> None:
    """The heap has just doubled to 4096 pages, which have no words for numbers of 128 bits."""
    check_peak(BOMBS / "sparse_heap.wsa", 68_000_000, "compiled")


@pytest.mark.slow
def test_a_growing_tape_stays_below_360_mebibytes() -> None:
    code, peak, stderr = peak_of(BOMBS / "right.bf", 256 * MEBIBYTE)
    assert code == 3, stderr
    assert peak <= 360 * MEBIBYTE


@pytest.mark.parametrize("engine", slow_except(ENGINES, "compiled"))
def test_a_large_source_stays_near_its_limit(engine: str, tmp_path: Path) -> None:
    """Eight million cells of Befunge, seven of which are blank for one that is not."""
    width = 2800
    rows = [b">1".ljust(width, b" ")] + [b" " * (width - 1) + b"z"] * 349
    path = tmp_path / "wide.b98"
    path.write_bytes(b"\n".join(rows + [b""] * 2440) + b"z\n")
    check_peak(path, LIMIT, engine)


def dense_source(shape: str, limit: int) -> bytes:
    """A Befunge source without spaces, in which only a few columns and rows are free."""
    cells = limit // 8
    if shape == "square":
        side = int(cells**0.5) - 12
        return b"\n".join([b"@" * side] * side)
    if shape == "tall":
        return b"@@\n" * (cells // 13 - 20)
    if shape == "wide":
        return b"@" * (cells // 7 - 60)
    # A column and a row, most of whose cells are outside the window.
    length = limit // 740
    return b"@" * length + b"\n" + b"@\n" * length


@pytest.mark.slow
@pytest.mark.parametrize("limit", [LIMIT, 4 * LIMIT], ids=["64-MiB", "256-MiB"])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shape", ["square", "tall", "wide", "angle"])
def test_a_dense_source_stays_near_its_limit(
    shape: str, engine: str, limit: int, tmp_path: Path
) -> None:
    path = tmp_path / "dense.b98"
    path.write_bytes(dense_source(shape, limit))
    check_peak(path, limit, engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_source_of_far_cells_that_do_not_fit_is_not_loaded(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "far.b98"
    path.write_bytes(b"@" * 150_000 + b"\n" + b"@\n" * 150_000)
    check_peak(path, LIMIT // 4, engine)


def test_every_language_has_a_memory_bomb() -> None:
    assert {path.suffix for path in BOMBS.iterdir()} == set(OPTIONS)
