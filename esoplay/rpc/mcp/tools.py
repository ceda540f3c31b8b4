"""Which tools there are, and whose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from esoplay.rpc.mcp.debugging import DEBUGGING
from esoplay.rpc.mcp.practising import CARD, PRACTISING
from esoplay.rpc.mcp.solving import SOLVING
from esoplay.rpc.mcp.tool import Tool

Role = Literal["solver", "learner"]


def tools_of(role: Role) -> Sequence[Tool]:
    """What a role may use: the session's solver, or somebody who practises without one."""
    return (*(SOLVING if role == "solver" else PRACTISING), CARD, *DEBUGGING)
