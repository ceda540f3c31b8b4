"""Every theme can be read in exact, 256 and 16 colours, and loses nothing without colours."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

import pytest
from color_contrast import Rgb, contrast
from rich.color import ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.theme import Theme

from esoplay.color_depth import ColorDepth
from esoplay.paths import themes_folder
from esoplay.tui.app import EsoplayApp
from esoplay.tui.color_palettes import ColorMap, PaletteFilter, xterm_color
from esoplay.tui.debug.palette import TRAIL_SHARES, Palette, shared_palette
from esoplay.tui.themes import GENERAL_COLORS, displayed_colors, load_themes, read_theme_file
from pictures.cells import shoot
from pictures.scenes import (
    REVERSE,
    Stage,
    cells,
    grid,
    lesson,
    problems,
    solutions,
    source,
    stage,
)

LOADED = load_themes([themes_folder()])
THEMES = list(LOADED.themes)
DEPTHS = (ColorDepth.TRUECOLOR, ColorDepth.EIGHT_BIT, ColorDepth.ANSI)
TEXT, MARK = 4.5, 3.0
"""The contrast that WCAG 2.1 asks for (1.4.3 and 1.4.11)."""
HIGH = 7.0
"""That of text in the theme for it (1.4.6)."""

CODE = tuple(f"code-{kind}" for kind in ("loop", "move", "arithmetic", "io", "comment"))
RUN = CODE[:-1]
"""Code that can be run, and so have heat."""
MARKS = ("success", "accent", "error", "quiet")

# Text and what it stands on.  An opacity means a blend over the background.
TEXTS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        ("foreground", "quiet", "primary", *MARKS, "footer-key-foreground"),
        ("background", "surface", "panel"),
    ),
    (("future", "consumed", "diff-expected", "diff-got", *CODE), ("background",)),
    (("footer-description-foreground",), ("background", "footer-background")),
    (("block-cursor-foreground", "quiet"), ("block-cursor-background",)),
    (("foreground", "quiet"), ("block-cursor-blurred-background",)),
    (("pointer-text",), ("pointer",)),
    (("next-text",), ("next",)),
    (("background",), ("primary", "accent")),
    (RUN, ("heat-1", "heat-2")),
    (("contrast",), ("heat-3", "heat-4", "heat-5")),
    (("foreground",), tuple(f"next {share:%}" for share in TRAIL_SHARES)),
    (("accent", "quiet", "foreground"), ("accent 20%",)),
)
LINES: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("border", "border-blurred"), ("background", "surface")),
    (("scrollbar",), ("background", "scrollbar-background", "panel")),
    (("breakpoint", "pointer", "changed"), ("background",)),
    (("error",), ("error 25%", "block-cursor-blurred-background")),
)
"""Borders and marks."""
SIGNS = ((MARKS, ("block-cursor-background",)),)
"""Signs and short numbers in the row of the cursor."""


@pytest.mark.parametrize("depth", DEPTHS, ids=lambda depth: depth.value)
@pytest.mark.parametrize("name", THEMES)
def test_text_has_enough_contrast(name: str, depth: ColorDepth) -> None:
    theme = LOADED.themes[name]
    shown = displayed_colors(theme, LOADED.terminal_colors[name], depth)
    text = HIGH if name == "high-contrast" and depth is ColorDepth.TRUECOLOR else TEXT
    poor: list[str] = []
    for pairs, least in ((TEXTS, text), (SIGNS, TEXT), (LINES, MARK)):
        for fronts, backs in pairs:
            for front, back in itertools.product(fronts, backs):
                below = _color(theme, back)
                ratio = contrast(*_shown(shown, depth, _color(theme, front, below), below))
                if ratio < least:
                    poor.append(f"{front} on {back}: {ratio:.2f}")
    assert not poor


@pytest.mark.parametrize("name", THEMES)
def test_built_in_theme_maps_each_colour_once(name: str) -> None:
    """No colour is left to similarity, and none has two numbers."""
    theme, colors = LOADED.themes[name], LOADED.terminal_colors[name]
    exact = {
        key: _color(theme, key)
        for key in (*GENERAL_COLORS, *theme.variables)
        if _spelled(theme, key).startswith("#") and not _spelled(theme, key).endswith("%")
    }
    for table in colors:
        numbers: dict[Rgb, set[int]] = {}
        for key, number in table.items():
            numbers.setdefault(exact[key], set()).add(number)
        assert numbers.keys() == set(exact.values())
        assert all(len(each) == 1 for each in numbers.values())


@pytest.mark.parametrize("depth", DEPTHS[1:], ids=lambda depth: depth.value)
@pytest.mark.parametrize("name", THEMES)
def test_colours_with_different_meanings_differ(name: str, depth: ColorDepth) -> None:
    theme = LOADED.themes[name]
    shown = displayed_colors(theme, LOADED.terminal_colors[name], depth)
    backs = ("background", "block-cursor-background", "next")
    assert len({shown.nearest(_color(theme, key)) for key in backs}) == 3
    assert shown.nearest(_color(theme, "success")) != shown.nearest(_color(theme, "error"))
    assert shown.nearest(_color(theme, "border")) != shown.nearest(_color(theme, "border-blurred"))


def test_text_without_a_chosen_colour_can_be_read() -> None:
    """Blends, and themes that choose no colours for terminals."""
    shown = ColorMap({}, range(16, 256))
    few = ColorMap({}, range(16))
    values = range(0, 256, 51)
    colors = list(itertools.product(values, values, values))
    for front, back in zip(colors, reversed(colors[: len(colors) // 2] * 2), strict=True):
        least = min(TEXT, contrast(front, back)) - 1e-9
        for each in (shown, few):
            number, ground = each.pair(front, back)
            assert contrast(xterm_color(number), xterm_color(ground)) >= least


def test_the_palette_is_that_of_xterm() -> None:
    assert [xterm_color(n) for n in (16, 21, 75, 231)] == [
        (0, 0, 0), (0, 0, 255), (95, 175, 255), (255, 255, 255),
    ]  # fmt: skip
    assert (xterm_color(232), xterm_color(255)) == ((8, 8, 8), (238, 238, 238))


@pytest.mark.parametrize("name", THEMES)
async def test_states_are_distinguished_without_colour(name: str) -> None:
    """Cursor, next instruction, selection and the like differ where there are no colours."""
    with tempfile.TemporaryDirectory() as folder:
        app = EsoplayApp(Path(folder))
        app.load_all_themes()
        app.theme = name
        app.get_css_variables()  # as Textual does when it applies a theme
        background = Color(*_color(app.current_theme, "background"))
        palette = shared_palette(app, background)  # type: ignore[arg-type]
        app.workspace.state.close()
    shown = displayed_colors(app.current_theme, LOADED.terminal_colors[name], ColorDepth.NONE)
    without = PaletteFilter(ColorDepth.NONE, shown, background.rgb)
    row = Style.from_color(palette.cursor.color, palette.cursor.bgcolor) + Style(bold=True)
    looks = {
        kind: str(without.apply([Segment("x", style)], background)[0].style)
        for kind, style in {**_apart(palette), "selected row": row}.items()
    }
    assert looks.pop("selected row") == "bold reverse default on default"
    assert len(set(looks.values())) == len(looks), looks
    assert not any("#" in look or "color(" in look for look in looks.values())


def _apart(palette: Palette) -> dict[str, Style]:
    return {
        "code": palette.base,
        "next": palette.next,
        "cursor": palette.cursor,
        "changed": palette.changed,
        "written": palette.written,
        "pointer": palette.pointer,
        "future": palette.future,
        "consumed": palette.consumed,
    }


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ("[colours-256]\nprimary = 300", "colours-256: primary: expected an integer from 16"),
        ("[colours-256]\nprimry = 30", "colours-256: unknown theme colour primry"),
        ('[colours-16]\nnext = "pink"', "colours-16: next: expected one of black, red"),
    ],
)
def test_palette_table_error_names_the_entry(tables: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_theme_file(f'name = "mine"\nprimary = "#ff8800"\n{tables}\n')


def test_a_users_theme_chooses_colours() -> None:
    theme, colors = read_theme_file(
        'name = "mine"\nprimary = "#ff8800"\n[colours-256]\nprimary = 208\n'
        '[colours-16]\nprimary = "yellow"\n'
    )
    orange = (0xFF, 0x88, 0)
    assert displayed_colors(theme, colors, ColorDepth.EIGHT_BIT).nearest(orange) == 208
    assert displayed_colors(theme, colors, ColorDepth.ANSI).nearest(orange) == 3


def test_terminal_default_colours_stay() -> None:
    """The colours of Textual's theme for them."""
    shown = PaletteFilter(ColorDepth.ANSI, ColorMap({}, range(16)), (0, 0, 0))
    segment = Segment("x", Style.parse("red on default"))
    (kept,) = shown.apply([segment], Color(0, 0, 0))
    assert kept.style is not None
    assert kept.style.color is not None
    assert (kept.style.color.type, kept.style.color.number) == (ColorType.STANDARD, 1)


