"""Exports by framework: Harbor, Inspect AI, and verifiers of Prime Intellect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from esoplay.errors import UsageError
from esoplay.task_exports.folders import (
    HEAD_FILE,
    SEED_FILE,
    File,
    check_folder,
    copy_pack,
    fill_template,
    json_file,
    seed_file,
    seed_for,
    template_names,
    write_folder,
)
from esoplay.task_exports.harbor import HARBOR, harbor_files
from esoplay.task_exports.harbor_sessions import session_files
from esoplay.task_exports.installation import read_wheel, readme_values
from esoplay.task_exports.judging import PACK_FOLDER, SAMPLES_FILE
from esoplay.task_exports.plan import ExportOptions, ExportPlan, make_plan
from esoplay.task_exports.sessions import SESSIONS

# Tasks for Inspect AI: a module with ``@task``, and its data set beside it.

INSPECT = "inspect"


def inspect_files(plan: ExportPlan) -> dict[str, File]:
    """Return the export's files by path; raises PackError if the pack cannot be copied."""
    values, files = template_values(plan, INSPECT)
    templates = f"{INSPECT}_{SESSIONS}" if plan.sessions else INSPECT
    for name in template_names(templates):
        files[name] = File(fill_template(f"{templates}/{name}", **values))
    return files | grader_files(plan, INSPECT)


def template_values(plan: ExportPlan, framework: str) -> tuple[dict[str, str], dict[str, File]]:
    """Return the values for a framework's templates, and the wheel if the export contains one."""
    values = readme_values(plan, framework)
    if plan.options.install is None:
        return {**values, "wheel": f"esoplay-{values['version']}-….whl", "source": ""}, {}
    wheel = read_wheel(plan.options.install)
    source = f'\n[tool.uv.sources]\nesoplay = {{ path = "{wheel.name}" }}\n'
    return {**values, "wheel": wheel.name, "source": source}, {wheel.name: File(wheel.data)}


def grader_files(plan: ExportPlan, framework: str) -> dict[str, File]:
    """Return the files for ``ExportFolder``: tasks, seed, and a pack unless it is built in."""
    files = {
        SAMPLES_FILE: json_file([task.as_json() for task in plan.sessions or plan.tasks]),
        SEED_FILE: seed_file(plan.seed),
    }
    seed_commitment = None
    if plan.folder is not None:
        copied, pack = copy_pack(plan.folder, plan.pack, plan.problem_ids)
        files |= {f"{PACK_FOLDER}/{name}": File(data) for name, data in copied.items()}
        seed_commitment = plan.commitment(pack)
    files[HEAD_FILE] = json_file(plan.head(framework, seed_commitment))
    return files


# Tasks for verifiers of Prime Intellect: a package with a taskset and its rewards.

VERIFIERS = "verifiers"
_ROOT_FILES = ("README.md", "pyproject.toml")


def verifiers_files(plan: ExportPlan) -> dict[str, File]:
    """Return the export's files by path; raises PackError if the pack cannot be copied."""
    values, files = template_values(plan, VERIFIERS)
    files |= {HEAD_FILE: json_file(plan.head(VERIFIERS)), SEED_FILE: seed_file(plan.seed)}
    templates, package = VERIFIERS, "esoplay_tasks"
    if plan.sessions:
        templates, package = f"{VERIFIERS}_{SESSIONS}", "esoplay_sessions"
    for name in template_names(templates):
        path = name if name in _ROOT_FILES else f"{package}/{name}"
        files[path] = File(fill_template(f"{templates}/{name}", **values))
    inside = grader_files(plan, VERIFIERS)
    return files | {f"{package}/tasks/{name}": file for name, file in inside.items()}


FRAMEWORKS: Mapping[str, Callable[[ExportPlan], dict[str, File]]] = MappingProxyType(
    {
        HARBOR: lambda plan: session_files(plan) if plan.sessions else harbor_files(plan),
        INSPECT: inspect_files,
        VERIFIERS: verifiers_files,
    }
)


def export_tasks(
    framework: str,
    folder: Path,
    options: ExportOptions,
    *,
    seed: bytes | None = None,
    force: bool = False,
) -> dict[str, Any]:
    """Write tasks for a framework into ``folder``, and return the contents of ``export.json``.

    The same options and seed give the same bytes. Without a ``seed``, an export that replaces
    another one reuses its seed, and a new export gets a random seed. Raises UsageError for an
    unknown framework, an unsuitable folder or invalid options, UnknownProblem for an unknown
    problem, and PackError for an invalid pack; nothing is written then.
    """
    make = FRAMEWORKS.get(framework)
    if make is None:
        raise UsageError(f"unknown format {framework!r}; expected {', '.join(FRAMEWORKS)}")
    check_folder(folder, force=force)
    plan = make_plan(options, seed_for(folder, seed, force=force))
    write_folder(folder, make(plan))
    return plan.head(framework)
