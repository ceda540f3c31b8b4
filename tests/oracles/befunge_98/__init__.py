"""A simple interpreter of Befunge-98, with a dictionary of cells and lists for stacks.

Follows the Funge-98 specification and docs/languages/befunge-98.md; shares no code with the
engine.  A step that cannot be executed changes nothing.
"""

from __future__ import annotations

from oracles.befunge_98.ip import IP, Refused
from oracles.befunge_98.oracle import Oracle
from oracles.befunge_98.space import SPACE

__all__ = ["IP", "SPACE", "Oracle", "Refused"]
