"""Picks the engine in use: compiled where its extensions were built, else the same code as Python.

``ESOPLAY_EXT=off`` in the environment asks for the plain one.
"""

from __future__ import annotations

import os
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def load_cores(package: str, *names: str) -> tuple[str, list[ModuleType]]:
    """``"compiled"`` or ``"plain"``, and the modules ``names`` of a language's package."""
    if os.environ.get("ESOPLAY_EXT") != "off":
        try:
            return "compiled", [import_module(f"{package}.{name}_c") for name in names]
        except ImportError:
            pass
    return "plain", [import_module(f"{package}.{name}") for name in names]
