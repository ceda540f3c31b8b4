"""The library ``builders`` for solvers: a compiler from a subset of Python to one language.

The library is a folder in the workspace that depends only on Python. It consists of the modules of
``esoplay.codegen`` and the back end of one language under another package name, so that solvers get
the tested code. The library contains no code about any problem.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from esolangs import registry
from esoplay import paths
from esoplay.codegen.back_ends import find_back_end
from esoplay.paths import builder_pages_folder

FOLDER = "builders"
README = f"{FOLDER}/README.md"
VERSION_KEY = "library"
"""The key of the library's digest in ``SessionStarted.versions``."""

_CODEGEN = "esoplay.codegen"
_ROOTS = ("__main__", "source", "emitter", "cpython")
_NAMES = {
    _CODEGEN: FOLDER,
    "esoplay.errors": f"{FOLDER}.failures",
    "esoplay.terminal_text": f"{FOLDER}.terminal_text",
}
_PACKAGE_FOLDERS = {
    "esoplay": Path(paths.__file__).parent,
    "esolangs": Path(registry.__file__).parent,
}
_MATCHES_NOTHING = "(?!)"
_TEMPLATE = Path(__file__).with_name("builders.md")


@lru_cache
def library_files(language: str) -> Mapping[str, str]:
    """Return the library's files by workspace path. Raises UsageError if no back end exists."""
    folder = find_back_end(language).language.replace("-", "_")
    names = {**_NAMES, f"esolangs.{folder}": f"{FOLDER}.{folder}"}
    texts: dict[str, str] = {}
    for module, file in _modules(folder):
        path = _rename_modules(module, names).replace(".", "/")
        path += "/__init__.py" if file.name == "__init__.py" else ".py"
        assert path not in texts, f"two modules map to {path}"
        texts[path] = _rename_modules(_text(file), names)
    for page in ("sources", language):
        text = _text(builder_pages_folder() / f"{page}.md")
        texts[f"{FOLDER}/docs/{page}.md"] = _rename_modules(_rewrite_links(text), names)
    texts[README] = _text(_TEMPLATE).replace("{language}", language).replace("{folder}", folder)
    return MappingProxyType(dict(sorted(texts.items())))


def library_digest(files: Mapping[str, str]) -> str:
    """Return the hexadecimal SHA-256 of the list of files and their digests."""
    listed = {path: _sha256(text.encode()) for path, text in sorted(files.items())}
    return _sha256(json.dumps(listed, separators=(",", ":")).encode())


def select_library(files: Mapping[str, str]) -> Mapping[str, str]:
    """Select the library's entries from a mapping of workspace files."""
    return {path: what for path, what in files.items() if path.startswith(f"{FOLDER}/")}


def compiled_pattern(files: Mapping[str, str]) -> str:
    """Return a pattern for the files in which Python saves the library's compiled modules."""
    patterns = [_MATCHES_NOTHING]
    for path in select_library(files):
        folder, _, name = path.rpartition("/")
        if name.endswith(".py"):
            stem = re.escape(f"{folder}/__pycache__/{name.removesuffix('.py')}")
            patterns.append(stem + r"\.[a-z0-9-]+(\.opt-[12])?\.pyc")
    return "|".join(patterns)


def _modules(folder: str) -> Iterator[tuple[str, Path]]:
    """Yield the library's modules and their files, found by following imports."""
    waiting = [_CODEGEN, *(f"{_CODEGEN}.{name}" for name in _ROOTS), f"{_CODEGEN}.{folder}"]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        file = None if name in seen else _file(name)
        if file is not None:
            seen.add(name)
            yield name, file
            waiting += _imports(file)


def _file(module: str) -> Path | None:
    """Return the file of an esoplay module; None for other modules and names."""
    home, *parts = module.split(".")
    if home not in _PACKAGE_FOLDERS:
        return None
    folder = _PACKAGE_FOLDERS[home].joinpath(*parts)
    files = (folder / "__init__.py", folder.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


def _imports(file: Path) -> Iterator[str]:
    """Return the modules that a file imports, and the imported names that may be modules."""
    for node in ast.walk(ast.parse(_text(file))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names)


def _rename_modules(text: str, names: Mapping[str, str]) -> str:
    """Rename the modules in ``names`` and the folder ``esoplay/codegen`` in a text."""
    pattern = "|".join(re.escape(name) for name in names)
    text = re.sub(rf"(?<![\w.])({pattern})(?!\w)", lambda found: names[found[1]], text)
    return text.replace("esoplay/codegen", FOLDER)


def _rewrite_links(page: str) -> str:
    """Rewrite a page's links to modules so that they are relative to the library's ``docs``."""
    return page.replace("../../esoplay/codegen/", "../")


def _text(file: Path) -> str:
    return file.read_text("utf-8")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
