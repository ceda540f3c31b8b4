"""Which of the debugger's keys are about the box that has the keyboard; help names them first."""

from __future__ import annotations

from textual.widget import Widget

_MOVE = ("cursor-down", "cursor-up", "cursor-right", "cursor-left")
_VALUES = (*_MOVE, "write-before", "write-after", "writes", "origin", "base")
_PLACES = ("break", "break-edit", "to-cursor", "to-cursor-back", "partner")
_SEARCH = ("search", "search-next", "search-previous")
_LIST = ("cursor-down", "cursor-up", "choose", "page-next", "page-previous")

_HERE: dict[str, tuple[str, tuple[str, ...]]] = {
    "ProgramView": (
        "the program",
        (*_MOVE, *_PLACES, *_SEARCH, "heat"),
    ),
    "SourceView": (
        "the source",
        ("cursor-down", "cursor-up", *_PLACES[:-1], *_SEARCH, "granularity", "source", "heat"),
    ),
    "VariablesList": (
        "the variables",
        ("cursor-down", "cursor-up", "choose", "write-before", "write-after"),
    ),
    "GridPanel": ("the plane", (*_VALUES, "break", "break-edit", "to-cursor", "heat")),
    "SlotsBox": ("the stack", (*_VALUES, "break", "break-edit")),
    "PanelBox": ("the state", _VALUES),
    "DiffPage": ("the difference", ("printed", "choose", "page-next", "page-previous")),
    "OutputPage": ("the output", (*_MOVE, "printed", "choose", "output-mode", "page-next")),
    "InputPage": ("the input", (*_MOVE, "read", "choose", "page-next")),
    "BreaksPage": ("the breakpoints", (*_LIST, "break-edit")),
    "NotesPage": ("the notebook", (*_LIST, "note")),
    "WatchPage": ("the watches", (*_LIST, "watch", "base")),
    "WhyPage": ("why it ended", (*_LIST, "diagnose", "printed")),
    "ComparePage": ("the comparison", (*_LIST, "compare", "printed")),
    "ListPage": ("the list", _LIST),
}


def keys_here(widget: Widget | None) -> tuple[str, tuple[str, ...]] | None:
    """What people call the widget, and the ids of its keys; None outside of the debugger."""
    for kind in type(widget).__mro__:
        if kind.__name__ in _HERE:
            name, ids = _HERE[kind.__name__]
            return name, tuple(f"debug.{each}" for each in ids)
    return None
