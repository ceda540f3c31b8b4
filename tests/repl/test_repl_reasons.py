"""``why`` and ``compare`` as they are typed."""

from __future__ import annotations

from pathlib import Path

from esoplay.cli.repl.debugger import DebuggerShell, LessonSession
from esoplay.debugging.debugger import Debugger


def talk(debugger: Debugger, *lines: str) -> list[str]:
    """What was answered to the last line."""
    said: list[str] = []
    shell = DebuggerShell(LessonSession(debugger), said.append)
    for line in lines:
        said.clear()
        shell.run_line(line)
    return said


def test_an_emptied_stack_shows_which_step_emptied_it() -> None:
    debugger = Debugger.open("befunge-98", b"12+.+@", dialect="benchmark")
    said = talk(debugger, "end", "why")
    assert said[0].endswith("the stack was emptied by step 4, '.' at (3,0)")
    assert said[1].startswith("   try: ")
    moved = talk(debugger, "why go 1")
    assert moved[-2].startswith("step 4, fault")
    assert moved[-1] == said[1].strip()


def test_reads_past_the_end_of_input_are_reported_with_what_they_store() -> None:
    debugger = Debugger.open("brainfuck", b",.,.,.,.+.", stdin=b"a")
    said = talk(debugger, "end", "why")
    assert any(
        "3 reads reached the end of the input; effect of each such read: ',' stores 0" in line
        for line in said
    )
    where = talk(debugger, "why go 2")[-1]
    assert where.startswith("step 3, ")


def test_no_recurrence_is_not_reported_as_an_end() -> None:
    said = talk(Debugger.open("brainfuck", b"+[>+]"), "why 1000")
    assert said[-1].endswith("within the first 1,000 steps; this does not prove that the run ends")


def test_a_run_that_ends_is_reported_as_such() -> None:
    said = talk(Debugger.open("brainfuck", b"+++[-]"), "why")
    assert "look-ahead: the run ends by itself after 12 steps" in said[0]


def test_compare_moves_to_the_difference_and_compare_other_switches_the_run(tmp_path: Path) -> None:
    better = tmp_path / "better.bf"
    better.write_bytes(b"++++.")
    debugger = Debugger.open("brainfuck", b"+++.")
    shell_lines = [f"compare file {better}", "compare other", "end", "compare other", "output"]
    assert talk(debugger, shell_lines[0])[0].startswith(
        "at step 4 of this run and step 5 of the other"
    )
    assert debugger.step == 4
    assert talk(debugger, *shell_lines[:3])[0] == r'printed: "\x04"'
    assert talk(debugger, *shell_lines)[0] == r'printed: "\x03"'


def test_a_change_leaves_the_run_as_it_was_to_go_back_to() -> None:
    def said(*lines: str) -> str:
        return talk(Debugger.open("brainfuck", b"+++.,.", stdin=b"a"), *lines, "output")[0]

    change = ("goto 2", "set 0 64")
    assert said(*change, "end") == 'printed: "Aa"'
    assert said(*change, "compare other", "end") == r'printed: "\x03a"'
    assert said("set input b", "end") == r'printed: "\x03b"'
    assert said("set input b", "compare other", "end") == r'printed: "\x03a"'


def test_invalid_comparisons_are_reported(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.bf"
    wrong.write_bytes(b"[")
    debugger = Debugger.open("brainfuck", b"+.")
    assert "line 1, column 1" in talk(debugger, f"compare file {wrong}")[0]
    assert talk(debugger, "compare other")[0].startswith("error: no other run")
    assert talk(debugger, "compare nothing")[0].startswith("error: compare: expected input")
    assert "unknown dialect 'x'" in talk(debugger, "compare dialect x")[0]
    assert "unknown option 'x'" in talk(debugger, "compare option x=1")[0]
    assert "no finding 9; `why` lists 1 finding" in talk(debugger, "why go 9")[0]
    assert talk(debugger, "compare input ")[0].startswith("no difference")
