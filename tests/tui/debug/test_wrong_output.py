"""One key on a failed test leads to the state before the first wrong byte is printed."""

from __future__ import annotations

import pytest

from esoplay.debugging.debugger import Debugger
from esoplay.tui.debug import wrong_output
from esoplay.tui.debug.target import DebugTarget
from esoplay.tui.debug.wrong_output import wrong_byte_move


def target_of(language: str, source: bytes, stdin: bytes, expected: bytes) -> DebugTarget:
    debugger = Debugger.open(language, source, stdin=stdin, closed=True)
    return DebugTarget(debugger, expected)


@pytest.mark.parametrize(
    ("source", "stdin", "expected", "step", "said"),
    [
        (b",.+.", b"a", b"aa", 3, "the next step prints byte 1, 0x62 'b'; expected 0x61 'a'"),
        (b",.+.", b"a", b"a", 3, "the next step prints byte 1, 0x62 'b'; expected nothing"),
        (b",.+.", b"a", b"abc", 4, "the output ends here; expected 0x63 'c' as byte 2"),
        (b",.+.", b"a", b"ab", 4, "the output is right"),
        (b",.<.", b"a", b"aa", 2, "the next instruction fails"),
        (b".", b"", b"a", 0, "the next step prints byte 0, 0x00; expected 0x61 'a'"),
    ],
)
def test_the_move_ends_before_the_first_wrong_byte(
    source: bytes, stdin: bytes, expected: bytes, step: int, said: str
) -> None:
    target = target_of("brainfuck", source, stdin, expected)
    stop = wrong_byte_move(target, expected).run(None)
    assert (stop.step, target.debugger.step) == (step, step)
    assert said in stop.reasons[0].text


def test_an_endless_run_ends_the_move_at_the_limit_of_tests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wrong_output, "MAX_STEPS", 100_000)
    target = target_of("brainfuck", b"+.[]", b"", b"\x01")
    stop = wrong_byte_move(target, b"\x01").run(None)
    assert (stop.step, stop.reasons[0].text) == (100_000, "the output is right so far")


def test_late_wrong_byte_is_found_without_the_rest_of_the_run() -> None:
    target = target_of("brainfuck", b"++++++++[>++++++++<-]>[>++++<-]>[->+>+<<]>.[]", b"", b"x")
    stop = wrong_byte_move(target, b"x").run(None)
    assert target.debugger.find_print_step(0) == stop.step + 1
    assert target.debugger.known_steps < 100_000


def test_cancelled_move_returns_to_its_step() -> None:
    target = target_of("brainfuck", b"+[]", b"", b"x")
    stop = wrong_byte_move(target, b"x").run(lambda _done, _total: False)
    assert (stop.step, stop.reasons[0].kind) == (0, "cancelled")
