"""Items of data sets, and what is left of an import that was refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

Item = dict[str, Any]
PAIRS = [{"input": "a", "output": "a"}, {"input": " b\n", "output": " b\n"}]
REDACTED = [{"input": "<REDACTED_INPUT>", "output": "<REDACTED_EXPECTED>"}] * 6


def item(id: str = "E02", **changes: Any) -> Item:
    made: Item = {
        "id": id,
        "difficulty": "easy",
        "title": "Echo Line",
        "description": "Print the line.",
        "input_output_examples": PAIRS,
    }
    made |= changes
    return {name: value for name, value in made.items() if value is not None}


def nothing_installed(home: Path) -> bool:
    packs = home / "packs"
    return not packs.is_dir() or {path.name for path in packs.iterdir()} <= {".lock"}
