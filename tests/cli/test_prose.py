"""Markdown as plain text: nothing that is said is lost, and nothing that only looks stays."""

from __future__ import annotations

import re

import pytest

from esolangs.registry import find_language, language_ids
from esoplay.cli.prose import plain_lines, plain_phrase
from esoplay.learning.lessons import get_course
from esoplay.packs.catalogue import get_pack

SAID = """\
# Cells

A **cell** is *here*; `+` adds one, `'` and `.` do
other things.

- `a` first
- second, which goes on and
  on

2. two

```
``XZ
  kept
```

| sign | what it does |
|-|-|
| `+` `-` | add; take away `1` |
| `STS` n | copy |
"""
TOLD = """\
Cells

A cell is here; '+' adds one,
"'" and '.' do other things.

- 'a' first
- second, which goes on and on

2. two

    ``XZ
      kept

sign   what it does
+ -    add; take away '1'
STS n  copy"""


def test_each_kind_of_block_is_rendered_as_plain_text() -> None:
    assert plain_lines(SAID, 32) == TOLD.split("\n")


def test_a_wide_table_on_a_narrow_terminal_shows_row_after_row() -> None:
    table = "| what one wants | how |\n|-|-|\n| the last letter | `x` and then some |\n"
    assert plain_lines(table, 24)[-2:] == ["the last letter", "    'x' and then some"]


def test_a_phrase_is_rendered_on_one_line() -> None:
    assert plain_phrase("Press `l` until\n**cell 0** holds 2.") == "Press 'l' until cell 0 holds 2."


@pytest.mark.parametrize("language_id", language_ids())
def test_texts_of_lessons_and_cards_lose_no_word(language_id: str) -> None:
    card = find_language(language_id).card("standard")
    texts = [re.sub(r"^```\w+$", "```", card, flags=re.MULTILINE)]  # the language is not said
    for lesson in get_course(language_id):
        texts += [lesson.text, lesson.task.say, lesson.task.done_text, *lesson.task.hints]
    for text in texts:
        told = "\n".join(plain_lines(text, 79))
        assert re.findall(r"[a-z]+", told) == re.findall(r"[a-z]+", text)
        assert "**" not in re.sub(r"'[^'\n]*'|^    .*$", "", told, flags=re.MULTILINE)


def test_statements_fit_the_width_they_are_given() -> None:
    for problem in get_pack():
        assert all(len(line) <= 60 for line in plain_lines(problem.statement, 60))
