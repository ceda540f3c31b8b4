"""Scores of how well an entry of the command palette matches a query, including synonyms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

SYNONYMS: Mapping[str, str] = {
    "help": "keys shortcuts manual documentation docs card reference how menu",
    "quit": "exit close leave end bye stop",
    "theme": "colour color colours colors dark light appearance look style",
    "theme.next": "colour color colours colors dark light appearance switch style",
    "tests.examples": "run execute test check try start launch",
    "tests.submit": "grade judge run execute test check finish send hidden solve solved solution",
    "language": "change switch brainfuck befunge whitespace shakespeare unlambda",
    "hint.next": "help clue stuck tip idea",
    "start.page": "home welcome first begin back go menu new",
    "file.debug": "open load path run execute new create file",
    "start.over": "reset restart clear revert undo again template starter",
    "sample": "example demo template load",
    "problem.next": "skip another task exercise solve solving",
    "matrix": "table overview grid all problems progress languages cells solve",
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
    "view.browse": "problems list open tasks exercises statement back solve solving exercise",
    "view.edit": "editor write code program back solve",
    "view.debug": "debugger step trace run execute",
    "view.score": "progress statistics stats results points",
    "view.toggle": "debugger editor switch back run execute",
    "view.previous": "back left go",
    "view.next": "forward right",
    "progress.export": "backup save share download",
    "progress.import": "restore load merge upload",
    "session.import": "compare load agent model",
    "maximise": "zoom fullscreen hide others enlarge bigger focus pane layout split splits",
    "redraw": "repaint refresh garbled clear screen",
    "jump": "go focus pane window",
    "sidebar": "hide show toggle collapse panel problems statement score side layout split splits",
    "stop": "cancel abort interrupt kill",
    "go": "menu go views open switch navigate",
    "split.left": "splits splitter layout resize size width height pane panes divider",
    "split.right": "splits splitter layout resize size width height pane panes divider",
    "split.up": "splits splitter layout resize size width height pane panes divider",
    "split.down": "splits splitter layout resize size width height pane panes divider",
    "split.reset": "splits splitter layout reset default panes resize size",
    "debug.step": "next forward instruction",
    "debug.step-back": "back reverse undo rewind previous go",
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
"""Synonyms of commands, by action id."""

TITLE_SCORE, SYNONYM_SCORE, DETAILS_SCORE = 1.0, 0.9, 0.5
"""Scores of a match in the title, in the synonyms, and in the details."""
PREFIX_FACTOR, TYPO_FACTOR = 0.75, 0.4
"""Factors for a word that starts with the query's word, and for a misspelled word."""
ABBREVIATION_SCORE = 0.15
"""The score of an abbreviation of the title: ``ns`` for ``New source``."""
MIN_TYPO_LENGTH, MIN_REPLACED_LENGTH, MIN_TWO_TYPOS_LENGTH = 3, 5, 8
"""Minimum lengths of words that match despite one typo, a replaced letter, and two typos."""


def match_score(query: str, title: str, details: str = "", synonyms: str = "") -> float:
    """Return how well an entry matches, from 0 (not at all) to 1 (the query is its title).

    Each word of the query must match, unless the query abbreviates the title.
    """
    asked = _split(query)
    if not asked:
        return 0.0
    parts = (
        (TITLE_SCORE, _split(title)),
        (SYNONYM_SCORE, _split(synonyms)),
        (DETAILS_SCORE, _split(details)),
    )
    found = [max(worth * _best_match(word, known) for worth, known in parts) for word in asked]
    if not all(found):
        return ABBREVIATION_SCORE if _is_abbreviation("".join(asked), parts[0][1]) else 0.0
    titled = sum(_best_match(word, parts[0][1]) == 1 for word in asked)
    whole = titled / max(len(asked), len(parts[0][1]))
    return sum(found) / len(found) * (0.9 + 0.1 * whole)


def _best_match(word: str, known_words: Sequence[str]) -> float:
    """Return the highest score of a word among the known words."""
    if word in known_words:
        return 1.0
    if any(each.startswith(word) for each in known_words):
        return PREFIX_FACTOR
    return TYPO_FACTOR if any(_is_misspelled(word, each) for each in known_words) else 0.0


@lru_cache(16_384)
def _is_misspelled(word: str, known_word: str) -> bool:
    """Return whether ``word`` can be a misspelling of ``known_word``.

    In a short word, a letter may be missing or added, or two may be swapped; a replaced letter
    usually makes another word, such as ``hide`` and ``side``.
    """
    length = len(word)
    if (
        length < MIN_TYPO_LENGTH
        or len(known_word) < MIN_TYPO_LENGTH
        or abs(length - len(known_word)) > 2
    ):
        return False
    mistakes = edit_distance(word, known_word)
    if mistakes == 1:
        exchanged = length == len(known_word) and sorted(word) != sorted(known_word)
        return (
            length >= MIN_REPLACED_LENGTH if exchanged else word[0] == known_word[0] or length > 3
        )
    return mistakes == 2 and min(length, len(known_word)) >= MIN_TWO_TYPOS_LENGTH


def edit_distance(first: str, second: str) -> int:
    """Return the minimum number of errors that change one word to the other.

    An error is an extra, missing or replaced letter, or a swap of two adjacent letters (optimal
    string alignment).
    """
    before: list[int] = []
    above = list(range(len(second) + 1))
    for row, char in enumerate(first, 1):
        here = [row]
        for column, other in enumerate(second, 1):
            least = min(
                above[column] + 1, here[column - 1] + 1, above[column - 1] + (char != other)
            )
            swapped = row > 1 and column > 1 and char == second[column - 2]
            if swapped and first[row - 2] == other:
                least = min(least, before[column - 2] + 1)
            here.append(least)
        before, above = above, here
    return above[-1]


def _is_abbreviation(query: str, words: Iterable[str]) -> bool:
    """Return whether the query consists of prefixes of these words, in order."""
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
    """Return the words of a text in lower case; a word consists of letters and digits."""
    spaced = "".join(char if char.isalnum() else " " for char in text.casefold())
    return tuple(spaced.split())
