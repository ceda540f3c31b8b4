"""The command palette: which words find which commands, in what order, and with which key."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Play
from play_pilot import Player
from selection import slow_except

from esoplay.tui.keys import KEYS, action_key
from esoplay.tui.palette import PaletteProvider, palette_entries
from esoplay.tui.palette_search import SYNONYMS, edit_distance, match_score

pytestmark = pytest.mark.slow  # each test walks through several views


async def found(player: Player, query: str) -> list[str]:
    """The titles that a query finds, best first."""
    provider = PaletteProvider(player.screen)
    hits = [hit async for hit in provider.search(query)]
    return [str(hit.text) for hit in sorted(hits, key=lambda hit: -hit.score)]


async def test_commands_are_found_by_synonyms(play: Play) -> None:
    async with play() as player:
        await player.open("E02")
        first = {query: (await found(player, query))[0] for query in WORDS}
        assert first == WORDS
        hide = await found(player, "hide")
        assert hide[0] == "Sidebar"
        assert "Maximise / restore the pane" in hide
        assert not [title for title in hide if "Hamming" in title]


FOUND = [
    ("quti", "Quit"),
    ("sovle", "Submit"),
    ("solve", "Submit"),
    ("solve", "View: browse"),
    ("splits", "Move the border left"),
    ("layout", "Sidebar"),
    ("menu", "Go"),
    ("new file", "Debug a file…"),
    ("go bak", "Debug: Step back"),
    ("brekpiont", "Debug: Toggle breakpoint"),
]


@pytest.mark.parametrize("case", slow_except(FOUND, ("sovle", "Submit"), ("layout", "Sidebar")))
async def test_misspelled_and_other_words_find_commands(play: Play, case: tuple[str, str]) -> None:
    query, title = case
    async with play() as player:
        await player.open("E02")
        assert title in await found(player, query)


async def test_no_row_is_cut_at_80_columns(play: Play) -> None:
    async with play(size=(80, 24)) as player:
        await player.open("E02")
        provider = PaletteProvider(player.screen)
        entries = list(provider._entries())  # pyright: ignore[reportPrivateUsage]
        for entry in entries:
            row = provider._row(entry).plain  # pyright: ignore[reportPrivateUsage]
            assert len(row) == 74
            if entry.details:
                assert f"{entry.title} " in row
                assert entry.details in row


@pytest.mark.parametrize(
    ("first", "second", "mistakes"),
    [("quti", "quit", 1), ("sovle", "solve", 1), ("brekpiont", "breakpoint", 2), ("", "ab", 2)],
)
def test_swapped_neighbours_are_one_mistake(first: str, second: str, mistakes: int) -> None:
    assert edit_distance(first, second) == edit_distance(second, first) == mistakes


WORDS = {
    "run": "Run the examples",
    "execute": "Run the examples",
    "exit": "Quit",
    "close": "Quit",
    "quit": "Quit",
    "colour": "Theme",
    "color": "Theme",
    "theme": "Theme",
    "undo": "Undo",
    "grade": "Submit",
    "rewind": "Debug: Step back",
    "lessons": "View: learn",
    "vim": "Edit in $EDITOR",
    "reset": "Start over",
    "breakpoint": "Debug: Toggle breakpoint",
    "subnit": "Submit",
    "hamming": "X16 Hamming Distance",
    "E17": "E17 Uppercase String",
}


async def test_problem_is_ranked_first_only_for_a_better_match(play: Play) -> None:
    async with play() as player:
        await player.open("E02")
        run = await found(player, "run")
        assert run.index("Run the examples") < run.index("M03 Run Length Encoding")
        assert (await found(player, "run length"))[0] == "M03 Run Length Encoding"


async def test_every_entry_takes_one_row_and_shows_its_key(play: Play, home: Path) -> None:
    (home / "keys.toml").write_text('"tests.submit" = "f9"\n')
    async with play(size=(80, 24)) as player:
        await player.open("E02")
        await player.press("ctrl+p", *"submit")
        await player.until(lambda: "all hidden tests" in player.text())
        row = next(line for line in player.lines() if "all hidden tests" in line)
        assert row.split()[0] == "Submit"
        assert row.split()[-1] == "f9"
        assert len(row.rstrip()) > 70


async def test_each_command_has_one_entry(play: Play) -> None:
    async with play() as player:
        titles = [entry.title for entry in palette_entries(player.screen)]
        assert len(set(titles)) == len(titles)


def test_keys_have_short_labels() -> None:
    assert action_key("tests.submit", {}) == "^t"
    assert action_key("matrix", {}) == "g m"
    assert action_key("debug.cancel", {}) == "Esc"
    assert action_key("tests.submit", {"tests.submit": "f9,ctrl+e"}) in ("f9", "^e")
    assert action_key("start.over", {}) == ""


def test_synonyms_belong_to_entries() -> None:
    own = {"theme", "start.over", "sample", "reflow", "input", "start.page", "file.debug"}
    own |= {"input.drop"}
    own |= {"progress.export", "progress.import", "session.import"}
    assert set(SYNONYMS) - own <= {id for actions in KEYS.values() for id in actions}


@pytest.mark.parametrize(
    ("query", "title", "better_than"),
    [
        ("step", "Step", "Step back"),
        ("step", "Step back", "Go to the step that read the byte"),
        ("save", "Save", "Show the origin of the value"),
        ("next hint", "Next hint", "Next match"),
    ],
)
def test_closer_title_is_ranked_higher(query: str, title: str, better_than: str) -> None:
    assert match_score(query, title) > match_score(query, better_than)


def test_every_word_must_match() -> None:
    assert match_score("next banana", "Next hint") == 0
    assert match_score("hide", "Hamming Distance") == 0
    assert match_score("nh", "Next hint") > 0
    assert match_score("", "Next hint") == 0
