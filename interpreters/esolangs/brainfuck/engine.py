"""The engine in use; see :mod:`esolangs.engines`."""

from __future__ import annotations

from esolangs.engines import load_cores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.brainfuck._blocks import Blocks
    from esolangs.brainfuck._core import Core

    name: str
else:
    name, (_blocks, _core) = load_cores(__package__, "_blocks", "_core")
    Blocks, Core = _blocks.Blocks, _core.Core

__all__ = ["Blocks", "Core", "name"]
