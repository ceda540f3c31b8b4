"""Statements: Markdown becomes text with emphasis, listings and lists."""

from __future__ import annotations

import pytest

from esoplay.packs.catalogue import list_problems
from esoplay.tui.browser.statement import render_markdown


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("One line\nand another.", "One line and another."),
        ("**Input.** A `S` and *so* on", "Input. A S and so on"),
        ("First.\n\n# Title\n\nLast.", "First.\n\nTitle\n\nLast."),
        ("```\na [b] c\n\nd\n```", "▏ a [b] c\n▏ \n▏ d"),
        ("- one\n- two\n\nAfter", "• one\n• two\n\nAfter"),
        ("3. one\n4. two", "3. one\n4. two"),
        ("- one\n  - inner\n- two", "• one\n  • inner\n• two"),
        ("|a|b|\n|-|-|\n|`x`|y|\n|long|z|", "a     b\nx     y\nlong  z"),
        ("| | |\n|-|-|\n|a|b|\n\nAfter", "a  b\n\nAfter"),
        (f"|a|b|\n|-|-|\n|c|{'d ' * 20}|", f"a: b\n• c: {'d ' * 20}".rstrip()),
        ("no [markup] here [/]", "no [markup] here [/]"),
        ("", ""),
    ],
)
def test_markdown_is_shown_as_text(markdown: str, text: str) -> None:
    assert render_markdown(markdown).plain == text


def test_emphasis_is_styled() -> None:
    spans = {str(span.style) for span in render_markdown("# T\n\n**b** *i* `c`").spans}
    assert spans == {"bold", "italic", "$code-io"}


def test_statements_are_shown_completely() -> None:
    for problem in list_problems():
        shown = render_markdown(problem.statement).plain
        words = problem.statement.translate(str.maketrans("", "", "`*-#")).split()
        plain = shown.translate(str.maketrans("", "", "`*-#▏•")).split()
        assert plain == words, problem.id
