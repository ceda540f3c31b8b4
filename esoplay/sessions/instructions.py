"""Texts for solvers: the instruction file, the rules, and the additional files of a protocol.

All texts are derived from the protocol and the language's card; this module defines no rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from esolangs.limits import DEFAULT_WORK
from esoplay.grading.output_comparison import Compare
from esoplay.grading.problem import Problem
from esoplay.sessions.events import RunLimits
from esoplay.sessions.library import README, library_files
from esoplay.sessions.machine import Start
from esoplay.sessions.protocols import Protocol
from esoplay.sessions.target import Target

LOCAL_COMMAND = "esoplay session"
"""The session command for users who have esoplay installed."""

_MEBIBYTE = 1 << 20


def instruction_file(
    start: Start,
    language: Target,
    material: Iterable[str] = (),
    command: str = LOCAL_COMMAND,
    needs: Collection[str] = (),
) -> str:
    """Return the contents of ``AGENTS.md``.

    material: paths of further files to read. command: the command that the solver calls. needs: the
    requirements of the problems; see ``find_required_features``.
    """
    protocol = start.protocol
    sentence = f"The dialect of this session is `{protocol.dialect}`.\n\n"
    dialect = "" if language.is_lane else sentence
    sections = (
        f"# Session {start.session}: {language.name}, protocol `{protocol.id}`",
        _start_line(start, language, material, command),
        "## Commands\n\n" + _commands(protocol, command, needs),
        rules_text(protocol, start.limits, len(start.problems), language, needs),
        "## Language reference card\n\n" + dialect + _demote_headings(language.card.strip()),
    )
    return "\n\n".join(sections).replace("\n\n\n", "\n\n") + "\n"


def rules_text(
    protocol: Protocol,
    limits: RunLimits,
    problem_count: int,
    language: Target,
    needs: Collection[str] = (),
) -> str:
    """Return rules, scoring and limits in Markdown, without the syntax of commands."""
    rules = [
        *_moves(protocol),
        *_conditions(protocol, language, needs),
        *_tools(protocol, language),
    ]
    return "\n\n".join(
        (
            "## Rules\n\n" + "\n".join(f"- {rule}" for rule in rules),
            "## Scoring\n\n" + _scoring(protocol, problem_count),
            "## Limits\n\n" + _limits(limits, language),
        )
    )


def _start_line(start: Start, language: Target, material: Iterable[str], command: str) -> str:
    text = (
        f"Solve {len(start.problems)} programming problems by writing {language.name} programs. "
        f"Start with `{command} fetch` and continue until no problem is left. "
        "Run every command in this folder; each submission records which files are in it."
    )
    names = " and ".join(f"`{name}`" for name in material)
    return f"{text} Read {names} first for advice." if names else text


_RUN = ("run FILE --input TEXT", "run your program on your own input; `--input-file F` for bytes")
_RUN_WITH_ARGUMENTS = (
    "run FILE --argument A",
    "run your program with the argument A; repeat `--argument` for more; `--input` may follow",
)
_HYPHEN = "\n\nWrite `--input=-5` for a text that starts with a hyphen."


def _commands(protocol: Protocol, command: str, needs: Collection[str]) -> str:
    which = " [ID]" if protocol.order == "free" or protocol.revisit != "never" else ""
    rows = [
        (f"fetch{which}", "show the current problem; may be repeated"),
        *([] if protocol.runs == 0 else [_RUN]),
        *([_RUN_WITH_ARGUMENTS] if protocol.runs != 0 and "arguments" in needs else []),
        ("submit ID FILE", "submit your program; the hidden tests decide"),
        ("status", "show the status of every problem"),
        ("skip", "leave the current problem unsolved, where the rules allow it"),
    ]
    if command == LOCAL_COMMAND:  # only the operator may export; solvers use the socket
        rows.append(("export -o FILE", "the log of this session so far"))
    table = "\n".join(f"| `{command} {move}` | {what} |" for move, what in rows)
    return (
        "| command | what it does |\n|-|-|\n"
        + table
        + ("" if protocol.runs == 0 else _HYPHEN)
        + "\n\nEach command accepts `--json` for one JSON object on stdout. Exit status: 0 passed, "
        "1 the program failed, was wrong, or the command was refused, 2 usage, 3 a limit was "
        "reached, 4 internal error (such an attempt does not count)."
    )


_FEEDBACK = {
    "count": "A submission returns the number of tests passed, nothing else.",
    "per-test": "A submission returns the number of tests passed and one word for each "
    "test (`pass`, `wrong_answer`, `fault`, `step_limit` …), in an order that reveals nothing.",
    "explained": "A submission returns each test: its input, the expected output, and yours.",
}
_REVISIT = {
    "never": "A problem is finalized when it is solved or its submissions are used up. "
    "It is not shown again, and no further submission to it is accepted.",
    "skipped": "A problem is finalized when it is solved or its submissions are used up. "
    "A skipped one may be fetched again by its id.",
    "all": "Solved and skipped problems may be opened again.",
}
_SKIP = {
    "never": "There is no `skip`: to leave a problem, use up its submissions.",
    "when-exhausted": "`skip` is refused while submissions are left.",
    "free": "`skip` leaves the current problem at any time.",
}


def _moves(protocol: Protocol) -> list[str]:
    return [
        "Problems come one at a time in a fixed order."
        if protocol.order == "forward"
        else "Problems may be fetched in any order, by their id.",
        "`fetch` shows public examples beside the statement."
        if protocol.examples
        else "`fetch` shows the statement and no tests.",
        "No local runs: write each program without running it."
        if protocol.runs == 0
        else f"Local runs: {_format_count(protocol.runs)} per problem. Every run is logged.",
        (
            f"Submissions: {_format_count(protocol.submissions)} per problem, "
            "each judged by hidden tests."
        ),
        _FEEDBACK[protocol.feedback],
        _REVISIT[protocol.revisit],
        _SKIP[protocol.skip],
    ]


def find_required_features(problems: Iterable[Problem]) -> frozenset[str]:
    """Return the features of host lanes, besides input and output, that problems require.

    The features are ``arguments``, ``exit``, ``server`` and ``files``.
    """
    found: set[str] = set()
    for problem in problems:
        found.update(problem.needs)
        if problem.files:
            found.add("files")
        if any(example.invocation.arguments for example in problem.examples):
            found.add("arguments")
    return frozenset(found)


def _conditions(protocol: Protocol, language: Target, needs: Collection[str]) -> list[str]:
    """Return the rules on arguments, exit statuses, servers and files in host lanes."""
    runs = protocol.runs != 0
    rules = {
        "arguments": "Some problems pass arguments of the command line to the program."
        + (" A local run can have arguments of your own." if runs else ""),
        "exit": "Some problems expect an exit status or text on stderr; their statements say so.",
        "server": "Some problems have a server on 127.0.0.1, which only the program can reach, "
        "while it is graded."
        + (" The server also runs during local runs while the problem is active." if runs else ""),
        "files": "Some problems require several files. A program is then one text, in which a line "
        f"`-- NAME --` starts each file, such as `-- main{language.extensions[0]} --`.",
    }
    return [rule for need, rule in rules.items() if need in needs]


def _tools(protocol: Protocol, language: Target) -> list[str]:
    """Return the rules on how programs may be written."""
    rules: list[str] = []
    if protocol.debug:
        rules.append(
            "The debugger may be used. Each of these counts as a local run: opening, forking or "
            "comparing a program, and changing a value or the whole input."
        )
    if not protocol.shell:
        rules.append(
            "Use only the session's commands: no shell, no other interpreter, "
            "no program that writes programs."
        )
    if protocol.generators:
        rules.append(
            "Programs may be generated, but only by programs in "
            f"{' or '.join(protocol.generators)}. If a file in any other programming language is "
            "in this folder when you submit, the submission fails."
        )
    elif protocol.generators is not None:
        rules.append(
            "Write each program yourself. If a program in any other programming language is in "
            "this folder when you submit, the submission fails."
        )
    if protocol.files == "own":
        rules.append(
            f"Put only {language.name} programs "
            f"({', '.join(f'`*{ending}`' for ending in language.extensions)}) into this folder, "
            "and do not change the files that you found in it. If any other file is in it when you "
            "submit, the submission fails."
        )
    return rules


def _format_count(count: int | None) -> str:
    return "as many as you like" if count is None else str(count)


_COMPARISON: Mapping[Compare, str] = {
    "exact": "The output must equal the expected bytes exactly: no extra byte, no trailing newline "
    "unless the statement requires one.",
    "newline": "The output must equal the expected bytes; a line break at its end does not matter.",
    "strip": "The output must equal the expected text; whitespace at the start and end does not "
    "matter.",
    "numeric": "The words of the output, separated by whitespace, must equal the expected ones; "
    "numbers are compared by their values.",
}


def _scoring(protocol: Protocol, problem_count: int) -> str:
    text = (
        "A problem is solved when one submission passes every hidden test. "
        f"{_COMPARISON[protocol.comparison]} A program that prints the right bytes and then fails "
        "has failed. There is no partial credit, and nothing is added up across submissions."
    )
    if protocol.public_seed:
        return text + " This is practice: there is no score."
    return text + f" The score is the number of problems solved, out of {problem_count}."


def _limits(limits: RunLimits, language: Target) -> str:
    rest = (
        f"{_mebibytes(limits.output)} of output, {_mebibytes(limits.memory)} of memory "
        f"and {limits.time:g} s. "
    )
    same = "The same limits hold for `run` and for the hidden tests."
    if language.is_lane:
        return f"Each execution may use {rest}{same}"
    exact = (
        f"Operations on large numbers and on many cells may do {DEFAULT_WORK:,} units of work, "
        "which take some seconds. A program that needs exactly that much passes."
    )
    return f"Each execution may use {limits.steps:,} steps, {rest}{exact} {same}"


def _mebibytes(count: int) -> str:
    return f"{count // _MEBIBYTE} MiB" if count % _MEBIBYTE == 0 else f"{count:,} bytes"


def _demote_headings(markdown: str) -> str:
    """Move a card's headings two levels down, except in code blocks."""
    lines: list[str] = []
    in_code = False
    for line in markdown.splitlines():
        if line.lstrip().startswith("```"):
            in_code = not in_code
        is_heading = not in_code and line.startswith("#")
        lines.append(f"##{line}" if is_heading else line)
    return "\n".join(lines)


# Workspace files that a protocol provides in addition to the instructions.

STRATEGY = "STRATEGY.md"
_FOLDER = Path(__file__).parent / "strategies"


def select_material(protocol: Protocol, language: str) -> Mapping[str, str]:
    """Return the additional files of a protocol by workspace path.

    Raises UsageError if the protocol has a library but the language has no back end.
    """
    if protocol.material == "none":
        return {}
    files = {STRATEGY: strategy(language)}
    return {**files, **library_files(language)} if protocol.material == "library" else files


def files_to_read(material: Iterable[str]) -> list[str]:
    """Return the paths of the files that a solver should read first."""
    return [name for name in material if name in (STRATEGY, README)]


def strategy(language: str) -> str:
    """Return advice on solving problems: a general part, and a part about the language."""
    parts = (_FOLDER / "general.md", _FOLDER / f"{language}.md")
    return "\n".join(part.read_text("utf-8") for part in parts if part.is_file())
