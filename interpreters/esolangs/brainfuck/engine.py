"""The engine in use: compiled where the extension was built, else the same code as Python.

``ESOPLAY_EXT=off`` in the environment asks for the plain one.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.brainfuck._blocks import Blocks
    from esolangs.brainfuck._core import Core

    name: str

__all__ = ["Blocks", "Core", "name"]

try:
    if os.environ.get("ESOPLAY_EXT") == "off":
        raise ImportError
    from esolangs.brainfuck._blocks_c import Blocks  # pyright: ignore
    from esolangs.brainfuck._core_c import Core  # pyright: ignore

    name = "compiled"
except ImportError:
    from esolangs.brainfuck._blocks import Blocks
    from esolangs.brainfuck._core import Core

    name = "plain"
