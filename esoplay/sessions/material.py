"""What a protocol hands out beside the instructions, as files of the workspace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from esoplay.sessions.library import README, library
from esoplay.sessions.protocols import Protocol

STRATEGY = "STRATEGY.md"
_FOLDER = Path(__file__).parent / "strategies"


def material_of(protocol: Protocol, language: str) -> Mapping[str, str]:
    """Path in the workspace to text.  UsageError for a language that there are no builders for."""
    if protocol.material == "none":
        return {}
    files = {STRATEGY: strategy(language)}
    return {**files, **library(language)} if protocol.material == "library" else files


def to_be_read(material: Iterable[str]) -> list[str]:
    """The files that a solver begins with."""
    return [name for name in material if name in (STRATEGY, README)]


def strategy(language: str) -> str:
    """How to go about the problems in a language: what holds for all, and what for this one."""
    parts = (_FOLDER / "general.md", _FOLDER / f"{language}.md")
    return "\n".join(part.read_text("utf-8") for part in parts if part.is_file())
