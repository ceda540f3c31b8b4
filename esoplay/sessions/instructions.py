"""What a solver is told: the instruction file of a workspace, and the rules in words.

Everything is said from the protocol's row and the language's card; nothing here is a rule.
"""

from __future__ import annotations

from esoplay.sessions.events import RunLimits, SessionStarted
from esoplay.sessions.protocols import Protocol

_MEBIBYTE = 1 << 20


def instruction_file(started: SessionStarted, language: str, card: str) -> str:
    """The Markdown of ``AGENTS.md``.  ``language`` is its name for people."""
    return (
        "\n\n".join(
            (
                f"# Session {started.session}: {language}, protocol `{started.protocol.id}`",
                _start_line(started, language),
                "## Commands\n\n" + _commands(started.protocol),
                rules_text(started.protocol, started.limits, len(started.problems)),
                "## Language reference card\n\n"
                f"The dialect of this session is `{started.protocol.dialect}`.\n\n"
                + _one_level_down(card.strip()),
            )
        ).replace("\n\n\n", "\n\n")
        + "\n"
    )


def rules_text(protocol: Protocol, limits: RunLimits, problems: int) -> str:
    """Rules, scoring and limits in Markdown, with no word about how commands are given."""
    return "\n\n".join(
        (
            "## Rules\n\n" + "\n".join(f"- {rule}" for rule in _rules(protocol)),
            "## Scoring\n\n" + _scoring(protocol, problems),
            "## Limits\n\n" + _limits(limits),
        )
    )


def _start_line(started: SessionStarted, language: str) -> str:
    return (
        f"Solve {len(started.problems)} programming problems by writing {language} programs. "
        "Start with `esoplay session fetch`, and go on until it says that no problem is left. "
        "Run every command in this folder."
    )


def _commands(protocol: Protocol) -> str:
    which = " [ID]" if protocol.order == "free" else ""
    rows = [
        (f"fetch{which}", "show the problem to solve now; again, if you like"),
        ("run FILE --input TEXT", "run your program on your own input; `--input-file F` for bytes"),
        ("submit ID FILE", "hand in your program for the problem; the hidden tests decide"),
        ("status", "how every problem stands"),
        ("skip", "leave the current problem unsolved, where the rules allow it"),
        ("export -o FILE", "the log of this session so far"),
    ]
    table = "\n".join(f"| `esoplay session {command}` | {what} |" for command, what in rows)
    return (
        "| command | what it does |\n|-|-|\n"
        + table
        + "\n\nEach takes `--json` for one JSON object on stdout. Exit status: 0 passed, "
        "1 the program failed, was wrong, or the command was refused, 2 usage, 3 a limit was "
        "reached, 4 internal error (such an attempt does not count)."
    )


def _rules(protocol: Protocol) -> list[str]:
    rules: list[str] = []
    if protocol.order == "forward":
        rules.append("Problems come one at a time in a fixed order.")
    else:
        rules.append("Problems may be fetched in any order, by their id.")
    if protocol.examples:
        rules.append("`fetch` shows public examples beside the statement.")
    else:
        rules.append("`fetch` shows the statement and no tests.")
    rules.append(f"Local runs: {_times(protocol.runs)} per problem. Every run is logged.")
    rules.append(
        f"Submissions: {_times(protocol.submissions)} per problem, each judged by hidden tests."
    )
    if protocol.feedback == "count":
        rules.append("A submission is answered with the number of tests passed, nothing else.")
    else:
        rules.append("A submission is answered with each test: input, expected output, and yours.")
    if protocol.revisit:
        rules.append("Solved and skipped problems may be taken up again.")
    else:
        rules.append(
            "A problem is final when it is solved or its submissions are used up; "
            "it is never shown or accepted again."
        )
    if protocol.skip == "free":
        rules.append("`skip` leaves the current problem at any time.")
    else:
        rules.append("`skip` is refused while submissions are left.")
    return rules


def _times(count: int | None) -> str:
    return "as many as you like" if count is None else str(count)


def _scoring(protocol: Protocol, problems: int) -> str:
    text = (
        "A problem is solved when one submission passes every hidden test. The output must equal "
        "the expected bytes exactly: no byte more, no trailing newline unless the statement asks "
        "for one. A program that prints the right bytes and then fails has failed. There is no "
        "partial credit, and nothing is added up across submissions."
    )
    if protocol.public_seed:
        return text + " This is practice: nothing is counted."
    return text + f" The score is the number of problems solved, out of {problems}."


def _limits(limits: RunLimits) -> str:
    return (
        f"Each execution may use {limits.steps:,} steps, {_mebibytes(limits.output)} of output, "
        f"{_mebibytes(limits.memory)} of memory and {limits.time:g} s. A program that needs "
        "exactly that much passes. The same limits hold for `run` and for the hidden tests."
    )


def _mebibytes(count: int) -> str:
    return f"{count // _MEBIBYTE} MiB" if count % _MEBIBYTE == 0 else f"{count:,} bytes"


def _one_level_down(markdown: str) -> str:
    """Headings of a card become sections of the chapter it stands in; code stays as it is."""
    lines: list[str] = []
    in_code = False
    for line in markdown.splitlines():
        if line.lstrip().startswith("```"):
            in_code = not in_code
        is_heading = not in_code and line.startswith("#")
        lines.append(f"##{line}" if is_heading else line)
    return "\n".join(lines)
