"""The plan of an export: a task for each problem and language, with its prompt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from esolangs.errors import EngineError
from esolangs.registry import language_ids
from esoplay.errors import UsageError
from esoplay.evaluation.prompts import PromptSettings, task_values, writer_prompt
from esoplay.grading.problem import Pack, Problem
from esoplay.grading.seeds import commitment, report_salt
from esoplay.packs.catalogue import get_pack, resolve_pack, select
from esoplay.programs.host_lanes import check_language_id
from esoplay.sessions.target import Target, find_target
from esoplay.task_exports.sessions import (
    SESSIONS,
    SessionOptions,
    SessionTask,
    check_seed,
    session_tasks,
)
from esoplay.version import VERSION

FORMAT_VERSION = 1
"""The version of ``export.json``; increase it when graders must read the file differently."""

PROBLEMS = "problems"
"""The default ``kind`` in ``export.json``: an export with a task for each problem."""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of an export; see ``esoplay export --help``.

    languages: ids, also of lanes; if empty, all esoteric languages.
    problems: ids, ranges of ids or tiers; if empty, all.
    install: the path of esoplay's wheel, which is copied into the export; None for a wheel that is
        added later. Images of Harbor can install a requirement of pip instead.
    image: the base of images, which has Python 3.11 or newer and pip.
    with_solutions: whether to add the references, if the format supports it.
    sessions: the sessions to export, whose rules set the dialect; None for a task for each
        problem in each language.
    """

    languages: Sequence[str] = ()
    problems: Sequence[str] = ()
    pack: str | Path | None = None
    dialect: str = "benchmark"
    install: str | None = None
    image: str = "python:3.12-slim"
    with_solutions: bool = False
    sessions: SessionOptions | None = None


@dataclass(frozen=True, slots=True)
class ExportTask:
    """One problem in one language."""

    problem: Problem
    language: Target
    dialect: str

    @property
    def id(self) -> str:
        return f"{self.problem.id.lower()}-{self.language.id}"

    @property
    def problems(self) -> tuple[Problem, ...]:
        return (self.problem,)

    @property
    def file_name(self) -> str:
        """Return the file name of the solution."""
        return f"solution{self.language.extensions[0]}"

    def as_json(self) -> dict[str, Any]:
        """Return the data that graders and solvers receive, without tests and programs."""
        prompt_settings = PromptSettings(self.language, self.dialect, {})
        asked = prompt_settings.fill("task", **task_values(self.problem))
        return {
            "id": self.id,
            "problem": self.problem.id,
            "language": self.language.id,
            "title": self.problem.title,
            "tier": self.problem.tier,
            "category": self.problem.category,
            "messages": [
                writer_prompt(prompt_settings).as_json(),
                {"role": "user", "content": asked},
            ],
        }


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """What to export: either tasks, sorted by problem and then language, or sessions.

    folder: the folder of the pack, which the export must contain; None for the built-in pack.
    """

    tasks: tuple[ExportTask, ...]
    pack: Pack
    folder: Path | None
    seed: bytes
    options: ExportOptions
    sessions: tuple[SessionTask, ...] = ()

    def head(self, framework: str, commitment: str | None = None) -> dict[str, Any]:
        """Return the contents of ``export.json``.

        commitment: the seed commitment; None for the commitment of the whole pack.
        """
        tasks: Sequence[ExportTask | SessionTask] = self.sessions or self.tasks
        return {
            "format": FORMAT_VERSION,
            "framework": framework,
            **self._session_members(),
            "esoplay": VERSION,
            "pack": self.pack.as_json_head(),
            "pack_included": self.folder is not None,
            "dialect": self.dialect,
            "languages": list(dict.fromkeys(task.language.id for task in tasks)),
            "problems": list(self.problem_ids),
            "tasks": len(tasks),
            "seed_commitment": commitment or self.commitment(self.pack),
        }

    @property
    def problem_ids(self) -> Collection[str]:
        """Return the ids of all problems of the tasks, in order."""
        tasks: Sequence[ExportTask | SessionTask] = self.sessions or self.tasks
        return dict.fromkeys(problem.id for task in tasks for problem in task.problems)

    @property
    def dialect(self) -> str:
        return self.sessions[0].rules.dialect if self.sessions else self.options.dialect

    def _session_members(self) -> dict[str, Any]:
        """Return the members of ``export.json`` that only exports of sessions have."""
        if self.options.sessions is None:
            return {}
        options = self.options.sessions
        return {
            "kind": SESSIONS,
            "protocol": options.protocol,
            "changes": dict(options.changes),
        }

    def commitment(self, pack: Pack) -> str:
        """Return a hash that commits to the seed and a pack without revealing the seed.

        Reports contain this hash.
        """
        return commitment(self.seed, report_salt(self.seed), pack.name)


def make_plan(options: ExportOptions, seed: bytes) -> ExportPlan:
    """Return the plan of an export with the selected tasks or sessions.

    Raises UsageError for an unknown language or dialect, LaneError for a lane that is not
    installed, and PackError for an invalid pack.
    """
    named = options.languages or language_ids()
    rules = None if options.sessions is None else options.sessions.rules()
    dialect = options.dialect if rules is None else rules.dialect
    languages = {one.id: one for one in (_target(id, dialect) for id in named)}
    pack = get_pack(options.pack)
    problems = _problems(pack, options.problems)
    if rules is not None and options.sessions is not None:
        check_seed(rules, seed)
        sessions = tuple(session_tasks(list(languages.values()), problems, options.sessions))
        return ExportPlan((), pack, resolve_pack(options.pack), seed, options, sessions)
    tasks = tuple(
        ExportTask(problem, language, options.dialect)
        for problem in problems
        for language in languages.values()
    )
    return ExportPlan(tasks, pack, resolve_pack(options.pack), seed, options)


def _target(id: str, dialect: str) -> Target:
    try:
        return find_target(check_language_id(id.lower()), dialect)
    except EngineError as error:
        raise UsageError(str(error)) from None


def _problems(pack: Pack, selection: Sequence[str]) -> list[Problem]:
    """Select problems by ids, ranges or tiers; return them in the order of the pack."""
    found = select(pack.problems, selection or None)
    if not found:
        raise UsageError(f"pack {pack.id} has no problems")
    return found
