"""What the editor shows for a source that does not compile."""

from __future__ import annotations

from pathlib import Path

from conftest import Play

from esoplay.tui.generate.pane import GeneratedPane
from esoplay.tui.generate.sources import GenerateRequest, compile_source
from esoplay.tui.workspace import LaunchRequest


def test_error_is_marked_after_multibyte_characters() -> None:
    source = "def main():\n    ä = 1; y += ä\n"
    error = compile_source(GenerateRequest(source.encode(), "brainfuck", "a.py")).error
    assert error is not None
    assert (error.message, error.line) == ("y has no value yet", 2)
    assert source.encode()[error.offset :].startswith(b"y += ")


def test_an_error_after_a_byte_order_mark_is_marked_where_it_is() -> None:
    for source, text, line, column in (
        ("def main(:\n    x = 1\n", ":\n", 1, 10),
        ("def main():\n    y += 1\n", "y += ", 2, 5),
    ):
        data = b"\xef\xbb\xbf" + source.encode()
        error = compile_source(GenerateRequest(data, "brainfuck", "a.py")).error
        plain = compile_source(GenerateRequest(source.encode(), "brainfuck", "a.py")).error
        assert error is not None
        assert plain is not None
        assert data[error.offset :].decode().startswith(text)
        assert (error.line, error.column) == (plain.line, plain.column) == (line, column)


def test_number_of_further_errors_is_shown() -> None:
    source = b"def main():\n    x += 1\n    y += 1\n    z += 1\n"
    error = compile_source(GenerateRequest(source, "brainfuck", "a.py")).error
    assert error is not None
    assert error.message == "x has no value yet (and 2 more errors)"


def test_error_is_short_on_the_screen() -> None:
    source = b"def main():\n    while 1 < 2:\n        break\n    a, b = b, a\n"
    made = compile_source(GenerateRequest(source, "brainfuck", "a.py"))
    assert [(each.line, each.column) for each in made.errors] == [(3, 9), (4, 5)]
    assert made.errors[0].message.endswith("`while n > 0 and found == 0:`")
    assert made.errors[1].message.endswith("`b = t`, one per line")
    assert made.error is not None
    assert made.error.message == f"{made.errors[0].message} (and 1 more error)"


async def test_errors_are_listed_in_place_of_the_program(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_bytes(b"def main():\n    x += 1\n    y += 1\n    n, m = m, n\n")
    async with play(launch=LaunchRequest(path, "brainfuck")) as player:
        await player.until(lambda: player.screen.compiler.is_current)
        await player.pilot.pause()
        pane = player.screen.query_one(GeneratedPane)
        shown = [pane.render_line(y).text.strip("│ ") for y in range(pane.size.height)]
        assert "none: error in line 2" in shown[0]
        assert shown[1:3] == ["2:5 x has no value yet", "3:5 y has no value yet"]
        assert shown[3].startswith("4:5 a swap is not supported: write")
        player.screen.program.editor.text = "def main():\n    x = 1\n    print_int(x)\n"
        await player.until(lambda: player.screen.compiler.program is not None)
        await player.pilot.pause()
        assert "no value yet" not in pane.render_line(1).text
