"""Tours of the languages: each leads from the page to the debugger."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from esolangs.registry import language_ids
from esoplay.cli.main import build_parser

TOURS = Path(__file__).parents[2] / "docs" / "tours"


@pytest.mark.parametrize("language", sorted(language_ids()))
def test_a_tour_opens_the_debugger_and_runs_programs_in_it(language: str) -> None:
    page = (TOURS / f"{language}.md").read_text()
    on_the_screen = re.findall(r"^esoplay debug (\S+)(.*)", page, re.MULTILINE)
    in_text = re.findall(r"^\$ printf .* debug .* --repl", page, re.MULTILINE)
    assert on_the_screen
    assert any("--play" in options for _, options in on_the_screen)
    for file, options in on_the_screen:
        assert f"> {file}\n" in page  # the page has written it before
        screen = build_parser(["debug"]).parse_args(["debug", file, *shlex.split(options)])
        assert (screen.set, screen.seed, screen.repl) == ([], 0, False)  # refused on the screen
    assert len(in_text) >= 2
    assert "(../debugger.md#keys)" in page
