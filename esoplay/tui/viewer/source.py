"""What the viewer shows, and the inputs that its programs can be debugged with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from esoplay.reporting.viewer import ViewerEntry, ViewerRun


class DebugInput(NamedTuple):
    """An input to debug a program with.  expected: the output it should give, if known."""

    name: str
    data: bytes
    expected: bytes | None


class ViewerSource:
    """What the viewer shows, and the inputs to debug with; subclasses know where they are from.

    dialect: of all programs.
    """

    def __init__(self, run: ViewerRun, dialect: str):
        self.run = run
        self.dialect = dialect

    def inputs(self, entry: ViewerEntry) -> Sequence[DebugInput]:
        """Return the inputs for an entry; raises EsoplayError."""
        del entry
        return ()
