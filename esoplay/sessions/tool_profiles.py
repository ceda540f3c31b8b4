"""Tool profiles: which tools a solver may use in a session.

Imports nothing heavy, because command help uses it.
"""

from __future__ import annotations

from typing import Literal, get_args

ToolProfile = Literal["full-access", "interpreter-only", "blind"]
"""The allowed tools: all tools, only session commands, or session commands except local runs."""

TOOL_PROFILES: tuple[ToolProfile, ...] = get_args(ToolProfile)
