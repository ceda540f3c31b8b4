"""``esoplay run --drawing``: what a program drew, as SVG."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shell import esoplay

TURT = '"TRUT"4($$'
SQUARE = TURT + "1P" + "5Fa9*R" * 4 + "@"
SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7" viewBox="-1 -1 7 7">
<rect x="-1" y="-1" width="7" height="7" fill="#ffffff"/>
<g fill="none" stroke-linecap="round" stroke-linejoin="round">
<path stroke="#000000" d="M0 0L5 0L5 5L0 5L0 0"/>
</g>
</svg>
"""


@pytest.fixture
def square(tmp_path: Path) -> Path:
    path = tmp_path / "square.b98"
    path.write_text(SQUARE)
    return path


@pytest.mark.parametrize("limit", [(), ("--time-limit", "60")])
def test_the_drawing_is_written_byte_for_byte(
    limit: tuple[str, ...], square: Path, tmp_path: Path
) -> None:
    done = esoplay("run", square, "--drawing", "out.svg", "--input", "", *limit, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "out.svg").read_bytes() == SVG.encode()


def test_each_color_is_one_path_and_a_move_starts_a_new_line(tmp_path: Path) -> None:
    path = tmp_path / "lines.b98"
    path.write_text(TURT + "fN1Pff*C2F55T3F0C1F01-B@")
    done = esoplay("run", path, "--drawing", tmp_path / "out.svg")
    assert done.returncode == 0
    assert (tmp_path / "out.svg").read_text() == (
        '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="7" viewBox="-1 -1 12 7">\n'
        '<rect x="-1" y="-1" width="12" height="7" fill="#00000f"/>\n'
        '<g fill="none" stroke-linecap="round" stroke-linejoin="round">\n'
        '<path stroke="#0000e1" d="M0 0L2 0M5 5L8 5"/>\n'
        '<path stroke="#000000" d="M8 5L9 5L10 5"/>\n'
        "</g>\n"
        "</svg>\n"
    )


def test_an_older_drawing_is_replaced(square: Path, tmp_path: Path) -> None:
    (tmp_path / "out.svg").write_text("x" * 10_000)
    assert esoplay("run", square, "--drawing", tmp_path / "out.svg").returncode == 0
    assert (tmp_path / "out.svg").read_text() == SVG


def test_a_program_that_draws_nothing_writes_nothing(square: Path, tmp_path: Path) -> None:
    square.write_text(TURT + "5F1.@")
    done = esoplay("run", square, "--drawing", "out.svg", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"1 ")
    assert done.stderr.decode().splitlines() == [
        f"esoplay: {square}: the program drew nothing; out.svg was not written",
        f"esoplay: {square}: try: load TURT and put the pen down with 1P before F",
    ]
    assert not (tmp_path / "out.svg").exists()


def test_a_drawing_before_a_limit_is_written(square: Path, tmp_path: Path) -> None:
    square.write_text(SQUARE.replace("@", "<"))
    options = "--max-steps", "1000", "--drawing", "out.svg", "--json"
    done = esoplay("run", square, *options, cwd=tmp_path)
    assert done.returncode == 3
    assert json.loads(done.stdout)["status"] == "step_limit"
    assert (tmp_path / "out.svg").read_text().startswith("<svg ")


@pytest.mark.parametrize("limit", [(), ("--time-limit", "60")])
def test_languages_that_cannot_draw_say_so(limit: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "a.bf").write_text("+")
    done = esoplay("run", "a.bf", "--drawing", "out.svg", *limit, cwd=tmp_path)
    assert done.returncode == 2
    assert b"Brainfuck cannot draw; --drawing requires a language that can" in done.stderr


def test_a_file_that_cannot_be_written_is_named(square: Path, tmp_path: Path) -> None:
    done = esoplay("run", square, "--drawing", tmp_path / "no" / "out.svg")
    assert done.returncode == 2
    assert b"cannot write" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the devices of Linux")
def test_a_drawing_can_be_written_to_a_device(square: Path) -> None:
    done = esoplay("run", square, "--drawing", "/dev/null")
    assert (done.returncode, done.stderr) == (0, b"")
    done = esoplay("run", square, "--drawing", "/dev/full")
    assert done.returncode == 2
    assert b"cannot write /dev/full: No space left on device" in done.stderr


@pytest.mark.parametrize("name", ["square.b98", "link.b98"])
def test_a_drawing_does_not_replace_the_program(name: str, square: Path, tmp_path: Path) -> None:
    (tmp_path / "link.b98").symlink_to(square)
    done = esoplay("run", square, "--drawing", name, "--input", "", cwd=tmp_path)
    assert done.returncode == 2
    assert f"the drawing would replace {name}; name another file" in done.stderr.decode()
    assert square.read_text() == SQUARE
