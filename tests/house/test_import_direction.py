"""Each layer imports only itself and the layers below it (docs/architecture.md)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Left to right; a layer may import its own and everything after it.
LAYERS: list[set[str]] = [
    {"esoplay.tui", "esoplay.cli", "esoplay.rpc", "esoplay.dap", "esoplay.web"},
    {"esoplay.api"},
    {"esoplay.task_exports"},
    {"esoplay.evaluation", "esoplay.agents"},
    {"esoplay.benchmark"},
    {"esoplay.learning", "esoplay.batch", "esoplay.progress"},
    {"esoplay.packs"},
    {"esoplay.reporting"},
    {"esoplay.sessions"},
    {"esoplay.debugging"},
    {"esoplay.programs"},
    {"esoplay.grading"},
    {"esoplay.timeline"},
    {"esoplay.running"},
    {"esoplay.codegen"},
    {"esoplay.databases"},
    {
        "esoplay.paths",
        "esoplay.descriptors",
        "esoplay.temporary_folders",
        "esoplay.terminal_text",
        "esoplay.decoding",
        "esoplay.toml_positions",
        "esoplay.color_depth",
    },
    {"esoplay.errors", "esoplay.version"},
    {"esolangs"},
]
# A front end may start another one; each of these is a single late import.
DOORS = {
    ("esoplay", "esoplay.api"),
    ("esoplay.__main__", "esoplay.cli"),
    ("esoplay.cli.commands.play", "esoplay.tui"),
    ("esoplay.cli.commands.debug", "esoplay.tui"),
    ("esoplay.cli.commands.serve", "esoplay.rpc"),
    ("esoplay.cli.commands.dap", "esoplay.dap"),
    ("esoplay.cli.commands.mcp", "esoplay.rpc"),
    ("esoplay.cli.commands.view", "esoplay.tui"),
    ("esoplay.cli.commands.watch", "esoplay.tui"),
    ("esoplay.cli.commands.web", "esoplay.web"),
    ("esoplay.cli.session.exports", "esoplay.tui"),
}


def modules() -> Iterator[tuple[str, Path]]:
    for folder, package in (("esoplay", "esoplay"), ("interpreters/esolangs", "esolangs")):
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            yield ".".join((package, *parts)).removesuffix(".__init__"), path


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def package_of(module: str) -> str | None:
    """The layer's room a module is in."""
    rooms = [room for layer in LAYERS for room in layer]
    return next((r for r in rooms if module == r or module.startswith(f"{r}.")), None)


def layer_of(room: str) -> int:
    return next(at for at, layer in enumerate(LAYERS) if room in layer)


MODULES = dict(modules())


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module: str) -> None:
    room = package_of(module)
    for name in imports(MODULES[module]):
        target = package_of(name)
        if target is None or target == room:
            continue
        if any(module == source and target == to for source, to in DOORS):
            continue
        assert room is not None, f"{module} stands in no layer and imports {name}"
        assert layer_of(room) < layer_of(target), f"{module} must not import {name}"


def test_engines_use_the_standard_library_alone() -> None:
    for module, path in MODULES.items():
        if not module.startswith("esolangs") or module.endswith(".lexer"):
            continue
        for name in imports(path):
            top = name.partition(".")[0]
            assert top in sys.stdlib_module_names | {"esolangs", "cython"}, (module, name)


def test_a_language_imports_no_other() -> None:
    for module, path in MODULES.items():
        if module.count(".") < 2 or not module.startswith("esolangs."):
            continue
        language = module.split(".")[1]
        others = {
            m.split(".")[1] for m in MODULES if m.startswith("esolangs.") and m.count(".") > 1
        }
        for name in imports(path):
            if name.startswith("esolangs.") and name.split(".")[1] in others:
                assert name.split(".")[1] == language, (module, name)


def test_only_the_tui_imports_textual() -> None:
    for module, path in MODULES.items():
        if not module.startswith("esoplay.tui"):
            tops = {name.partition(".")[0] for name in imports(path)}
            assert not tops & {"textual", "rich", "pyte", "watchfiles"}, module


def test_only_the_lexers_import_pygments_among_the_engines() -> None:
    for module, path in MODULES.items():
        if module.startswith("esolangs") and not module.endswith(".lexer"):
            assert not any(name.startswith("pygments") for name in imports(path)), module


def test_modules_have_at_most_800_lines() -> None:
    # Usually 150 to 500 lines. A core is one loop that must stay in one unit, and the thin client
    # is copied as one file.
    large = {
        module: lines
        for module, path in MODULES.items()
        if (lines := path.read_text(encoding="utf-8").count("\n")) > 800
    }
    large.pop("esoplay.thin_client", None)
    assert all(module.rpartition(".")[2].startswith("_core") for module in large), large
