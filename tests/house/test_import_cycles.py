"""No import cycle and no tall class tree in ``esoplay`` and ``esolangs``.

Every import statement counts, also one inside a function or for types alone: a cycle of those
loads, but its modules can only be read together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"esoplay": ROOT / "esoplay", "esolangs": ROOT / "interpreters" / "esolangs"}
MAX_ANCESTORS = 3


@dataclass(frozen=True)
class Module:
    """A parsed module.  package: whether it is the ``__init__`` of a package."""

    name: str
    package: bool
    tree: ast.Module


Tree = Mapping[str, Module]


def read_tree(packages: Mapping[str, Path]) -> dict[str, Module]:
    """Every module below the folders of ``packages``, by its dotted name."""
    modules: dict[str, Module] = {}
    for package, folder in packages.items():
        for path in sorted(folder.rglob("*.py")):
            parts = [package, *path.relative_to(folder).with_suffix("").parts]
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            modules[name] = Module(name, is_package, ast.parse(path.read_bytes()))
    return modules


@cache
def product() -> Tree:
    return read_tree(PACKAGES)


# Imports.


def source_of(module: Module, statement: ast.ImportFrom) -> str:
    """The absolute name after ``from``."""
    if not statement.level:
        return statement.module or ""
    parts = module.name.split(".")
    parts = parts[: len(parts) - statement.level + module.package]
    return ".".join([*parts, statement.module] if statement.module else parts)


def imported(tree: Tree, module: Module) -> set[str]:
    """The modules of ``tree`` that ``module`` imports anywhere in its text.

    ``import a.b.c`` is an import of ``a.b.c`` alone.  ``from a.b import c`` is one of ``a.b.c``
    where that is a module, and else of ``a.b``.
    """
    found: set[str] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = source_of(module, node)
            for alias in node.names:
                name = f"{source}.{alias.name}"
                found.add(name if name in tree else source)
    return {name for name in found if name in tree and name != module.name}


def cycles(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The strongly connected components of more than one node, the largest first (Tarjan)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: dict[str, None] = {}
    found: list[list[str]] = []

    for root in graph:
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        path[root] = None
        work = [(root, iter(graph[root]))]
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in number:
                    number[target] = lowest[target] = len(number)
                    path[target] = None
                    work.append((target, iter(graph[target])))
                    break
                if target in path:
                    lowest[node] = min(lowest[node], number[target])
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    component: list[str] = []
                    while node not in component:
                        component.append(path.popitem()[0])
                    found.append(sorted(component))
    return sorted((each for each in found if len(each) > 1), key=lambda each: (-len(each), each))


# Classes.


Class = tuple[str, str]
"""Its module and its name in there; a nested class is ``Outer.Inner``."""


class Classes:
    """The classes of a tree, and what each inherits from among them."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._names = {name: dict(_bindings(tree, module)) for name, module in tree.items()}
        self.bases: dict[Class, list[Class]] = {}
        found = [(m.name, "", m.tree.body) for m in tree.values()]
        nodes: list[tuple[str, str, ast.ClassDef]] = []
        while found:
            module, outer, body = found.pop()
            for node in _statements(body):
                if isinstance(node, ast.ClassDef):
                    nodes.append((module, outer + node.name, node))
                    found.append((module, f"{outer}{node.name}.", node.body))
                elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    found.append((module, f"{outer}{node.name}.", node.body))
        known = {(module, name) for module, name, _ in nodes}
        for module, name, node in nodes:
            scopes = name.split(".")[:-1]
            targets = (self._resolve(module, scopes, base, known) for base in node.bases)
            self.bases[module, name] = [target for target in targets if target]

    def ancestors(self, name: Class) -> set[Class]:
        found: set[Class] = set()
        ahead = list(self.bases.get(name, ()))
        while ahead:
            base = ahead.pop()
            if base not in found:
                found.add(base)
                ahead += self.bases.get(base, ())
        return found

    def _resolve(
        self, module: str, scopes: list[str], base: ast.expr, known: set[Class]
    ) -> Class | None:
        """The class that the expression ``base`` names; None for one of another library."""
        if isinstance(base, ast.Subscript):  # Base[int]
            base = base.value
        parts: list[str] = []
        while isinstance(base, ast.Attribute):
            parts.insert(0, base.attr)
            base = base.value
        if not isinstance(base, ast.Name):
            return None
        parts.insert(0, base.id)
        for depth in range(len(scopes), -1, -1):
            inner = module, ".".join(scopes[:depth] + parts)
            if inner in known:
                return inner
        return self._follow(module, parts, known)

    def _follow(self, module: str, parts: list[str], known: set[Class]) -> Class | None:
        """The class ``parts`` of a module, through as many imports as it takes."""
        seen: set[tuple[str, str]] = set()
        while (module, ".".join(parts)) not in seen:
            seen.add((module, ".".join(parts)))
            if (module, ".".join(parts)) in known:
                return module, ".".join(parts)
            path = ".".join([module, parts[0]])
            if parts[0] in self._names.get(module, {}):
                path = self._names[module][parts[0]]
            path = ".".join([path, *parts[1:]])
            names = path.split(".")
            at = next((n for n in range(len(names), 0, -1) if ".".join(names[:n]) in self._tree), 0)
            if not at or at == len(names):
                return None
            module, parts = ".".join(names[:at]), names[at:]
        return None


