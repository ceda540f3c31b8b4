"""Build the prompt of an agent, and replace placeholders in its command and manifest."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

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
"""Placeholders in a solver's command and prompt, for values that differ by session."""
MANIFEST_PLACEHOLDERS = (
    *PLACEHOLDERS,
    "program",
    "model",
    "effort",
    "mcp_words",
    "mcp_program",
    "mcp_arguments",
)
"""Placeholders in a manifest.

mcp_words: command of the MCP server as a JSON list. mcp_program: its program as plain text.
mcp_arguments: its arguments as a JSON list.
"""

_BRACED = re.compile(r"\{([a-z_]+)\}")

PROMPT = """\
Solve programming problems in {language} by yourself. Do not ask questions: no user is present to
answer them. You are in the folder {workspace}. Read AGENTS.md there first; it has the commands, the
rules and a reference card. Then fetch the first problem, solve it, submit your program, and
continue with the next, until no problem is left. Do not stop before that.
"""
MCP_PROMPT = """\
The tools of the MCP server esoplay do what the commands in AGENTS.md do; the session is {session}.
"""


def prompt_for(template: str | None, client: str, values: Mapping[str, str]) -> str:
    """Return the prompt of a session: ``template`` from the grid, or the default prompt."""
    usual = PROMPT + (MCP_PROMPT if client == "mcp" else "")
    return fill_placeholders(usual if template is None else template, values)


def fill_placeholders(text: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders in ``text`` by ``values``; unknown placeholders remain."""
    return _BRACED.sub(lambda found: values.get(found[1], found[0]), text)


def unknown_placeholder(text: str, known: Collection[str] = PLACEHOLDERS) -> str | None:
    """Return the first placeholder in ``text`` that is not in ``known``, or None."""
    return next((word for word in _BRACED.findall(text) if word not in known), None)
