"""Detect how many colors the terminal shows, from the user's setting or the environment.

Sources: https://no-color.org, https://force-color.org, ``terminfo(5)``, and for COLORTERM the
convention of https://github.com/termstandard/colors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import Enum

from esoplay.errors import UsageError

VARIABLE = "ESOPLAY_COLOURS"
"""Environment variable that overrides the detected color depth."""


class ColorDepth(Enum):
    """Number of colors that the screen uses."""

    NONE = "none"
    ANSI = "16"
    EIGHT_BIT = "256"
    TRUECOLOR = "truecolor"


CHOICES = ("auto", *(depth.value for depth in ColorDepth))
"""Values of ``--colours`` and of :data:`VARIABLE`."""

_TEXTUAL_COLOR_SYSTEM = {
    "standard": ColorDepth.ANSI,
    "256": ColorDepth.EIGHT_BIT,
    "truecolor": ColorDepth.TRUECOLOR,
}
"""Color depths by the value of TEXTUAL_COLOR_SYSTEM, which textual-serve sets."""
_FORCE_COLOR = {"1": ColorDepth.ANSI, "2": ColorDepth.EIGHT_BIT, "3": ColorDepth.TRUECOLOR}
"""Color depths by the value of FORCE_COLOR."""
_TRUECOLOR_TERMINALS = (
    "alacritty",
    "contour",
    "foot",
    "ghostty",
    "kitty",
    "wezterm",
    "xterm-ghostty",
)
"""Terminals with 24-bit colors.

They are recognized by TERM, because ssh does not forward COLORTERM.
"""


def color_depth(
    environment: Mapping[str, str], count_colors: Callable[[str], int | None] | None = None
) -> ColorDepth:
    """Return the color depth of the terminal that environment variables describe.

    count_colors: returns the number of colors of a terminal by its name, or None if it is unknown;
    the default uses terminfo. Raises UsageError for an invalid value of :data:`VARIABLE`.
    """
    chosen = environment.get(VARIABLE, "") or "auto"
    if chosen not in CHOICES:
        expected = ", ".join(CHOICES)
        raise UsageError(f"{VARIABLE}={chosen}: expected one of {expected}")
    if chosen != "auto":
        return ColorDepth(chosen)
    if depth := _TEXTUAL_COLOR_SYSTEM.get(environment.get("TEXTUAL_COLOR_SYSTEM", "")):
        return depth
    if depth := _FORCE_COLOR.get(environment.get("FORCE_COLOR", "")):
        return depth
    found = _detect_depth(environment, _terminfo_colors if count_colors is None else count_colors)
    forced = environment.get("FORCE_COLOR", "") not in {"", "0", "false"}
    return ColorDepth.ANSI if forced and found is ColorDepth.NONE else found


def _detect_depth(
    environment: Mapping[str, str], count_colors: Callable[[str], int | None]
) -> ColorDepth:
    if environment.get("COLORTERM", "").lower() in {"truecolor", "24bit"}:
        return ColorDepth.TRUECOLOR
    name = environment.get("TERM", "")
    if name.endswith("-direct") or name.removeprefix("xterm-").startswith(_TRUECOLOR_TERMINALS):
        return ColorDepth.TRUECOLOR
    if "256color" in name:
        return ColorDepth.EIGHT_BIT
    colors = count_colors(name)
    if colors is None:
        return ColorDepth.ANSI
    if colors >= 1 << 24:
        return ColorDepth.TRUECOLOR
    if colors >= 256:
        return ColorDepth.EIGHT_BIT
    return ColorDepth.ANSI if colors >= 8 else ColorDepth.NONE


def _terminfo_colors(name: str) -> int | None:
    """Return a terminal's number of colors; -1 without colors, None if terminfo lacks the entry."""
    try:
        import curses
    except ImportError:  # Python without curses, as on Windows
        return None
    with suppress(curses.error):
        curses.setupterm(name, 1)
        return curses.tigetnum("colors")
    return None
