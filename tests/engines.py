"""The engines of each language side by side, so that one process can compare them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from inspect import isclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from selection import slow_except

from esolangs.language import Program
from esolangs.registry import find_language


@cache
def engines(language_id: str) -> dict[str, Any]:
    """Name → engine of a language; the compiled one is there when all its cores were built."""
    package = f"esolangs.{language_id.replace('-', '_')}"
    names = vars(import_module(f"{package}.program").ENGINE)
    folder = Path(str(import_module(package).__file__)).parent
    cores = sorted(path.stem for path in folder.glob("_[a-z]*.py"))
    found: dict[str, Any] = {}
    for name, ending in (("plain", ""), ("compiled", "_c")):
        try:
            modules = [import_module(f"{package}.{core}{ending}") for core in cores]
        except ImportError:
            continue
        parts = {n: getattr(m, n) for m in modules for n in names if hasattr(m, n)}
        found[name] = SimpleNamespace(**{**parts, "name": name})
    return found


def program(
    language_id: str, source: bytes, engine: str, dialect: str = "standard", **options: str | int
) -> Any:
    """A program under the named engine.  Every language's class takes its engine last."""
    language = find_language(language_id)
    module = import_module(f"esolangs.{language_id.replace('-', '_')}.program")
    classes = [
        value
        for value in vars(module).values()
        if isclass(value) and issubclass(value, Program) and value.__module__ == module.__name__
    ]
    chosen = language.configure(dialect, options)
    return classes[0](language, source, chosen, engines(language_id)[engine])


def engine_names(language_id: str) -> list[str]:
    return sorted(engines(language_id))


def one_fast_engine(language_id: str) -> list[Any]:
    """The names as parameters of long tests; `make test` runs the first, the compiled one if built.

    The twins are compared by tests/esolangs/test_twins.py and by the oracles, which run both.
    """
    names = engine_names(language_id)
    return slow_except(names, names[0])
