"""What an agent is told, and the words in braces that its command may hold."""

from __future__ import annotations

import re
from collections.abc import Mapping

PLACEHOLDERS = (
    "workspace",
    "home",
    "session",
    "language",
    "protocol",
    "prompt",
    "prompt_file",
    "socket",
    "mcp_config",
    "usage_file",
    "turns",
    "seconds",
)
"""Names that stand in braces in a solver's command and prompt, for what differs by session."""

_BRACED = re.compile(r"\{([a-z_]+)\}")

PROMPT = """\
You are to solve programming problems in {language}, by yourself and without questions: nobody
answers. You are in the folder {workspace}. Read AGENTS.md there first; it has the commands, the
rules and a reference card. Then fetch the first problem, solve it, submit your program, and go on
with the next, until you are told that no problem is left. Do not stop before that.
"""
PROMPT_OF_MCP = """\
The tools fetch, run, submit, status and skip of the MCP server esoplay do what the commands in
AGENTS.md do; the session is {session}.
"""


def prompt_for(written: str | None, client: str, values: Mapping[str, str]) -> str:
    """The prompt of a session: what the grid says, else the usual words."""
    usual = PROMPT + (PROMPT_OF_MCP if client == "mcp" else "")
    return filled(usual if written is None else written, values)


def filled(text: str, values: Mapping[str, str]) -> str:
    """``text`` with what the words in braces stand for; other braces stay."""
    return _BRACED.sub(lambda found: values.get(found[1], found[0]), text)


def unknown_placeholder(text: str) -> str | None:
    """The first word in braces that stands for nothing."""
    return next((word for word in _BRACED.findall(text) if word not in PLACEHOLDERS), None)
