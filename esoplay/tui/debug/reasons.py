"""Keys and commands that ask why: the fault doctor, and another run beside this one."""

from __future__ import annotations

from esolangs.diagnosis import PARSE_ERROR
from esolangs.errors import EngineError, ParseError
from esoplay.debugging.analysis import Comparison, Diagnosis, Finding, compare, diagnose, summary
from esoplay.debugging.debugger import Cancelled, Debugger, Reason, Stop, Ticker
from esoplay.debugging.handlers.history import compared_run
from esoplay.debugging.watches import watches_of
from esoplay.errors import EsoplayError
from esoplay.programs.execution import advice_on
from esoplay.tui.debug.error_text import excerpt_of
from esoplay.tui.debug.heat import HeatControls
from esoplay.tui.debug.pages.list_page import ListPage
from esoplay.tui.debug.target import Driver, Move


class ReasonControls(HeatControls):
    """The pages ``why`` and ``compare``."""

    _stale: tuple[Diagnosis, tuple[str, ...]] | None = None
    """What is wrong with the newest text, while an older one is shown."""
    _asked: Driver | None = None
    """Whom the following are about."""
    _diagnosis: Diagnosis | None = None
    _comparison: Comparison | None = None
    _compared = ""
    _other: Debugger | None = None

    # Showing

    def show_reasons(self) -> None:
        """Show what was found out about the program that is open; forget what is of another."""
        driver = self.navigator.driver
        if driver is not self._asked:
            self._asked = driver
            self._diagnosis = self._comparison = self._other = None
            self._compared = ""
        if self._diagnosis is None and self._stale is not None:
            self.parts.why.show(*self._stale)
        else:
            self.parts.why.show(self._diagnosis)
        self.parts.compare.show(self._comparison, self._compared)

    def tell_fault(self) -> None:
        """A run has come to a fault: say at once what is known, with the keyboard left alone."""
        driver = self.navigator.driver
        if driver is None or self.navigator.mover.busy:
            return
        known = self._diagnosis
        if known is None or known.known != driver.debugger.known:
            self._diagnosis = diagnose(driver.debugger, quick=True)
        self.show_reasons()
        self.parts.open_page("why")

    def tell_parse_error(self, language_id: str, source: bytes, error: ParseError) -> None:
        """What was to be opened is no program: say where, and what to try."""
        advice = advice_on(language_id, PARSE_ERROR, error.message)
        text = f"line {error.line}, column {error.column}: {error.message}"
        finding = Finding(PARSE_ERROR, "observed", text, advice)
        self._stale = Diagnosis((finding,), 0), excerpt_of(source, error)
        self.parts.why.show(*self._stale)
        self.parts.open_page("why")

    # The doctor

    def action_diagnose(self) -> None:
        self.ask_why(None)

    def ask_why(self, bound: int | None) -> None:
        """Have the doctor look at known history and beyond, and show the findings."""
        driver = self.navigator.driver
        if driver is None:
            return
        self.take_count()

        def run(ticker: Ticker | None) -> Stop:
            step = driver.debugger.step
            try:
                self._diagnosis = diagnose(driver.debugger, bound=bound, ticker=ticker)
            except Cancelled:
                return Stop(step, (Reason("cancelled", "cancelled"),))
            return Stop(step, (Reason("step", _told(self._diagnosis)),))

        self.parts.bring_page("why")
        self.navigator.go(Move("looking for reasons", run, slow=True))

    # Another run

    def action_compare(self) -> None:
        self.parts.prompt.ask("command", "compare input ")
        self.parts.hints.display = False

    def compare_with(self, what: str, text: str) -> None:
        """Find where another run parts from this one, and go there."""
        driver = self.navigator.driver
        if driver is None:
            return
        if what == "other":
            self.navigator.when_free(self._swap)
            return

        def run(ticker: Ticker | None) -> Stop:
            debugger = driver.debugger
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

        self.parts.bring_page("compare")
        self.navigator.go(Move("comparing", run, slow=True, tells=True))

    def keep_former(self, run: Debugger) -> None:
        self._other, self._comparison = run, None
        self._compared = "the run before the change"

    def _swap(self) -> None:
        """Debug the other run; this one becomes the other."""
        old, other = self.navigator.driver, self._other
        is_fresh = other is not None and other.known == 0
        if old is None or other is None:
            self.navigator.say("there is no other run yet: D compares with one")
            return
        source, program = other.recording.source, other.program
        watches_of(other).take_over(watches_of(old.debugger).texts)
        driver = Driver(other, old.expected if other.input == old.debugger.input else None)
        parts = self.parts
        parts.program.open(source, program.language.id, program)
        parts.output.select(None)
        parts.input.select(None)
        driver.sight.room = parts.state.room
        driver.columns = parts.timeline.columns
        self.take_source(driver)
        self.navigator.open(driver)
        self._asked, self._other = driver, old.debugger
        self._diagnosis = self._comparison = None
        self._compared = "the run from before"
        self.navigator.say("this is the other run now; :compare other goes back")
        self.navigator.refresh()
        if is_fresh:
            self.navigator.go(driver.seek(old.moment.step))

    # Going there

    def action_jump_output(self) -> None:
        page = self._page_of_reasons()
        if page is None:
            super().action_jump_output()
        elif page.has_focus:
            page.choose()
        else:
            self.go(lambda driver: driver.seek(page.steps[0]))

    def _page_of_reasons(self) -> ListPage | None:
        """The page on the screen that ``o`` is about, instead of the diff and the output."""
        parts = self.parts
        if parts.diff.display or parts.output.has_focus or parts.output.selected is not None:
            return None
        pages = (parts.why, parts.compare)
        return next((page for page in pages if page.display and page.steps), None)


def _told(diagnosis: Diagnosis) -> str:
    """The gravest finding, for the status line."""
    if diagnosis.findings:
        first = diagnosis.findings[0]
        return f"{first.certainty}: {first.text}"
    return "nothing remarkable is known so far"
