"""The engine in use; see :mod:`esolangs.engines`."""

from __future__ import annotations

from esolangs.engines import load_cores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.shakespeare._core import Core
    from esolangs.shakespeare._core_tokens import tokens
    from esolangs.shakespeare._parser import Play

    name: str
else:
    name, (_core, _tokens, _parser) = load_cores(__package__, "_core", "_core_tokens", "_parser")
    Core, tokens, Play = _core.Core, _tokens.tokens, _parser.Play

__all__ = ["Core", "Play", "name", "tokens"]
