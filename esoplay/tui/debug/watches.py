"""The watch expressions of the program that is open, and what is saved of it between runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from esoplay.debugging.autosave import NOTHING, Kept, read_kept, write_kept
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.watches import Watch, watches_of
from esoplay.errors import EsoplayError
from esoplay.tui.debug.pages.watch_page import WatchPage
from esoplay.tui.debug.prompt import Ask
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.time_travel import TimeTravel


class WatchExpressions:
    """Adds, changes and deletes watches, and shows them."""

    def __init__(
        self,
        time: TimeTravel,
        pages: tuple[WatchPage, WatchPage],
        ask: Ask,
        open_page: Callable[[str], None],
    ) -> None:
        """``pages``: the one with a tab, and the list at the side."""
        self._time = time
        self._pages = pages
        self._ask = ask
        self._open_page = open_page
        self._rewritten: int | None = None
        """The watch that gets another expression; None for a new one."""

    def cycle_base(self) -> None:
        """Write the values in the next number base."""
        for page in self._pages:
            page.cycle_base()

    def ask_for_expression(self, watch: Watch | None = None) -> None:
        """Let an expression be typed; None for a new watch."""
        if self._time.target is not None:
            self._rewritten = None if watch is None else watch.id
            self._ask("watch", "" if watch is None else watch.text)

    def typed(self, text: str) -> None:
        """Watch an expression; what is wrong with it stands in its row."""
        rewritten, self._rewritten = self._rewritten, None
        if not text.strip() or self._time.target is None:
            return

        def add(target: DebugTarget) -> str:
            watches = watches_of(target.debugger)
            if rewritten is not None:
                watches.change(rewritten, text, strictly=False)
                return f"watch {rewritten} changed"
            id = watches.add(text, strictly=False)
            error = watches.error_of(id)
            return f"watch {id}: {error}" if error else f"watch {id} added; U lists them"

        self._time.change(add)
        self._time.when_free(self._show_page)

    def _show_page(self) -> None:
        if not self._pages[1].display:
            self._open_page("watch")

    def asked(self, watch: Watch, what: Literal["edit", "delete"]) -> None:
        """Do what was asked for in the list."""
        if what == "edit":
            self.ask_for_expression(watch)
            return

        def delete(target: DebugTarget) -> str:
            watches_of(target.debugger).delete(watch.id)
            return f"watch {watch.id} deleted"

        self._time.change(delete)


class SavedState:
    """Breakpoints and watches of a program, saved beside its notes for the next run."""

    def __init__(self, time: TimeTravel, folder: Callable[[], Path | None]) -> None:
        self._time = time
        self._folder = folder
        self._saved: Kept | None = None
        """What is in the file of the program that is open, as far as that is known."""
        self._saves_for: Debugger | None = None
        """Whose state is saved: not that of a run that is only compared with."""

    def restore(self, target: DebugTarget, old: DebugTarget | None) -> None:
        """Give a program just opened its watches; breakpoints too, where it is no new version.

        old: the version before this one, whose breakpoints it has already.
        """
        watches, folder = watches_of(target.debugger), self._folder()
        self._saves_for = target.debugger
        if old is not None:
            watches.take_over(watches_of(old.debugger).texts)
            self._saved = None  # the file of this version may say otherwise
            target.refresh()
        elif folder is not None:
            self._saved = saved = read_kept(target.debugger.program, folder)
            watches.take_over(saved.watches)
            for spec in saved.breakpoints:
                try:
                    target.breakpoints.put(spec, beside=True)
                except EsoplayError as error:
                    target.log_line(f"a breakpoint from the last time has lost its place: {error}")
            target.refresh()

    def save(self) -> None:
        """Write breakpoints and watches if they are others than at the last time."""
        target, folder = self._time.target, self._folder()
        if target is None or folder is None or target.debugger is not self._saves_for:
            return
        debugger = target.debugger
        specs = tuple(each.spec for each in debugger.breakpoints)
        now = Kept(specs, watches_of(debugger).texts)
        if now == self._saved or (self._saved is None and now == NOTHING):
            return
        self._saved = now
        try:
            write_kept(debugger.program, folder, now)
        except EsoplayError as error:
            self._time.notice = str(error)
