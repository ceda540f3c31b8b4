"""Asks why: the fault doctor, and another run beside this one."""

from __future__ import annotations

from collections.abc import Callable

from esolangs.diagnosis import PARSE_ERROR
from esolangs.errors import EngineError, ParseError
from esoplay.debugging.analysis import Comparison, Diagnosis, Finding, compare, diagnose, summary
from esoplay.debugging.debugger import Cancelled, Debugger, Reason, Stop, Ticker
from esoplay.debugging.handlers.history import compared_run
from esoplay.debugging.watches import watches_of
from esoplay.errors import EsoplayError
from esoplay.programs.execution import advice_on
from esoplay.tui.debug.error_text import excerpt_of
from esoplay.tui.debug.moves import Move
from esoplay.tui.debug.pages.compare_page import ComparePage
from esoplay.tui.debug.pages.why_page import WhyPage
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.time_travel import TimeTravel


class Reasons:
    """What was found out about the program that is open, on the pages ``why`` and ``compare``."""

    def __init__(
        self,
        time: TimeTravel,
        pages: tuple[WhyPage, ComparePage],
        open_page: Callable[[str], None],
        bring_page: Callable[[str], None],
        exchange: Callable[[DebugTarget], None],
    ) -> None:
        """Answer questions about the program in ``time``.

        open_page, bring_page: show a page by its name; the second one even where another box
        fills the pane.  exchange: debugs another run instead.
        """
        self._time = time
        self._why, self._compare = pages
        self._open_page = open_page
        self._bring_page = bring_page
        self._exchange = exchange
        self._parse_error: tuple[Diagnosis, tuple[str, ...]] | None = None
        """What is wrong with the newest text, while an older one is shown."""
        self._of: DebugTarget | None = None
        """The program that the following are about."""
        self._diagnosis: Diagnosis | None = None
        self._comparison: Comparison | None = None
        self._compared = ""
        self._other: Debugger | None = None

    # Showing

    def show(self) -> None:
        """Show what was found out about the program that is open; forget what is of another."""
        target = self._time.target
        if target is not self._of:
            self._of = target
            self._diagnosis = self._comparison = self._other = None
            self._compared = ""
        if self._diagnosis is None and self._parse_error is not None:
            self._why.show(*self._parse_error)
        else:
            self._why.show(self._diagnosis)
        self._compare.show(self._comparison, self._compared)

    def show_fault(self) -> None:
        """Say at once what is known of a fault, with the keyboard left alone."""
        target = self._time.target
        if target is None or self._time.busy:
            return
        known = self._diagnosis
        if known is None or known.known != target.debugger.known:
            self._diagnosis = diagnose(target.debugger, quick=True)
        self.show()
        self._open_page("why")

    def show_parse_error(self, language_id: str, source: bytes, error: ParseError) -> None:
        """What was to be opened is not a program: say where, and what to try."""
        advice = advice_on(language_id, PARSE_ERROR, error.message)
        text = f"line {error.line}, column {error.column}: {error.message}"
        finding = Finding(PARSE_ERROR, "observed", text, advice)
        self._parse_error = Diagnosis((finding,), 0), excerpt_of(source, error)
        self._why.show(*self._parse_error)
        self._open_page("why")

    def forget_parse_error(self) -> None:
        """The newest text is a program again, or none is open."""
        self._parse_error = None

    # The doctor

    def diagnose(self, bound: int | None = None) -> None:
        """Look at known history and beyond it, and show the findings."""
        target = self._time.target
        if target is None:
            return

        def run(ticker: Ticker | None) -> Stop:
            step = target.debugger.step
            try:
                self._diagnosis = diagnose(target.debugger, bound=bound, ticker=ticker)
            except Cancelled:
                return Stop(step, (Reason("cancelled", "cancelled"),))
            return Stop(step, (Reason("step", _told(self._diagnosis)),))

        self._bring_page("why")
        self._time.go(Move("looking for reasons", run, slow=True))

    # Another run

    def compare_with(self, what: str, text: str) -> None:
        """Find where another run parts from this one, and go there."""
        target = self._time.target
        if target is None:
            return
        if what == "other":
            self._time.when_free(self._swap)
            return

        def run(ticker: Ticker | None) -> Stop:
            debugger = target.debugger
            here = debugger.step
            try:
                other = compared_run(debugger, what, text)
                found = compare(debugger, other, ticker=ticker)
            except Cancelled:
                return Stop(here, (Reason("cancelled", "cancelled"),))
            except (EsoplayError, EngineError) as error:
                return Stop(here, (Reason("step", str(error)),))
            self._comparison, self._other = found, other
            self._compared = f"{what} {text}"
            if not found.differences:
                return Stop(here, (Reason("step", summary(found)),))
            stop = debugger.seek(found.differences[0].this.step, ticker)
            return Stop(stop.step, (Reason("step", summary(found)),))

        self._bring_page("compare")
        self._time.go(Move("comparing", run, slow=True, tells=True))

    def keep_former(self, run: Debugger) -> None:
        """Keep the run as it was before a command changed it, to go back to."""
        self._other, self._comparison = run, None
        self._compared = "the run before the change"

    def _swap(self) -> None:
        """Debug the other run; this one becomes the other."""
        old, other, travel = self._time.target, self._other, self._time
        if old is None or other is None:
            travel.say("there is no other run yet: D compares with one")
            return
        is_fresh = other.known == 0
        watches_of(other).take_over(watches_of(old.debugger).texts)
        target = DebugTarget(other, old.expected if other.input == old.debugger.input else None)
        self._exchange(target)
        self._of, self._other = target, old.debugger
        self._diagnosis = self._comparison = None
        self._compared = "the run from before"
        travel.say("this is the other run now; :compare other goes back")
        travel.refresh()
        if is_fresh:
            travel.seek(old.moment.step)


def _told(diagnosis: Diagnosis) -> str:
    """The gravest finding, for the status line."""
    if diagnosis.findings:
        first = diagnosis.findings[0]
        return f"{first.certainty}: {first.text}"
    return "nothing remarkable is known so far"
