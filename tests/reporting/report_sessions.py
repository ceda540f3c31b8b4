"""Real sessions, played move by move as a test writes it; only the grader reads the program's name.

A letter is a move: ``r`` ``f`` ``p`` run a program that ends well, faults, or is none; ``S``
submits one that solves; ``w`` ``c`` ``x`` ``l`` one that prints something else, is none, faults,
or meets a limit; ``-`` skips.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from made_evaluations import results

from esoplay.benchmark.sessions import Sessions
from esoplay.grading.problem import Pack, PackName, Problem
from esoplay.grading.report import GradeReport, TestResult, Verdict
from esoplay.reporting.played_sessions import PlayedSession, read_session
from esoplay.reporting.report import Report, ReportOptions, make_report
from esoplay.reporting.standing import Catalogue, ProblemInfo
from esoplay.reporting.usage import Usage, UsageEntry
from esoplay.sessions.store import EventStore
from esoplay.sessions.vault import Vault

PROBLEMS = {"E1": "easy", "E2": "easy", "E3": "easy", "H1": "hard", "H2": "hard", "H3": "hard"}
_CATEGORIES = {"E1": "text", "E2": "text", "E3": "sums", "H1": "sums", "H2": "sums", "H3": "sums"}
_RUNS = {"r": b".", "f": b"<", "p": b"["}
_VERDICTS: Mapping[bytes, Verdict] = {
    b"w": "wrong_answer",
    b"c": "parse_error",
    b"x": "fault",
    b"l": "step_limit",
}
DAY = 86_400

CATALOGUE = Catalogue(
    {id: ProblemInfo(f"Title {id}", tier, _CATEGORIES[id]) for id, tier in PROBLEMS.items()},
    ("easy", "hard"),
    ("text", "sums"),
)


def pack() -> Pack:
    name = PackName("six", "1")
    problems = tuple(
        Problem(
            pack=name,
            id=id,
            title=f"Title {id}",
            tier=tier,
            category=_CATEGORIES[id],
            statement="Do it.",
            examples=(),
            hints=(),
            classes=(),
            ranges=(),
            folder=Path("nowhere"),
        )
        for id, tier in PROBLEMS.items()
    )
    return Pack("six", "1", "Six", ("easy", "hard"), ("text", "sums"), problems)


def _grade(problem: Problem, language: str, source: bytes, **terms: Any) -> GradeReport:
    """Two tests pass, then those fail that are to fail."""
    letter = source[:1]
    verdicts: list[Verdict] = ["pass"] * 6
    if letter != b"S":
        verdicts[2:] = [_VERDICTS[letter]] * 4
    tests = (TestResult(at, None, one, 7, 0) for at, one in enumerate(verdicts, 1))
    return GradeReport(problem.id, language, terms["dialect"], tuple(tests), "")


def play(
    folder: Path,
    moves: Mapping[str, str],
    *,
    solver: str | None = "ant",
    language: str = "brainfuck",
    protocol: str = "primary",
    day: int = 1,
    files: Mapping[str, Mapping[str, bytes | None]] | None = None,
    size: int = 10,
    close: bool = False,
    number: int = 1,
    again: Mapping[str, str] | None = None,
    changes: Mapping[str, Any] | None = None,
    programs: Mapping[str, bytes] | None = None,
) -> bytes:
    """The export of a session with these moves for each problem, a second apart.

    files: what is written into the workspace (None: removed) once a problem was fetched.  size: of
    every submitted program, in bytes.  again: moves for problems that are opened again.  programs:
    what the submitted programs of a problem have in addition.
    """
    work = folder / f"{solver}-{language}-{protocol}-{number}"
    work.mkdir()
    ticks = count(day * DAY)
    bench = work / "bench"
    with Sessions(
        EventStore(work / "store.sqlite", clock=lambda: float(next(ticks))),
        vault=Vault(work / "vault"),
        pack=pack(),
        grade=_grade,
    ) as sessions:
        started = sessions.init(language, protocol, changes=changes, solver=solver, workspace=bench)
        session = started.session
        turns = [(None, *turn) for turn in moves.items()]
        turns += [(problem, problem, letters) for problem, letters in (again or {}).items()]
        for wanted, problem, letters in turns:
            assert sessions.fetch(session, wanted).problem == problem
            for name, content in (files or {}).get(problem, {}).items():
                if content is None:
                    (bench / name).unlink()
                else:
                    (bench / name).write_bytes(content)
            for letter in letters:
                if letter in _RUNS:
                    sessions.run(session, _RUNS[letter])
                elif letter == "-":
                    sessions.skip(session)
                else:
                    program = letter.encode() + problem.encode()
                    program += (programs or {}).get(problem, b"")
                    sessions.submit(session, problem, program.ljust(size))
        if close:
            sessions.close_session(session)
        return json.dumps(sessions.export(session).as_json()).encode()


def make(sessions: list[PlayedSession], *familiar: str) -> Report:
    """A report in which every session took 1,200 tokens, reported at its end."""
    usage = Usage({one.session: [UsageEntry(one.ended_ms, 1_000, 200, 0.25)] for one in sessions})
    options = ReportOptions(familiar=familiar or ("whitespace",))
    return make_report(sessions, (), {"six": CATALOGUE}, usage, options)


def report(
    exports: Mapping[str, bytes],
    names: Sequence[str] = (),
    options: ReportOptions | None = None,
    usage: Usage | None = None,
) -> Report:
    sessions = [read_session(name, exports[name]) for name in names or exports]
    return make_report(
        sessions, (), {"six": CATALOGUE}, usage or Usage(), options or ReportOptions()
    )


def write_pack(folder: Path) -> Path:
    """Write the pack of the sessions, for ``--pack``."""
    folder.mkdir()
    (folder / "pack.toml").write_text(
        'format = 1\nid = "six"\nversion = "1"\ntitle = "Six"\n'
        'tiers = ["easy", "hard"]\ncategories = ["text", "sums"]\n'
    )
    for id, tier in PROBLEMS.items():
        problem = folder / id
        problem.mkdir()
        (problem / "problem.toml").write_text(
            f'id = "{id}"\ntitle = "Title {id}"\ntier = "{tier}"\n'
            f'category = "{"text" if tier == "easy" else "sums"}"\n'
            'hints = ["a", "b", "c"]\nclasses = {word = "Words."}\n'
            '[[examples]]\ninput = ""\noutput = ""\n'
        )
        (problem / "statement.md").write_text("Do it.\n")
        (problem / "judge.py").write_text("")
    return folder


def evaluation(model: str, **options: Any) -> dict[str, Any]:
    """Invented results on the problems of the sessions."""
    data = results(model, seed=1, problems=6, pack="six", pack_version="1", **options)
    items = list(dict.fromkeys(trial["item"] for trial in data["trials"]))
    for trial in data["trials"]:
        item = list(PROBLEMS)[items.index(trial["item"])]
        trial["id"] = trial["id"].replace(f"/{trial['item']}/", f"/{item}/")
        trial["item"], trial["tier"] = item, PROBLEMS[item]
    return data
