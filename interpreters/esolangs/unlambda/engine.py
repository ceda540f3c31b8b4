"""The engine in use; see :mod:`esolangs.engines`."""

from __future__ import annotations

from esolangs.engines import load_cores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.unlambda._core import Core
    from esolangs.unlambda._core_tree import Tree

    name: str
else:
    name, (_core, _core_tree) = load_cores(__package__, "_core", "_core_tree")
    Core, Tree = _core.Core, _core_tree.Tree

__all__ = ["Core", "Tree", "name"]
