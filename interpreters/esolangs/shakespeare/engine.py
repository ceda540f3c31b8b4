"""The engine in use; see :mod:`esolangs.engines`."""

from __future__ import annotations

from esolangs.engines import load_cores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.shakespeare._core import Core
    from esolangs.shakespeare._core_tokens import tokens
    from esolangs.shakespeare._parser import Play
    from esolangs.shakespeare._sentences import Sentences

    name: str
else:
    _NAMES = "_core", "_core_tokens", "_parser", "_sentences"
    name, (_core, _tokens, _parser, _sentences) = load_cores(__package__, *_NAMES)
    Core, tokens = _core.Core, _tokens.tokens
    Play, Sentences = _parser.Play, _sentences.Sentences

__all__ = ["Core", "Play", "Sentences", "name", "tokens"]
