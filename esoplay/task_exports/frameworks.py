"""Exports by framework: a module with ``@task`` for Inspect AI, a package for verifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from esoplay.errors import UsageError
from esoplay.task_exports import harbor
from esoplay.task_exports.folders import (
    HEAD,
    SEED,
    File,
    check_folder,
    copy_of,
    filled,
    json_file,
    names,
    seed_file,
    seed_for,
    write_folder,
)
from esoplay.task_exports.judging import PACK, SAMPLES
from esoplay.task_exports.plan import Plan, Wishes, plan_of

INSPECT = "inspect"


def inspect_files(plan: Plan) -> dict[str, File]:
    """The export's files by path; raises PackError."""
    head = plan.head(INSPECT)
    gaps = {"version": head["esoplay"], "tasks": str(len(plan.tasks)), "pack": plan.pack.id}
    files = {name: File(filled(f"{INSPECT}/{name}", **gaps)) for name in names(INSPECT)}
    return files | grader_files(plan, INSPECT)


def grader_files(plan: Plan, framework: str) -> dict[str, File]:
    """What ``judging.Exported`` reads: the tasks, the seed, and the pack if graders may lack it."""
    files = {
        SAMPLES: json_file([task.as_json() for task in plan.tasks]),
        SEED: seed_file(plan.seed),
    }
    promise = None
    if plan.folder is not None:
        copied, pack = copy_of(plan.folder, plan.pack, {task.problem.id for task in plan.tasks})
        files |= {f"{PACK}/{name}": File(data) for name, data in copied.items()}
        promise = plan.promise(pack)
    files[HEAD] = json_file(plan.head(framework, promise))
    return files


# Tasks for verifiers of Prime Intellect: a package with a taskset and its rewards.

VERIFIERS = "verifiers"
PACKAGE = "esoplay_tasks"
_OUTSIDE = ("README.md", "pyproject.toml")


def verifiers_files(plan: Plan) -> dict[str, File]:
    """The export's files by path; raises PackError."""
    head = plan.head(VERIFIERS)
    gaps = {"version": head["esoplay"], "tasks": str(len(plan.tasks)), "pack": plan.pack.id}
    files = {HEAD: json_file(head), SEED: seed_file(plan.seed)}
    for name in names(VERIFIERS):
        path = name if name in _OUTSIDE else f"{PACKAGE}/{name}"
        files[path] = File(filled(f"{VERIFIERS}/{name}", **gaps))
    inside = grader_files(plan, VERIFIERS)
    return files | {f"{PACKAGE}/tasks/{name}": file for name, file in inside.items()}


FRAMEWORKS: Mapping[str, Callable[[Plan], dict[str, File]]] = MappingProxyType(
    {
        "harbor": harbor.harbor_files,
        "inspect": inspect_files,
        "verifiers": verifiers_files,
    }
)


def export_tasks(
    framework: str,
    folder: Path,
    wishes: Wishes,
    *,
    seed: bytes | None = None,
    force: bool = False,
) -> dict[str, Any]:
    """Write tasks for a framework into ``folder``, and return what ``export.json`` says of them.

    The same wishes and seed give the same bytes.  Without a ``seed`` one is drawn, or that of the
    export stays which is replaced.  Raises UsageError for a framework, a folder or a wish that
    cannot be met, UnknownProblem, and PackError; then nothing was written.
    """
    make = FRAMEWORKS.get(framework)
    if make is None:
        raise UsageError(f"no format {framework!r}; there are: {', '.join(FRAMEWORKS)}")
    check_folder(folder, force=force)
    plan = plan_of(wishes, seed_for(folder, seed, force=force))
    write_folder(folder, make(plan))
    return plan.head(framework)
