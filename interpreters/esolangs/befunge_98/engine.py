"""The engine in use; see :mod:`esolangs.engines`."""

from __future__ import annotations

from esolangs.engines import load_cores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.befunge_98._core import IP, Core

    name: str
else:
    name, (_core,) = load_cores(__package__, "_core")
    Core, IP = _core.Core, _core.IP

__all__ = ["IP", "Core", "name"]
