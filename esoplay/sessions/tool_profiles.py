"""The tool profiles of sessions, without further imports for the help of commands."""

from __future__ import annotations

from typing import Literal, get_args

ToolProfile = Literal["full-access", "interpreter-only", "blind"]
"""What a solver may use: anything; the session's commands alone; those without local runs."""

TOOL_PROFILES: tuple[ToolProfile, ...] = get_args(ToolProfile)
