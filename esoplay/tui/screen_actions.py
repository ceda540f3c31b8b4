"""The actions of the main screen; their keys are in :mod:`esoplay.tui.keys`."""

from __future__ import annotations

from esoplay.tui.keys import Action

ACTIONS = (
    Action("help", "help", "Help", in_footer=True),
    Action("view.toggle", "toggle_work", "Edit/debug", in_footer=True),
    Action("go", "go", "Go", in_footer=True),
    Action("sidebar", "sidebar", "Sidebar", in_footer=True),
    Action("theme.next", "app.next_theme", "Theme"),
    Action("file.external", "external_editor", "$EDITOR"),
    Action("tests.examples", "run_examples", "Examples", in_footer=True),
    Action("tests.submit", "submit", "Submit", in_footer=True),
    Action("file.save", "save", "Save"),
    Action("language", "language", "Language", in_footer=True),
    Action("lesson", "lesson", "Learn", in_footer=True),
    Action("view.previous", "view(-1)", "Previous view"),
    Action("view.next", "view(1)", "Next view"),
    Action("lesson.go", "continue", "Edit the program, or open the next lesson"),
    Action("hint.next", "hint", "Hint"),
    Action("problem.open-next", "next_problem", "Next unsolved problem"),
    Action("redraw", "redraw", "Redraw the screen"),
    Action("jump", "jump", "Jump to a pane"),
    Action("maximise", "maximise", "Maximise / restore the pane"),
    Action("split.left", "move_split(-1, 0)", "Move the border left"),
    Action("split.right", "move_split(1, 0)", "Move the border right"),
    Action("split.up", "move_split(0, -1)", "Move the border up"),
    Action("split.down", "move_split(0, 1)", "Move the border down"),
    Action("split.reset", "reset_splits", "Restore all borders"),
    Action("stop", "stop", "Stop the program"),
)
STOP_TESTS = Action("tests.stop", "stop_tests", "Stop the tests", in_footer=True, priority=True)
