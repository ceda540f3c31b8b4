"""Keys and commands of the watch expressions, and what is kept of a program between runs."""

from __future__ import annotations

from collections.abc import Callable

from textual import on

from esoplay.debugging.autosave import NOTHING, Kept, read_kept, write_kept
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.watches import Watch, Watches, watches_of
from esoplay.errors import EsoplayError
from esoplay.tui.debug.notes import NoteControls
from esoplay.tui.debug.pages.watch_page import WatchPage
from esoplay.tui.debug.target import Driver


class WatchControls(NoteControls):
    """Watches, kept with the breakpoints beside the notes."""

    _rewritten: int | None = None
    """The watch that gets another expression; None for a new one."""
    _kept: Kept | None = None
    """What is in the file of the program that is open, as far as that is known."""
    _keeps_for: Debugger | None = None
    """Whose breakpoints and watches are kept: not those of a run that is only compared with."""

    def action_watch(self) -> None:
        if self.navigator.driver is not None:
            self._ask_for_expression(None)

    def action_watches(self) -> None:
        side = self.parts.side_watches
        if side.display and not self.parts.zoomed:
            side.focus()
        else:
            self.parts.bring_page("watch")
            self.parts.watches.focus()

    def typed_expression(self, text: str) -> None:
        """Watch an expression; what is wrong with it stands in its row."""
        rewritten, self._rewritten = self._rewritten, None
        if not text.strip():
            return

        def take(watches: Watches) -> str:
            if rewritten is not None:
                watches.change(rewritten, text, strictly=False)
                return f"watch {rewritten} changed"
            id = watches.add(text, strictly=False)
            error = watches.error_of(id)
            return f"watch {id}: {error}" if error else f"watch {id} added; U lists them"

        self._with_watches(take, show=True)

    @on(WatchPage.Asked)
    def _watch_asked(self, event: WatchPage.Asked) -> None:
        if event.what == "edit":
            self._ask_for_expression(event.watch)
        else:
            self._delete(event.watch.id)

    def _delete(self, id: int) -> None:
        def delete(watches: Watches) -> str:
            watches.delete(id)
            return f"watch {id} deleted"

        self._with_watches(delete)

    def _ask_for_expression(self, watch: Watch | None) -> None:
        self._rewritten = None if watch is None else watch.id
        self.parts.prompt.ask("watch", "" if watch is None else watch.text)
        self.parts.hints.display = False

    def _with_watches(self, change: Callable[[Watches], str], *, show: bool = False) -> None:
        """Change the watches as soon as nobody else uses the debugger, and say it."""
        driver = self.navigator.driver
        if driver is None:
            return

        def do() -> None:
            try:
                self.navigator.notice = change(watches_of(driver.debugger))
            except EsoplayError as error:
                self.navigator.notice = str(error)
            self.navigator.refresh()
            if show and not self.parts.side_watches.display:
                self.parts.open_page("watch")

        self.navigator.when_free(do)

    # Between runs

    def bring_back(self, driver: Driver, old: Driver | None) -> None:
        """Give a program just opened its watches; breakpoints too, where it is no new version.

        old: the version before this one, whose breakpoints it has already.
        """
        watches = watches_of(driver.debugger)
        self._keeps_for = driver.debugger
        if old is not None:
            watches.take_over(watches_of(old.debugger).texts)
            self._kept = None  # the file of this version may say otherwise
            driver.refresh()
        elif self.notes_folder is not None:
            self._kept = kept = read_kept(driver.debugger.program, self.notes_folder)
            watches.take_over(kept.watches)
            for spec in kept.breakpoints:
                try:
                    driver.breakpoints.put(spec, beside=True)
                except EsoplayError as error:
                    driver.log_line(f"a breakpoint from the last time has lost its place: {error}")
            driver.refresh()

    def keep_what_is_set(self) -> None:
        """Write breakpoints and watches down if they are others than at the last time."""
        driver, folder = self.navigator.driver, self.notes_folder
        if driver is None or folder is None or driver.debugger is not self._keeps_for:
            return
        debugger = driver.debugger
        specs = tuple(each.spec for each in debugger.breakpoints)
        now = Kept(specs, watches_of(debugger).texts)
        if now == self._kept or (self._kept is None and now == NOTHING):
            return
        self._kept = now
        try:
            write_kept(debugger.program, folder, now)
        except EsoplayError as error:
            self.navigator.notice = str(error)
