"""What a protocol hands out beside the instructions, as files of the workspace."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from esoplay.errors import UsageError
from esoplay.sessions.protocols import Protocol

STRATEGY = "STRATEGY.md"
_FOLDER = Path(__file__).parent / "strategies"


def material_of(protocol: Protocol, language: str) -> Mapping[str, str]:
    """Path in the workspace to text.  UsageError for material that this version has none of."""
    if protocol.material == "library":
        raise UsageError(
            f"protocol {protocol.id} hands out the builders' library, and this version of esoplay "
            "has no builders; protocol text hands out the strategy text alone"
        )
    return {STRATEGY: strategy(language)} if protocol.material == "text" else {}


def strategy(language: str) -> str:
    """How to go about the problems in a language: what holds for all, and what for this one."""
    parts = (_FOLDER / "general.md", _FOLDER / f"{language}.md")
    return "\n".join(part.read_text("utf-8") for part in parts if part.is_file())
