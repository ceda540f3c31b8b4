"""List or draw the words of the project to review them.

``python tests/wording.py messages|docstrings|identifiers|tests|pages [PATH…]`` lists all of one
kind; ``--sample SEED`` draws 60 messages, 60 docstrings, 60 identifiers and 15 pages at random
instead, for a reader who marks what needs a second reading.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
CODE = ("esoplay", "interpreters")
DRAWN = {"messages": 60, "docstrings": 60, "identifiers": 60, "pages": 15}
SHOWN_PLACEHOLDER = 40
"""Characters: a longer expression is shown as ``{…}``."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Entry(NamedTuple):
    """A text of the project and where it is.  Lines count from 1."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.text}"


def _modules(folders: tuple[str, ...]) -> Iterator[tuple[Path, ast.Module]]:
    for path in _listed([f"{folder}/*.py" for folder in folders]):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def _listed(patterns: list[str]) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / each for each in listed.stdout.splitlines()]


def _docstring(node: ast.AST) -> ast.Constant | None:
    match node:
        case ast.Expr(value=ast.Constant(value=str()) as constant):
            return constant
        case _:
            return None


def _placeholder(node: ast.expr) -> str:
    """How an inserted value is shown: what it is named, or both texts that it may be."""
    match node:
        case ast.Constant(value=str() as value):
            return value
        case ast.IfExp(body=body, orelse=orelse) if _is_text(body) or _is_text(orelse):
            return f"{{{_placeholder(body)} | {_placeholder(orelse)}}}"
        case _ if _is_text(node):
            return _words_of(node)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return f"{{{name}}}"
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=" "), attr="join")):
            return "{words}"
        case _:
            text = ast.unparse(node)
            return f"{{{text}}}" if len(text) <= SHOWN_PLACEHOLDER else "{…}"


def _is_text(node: ast.expr) -> bool:
    """Whether an expression is written as text, with or without inserted values."""
    match node:
        case ast.JoinedStr() | ast.Constant(value=str()):
            return True
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_text(left) or _is_text(right)
        case _:
            return False


def _words_of(node: ast.expr) -> str:
    """The whole text: joined parts, with ``{name}`` where a value is inserted."""
    match node:
        case ast.JoinedStr(values=values):
            return "".join(map(_words_of, values))
        case ast.FormattedValue(value=value):
            return _placeholder(value)
        case ast.BinOp(left=left, right=right):
            return _placeholder(left) + _placeholder(right)
        case _:
            return _placeholder(node)


def _texts(node: ast.AST) -> Iterator[ast.expr]:
    """The longest texts in a tree.  A text inside an inserted value is a part of the longer one."""
    if isinstance(node, ast.expr) and _is_text(node):
        yield node
        return
    for child in ast.iter_child_nodes(node):
        if not _docstring(child):
            yield from _texts(child)


def messages() -> Iterator[Entry]:
    """Texts with at least two words; labels of one word are left out."""
    for path, module in _modules(CODE):
        for node in _texts(module):
            text = _words_of(node)
            if re.search(r"[A-Za-z]{2,}[,;:.!?]? (?:\S+ )*[A-Za-z]{2,}", text):
                yield Entry(path, node.lineno, repr(text))


def docstrings() -> Iterator[Entry]:
    """The first paragraph of each docstring, with the definition that it describes."""
    for path, module in _modules(CODE):
        for node in ast.walk(module):
            if not isinstance(node, ast.Module | ast.ClassDef | Function):
                continue
            before: ast.stmt | None = None
            for statement in node.body:
                if constant := _docstring(statement):
                    about = ast.unparse(before).splitlines()[0][:60] if before else _title(node)
                    summary = " ".join(str(constant.value).split("\n\n")[0].split())
                    yield Entry(path, statement.lineno, f"{about}: {summary}")
                before = statement


def _title(node: ast.AST) -> str:
    match node:
        case ast.ClassDef(name=name):
            return f"class {name}"
        case ast.FunctionDef(name=name, args=args) | ast.AsyncFunctionDef(name=name, args=args):
            parameters = (*args.posonlyargs, *args.args, *args.kwonlyargs)
            return f"{name}({', '.join(each.arg for each in parameters)})"
        case _:
            return "module"


def identifiers() -> Iterator[Entry]:
    """Modules, classes, functions, parameters and fields; each name of a module once."""
    for path, module in _modules(CODE):
        if path.stem != "__init__":
            yield Entry(path, 1, f"module {path.stem}")
        seen: set[str] = set()
        for node in ast.walk(module):
            for kind, name, line in _names(node):
                if name not in seen and not re.fullmatch(r"__\w+__|self|cls|_", name):
                    seen.add(name)
                    yield Entry(path, line, f"{kind} {name}")


def _names(node: ast.AST) -> Iterator[tuple[str, str, int]]:
    match node:
        case ast.ClassDef(name=name):
            yield "class", name, node.lineno
            for statement in node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    yield f"field {name}.", statement.target.id, statement.lineno
        case ast.FunctionDef(name=name, args=args) | ast.AsyncFunctionDef(name=name, args=args):
            yield "function", _title(node), node.lineno
            for each in (*args.posonlyargs, *args.args, *args.kwonlyargs):
                yield f"parameter of {name}:", each.arg, each.lineno
        case _:
            pass


def tests() -> Iterator[Entry]:
    """The names of tests."""
    for path, module in _modules(("tests",)):
        for node in ast.walk(module):
            if isinstance(node, Function) and node.name.startswith("test_"):
                yield Entry(path, node.lineno, node.name)


def pages() -> Iterator[Entry]:
    """Pages, with their number of words."""
    for path in _listed(["*.md", "esoplay/learning/*.toml"]):
        words = len(path.read_text(encoding="utf-8").split())
        if words > 60 and "frozen" not in path.parts:
            yield Entry(path, 1, f"{words} words")


KINDS: dict[str, Callable[[], Iterator[Entry]]] = {
    "messages": messages,
    "docstrings": docstrings,
    "identifiers": identifiers,
    "tests": tests,
    "pages": pages,
}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", nargs="?", choices=KINDS)
    parser.add_argument("paths", nargs="*", type=Path, help="only in these files and folders")
    parser.add_argument("--sample", type=int, metavar="SEED", help="draw at random")
    options = parser.parse_args(arguments)
    if (options.kind is None) == (options.sample is None):
        parser.error("expected a kind, or --sample SEED")
    if options.sample is not None:
        draw = random.Random(options.sample)
        for kind, count in DRAWN.items():
            print(f"\n== {kind}")
            for entry in draw.sample(list(KINDS[kind]()), count):
                print(entry)
        return 0
    chosen = [path.resolve() for path in options.paths]
    for entry in KINDS[options.kind]():
        if not chosen or any(entry.path.is_relative_to(path) for path in chosen):
            print(entry)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
