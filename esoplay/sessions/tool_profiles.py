"""Tool profiles of sessions. Imports nothing heavy, because command help uses it."""

from __future__ import annotations

from typing import Literal, get_args

ToolProfile = Literal["full-access", "interpreter-only", "blind"]
"""The allowed tools: anything, only session commands, or these without local runs."""

TOOL_PROFILES: tuple[ToolProfile, ...] = get_args(ToolProfile)