# What screens really show


@pytest.mark.slow
async def test_every_screen_is_readable() -> None:
    maps = {
        (name, depth): displayed_colors(LOADED.themes[name], LOADED.terminal_colors[name], depth)
        for name in THEMES
        for depth in DEPTHS
    }
    seen: dict[tuple[str, Rgb, Rgb, bool], str] = {}
    for walk in (_editor, _debugger, cells, solutions, grid, source, lesson):
        async with stage((120, 40), THEMES[0]) as on:
            if walk is _editor or walk is _debugger:
                await walk(on, seen)
            else:
                await walk(on)  # type: ignore[call-arg]
                await _look(on, seen)
    poor: set[str] = set()
    for (name, front, back, is_text), text in seen.items():
        for depth in DEPTHS:
            ratio = contrast(*_shown(maps[name, depth], depth, front, back))
            if ratio < (TEXT if is_text else MARK):
                poor.add(f"{name} {depth.value}: {text!r} {ratio:.2f} {front} on {back}")
    assert len(seen) > 200
    assert not poor


Seen = dict[tuple[str, Rgb, Rgb, bool], str]


async def _editor(on: Stage, seen: Seen) -> None:
    """Problems, a selection, a search, the palette, a failed test."""
    await _look(on, seen)
    await problems(on)
    await _look(on, seen)
    await on.write("E08", b"ab>,[>,]<[.<\n[+-")
    await on.press("home", *["shift+right"] * 4)
    await _look(on, seen)
    await on.press("ctrl+f", "a")
    await _look(on, seen)
    await on.press("escape")
    await on.press("ctrl+p", "t", "h")
    await _look(on, seen)
    await on.press("escape")
    await on.write("E08", b">,[>,]<[.[-]<]+.")
    await on.submit()
    await _look(on, seen)


