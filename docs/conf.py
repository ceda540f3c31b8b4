"""The documentation as a site: ``make docs`` builds it into build/docs, without a warning."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pygments.lexers.special import TextLexer

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "interpreters")]

from esolangs.befunge_98.lexer import Befunge98Lexer  # noqa: E402 (found by the line above)
from esoplay.version import VERSION  # noqa: E402 (found by the line above)

project = "esoplay"
author = "the authors of esoplay"
copyright = "the authors of esoplay, MIT licence"
release = version = VERSION

extensions = ["myst_parser"]
myst_heading_anchors = 4
exclude_patterns = ["build"]
html_theme = "furo"
html_title = "esoplay"
html_theme_options = {"footer_icons": []}
html_show_sphinx = False

CARD = re.compile(r"\.\./\.\./interpreters/esolangs/(\w+)/card(?:\.(\w+))?\.md")


def link_cards(_app: Sphinx, _page: str, text: list[str]) -> None:
    """Reference cards lie with the engines; on the site they are pages of their own."""
    text[0] = CARD.sub(lambda card: f"../cards/{'_'.join(filter(None, card.groups()))}.md", text[0])


def setup(app: Sphinx) -> None:
    for conversation in ("repl", "jsonrpc"):  # tests execute them; nothing has to be coloured
        app.add_lexer(conversation, TextLexer)
    app.connect("source-read", link_cards)
    app.add_lexer("befunge", Befunge98Lexer)  # Pygments' own knows Befunge-93 alone
