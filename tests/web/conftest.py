"""These tests need the extra ``web``, which is part of ``dev``."""

from importlib.util import find_spec

if find_spec("textual_serve") is None:
    collect_ignore_glob = ["test_web_*.py"]
else:
    from web_server import serve

    __all__ = ["serve"]
