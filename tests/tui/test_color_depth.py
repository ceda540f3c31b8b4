"""How many colours a screen is drawn in: what the user asks for, else what the terminal shows."""

from __future__ import annotations

import re

import pytest
from selection import slow_except
from terminal import F2, Start

from esoplay.color_depth import ColorDepth, color_depth
from esoplay.errors import UsageError

TERMINFO = {"xterm": 8, "linux": 8, "vt100": -1, "rxvt-88color": 88, "st": 256, "odd": 1 << 24}

ENVIRONMENTS = [
    ({"TERM": "xterm"}, "16"),
    ({"TERM": "linux"}, "16"),
    ({"TERM": "rxvt-88color"}, "16"),
    ({"TERM": "not-in-terminfo"}, "16"),
    ({}, "16"),
    ({"TERM": "vt100"}, "none"),
    ({"TERM": "st"}, "256"),
    ({"TERM": "xterm-256color"}, "256"),
    ({"TERM": "tmux-256color", "COLORTERM": ""}, "256"),
    ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "truecolor"),
    ({"TERM": "xterm", "COLORTERM": "24bit"}, "truecolor"),
    ({"TERM": "xterm-kitty"}, "truecolor"),
    ({"TERM": "alacritty"}, "truecolor"),
    ({"TERM": "xterm-direct"}, "truecolor"),
    ({"TERM": "odd"}, "truecolor"),
    ({"TERM": "xterm", "FORCE_COLOR": "3"}, "truecolor"),
    ({"TERM": "xterm-256color", "FORCE_COLOR": "1"}, "16"),
    ({"TERM": "vt100", "FORCE_COLOR": "yes"}, "16"),
    ({"TERM": "vt100", "FORCE_COLOR": "0"}, "none"),
    ({"TERM": "xterm", "TEXTUAL_COLOR_SYSTEM": "truecolor"}, "truecolor"),
    ({"TERM": "xterm", "COLORTERM": "truecolor", "ESOPLAY_COLOURS": "256"}, "256"),
    ({"TERM": "xterm", "FORCE_COLOR": "3", "ESOPLAY_COLOURS": "none"}, "none"),
    ({"TERM": "xterm-256color", "ESOPLAY_COLOURS": "auto"}, "256"),
]


@pytest.mark.parametrize(("environment", "depth"), ENVIRONMENTS)
def test_the_colour_depth_follows_the_environment(environment: dict[str, str], depth: str) -> None:
    assert color_depth(environment, TERMINFO.get) is ColorDepth(depth)


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(UsageError, match=r"ESOPLAY_COLOURS=17: expected one of auto, none, 16"):
        color_depth({"ESOPLAY_COLOURS": "17"})


SGR = re.compile(rb"\x1b\[([\d;]*)m")
ANSI = re.compile(r"(?:3[0-7]|9[0-7]|4[0-7]|10[0-7])$")

TERMINALS = {
    "16": {"TERM": "xterm", "COLORTERM": ""},
    "256": {"TERM": "xterm-256color", "COLORTERM": ""},
    "truecolor": {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
    "none": {"TERM": "xterm-256color", "COLORTERM": "truecolor", "ESOPLAY_COLOURS": "none"},
}


@pytest.mark.terminal
@pytest.mark.parametrize("depth", slow_except(TERMINALS, "16"))
def test_only_colours_that_the_terminal_has_are_sent(
    depth: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first frame on: there is no frame in other colours."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    with start(environment=TERMINALS[depth]) as terminal:
        terminal.wait_for("Start lesson 1")
        terminal.send(F2)
        terminal.wait_for("E01.bf")
        terminal.send(F2)
        terminal.wait_for("step 0/")
        terminal.send("l")
        terminal.wait_for("step 1/")
        kinds = _kinds_of_colours(bytes(terminal.raw))
    assert kinds == {"none": set()}.get(depth, {depth})


@pytest.mark.slow
@pytest.mark.terminal
def test_the_option_chooses_the_colours(start: Start) -> None:
    with start("-m", "esoplay", "play", "--colours", "256") as terminal:
        terminal.wait_for("Start lesson 1")
        assert _kinds_of_colours(bytes(terminal.raw)) == {"256"}


def _kinds_of_colours(sent: bytes) -> set[str]:
    kinds: set[str] = set()
    for parameters in SGR.findall(sent):
        codes = iter(parameters.decode().split(";"))
        for code in codes:
            if code in {"38", "48"}:
                kind = next(codes)
                kinds.add({"5": "256", "2": "truecolor"}[kind])
                for _ in range({"5": 1, "2": 3}[kind]):
                    next(codes)
            elif ANSI.match(code):
                kinds.add("16")
    return kinds