async def _debugger(on: Stage, seen: Seen) -> None:
    """A breakpoint, heat, the command line, help, a search."""
    await on.write("E08", REVERSE)
    await on.submit()
    await on.show("debug")
    await on.press("home", *"10lbjbce")
    await on.settled()
    await _look(on, seen)
    await on.press("colon", *"br")
    await _look(on, seen)
    await on.press("escape")
    await on.press("f1")
    await _look(on, seen)
    await on.press("escape")
    await on.press("g")
    await _look(on, seen)
    await on.press("escape")


async def _look(on: Stage, seen: Seen) -> None:
    """Record the screen in each theme; what is below a dialog is not in use."""
    for name in THEMES:
        on.app.theme = name
        await on.pilot.pause()
        top = on.app.screen
        used = [child.region for child in top.children] if top.is_modal else [top.region]
        for y, row in enumerate(shoot(on.app).rows):
            for run in row:
                text = run.text.strip()
                if text and any(area.contains(run.column, y) for area in used):
                    is_text = any(map(str.isalnum, text))
                    key = name, _rgb(run.front), _rgb(run.back), is_text
                    seen.setdefault(key, text)


# Colours of themes


def _shown(shown: ColorMap, depth: ColorDepth, front: Rgb, back: Rgb) -> tuple[Rgb, Rgb]:
    """A pair of colours as terminals of a depth show it."""
    if depth is ColorDepth.TRUECOLOR:
        return front, back
    number, ground = shown.pair(front, back)
    return xterm_color(number), xterm_color(ground)


def _spelled(theme: Theme, key: str) -> str:
    return getattr(theme, key, None) or theme.variables.get(key, "")


def _color(theme: Theme, spelled: str, below: Rgb | None = None) -> Rgb:
    """A colour of a theme, with an opacity over its background; or what contrasts most."""
    if spelled == "contrast":
        assert below is not None
        return _rgb(Color(*below).get_contrast_text(0.95).hex6)
    key, _, share = spelled.partition(" ")
    color = Color.parse(_spelled(theme, key) or _spelled(theme, "foreground"))
    if share:
        background = Color.parse(_spelled(theme, "background"))
        color = background.blend(color, float(share.rstrip("%")) / 100)
    return _rgb(color.hex6)


def _rgb(color: str) -> Rgb:
    return Color.parse(color).rgb
