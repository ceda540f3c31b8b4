"""What the viewer shows, and the inputs that its programs can be debugged with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from esoplay.reporting.viewer import ViewerEntry, ViewerRun


class DebugInput(NamedTuple):
    """An input to debug a program with.

    name: where it is from. expected: the output of a test or an example, if known.
    """

    name: str
    data: bytes
    expected: bytes | None = None


class ViewerSource:
    """What the viewer shows, and the inputs to debug with; subclasses know where they are from.

    dialect, options: of all programs.
    """

    def __init__(self, run: ViewerRun, dialect: str, options: Mapping[str, str] | None = None):
        self.run = run
        self.dialect = dialect
        self.options = options

    def inputs(self, entry: ViewerEntry) -> Sequence[DebugInput]:
        """Return the inputs for an entry; raises EsoplayError if they cannot be read."""
        del entry
        return ()
