"""The engine in use: compiled where its extensions were built, else the same code as Python."""

from __future__ import annotations

import os
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Engine:
    """The parts of a language that are compiled where its extensions were built.

    name: ``"compiled"`` or ``"plain"``.  ``ESOPLAY_EXT=off`` in the environment asks for plain.
    """

    name: str

    def __init__(self, beside: str, **parts: str):
        """``parts``: the name of each part, and the module next to ``beside`` that defines it."""
        package = beside.rpartition(".")[0]
        ending = "" if os.environ.get("ESOPLAY_EXT") == "off" else "_c"
        try:
            modules = [import_module(f"{package}.{module}{ending}") for module in parts.values()]
        except ImportError:
            ending = ""
            modules = [import_module(f"{package}.{module}") for module in parts.values()]
        self.name = "compiled" if ending else "plain"
        for part, module in zip(parts, modules, strict=True):
            setattr(self, part, getattr(module, part))

    if TYPE_CHECKING:

        def __getattr__(self, part: str) -> Any: ...
