"""Docstrings explain parameters and attributes by their current names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import esolangs
import esoplay

ROOTS = [Path(esoplay.__file__).parent, Path(esolangs.__file__).parent]
DOCSTRING = re.compile(r'"""(.*?)"""', re.DOTALL)
EXPLAINED = re.compile(r"``([a-z_]{2,})``:")
"""A name in double backquotes before a colon: the form that explains a parameter."""
LISTED = re.compile(r"(?:^|\.\s+)((?:[a-z_]+,\s)*[a-z_]{2,}):\s")
"""Names before a colon at the start of a sentence: the form that explains fields in a list."""
ELSEWHERE = {"mid": "a name of a width, which is made of text"}
"""Names that are not in the code of the module, and what they are."""


def _unknown_names(source: str) -> Iterator[str]:
    """Yield names that a docstring explains and that the code of the module does not contain."""
    explained = {name for text in DOCSTRING.findall(source) for name in EXPLAINED.findall(text)}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for listed in LISTED.findall(ast.get_docstring(node) or ""):
                explained.update(re.split(r",\s", listed))
    if explained:
        yield from sorted(explained - set(re.findall(r"\w+", DOCSTRING.sub("", source))))


def test_explained_names_exist() -> None:
    found = [
        f"{path.relative_to(root.parent)}: {name}"
        for root in ROOTS
        for path in sorted(root.rglob("*.py"))
        for name in _unknown_names(path.read_text("utf-8"))
        if name not in ELSEWHERE and path.name != "__init__.py"  # which lists its modules
    ]
    assert not found, "\n".join(found)


def test_a_renamed_parameter_is_found() -> None:
    source = 'def find(pattern):\n    """Find text. ``wanted``: what to find. ``pattern``: it."""'
    assert list(_unknown_names(source)) == ["wanted"]


def test_a_renamed_field_is_found() -> None:
    source = (
        'class Match:\n    """A match. wanted: what to find. start, end: places."""\n    start: int'
    )
    assert list(_unknown_names(source)) == ["end", "wanted"]
