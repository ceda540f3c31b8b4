"""Rates how well an entry of the command palette fits a query, and knows its synonyms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache

SYNONYMS: Mapping[str, str] = {
    "help": "keys shortcuts manual documentation docs card reference how",
    "quit": "exit close leave end bye stop",
    "theme": "colour color colours colors dark light appearance look style",
    "theme.next": "colour color colours colors dark light appearance switch style",
    "tests.examples": "run execute test check try start launch",
    "tests.submit": "grade judge run execute test check finish send hidden",
    "language": "change switch brainfuck befunge whitespace shakespeare unlambda",
    "hint.next": "help clue stuck tip idea",
    "start.page": "home welcome first begin back",
    "file.debug": "open load path run execute",
    "start.over": "reset restart clear revert undo again template starter",
    "sample": "example demo template load",
    "problem.next": "skip another task exercise",
    "matrix": "table overview grid all problems progress languages",
    "solutions": "history best previous mine answers programs",
    "solution": "reference answer pack model",
    "reflow": "wrap fold format lines",
    "editor.find": "search replace substitute",
    "editor.find_next": "search again",
    "editor.go_to": "jump line goto offset column",
    "editor.undo": "back revert",
    "editor.redo": "again forward",
    "editor.mode": "insert overwrite typing",
    "editor.path": "show hide arrow direction",
    "input.drop": "stdin forget reset own example",
    "input": "stdin run execute debug feed",
    "file.save": "write store keep disk",
    "file.external": "vim vi emacs nano external open",
    "view.learn": "lessons tutorial course teach",
    "view.browse": "problems list open tasks exercises statement back",
    "view.edit": "editor write code program back",
    "view.debug": "debugger step trace run execute",
    "view.score": "progress statistics stats results points",
    "view.toggle": "debugger editor switch back run execute",
    "view.previous": "back left",
    "view.next": "forward right",
    "progress.export": "backup save share download",
    "progress.import": "restore load merge upload",
    "session.import": "compare load agent model",
    "maximise": "zoom fullscreen hide others enlarge bigger focus pane",
    "redraw": "repaint refresh garbled clear screen",
    "jump": "go focus pane window",
    "sidebar": "hide show toggle collapse panel problems statement score side",
    "stop": "cancel abort interrupt kill",
    "debug.step": "next forward instruction",
    "debug.step-back": "back reverse undo rewind previous",
    "debug.over-back": "back reverse rewind",
    "debug.finish-back": "back reverse rewind",
    "debug.continue": "run execute resume go",
    "debug.continue-back": "back reverse rewind run",
    "debug.to-cursor": "run execute here",
    "debug.to-cursor-back": "back reverse run",
    "debug.play": "run execute animate pause",
    "debug.start": "back first rewind restart reset beginning",
    "debug.end": "last finish run go",
    "debug.break": "breakpoint stop pause",
    "debug.break-edit": "breakpoint condition",
    "debug.diagnose": "why error fault infinite loop hang wrong",
    "debug.heat": "profile hot coverage count colour color",
    "debug.origin": "provenance where why cause value came",
    "debug.output": "print stdout printed cursor pane",
    "debug.printed": "output print stdout byte",
    "debug.read": "input stdin byte",
    "debug.output-mode": "hex hexadecimal terminal print stdout raw",
    "debug.base": "hex hexadecimal decimal number character",
    "debug.watch": "expression variable inspect",
    "debug.note": "comment annotate remember",
    "debug.mark": "bookmark remember",
    "debug.to-mark": "bookmark back",
    "debug.zoom": "zoom fullscreen hide others enlarge bigger",
    "debug.command": "prompt line repl input drop",
    "debug.cancel": "stop abort interrupt deselect",
}
"""Synonyms of commands, by the id of their actions."""

TITLE, ALSO, WORDS = 1.0, 0.9, 0.5
"""Scores of a match: in the title, in the synonyms, in the explanation."""
PART, TYPO = 0.75, 0.4
"""Factors for a word that only begins like this, and for one that is spelled similarly."""
IN_ORDER = 0.15
"""The score of a query that abbreviates the title: ``ns`` for ``New source``."""
LEAST_TYPO, LIKE = 4, 0.81
"""Fewest characters of a word that may be misspelled, and the similarity that it needs."""


def fitness(query: str, title: str, words: str = "", also: str = "") -> float:
    """Return how well an entry fits, from 0 (not at all) to 1 (the query is its title).

    also: further words by which it is found.  Every word of the query has to be found.
    """
    asked = _split(query)
    if not asked:
        return 0.0
    parts = ((TITLE, _split(title)), (ALSO, _split(also)), (WORDS, _split(words)))
    found = [max(worth * _best(word, known) for worth, known in parts) for word in asked]
    if not all(found):
        return IN_ORDER if _abbreviates("".join(asked), parts[0][1]) else 0.0
    titled = sum(_best(word, parts[0][1]) == 1 for word in asked)
    whole = titled / max(len(asked), len(parts[0][1]))
    return sum(found) / len(found) * (0.9 + 0.1 * whole)


def _best(word: str, known: Sequence[str]) -> float:
    """How well a word fits the best of those known."""
    if word in known:
        return 1.0
    if any(each.startswith(word) for each in known):
        return PART
    if len(word) >= LEAST_TYPO and get_close_matches(word, known, 1, LIKE):
        return TYPO
    return 0.0


def _abbreviates(query: str, words: Iterable[str]) -> bool:
    """Whether the query consists of beginnings of these words, in order."""
    rest = {query}
    for word in words:
        for start in list(rest):
            common = 0
            while common < min(len(word), len(start)) and word[common] == start[common]:
                common += 1
                rest.add(start[common:])
    return "" in rest


@lru_cache(4096)
def _split(text: str) -> tuple[str, ...]:
    """The words of a text in small letters, without what is neither letter nor digit."""
    spaced = "".join(char if char.isalnum() else " " for char in text.casefold())
    return tuple(spaced.split())
