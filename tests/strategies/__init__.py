"""Hypothesis strategies, one module per language.

Each has ``sources()``, ``options()`` and ``stdins()``: well-formed programs of the language,
values for all its options, and inputs.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


def strategies_of(language_id: str) -> ModuleType:
    """Return the module of a language."""
    return import_module("strategies." + language_id.replace("-", "_"))
