"""The results of a test run, one per test; a failed test can be opened in the debugger."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from textwrap import wrap
from typing import ClassVar

from textual import on
from textual.app import App
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option, OptionDoesNotExist

from esolangs.wording import noun
from esoplay.grading.report import TestResult
from esoplay.tui.dialogs import show_invisibles
from esoplay.tui.keys import Action, FooterKey, FooterKeys, KeyProvider, bindings, footer_key

VERDICT_WORDS = {
    "pass": "pass",
    "wrong_answer": "wrong answer",
    "parse_error": "parse error",
    "fault": "fault",
    "step_limit": "step limit",
    "output_limit": "output limit",
    "memory_limit": "memory limit",
    "work_limit": "work limit",
    "time_limit": "time limit",
}
TEST_KEY_HINTS = "F5 runs the examples, ^t submits to all hidden tests"
INDENT = "      "
"""Indentation of the details below the row of a test."""
MIN_DETAIL_COLUMNS, FIRST_WIDTH = 20, 76
"""Minimum width of a test's details, and width of a row before the size is known, in columns."""
MAX_BAR_COLUMNS = 20
"""Maximum width of the progress bar in columns, because a problem can have a thousand tests."""
WRONG_BYTE_LABEL = "First wrong byte"
"""Label of ``results.wrong`` in the footer."""
NO_TESTS = "Tests need a problem; choose one in the list"
_LIMITS = ("step_limit", "output_limit", "memory_limit", "work_limit", "time_limit")


def keys_after_failed_run() -> tuple[FooterKey, ...]:
    """Return the keys to edit or debug the program and to run the examples, for the footer."""
    return (
        footer_key("screen", "Edit/debug", "view.toggle"),
        footer_key("screen", "Examples", "tests.examples"),
    )


def verdict_mark(verdict: str) -> tuple[str, str]:
    """Return the character and the style of a verdict."""
    if verdict == "pass":
        return "✓", "$success"
    return ("◔", "$warning") if verdict in _LIMITS else ("✗", "$error")


