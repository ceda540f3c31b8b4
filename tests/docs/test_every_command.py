"""Every command on a page is executed, or says why it is not; and every one exists."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import cast

import pytest
from blocks import PAGES, blocks, name_of, prose
from shell import ROOT

from esoplay.cli.main import build_parser, command_names

EXECUTED = {
    "console": "tests/docs/test_console_blocks.py",
    "repl": "tests/repl/test_repl_docs.py",
    "jsonrpc": "tests/rpc/test_rpc_docs.py",
}
SHOWN = {"text", "{toctree}", "{include}"}
"""Kinds of blocks that are neither commands nor examples to copy."""
GENERATED = {
    f"docs/codegen/{name}.md": f"tests/codegen/test_codegen_{name.replace('-', '_')}.py"
    for name in ("befunge-98", "brainfuck", "shakespeare", "unlambda", "whitespace")
}
GENERATED["docs/codegen/sources.md"] = "tests/codegen/test_codegen_command.py"
"""Pages that travel to solvers as they are, so that they hold no word about our tests."""

NOTE = re.compile(r"tested by (?P<test>tests/\S+\.py)|not run: (?P<reason>.{10,})")
INDENTED = re.compile(r"\n\n {4,}\S")
LIST = re.compile(r"\n(?:[-*]|\d+\.) [^\n]*(?:\n {2,}[^\n]*|\n)*\Z")
COMMAND = re.compile(r"`(?:[A-Z_]+=\S+ )*esoplay ([^`]+)`")
CHAINED = re.compile(r"[|&;<>]|&&|#")
PLACEHOLDER = re.compile(r"[A-Z][A-Z_.]*|…|\.\.\.|\[.*|.*\]")


def test_blocks_that_are_not_executed_say_why() -> None:
    for page in PAGES:
        for block in blocks(page):
            kind = block.kind.partition(" ")[0].partition("}")[0]
            kind += "}" if block.kind.startswith("{") else ""
            if kind in EXECUTED or kind in SHOWN or block.page in GENERATED:
                continue
            note = NOTE.fullmatch(block.note)
            assert note, f"{block}: a block {block.kind!r} has no test and does not say why"
            for test in re.findall(r"tests/\S+\.py", block.note):
                assert (ROOT / test).is_file(), f"{block}: there is no {test}"
            if note["test"]:
                text = (ROOT / note["test"]).read_text("utf-8")
                assert Path(block.page).name in text, f"{block}: {note['test']} does not read it"


def test_the_pages_with_executed_blocks_are_listed() -> None:
    for kind, test in EXECUTED.items():
        pages = {block.page for page in PAGES for block in blocks(page) if block.kind == kind}
        assert pages
        text = (ROOT / test).read_text("utf-8")
        if kind != "console":  # of which the test reads all pages
            assert {Path(page).name for page in pages if Path(page).name not in text} == set()
    for page, test in GENERATED.items():
        assert (ROOT / page).is_file()
        assert Path(page).name in (ROOT / test).read_text("utf-8")


def test_indented_blocks_contain_no_commands() -> None:
    for page in PAGES:
        text = prose(page)
        for found in INDENTED.finditer(text):
            before = text[: found.start()]
            assert LIST.search(before), f"{name_of(page)}: indented: {text[found.end() - 1 :][:60]}"


def children(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parsers of the commands below this one."""
    found: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        choices = cast("object", action.choices)
        if isinstance(choices, dict):  # of a positional they are a tuple
            found |= cast("dict[str, argparse.ArgumentParser]", choices)
    return found


@cache
def parser_of(command: str) -> argparse.ArgumentParser:
    return children(build_parser([command]))[command]


def options_of(parser: argparse.ArgumentParser) -> set[str]:
    """All that this parser takes and those below it."""
    own = {option for action in parser._actions for option in action.option_strings}
    return own.union(*map(options_of, children(parser).values()))


def commands_on(page: Path) -> Iterator[tuple[str, str]]:
    """(where, arguments) of each command of ours on a page that nothing executes."""
    for text in COMMAND.findall(prose(page)):
        yield name_of(page), text
    for block in blocks(page):
        if block.kind == "sh":
            for line in block.text.replace("\\\n", " ").splitlines():
                for piece in CHAINED.split(line):
                    if piece.strip().startswith("esoplay "):
                        yield str(block), piece.strip().removeprefix("esoplay ")


def words_of(text: str) -> list[str]:
    try:
        return shlex.split(CHAINED.split(text)[0])
    except ValueError:  # a quotation that contains a pipe
        return text.split()


@pytest.mark.parametrize("page", [page for page in PAGES if any(commands_on(page))], ids=name_of)
def test_every_command_that_is_named_exists(page: Path) -> None:
    for where, text in commands_on(page):
        words = words_of(text)
        if not words or PLACEHOLDER.fullmatch(words[0]):
            continue
        if words[0] == "--version":
            continue
        assert words[0] in command_names(), f"{where}: esoplay {text}"
        parser = parser_of(words[0])
        for word in words[1:]:
            below = children(parser)
            if below and re.fullmatch("[a-z][a-z-]*", word):
                assert word in below, f"{where}: {word} of esoplay {text}"
                parser = below[word]
            elif word.strip("[]").startswith("-") and len(word) > 1:
                option = word.strip("[]").partition("=")[0].rstrip("…,.")
                assert option in options_of(parser), f"{where}: {option} of esoplay {text}"
