"""Themes are files: ours load and are readable, the user's are found, broken ones reported."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from pathlib import Path

import pytest
from color_contrast import Rgb, contrast
from conftest import Play
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from esoplay.paths import themes_folder
from esoplay.tui.themes import (
    DEFAULT_THEME,
    OWN_VARIABLES,
    load_themes,
    read_theme,
    variable_defaults,
)

OURS = load_themes([themes_folder()]).themes


def rgb(color: str | None) -> Rgb:
    return Color.parse(color or "").rgb


USERS = """
name = "mine"
primary = "#ff0000"
"""


def test_built_in_themes_are_loaded() -> None:
    assert {"midnight", "paper", "high-contrast", "okabe", "phosphor", "dusk"} <= set(OURS)
    assert DEFAULT_THEME in OURS
    assert any(theme.dark for theme in OURS.values())
    assert any(not theme.dark for theme in OURS.values())


@pytest.mark.parametrize("name", list(OURS))
def test_built_in_themes_set_all_colours_of_esoplay(name: str) -> None:
    assert set(OWN_VARIABLES) <= set(OURS[name].variables)


TEXTS = ("quiet", "code-loop", "code-move", "code-arithmetic", "code-io", "code-comment")


@pytest.mark.parametrize("name", list(OURS))
def test_text_is_readable_in_each_theme(name: str) -> None:
    """Contrast by WCAG 2: 4.5 for text, 3 for comments, 7 in the high-contrast theme."""
    theme = OURS[name]
    surface = rgb(theme.background)
    least = 7.0 if name == "high-contrast" else 4.5
    assert contrast(rgb(theme.foreground), surface) >= 7.0
    for variable in TEXTS:
        wanted = 3.0 if variable == "code-comment" and least < 7 else least
        assert contrast(rgb(theme.variables[variable]), surface) >= wanted, variable
    for front, back in (("pointer-text", "pointer"), ("next-text", "next")):
        pair = rgb(theme.variables[front]), rgb(theme.variables[back])
        assert contrast(*pair) >= least, front
    for variable in ("future", "consumed"):  # dimmed on purpose, and read all the same
        assert contrast(rgb(theme.variables[variable]), surface) >= 3.0, variable


@pytest.mark.parametrize("name", list(OURS))
def test_marks_are_readable_in_the_cursor_row(name: str) -> None:
    theme = OURS[name]
    row = rgb(theme.variables["block-cursor-background"])
    marks = (theme.success, theme.accent, theme.error, theme.variables["quiet"])
    for mark in marks:
        assert mark is not None
        assert contrast(rgb(mark), row) >= (4.5 if name == "high-contrast" else 3.0), mark


@pytest.mark.parametrize("theme", list(BUILTIN_THEMES.values()), ids=list(BUILTIN_THEMES))
def test_textual_themes_get_colours(theme: Theme) -> None:
    assert set(variable_defaults(theme)) == set(OWN_VARIABLES)


def test_a_users_theme_is_found_and_a_broken_one_reported(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(USERS)
    (tmp_path / "worse.toml").write_text("name = ")
    loaded = load_themes([themes_folder(), tmp_path, tmp_path / "missing"])
    assert loaded.themes["mine"].primary == "#ff0000"
    assert len(loaded.notices) == 1
    assert "worse.toml" in loaded.notices[0]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('name = "x"', "primary"),
        ('name = "x"\nprimary = "nonsense"', "nonsense"),
        ('name = "x"\nprimary = "red"\ncolour = "red"', "colour"),
        ('name = "x"\nprimary = "red"\n[variables]\npointer = "nonsense"', "pointer"),
    ],
)
def test_errors_in_a_theme_are_reported(text: str, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        read_theme(text)


@pytest.mark.slow
async def test_the_theme_changes_live_and_is_saved(play: Play, home: Path) -> None:
    (home / "themes").mkdir()
    (home / "themes" / "mine.toml").write_text(USERS)
    async with play() as player:
        assert player.app.theme == DEFAULT_THEME
        seen = {DEFAULT_THEME}
        for _ in range(len(OURS)):
            await player.press("f3")
            seen.add(player.app.theme)
        assert seen == {*OURS, "mine"}
        player.app.theme = "paper"
        await player.press("f2")
        background = player.screen.program.styles.background
        assert background == Color.parse(OURS["paper"].background or "")
    async with play() as player:
        assert player.app.theme == "paper"


@pytest.mark.slow
async def test_theme_is_reloaded_when_its_file_is_saved(play: Play, home: Path) -> None:
    async with play() as player:
        path = home / "themes" / "mine.toml"
        player.app.theme = "paper"
        await player.press("f2")
        for number in range(2000):  # changes are missed until the watch has started
            path.parent.mkdir(exist_ok=True)
            path.write_text(f'name = "mine"\nprimary = "#ff0000"\nbackground = "#00{number:04x}"')
            await player.pilot.pause(0.05)
            if "mine" in player.app.available_themes:
                break
        player.app.theme = "mine"
        path.write_text('name = "mine"\nprimary = "#ff0000"\nbackground = "#123456"')
        wanted = Color.parse("#123456")
        await player.until(lambda: player.screen.program.styles.background == wanted)


@pytest.mark.slow
async def test_broken_theme_is_reported_and_the_old_one_stays(play: Play, home: Path) -> None:
    (home / "themes").mkdir()
    path = home / "themes" / "mine.toml"
    path.write_text(USERS)
    async with play() as player:
        player.app.theme = "mine"
        path.write_text('name = "mine"\nprimary = "nonsense"')
        player.app.reload_themes()
        await player.pilot.pause()
        assert any("nonsense" in notice.message for notice in player.app._notifications)
        assert player.app.theme == "mine"
