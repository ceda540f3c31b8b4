"""The data that the viewer shows, and the inputs with which its programs can be debugged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from esoplay.reporting.viewer import ViewerEntry, ViewerRun


class DebugInput(NamedTuple):
    """An input for debugging a program.

    name: its origin. expected: the output of a test or an example, if known.
    """

    name: str
    data: bytes
    expected: bytes | None = None


class ViewerSource:
    """The data that the viewer shows. Subclasses add inputs for debugging.

    dialect, options: the dialect and the options of all programs.
    """

    def __init__(self, run: ViewerRun, dialect: str, options: Mapping[str, str] | None = None):
        self.run = run
        self.dialect = dialect
        self.options = options

    def inputs(self, entry: ViewerEntry) -> Sequence[DebugInput]:
        """Return the inputs for an entry; raises EsoplayError if they cannot be read."""
        del entry
        return ()
