"""Single widgets, shown frozen views."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from debug_app import (
    PaneApp,
    inside,
    make_loops,
    make_snapshot,
    make_tape,
    make_view,
    settle,
    text_of,
)

from esolangs.source import Span
from esoplay.debugging.debugger import Bucket, CellWrite
from esoplay.tui.debug.bytes_page import InputPage, OutputMode, OutputPage
from esoplay.tui.debug.debug_snapshot import LastWrite
from esoplay.tui.debug.diff_page import DiffPage
from esoplay.tui.debug.divergence import first_divergence
from esoplay.tui.debug.program_view import ProgramView
from esoplay.tui.debug.state.calls_panel import CallsPanel
from esoplay.tui.debug.state.column import FieldsPanel
from esoplay.tui.debug.state.tape_panel import TapePanel
from esoplay.tui.debug.status_rows import ExplanationLine, TimelineStrip, step_text

PANEL = (47, 9)


async def test_the_tape_brackets_the_pointer_and_names_the_last_write() -> None:
    tape = make_tape((0, 12, 0, 48, 9, 0, 0, 0), pointer=4)
    write = LastWrite(4, CellWrite(1198, 8, 9, (3, 4), 3))
    snapshot = make_snapshot(make_view(panels=(tape,)), selected_cell=4, last_write=write)
    panel = TapePanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot, tape)
        rows = inside(panel)
        assert rows[0].split() == ["0", "1", "2", "3", "[", "4]", "5", "6", "7"]
        assert rows[1].split() == ["0", "12", "0", "48", "[", "9]", "0", "0", "0"]
        assert "cell 4: last write @1,198  8 → 9" in rows[-1]
        assert "ptr 4  dec" in text_of(panel)[0]


async def test_cell_that_was_never_written_is_reported() -> None:
    tape = make_tape((0,) * 8)
    snapshot = make_snapshot(
        make_view(panels=(tape,)), selected_cell=2, last_write=LastWrite(2, None)
    )
    panel = TapePanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot, tape)
        assert "cell 2: never written, initial 0" in inside(panel)[-1]
        assert "‹  2›" in inside(panel)[0]


async def test_changed_cells_are_underlined() -> None:
    before, after = make_tape((1, 2, 3)), make_tape((1, 7, 3))
    snapshot = make_snapshot(make_view(panels=(after,)), previous_view=make_view(panels=(before,)))
    panel = TapePanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(snapshot, after)
        marked = [s.text for y in range(9) for s in panel.render_line(y) if s.style.underline]
        assert marked == ["7"]


async def test_number_bases_cycle() -> None:
    tape = make_tape((72, 10, 200, 32))
    panel = TapePanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(make_snapshot(make_view(panels=(tape,)), selected_cell=0), tape)
        panel.cycle_base()
        assert inside(panel)[1].split() == ["[48]", "0a", "c8", "20"]
        panel.cycle_base()
        assert inside(panel)[1].split() == ["[", "H]", "␊", "·", "␠"]


async def test_loops_are_listed_innermost_first_with_counts() -> None:
    panel = CallsPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(make_snapshot(), make_loops((7, 3), (2, 12)))
        assert inside(panel)[:2] == [" L2 loop at 1:8  round 3", " L1 loop at 1:3  round 12"]
        assert "depth 2" in text_of(panel)[0]


class Heap(NamedTuple):
    """A kind of panel without a widget."""

    name: str
    values: tuple[int, ...]
    top: Span


async def test_an_unknown_panel_is_shown_field_by_field() -> None:
    panel = FieldsPanel()
    async with PaneApp(panel).run_test(size=PANEL):
        panel.show(make_snapshot(), Heap("heap", (3, 1, 2), (0, 4)))
        assert "heap" in text_of(panel)[0]
        assert [row.split() for row in inside(panel)[:2]] == [
            ["values", "3", "1", "2"],
            ["top", "0", "4"],
        ]


async def test_the_program_marks_the_next_instruction_and_wraps() -> None:
    view = ProgramView()
    async with PaneApp(view).run_test(size=(20, 8)) as pilot:
        view.open(b"++[>+<-]\n" + b"+" * 20, "brainfuck")
        view.show(make_snapshot(make_view(span=(2, 3))))
        await settle(pilot)
        assert inside(view)[:4] == [
            " ▶ 1 ++[>+<-]",
            "   2 +++++++++++++",
            "     +++++++",
            "",
        ]
        marked = [s.text for s in view.render_line(1) if s.style.bgcolor != s.style.color][3:]
        assert "[" in marked


async def test_a_megabyte_on_one_line_is_shown_around_the_next_instruction() -> None:
    view = ProgramView()
    source = b"+" * 999_990 + b">.........."
    async with PaneApp(view).run_test(size=(60, 12)) as pilot:
        view.open(source, "brainfuck")
        view.show(make_snapshot(make_view(span=(999_990, 999_991))))
        await settle(pilot)
        assert any("▶" in row and ">" in row for row in inside(view))


async def test_program_text_is_never_markup() -> None:
    view = ProgramView()
    async with PaneApp(view).run_test(size=(40, 5)):
        view.open(b"[/][bold]x[/bold]", "brainfuck")
        assert "[/][bold]x[/bold]" in inside(view)[0]


async def test_search_and_bracket_keys_move_the_cursor() -> None:
    view = ProgramView()
    async with PaneApp(view).run_test(size=(40, 8)):
        view.open(b"++[>+<-]\n>.[-]", "brainfuck")
        view.show(make_snapshot())
        assert view.find(b"[-")
        assert view.cursor == 11
        assert view.go_to_partner()
        assert view.cursor == 13
        assert "2:5" in text_of(view)[0]
        view.move(rows=-1)
        assert view.cursor == 4
        view.set_cursor(None)
        assert view.cursor == 0


async def test_future_output_is_in_italics() -> None:
    page = OutputPage()
    async with PaneApp(page).run_test(size=(40, 6)):
        page.show(make_snapshot(make_view(output_length=2), output=b"abcd"))
        styles = {s.text: bool(s.style.italic) for s in page.render_line(1)}
        assert styles["cd"]
        assert not any(value for text, value in styles.items() if text.strip() in ("a", "b"))
        assert {"a", "b"} <= {text.strip() for text in styles}  # b is at the cursor


async def test_output_can_be_shown_in_hexadecimal_and_as_on_a_terminal() -> None:
    page = OutputPage()
    async with PaneApp(page).run_test(size=(80, 8)):
        page.show(make_snapshot(make_view(output_length=9), output=b"ab\x1b[1mcd\n"))
        page.cycle_mode()
        assert page.mode is OutputMode.HEX
        assert "61 62 1b 5b 31 6d 63 64 0a" in inside(page)[0]
        page.cycle_mode()
        assert inside(page)[0] == " abcd"


@pytest.mark.parametrize(("end", "text"), [(None, "nothing printed yet"), (9, "prints nothing")])
async def test_empty_output_is_explained(end: int | None, text: str) -> None:
    page = OutputPage()
    async with PaneApp(page).run_test(size=(60, 6)):
        page.show(make_snapshot(end=end))
        assert text in inside(page)[0]


async def test_input_read_is_struck_through() -> None:
    page = InputPage()
    async with PaneApp(page).run_test(size=(40, 6)):
        page.show(make_snapshot(make_view(input_position=1), input=b"7 8\n"))
        struck = [s.text.strip() for s in page.render_line(1) if s.style.strike]
        assert struck == ["7"]
        assert inside(page)[0] == " 7 8␊"


def diff_of(expected: bytes, got: bytes, *, end: int | None = 99, now: int | None = None):  # type: ignore[no-untyped-def]
    return make_snapshot(
        make_view(output_length=len(got) if now is None else now),
        output=got,
        end=end,
        expected_output=expected,
        divergence=first_divergence(expected, got, complete=end is not None),
        wrong_step=1187,
    )


async def test_the_first_wrong_byte_is_bracketed_in_both_rows() -> None:
    page = DiffPage()
    async with PaneApp(page).run_test(size=(80, 7)):
        page.show(diff_of(b"1245\n", b"1246\n"))
        rows = inside(page)
        assert rows[0] == " exp 124[5]␊"
        assert rows[1] == " got 124[6]␊"
        assert "byte 3 (1:4): 0x36 '6', want 0x35 '5', printed @1,187" in rows[2]


@pytest.mark.parametrize(
    ("expected", "got", "said"),
    [
        (b"ab\n", b"ab", "only the newline at the end is missing, want 0x0a newline, halted"),
        (b"ab", b"ab\n", "only the newline at the end is extra"),
        (b"abc", b"a", "ends too early, want 0x62 'b', halted @1,187"),
        (b"a", b"abc", "continues after the expected end (2 bytes, first 0x62 'b')"),
        (b"abc", b"abc", "the same, byte for byte: 3 bytes"),
    ],
)
async def test_kinds_of_difference_are_distinguished(
    expected: bytes, got: bytes, said: str
) -> None:
    page = DiffPage()
    async with PaneApp(page).run_test(size=(120, 7)):
        page.show(diff_of(expected, got))
        assert said in inside(page)[2]


async def test_long_description_wraps() -> None:
    page = DiffPage()
    async with PaneApp(page).run_test(size=(60, 7)):
        page.show(diff_of(b"ab", b"ab\n"))
        assert inside(page)[2].startswith(" byte 2 (1:3): only the newline at the end is extra")
        assert inside(page)[3] == "     printed @1,187   o jump there"


async def test_distant_divergence_is_scrolled_into_the_row() -> None:
    page = DiffPage()
    async with PaneApp(page).run_test(size=(40, 7)):
        page.show(diff_of(b"x" * 500 + b"A" + b"z" * 50, b"x" * 500 + b"B" + b"z" * 50))
        assert "[A]" in inside(page)[0]
        assert "[B]" in inside(page)[1]
        assert inside(page)[0].startswith(" exp …")


async def test_the_explanation_is_a_line_of_plain_text() -> None:
    line = ExplanationLine()
    async with PaneApp(line).run_test(size=(60, 1)):
        line.show(make_snapshot())
        assert text_of(line)[0].rstrip() == " next   +   increment cell 0 (0 → 1)"


async def test_long_instruction_leaves_room_for_its_explanation() -> None:
    line = ExplanationLine()
    view = make_view()
    sentence = "You are the sum of the square of a fine sunny happy morning and a summer's day."
    told = "give Viola the value 72 (was 0)"
    location = view.location._replace(instruction=sentence, explanation=told)
    async with PaneApp(line).run_test(size=(80, 1)):
        line.show(make_snapshot(view._replace(location=location)))
        shown = text_of(line)[0].rstrip()
        assert shown.startswith(" next   You are the sum of the square of")
        assert shown.endswith(f"…   {told}")
        assert len(shown) <= 80
        endless = view.location._replace(explanation="the value that " * 9)
        line.show(make_snapshot(view._replace(location=endless)))
        assert text_of(line)[0].rstrip().endswith("that the…")
        assert len(text_of(line)[0]) == 80


async def test_timeline_marks_the_current_step_and_a_known_end() -> None:
    buckets = tuple(Bucket(i, i + 1, int(i == 2), 0) for i in range(5))
    strip = TimelineStrip()
    async with PaneApp(strip).run_test(size=(40, 1)):
        strip.show(make_snapshot(make_view(step=4), known_steps=5, end=5, buckets=buckets))
        assert text_of(strip)[0].rstrip() == " timeline ▁▁▅▲▁■"
        strip.show(make_snapshot(make_view(step=0), known_steps=0))
        assert text_of(strip)[0].rstrip() == " timeline ▲…"


def test_the_step_is_shown_with_its_share_of_the_known_run() -> None:
    view = make_view(step=1204)
    assert step_text(make_snapshot(view, known_steps=98331, end=98331)) == "step 1,204/98,331 (1%)"
    assert step_text(make_snapshot(view, known_steps=5000)) == "step 1,204/5,000+"
    assert step_text(make_snapshot(view, known_steps=1204)) == "step 1,204"


async def test_instruction_name_is_not_repeated() -> None:
    line = ExplanationLine()
    async with PaneApp(line).run_test(size=(80, 1)) as pilot:
        view = make_view()
        for instruction, explanation, said in (
            ("push 72", "push 72", " next   push 72"),
            ("push 72", "push 72 to the stack", " next   push 72   to the stack"),
            ("k", "k returns .a", " next   k   k returns .a"),
        ):
            location = view.location._replace(instruction=instruction, explanation=explanation)
            line.show(make_snapshot(view._replace(location=location)))
            await pilot.pause()
            assert text_of(line)[0].rstrip() == said
