"""The pages about why a run ended and where two runs differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest

from rich.cells import set_cell_size
from rich.style import Style

from esolangs.diagnosis import PARSE_ERROR
from esolangs.errors import EngineError, ParseError
from esolangs.source import locate
from esolangs.wording import plural
from esoplay.debugging.analysis import (
    NO_REPEAT_FOUND,
    ComparedRun,
    Diagnosis,
    DiagnosisFinding,
    RunComparison,
    RunDifference,
    diagnose,
    summary,
)
from esoplay.debugging.debugger import MoveCancelled, Reason, Stop, Ticker
from esoplay.debugging.handlers.history import compare_with, swap_runs
from esoplay.debugging.session import DebugSession, Reply
from esoplay.errors import EsoplayError
from esoplay.programs.execution import advice_on
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES, format_int, to_glyphs
from esoplay.tui.debug.canvas import StyledText
from esoplay.tui.debug.list_page import LIST_ACTIONS, ListPage, ListRow, wrap_sentence
from esoplay.tui.debug.moves import Move
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.time_travel import TimeTravel
from esoplay.tui.word_wrap import wrap_words

# Why the run ended or loops


class DiagnosisPage(ListPage):
    """The findings of a diagnosis, with advice and relevant steps."""

    NAME = "why"
    LABEL = "why it ended"
    ACTIONS = (*LIST_ACTIONS, "diagnose", "printed")

    diagnosis: Diagnosis | None = None
    excerpt: tuple[str, ...] = ()

    def show(self, diagnosis: Diagnosis | None, excerpt: tuple[str, ...] = ()) -> None:
        """Show ``diagnosis``, and the program lines to which it refers."""
        if diagnosis != self.diagnosis or excerpt != self.excerpt:
            self.diagnosis, self.excerpt = diagnosis, excerpt
            self.rebuild()

    def caption(self) -> list[StyledText]:
        if self.diagnosis is None or not self.diagnosis.known_steps:
            return []
        return [StyledText(f"of {plural(self.diagnosis.known_steps, 'step')}", self.palette.faint)]

    def empty_text(self) -> str:
        return "d: explain why the run ended or loops forever"

    def rows(self, width: int) -> Iterable[ListRow]:
        palette, found = self.palette, self.diagnosis
        if found is None:
            return
        for finding in found.findings:
            first_step = finding.moments[0].step if finding.moments else None
            text = f"{finding.certainty}: {finding.text}"
            style = palette.base if finding.kind in ("ended", "ahead") else palette.strong
            yield from wrap_sentence(text, width, style, 2, first_step)
            for line in self.excerpt:
                yield ListRow((StyledText(line, palette.warning),))
            if finding.advice:
                yield from wrap_sentence(
                    f"  try: {finding.advice}", width, palette.base, 7, first_step
                )
            for occurrence in finding.moments:
                yield ListRow(
                    (
                        StyledText(f"  @{format_int(occurrence.step)}", palette.key),
                        StyledText(f"  {occurrence.description}", palette.faint),
                    ),
                    occurrence.step,
                )
        if found.searched is not None:
            yield from wrap_sentence(
                NO_REPEAT_FOUND.format(steps=plural(found.searched, "step")),
                width,
                palette.faint,
                2,
            )
        elif not found.findings:
            yield from wrap_sentence("no findings so far", width, palette.faint)


# Two runs side by side, where they differ

_SEPARATOR = " │ "


class ComparePage(ListPage):
    """The differences of two runs, side by side: what each run did, and its next instruction."""

    NAME = "compare"
    LABEL = "the comparison"
    ACTIONS = (*LIST_ACTIONS, "compare", "printed")

    comparison: RunComparison | None = None
    _label = ""

    def show(self, comparison: RunComparison | None, label: str) -> None:
        """Show the differences of two runs. label: describes the other run."""
        if (comparison, label) != (self.comparison, self._label):
            self.comparison, self._label = comparison, label
            self.rebuild()

    def caption(self) -> list[StyledText]:
        what = self._label.translate(CONTROL_PICTURES)
        return [StyledText(what, self.palette.faint)] if what else []

    def empty_text(self) -> str:
        return "press D to compare with another input, file, dialect or option (:compare)"

    def rows(self, width: int) -> Iterable[ListRow]:
        palette, found = self.palette, self.comparison
        if found is None:
            return
        yield from wrap_sentence(summary(found), width, palette.strong)
        half = (width - len(_SEPARATOR)) // 2
        for each in found.differences:
            step = each.this.step
            yield self._side_by_side(
                f"this run @{format_int(step)}", _other_title(each), half, step, True
            )
            pairs = zip_longest(
                _side_lines(each.this, half), _side_lines(each.other, half), fillvalue=""
            )
            for left, right in pairs:
                yield self._side_by_side(left, right, half, step)
        if found.differences:
            yield from wrap_sentence(
                "Enter goes to a step; `:compare other` switches to the other run",
                width,
                palette.faint,
            )

    def _side_by_side(
        self, left: str, right: str, column_width: int, step: int, is_title: bool = False
    ) -> ListRow:
        style: Style = self.palette.key if is_title else self.palette.base
        pieces = (
            StyledText(set_cell_size(left, column_width), style),
            StyledText(_SEPARATOR, self.palette.faint),
            StyledText(right, style),
        )
        return ListRow(pieces, step)


def _other_title(difference: RunDifference) -> str:
    return f"the other run @{format_int(difference.other.step)}"


def _side_lines(side: ComparedRun, width: int) -> list[str]:
    """Describe what a run did at a difference, and its next instruction."""
    following = f"{side.place}: {side.instruction}" if side.instruction else side.place
    sentences = [side.what, f"then {following}", side.explanation]
    return [
        line
        for sentence in sentences
        for line in wrap_words(sentence.translate(CONTROL_PICTURES), max(10, width))[:3]
    ]


# A parse error: its line, and a caret below it

EXCERPT_BYTES = 30
"""Number of bytes to show before and after a parse error in an excerpt of the source line."""


def error_excerpt(source: bytes, error: ParseError) -> tuple[str, str]:
    """Return the line of a parse error, one glyph per byte, and a line with a caret below it."""
    offset = max(0, min(error.offset, len(source)))
    line, _ = locate(source, offset)
    start = source.rfind(b"\n", 0, offset) + 1
    end = source.find(b"\n", start)
    end = len(source) if end < 0 else end
    first, last = max(start, offset - EXCERPT_BYTES), min(end, offset + EXCERPT_BYTES)
    before = "…" if first > start else ""
    number = f"{line:>4} "
    text = before + to_glyphs(source[first:last]).replace("␠", " ") + ("…" if last < end else "")
    return number + text, " " * (len(number) + len(before) + offset - first) + "^"


class RunAnalysis:
    """The findings about the open program, on the pages ``why`` and ``compare``."""

    def __init__(
        self,
        time_travel: TimeTravel,
        pages: tuple[DiagnosisPage, ComparePage],
        open_page: Callable[[str], None],
        reveal_page: Callable[[str], None],
        replace_target: Callable[[DebugTarget], None],
    ) -> None:
        """Analyse the program in ``time_travel``.

        open_page: opens a page by name. reveal_page: does the same even if another box is
        maximised. replace_target: shows another run in the debugger.
        """
        self._time = time_travel
        self._diagnosis_page, self._compare_page = pages
        self._open_page = open_page
        self._reveal_page = reveal_page
        self._replace_target = replace_target
        self._parse_error: tuple[Diagnosis, tuple[str, ...]] | None = None
        """The parse error of the newest text, while an older version is shown."""
        self._shown_target: DebugTarget | None = None
        """The program to which the following attributes refer."""
        self._diagnosis: Diagnosis | None = None
        self._comparison: RunComparison | None = None
        self._comparison_label = ""

    # Showing

    def show(self) -> None:
        """Show the findings on the open program; discard findings on another program."""
        target = self._time.target
        if target is not self._shown_target:
            self._shown_target = target
            self._diagnosis = self._comparison = None
            self._comparison_label = ""
        if self._diagnosis is None and self._parse_error is not None:
            self._diagnosis_page.show(*self._parse_error)
        else:
            self._diagnosis_page.show(self._diagnosis)
        self._compare_page.show(self._comparison, self._comparison_label)

    def show_fault(self) -> None:
        """Show how the program faulted, on the page ``why``; the focus does not move."""
        target = self._time.target
        if target is None or self._time.is_busy:
            return
        diagnosis = self._diagnosis
        if diagnosis is None or diagnosis.known_steps != target.debugger.known_steps:
            self._diagnosis = diagnose(target.debugger, brief=True)
        self.show()
        self._open_page("why")

    def show_parse_error(self, language_id: str, source: bytes, error: ParseError) -> None:
        """Show the position of a parse error, with advice."""
        advice = advice_on(language_id, PARSE_ERROR, error.message)
        text = f"line {error.line}, column {error.column}: {error.message}"
        finding = DiagnosisFinding(PARSE_ERROR, "observed", text, advice)
        self._parse_error = Diagnosis((finding,), 0), error_excerpt(source, error)
        self._diagnosis_page.show(*self._parse_error)
        self._open_page("why")

    def forget_parse_error(self) -> None:
        """Discard the parse error, because the newest text can be parsed or no program is open."""
        self._parse_error = None

    # The fault doctor

    def diagnose(self, bound: int | None = None) -> None:
        """Diagnose known history and the steps after it, and show the findings.

        bound: maximum number of steps to search for a repeated state; None for the default.
        """
        target = self._time.target
        if target is None:
            return

        def run(ticker: Ticker | None) -> Stop:
            step = target.debugger.step
            try:
                self._diagnosis = diagnose(target.debugger, bound=bound, ticker=ticker)
            except MoveCancelled:
                return Stop(step, (Reason("cancelled", "cancelled"),))
            return Stop(step, (Reason("step", _summary(self._diagnosis)),))

        self._reveal_page("why")
        self._time.start(Move("diagnosing the run", run, in_thread=True))

    # The other run

    def compare_with(
        self, label: str, text: str, on_reply: Callable[[Reply], None] = lambda _reply: None
    ) -> None:
        """Compare this run with another run, and move to the first difference.

        label, text: the kind of the other run and its value, as in ``:compare input TEXT``. Label
        ``other`` switches to the other run instead. on_reply: called with the reply of the command.
        """
        target = self._time.target
        if target is None:
            return
        if label == "other":
            self._time.start(self._switch_runs(target, on_reply))
            return
        session = target.session

        def run(ticker: Ticker | None) -> Stop:
            here = target.debugger.step
            session.begin_command(ticker)
            try:
                self._comparison, reply = compare_with(session, label, text)
            except (EsoplayError, EngineError) as error:
                return _error_stop(session, here, error)
            finally:
                session.ticker = None
            self._comparison_label = f"{label} {text}"
            on_reply(reply)
            if session.interrupted and reply.stop is not None:
                return reply.stop
            return Stop(target.debugger.step, (Reason("step", reply.lines[0]),))

        self._reveal_page("compare")
        self._time.start(Move("comparing", run, in_thread=True, shows_all_reasons=True))

    def discard_comparison(self) -> None:
        """Discard the comparison after a change of the run, because it is about the old run.

        The page then names the run before the change, to which ``:compare other`` switches.
        """
        self._comparison, self._comparison_label = None, "the run before the change"

    def _switch_runs(self, old: DebugTarget, on_reply: Callable[[Reply], None]) -> Move:
        """Return a move that swaps this run and the other run."""
        session, replies = old.session, list[Reply]()

        def run(ticker: Ticker | None) -> Stop:
            here = old.debugger.step
            session.begin_command(ticker)
            try:
                replies.append(swap_runs(session))
            except (EsoplayError, EngineError) as error:
                return _error_stop(session, here, error)
            finally:
                session.ticker = None
            return Stop(here, (Reason("step", ""),))

        def show_other_run() -> None:
            if not replies:
                return
            on_reply(replies[0])
            other = session.debugger
            same_input = other.input == old.debugger.input
            target = DebugTarget(other, old.expected if same_input else None, session)
            self._replace_target(target)
            self._shown_target = target
            self._diagnosis = self._comparison = None
            self._comparison_label = "the previous run"
            self._time.notice = "switched to the other run; `:compare other` switches back"
            self._time.refresh()

        return Move("switching to the other run", run, on_complete=show_other_run)


def _error_stop(session: DebugSession, step: int, error: Exception) -> Stop:
    """Return the stop of a command that was cancelled or raised an error."""
    if session.interrupted:
        return Stop(step, (Reason("cancelled", "cancelled"),))
    return Stop(step, (Reason("step", str(error)),))


def _summary(diagnosis: Diagnosis) -> str:
    """Return the most serious finding, for the status line."""
    if diagnosis.findings:
        first = diagnosis.findings[0]
        return f"{first.certainty}: {first.text}"
    return "no findings so far"
