"""Footer keys of the main screen if no pane declares keys, and checks for unavailable actions."""

from __future__ import annotations

from collections.abc import Callable

from textual.widget import Widget

from esoplay.terminal_text import drop_controls
from esoplay.tui.browser.folder import FolderList
from esoplay.tui.frame import View
from esoplay.tui.keys import FooterKey, FooterKeys, enter_key, escape_key, key_names
from esoplay.tui.score.results import NO_TESTS, WRONG_BYTE_LABEL, ResultList, keys_after_failed_run
from esoplay.tui.workspace import Workspace

TEST_ACTIONS = frozenset({"run_examples", "submit"})
"""Actions that test the program."""


class FallbackKeys:
    """Determines the footer keys if no pane declares any, and which actions are unavailable."""

    def __init__(
        self,
        workspace: Workspace,
        folder_list: FolderList,
        editor: Widget,
        results: ResultList,
        *,
        view: Callable[[], View | None],
        has_next_lesson: Callable[[], bool],
    ) -> None:
        """Store the widgets whose state determines the keys.

        view: returns the focused view, or None on the start page.
        """
        self._workspace = workspace
        self._folder_list = folder_list
        self._editor = editor
        self._results = results
        self._view = view
        self._has_next_lesson = has_next_lesson

    @property
    def no_tests_reason(self) -> str | None:
        """The reason why tests cannot be run, or None.

        In the list of a folder, this is about the program at the cursor, which has tests only if it
        is open.
        """
        workspace, view = self._workspace, self._view()
        if view is None or workspace.buffer is None:
            return NO_TESTS
        if view == "browse" and workspace.browsed_folder is not None:
            chosen = self._folder_list.path or workspace.browsed_folder
            if chosen.resolve() != workspace.buffer.path.resolve():
                return (
                    f"no problem belongs to {drop_controls(chosen.name)}; "
                    "esoplay play FILE --problem ID tests a file"
                )
        return None if workspace.has_tests else NO_TESTS

    def is_unavailable(self, action: str) -> bool:
        """Return whether an action in the footer is unavailable."""
        if action in TEST_ACTIONS:
            return self.no_tests_reason is not None
        return action == "sidebar" and self._view() is None

    def keys(self, focused: Widget | None) -> FooterKeys | None:
        """Return the footer keys of the edit view, or None if it does not need special keys.

        It needs special keys if no widget has the focus, or if the editor has the focus while the
        results contain a failed test.
        """
        if focused is None and self._view() == "edit":
            words = "Next lesson" if self._has_next_lesson() else "Edit"
            return FooterKeys((enter_key(words),), with_other_keys=True)
        results = self._results
        if focused is self._editor and results.display and results.has_failed_test:
            # A letter would be typed in the editor.
            wrong = FooterKey(key_names("results", "results.wrong"), WRONG_BYTE_LABEL)
            return FooterKeys(
                (escape_key(LEAVE_LABEL), wrong, *keys_after_failed_run()), with_other_keys=True
            )
        return None


LEAVE_LABEL = "Leave, then"