def _bindings(tree: Tree, module: Module) -> Iterator[tuple[str, str]]:
    """Each name that an import statement binds in a module, with the dotted path it stands for."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{source_of(module, node)}.{alias.name}"


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a block, and of the blocks that if, try, with and loops put inside it."""
    for node in body:
        yield node
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _statements(n for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt))
            for handler in getattr(node, "handlers", ()):
                yield from _statements(handler.body)


# The tests.


def test_no_import_cycle() -> None:
    tree = product()
    found = cycles({name: sorted(imported(tree, module)) for name, module in tree.items()})
    assert not found, "\n".join(
        f"{len(cycle)} modules import each other: {' '.join(cycle)}" for cycle in found
    )


def test_at_most_three_ancestors() -> None:
    classes = Classes(product())
    ancestors = {each: classes.ancestors(each) for each in classes.bases}
    tall = {each: above for each, above in ancestors.items() if len(above) > MAX_ANCESTORS}
    assert not tall, "\n".join(
        f"{module}.{name} has {len(above)} ancestors: {', '.join(sorted(n for _, n in above))}"
        for (module, name), above in tall.items()
    )


# The tests' own tools.


def make(tmp_path: Path, **files: str) -> Tree:
    """A package ``p`` of these modules; ``a__b`` is ``a/b.py``, ``a__`` is ``a/__init__.py``."""
    for name, text in {"__init__": "", **files}.items():
        path = tmp_path / (name.replace("__", "/") if name != "__init__" else name)
        path = path / "__init__" if name.endswith("__") and name != "__init__" else path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".py").write_text(text)
    return read_tree({"p": tmp_path})


def test_an_import_leads_to_the_module_that_it_names(tmp_path: Path) -> None:
    tree = make(
        tmp_path,
        a__="value = 1",
        a__b="from . import c\nfrom .c import x\nfrom .. import d\nfrom p import nothing",
        a__c="import p.a.b\nimport os",
        d="from p import a\nfrom p.a import value, b",
    )
    found = {name: imported(tree, module) for name, module in tree.items()}
    assert found == {
        "p": set(),
        "p.a": set(),
        "p.a.b": {"p.a.c", "p.d", "p"},
        "p.a.c": {"p.a.b"},
        "p.d": {"p.a", "p.a.b"},
    }


@pytest.mark.parametrize(
    "text",
    [
        "from p.b import x",
        "def f():\n    import p.b",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.b import x",
    ],
)
def test_every_kind_of_import_makes_a_cycle(text: str, tmp_path: Path) -> None:
    tree = make(tmp_path, a=text, b="import p.c", c="from p import a", d="import p.a")
    found = cycles({name: imported(tree, module) for name, module in tree.items()})
    assert found == [["p.a", "p.b", "p.c"]]


def test_cycles_without_a_common_module_are_listed_separately() -> None:
    graph = {"a": "b", "b": "ac", "c": "d", "d": "efd", "e": "c", "f": ""}
    assert cycles(graph) == [["c", "d", "e"], ["a", "b"]]


def test_bases_are_found_through_imports(tmp_path: Path) -> None:
    tree = make(
        tmp_path,
        a="class Base: ...\nclass Same: ...",
        b="from p.a import Base as Root\nclass Base(Root[int]):\n    class Inner(Root): ...",
        c="import p.b\nfrom p import a, b as other\n"
        "class Same(p.b.Base): ...\n"
        "class Two(Same, a.Same, Exception): ...\n"
        "class Three(other.Base.Inner): ...",
        d="from p.c import Two\ndef f():\n    class Base(Two): ...\n    class Over(Base): ...",
    )
    classes = Classes(tree)
    names = {
        ".".join(each): sorted(".".join(above) for above in classes.ancestors(each))
        for each in classes.bases
    }
    assert names == {
        "p.a.Base": [],
        "p.a.Same": [],
        "p.b.Base": ["p.a.Base"],
        "p.b.Base.Inner": ["p.a.Base"],
        "p.c.Same": ["p.a.Base", "p.b.Base"],
        "p.c.Two": ["p.a.Base", "p.a.Same", "p.b.Base", "p.c.Same"],
        "p.c.Three": ["p.a.Base", "p.b.Base.Inner"],
        "p.d.f.Base": ["p.a.Base", "p.a.Same", "p.b.Base", "p.c.Same", "p.c.Two"],
        "p.d.f.Over": ["p.a.Base", "p.a.Same", "p.b.Base", "p.c.Same", "p.c.Two", "p.d.f.Base"],
    }
