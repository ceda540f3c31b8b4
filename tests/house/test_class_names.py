"""A class name stands for one thing in the whole project."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import esolangs
import esoplay

ROOTS = [Path(esoplay.__file__).parent, Path(esolangs.__file__).parent]

SHARED = {
    "Core": "each language has one, with the same role: the compiled part of its machine",
    "FarCells": "the cells outside the window, in two engines that are compiled separately",
    "Timeline": "the class of esoplay.api is the public interface of the internal one",
}
"""Names that several classes have, and why they mean one thing."""


def _classes(tree: ast.AST, outer: ast.ClassDef | None = None) -> Iterator[ast.ClassDef]:
    """Yield each class but the messages that a widget defines, such as ``Button.Pressed``."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            bases = [ast.unparse(base) for base in node.bases]
            if outer is None or bases != ["Message"]:
                yield node
            yield from _classes(node, node)
        else:
            yield from _classes(node, outer)


def _places() -> dict[str, list[str]]:
    places: dict[str, list[str]] = defaultdict(list)
    for root in ROOTS:
        for path in sorted(root.rglob("*.py")):
            for node in _classes(ast.parse(path.read_text("utf-8"))):
                places[node.name].append(f"{path.relative_to(root.parent)}:{node.lineno}")
    return places


def test_a_class_name_is_used_once() -> None:
    reused = {name for name, places in _places().items() if len(places) > 1}
    again = {name: _places()[name] for name in sorted(reused - SHARED.keys())}
    assert not again, f"qualify these names, or say in SHARED why they mean one thing: {again}"
    assert not SHARED.keys() - reused, "names in SHARED that are used once"


def test_only_messages_of_widgets_may_share_a_name() -> None:
    source = (
        "class Menu:\n class Chosen(Message): ...\n class Entry: ...\nclass Chosen(Message): ..."
    )
    assert [node.name for node in _classes(ast.parse(source))] == ["Menu", "Entry", "Chosen"]