class ResultList(OptionList, KeyProvider):
    """The tests of the last run, or the keys that start a run."""

    DEFAULT_CSS = """
    ResultList {
        border: round $border-blurred;
        border-title-color: $quiet;
        border-subtitle-color: $quiet;
        background: $background;
        padding: 0;
        scrollbar-size-vertical: 1;
        &:focus { border: round $border; background-tint: $foreground 0%; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "results",
        Action("results.down", "cursor_down", "Down"),
        Action("results.up", "cursor_up", "Up"),
        Action("results.debug", "select", "Debug test", in_footer=True),
        Action(
            "results.wrong",
            "open_wrong",
            "Debug before the first wrong byte",
            tip="open the debugger in the state before that byte is printed",
        ),
    )
    app: App[None]

    @dataclass
    class TestOpened(Message):
        """The user selected a test to open in the debugger.

        starts_at_wrong_byte: whether the debugger starts before the first wrong output byte.
        """

        input: bytes
        expected: bytes
        starts_at_wrong_byte: bool = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._openable_tests: Sequence[tuple[bytes, bytes] | None] = ()
        self._shown_tests: tuple[str, Sequence[TestResult]] = "", ()

    def on_mount(self) -> None:
        self.show_idle()

    @property
    def has_failed_test(self) -> bool:
        """Whether a failed test is shown that can be debugged."""
        return bool(self._openable_tests) and any(
            test.detail is not None and test.verdict != "pass" for test in self._shown_tests[1]
        )

    def footer_keys(self) -> FooterKeys | None:
        if not self.has_failed_test:
            return None
        keys = (
            footer_key("results", "Debug test", "results.debug"),
            footer_key("results", WRONG_BYTE_LABEL, "results.wrong"),
            *keys_after_failed_run(),
        )
        return FooterKeys(keys, with_other_keys=True)

    def show_idle(
        self,
        examples: Sequence[tuple[bytes, bytes]] = (),
        text: str = TEST_KEY_HINTS,
        advice: str = "",
    ) -> None:
        """Show that no tests have been run.

        examples: inputs and expected outputs.
        """
        self._shown_tests = "", ()
        self._show_line(text)
        self.add_options(
            Option(_expected_text(*each), id=str(number)) for number, each in enumerate(examples)
        )
        self._openable_tests = tuple(examples)
        self.border_title = "tests"
        self.border_subtitle = advice

    def show_running(self, title: str, done: int, total: int | None) -> None:
        """Show the progress of a run that has finished ``done`` tests.

        total: None while the number of tests is unknown.
        """
        self.border_title = title
        self.border_subtitle = ""
        if total is None:
            self._show_line("running …   Esc stops")
            return
        cells = min(total, MAX_BAR_COLUMNS)
        full = done * cells // max(total, 1)
        self._show_line(f"{'▰' * full}{'▱' * (cells - full)}  {done} of {total}   Esc stops")

    def show_stopped(self, reason: str) -> None:
        """Show that a run ended without results."""
        self.border_subtitle = ""
        self._show_line(reason)

    def show_note(self, notes: Sequence[str], *, positive: bool = False) -> None:
        """Replace the notes above the tests, if tests are shown."""
        title, tests = self._shown_tests
        if tests and self._openable_tests:
            self.show(title, tests, notes, positive=positive)

    def show(
        self,
        title: str,
        tests: Sequence[TestResult],
        notes: Sequence[str] = (),
        *,
        positive: bool = False,
    ) -> None:
        """Show the results of a run, with the cursor on the first failure.

        notes: lines above the tests, such as why the program passes in another dialect. positive:
        whether the notes report a success.
        """
        self._shown_tests = title, tests
        self._openable_tests = [test.detail and test.detail[:2] for test in tests]
        passed = sum(test.verdict == "pass" for test in tests)
        self.border_title = title
        self.border_subtitle = Content.assemble(
            (f"{passed} of {len(tests)} passed", "$success" if passed == len(tests) else "$error")
        )
        self.clear_options()
        above = [Option(_note(notes, positive), disabled=True)] if notes else []
        self.add_options(above)
        self.add_options(
            Option(_row(test, self._width), id=str(number), disabled=test.detail is None)
            for number, test in enumerate(tests)
        )
        failing = [
            number for number, test in enumerate(tests, len(above)) if test.verdict != "pass"
        ]
        self.highlighted = failing[0] if failing else None
        if above:  # the lines above the tests are rows too
            self.call_after_refresh(self.scroll_home, animate=False)

    @property
    def _width(self) -> int:
        """Width of a row in columns, without its padding and the scrollbar."""
        room = self.size.width
        return room - 3 if room else FIRST_WIDTH

    def on_resize(self) -> None:
        """Wrap the details of tests at the new width."""
        for number, test in enumerate(self._shown_tests[1] if self._openable_tests else ()):
            with suppress(OptionDoesNotExist):
                self.replace_option_prompt(str(number), _row(test, self._width))

    @on(OptionList.OptionSelected)
    def _open(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        opened = self._openable_tests[int(event.option.id)] if event.option.id else None
        if opened is not None:
            self.post_message(self.TestOpened(*opened))

    def action_open_wrong(self) -> None:
        """Debug the test at the cursor, starting before its first wrong output byte."""
        at = self.highlighted
        option = None if at is None else self.get_option_at_index(at)
        opened = self._openable_tests[int(option.id)] if option is not None and option.id else None
        if opened is None:
            self.notify("Choose a failed test first", severity="warning", timeout=3)
        else:
            self.post_message(self.TestOpened(*opened, starts_at_wrong_byte=True))

    @on(OptionList.OptionHighlighted)
    def _stop_event(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()

    def _show_line(self, text: str) -> None:
        self._openable_tests = ()
        self.clear_options()
        self.add_option(Option(Content.styled(text, "$quiet"), disabled=True))


def _note(lines: Sequence[str], positive: bool) -> Content:
    """Return notes with the first line highlighted and the other lines indented."""
    head, *more = lines
    head = f"✓ {head}" if positive else head
    style = "bold $success" if positive else "bold $warning"
    return Content.assemble((head, style), *((f"\n  {line}", "$foreground") for line in more))


def _expected_text(stdin: bytes, expected: bytes) -> Content:
    return Content.assemble(
        ("  in ", "$quiet"),
        show_invisibles(stdin, limit=24, if_empty="nothing"),
        ("  out ", "$quiet"),
        show_invisibles(expected, limit=40, if_empty="nothing"),
    )


def _wrap_indented(text: str, width: int) -> str:
    """Return the lines, wrapped and indented."""
    room = max(MIN_DETAIL_COLUMNS, width - len(INDENT))
    return "".join(f"\n{INDENT}{row}" for line in text.splitlines() for row in wrap(line, room))


def _row(test: TestResult, width: int) -> Content:
    words = VERDICT_WORDS.get(test.verdict, test.verdict)
    row = Content.assemble(
        verdict_mark(test.verdict),
        f" {test.index}  ",
        (f"{words:<13}", "" if test.verdict == "pass" else "bold"),
        (f"{test.steps:>11,} {noun(test.steps, 'step'):5}", "$quiet"),
        (f"   {test.edge_class}" if test.edge_class else "", "$quiet"),
    )
    detail = test.detail
    if test.verdict == "pass" or detail is None:
        return row
    return Content.assemble(
        row,
        (_wrap_indented(test.cause.text, width) if test.cause is not None else "", "$warning"),
        *(
            Content.assemble((f"\n      {name}  ", "$quiet"), value)
            for name, value in detail.invocation.as_rows().items()
        ),
        ("\n      in   ", "$quiet"),
        show_invisibles(detail.input, limit=60, if_empty="nothing"),
        ("\n      want ", "$quiet"),
        show_invisibles(detail.expected, limit=60, if_empty="nothing"),
        ("\n      got  ", "$quiet"),
        show_invisibles(detail.got, limit=60, if_empty="nothing"),
        (_wrap_indented(detail.message, width) if detail.message else "", "$quiet"),
    )
