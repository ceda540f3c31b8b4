"""Sessions for Harbor: a step for each problem, and a container with the session's MCP server."""

from __future__ import annotations

import shlex
from typing import cast

from esoplay.task_exports.folders import (
    SCRIPT_MODE,
    File,
    copy_pack,
    fill_template,
    quote,
    seed_file,
)
from esoplay.task_exports.harbor import HARBOR, common_files, organisation
from esoplay.task_exports.installation import Wheel, image_values, image_wheel
from esoplay.task_exports.plan import ExportPlan
from esoplay.task_exports.sessions import SESSIONS, SessionTask

_TEMPLATES = f"{HARBOR}_{SESSIONS}"


def session_files(plan: ExportPlan) -> dict[str, File]:
    """Return the export's files by path.

    Raises PackError if the pack cannot be copied, and UsageError for a lane or an unsuitable
    wheel.
    """
    files = common_files(plan, _TEMPLATES)
    wheel = image_wheel(plan.options)
    pack: dict[str, bytes] = {}
    if plan.folder is not None:
        pack, _ = copy_pack(plan.folder, plan.pack, plan.problem_ids)
    for task in plan.sessions:
        made = _task_files(plan, task, wheel)
        made |= {f"environment/session/pack/{name}": File(data) for name, data in pack.items()}
        files |= {f"{task.id}/{name}": file for name, file in made.items()}
    return files


def _task_files(plan: ExportPlan, task: SessionTask, wheel: Wheel | None) -> dict[str, File]:
    values = image_values(plan.options, wheel)
    server = "environment/session"
    files = {
        "task.toml": _settings(plan, task),
        "environment/Dockerfile": _template_file("environment.Dockerfile", **values),
        "environment/docker-compose.yaml": _template_file("docker-compose.yaml"),
        f"{server}/Dockerfile": _template_file("session.Dockerfile", **values),
        f"{server}/serve.sh": _server_script(plan, task),
        f"{server}/export.sh": _script("export.sh"),
        f"{server}/seed": seed_file(plan.seed),
        "tests/Dockerfile": _template_file("tests.Dockerfile", **values),
        "tests/test.sh": _script("test.sh"),
        "tests/reward.py": _template_file("reward.py"),
    }
    for number, problem in enumerate(task.problems, 1):
        files[f"steps/{_step_name(number, problem.id)}/instruction.md"] = _template_file(
            "instruction.md",
            number=str(number),
            count=str(len(task.problems)),
            problem=problem.id,
            instructions=task.instructions(),
        )
    if wheel is not None:
        files |= {f"{folder}/{wheel.name}": File(wheel.data) for folder in (server, "tests")}
    return files


def _step_name(number: int, problem: str) -> str:
    return f"{number:02}-{problem.lower()}"


def _settings(plan: ExportPlan, task: SessionTask) -> File:
    steps = (
        fill_template(
            f"{_TEMPLATES}/step.toml",
            name=quote(_step_name(number, each.id)),
            problem=quote(each.id),
        ).decode()
        for number, each in enumerate(task.problems, 1)
    )
    return _template_file(
        "task.toml",
        name=quote(f"{organisation(plan.pack.id)}/{task.id}"),
        description=quote(task.title),
        language=quote(task.language.id),
        dialect=quote(task.rules.dialect),
        protocol=quote(task.rules.id),
        problems=f"[{', '.join(quote(problem.id) for problem in task.problems)}]",
        pack=quote(plan.pack.id),
        pack_version=quote(plan.pack.version),
        commitment=quote(plan.commitment(plan.pack)),
        steps="\n".join(steps),
    )


def _server_script(plan: ExportPlan, task: SessionTask) -> File:
    """Return the script that starts the session once and serves it."""
    options = task.options
    words = ["--language", task.language.id, "--protocol", options.protocol]
    for name, value in options.changes.items():
        words += ["--set", f"{name}={_toml(value)}"]
    words += ["--problems", ",".join(problem.id for problem in task.problems)]
    if plan.folder is not None:
        words += ["--pack", "/session/pack"]
    if not task.rules.public_seed:
        words += ["--seed-file", "/session/seed"]
    return _script("serve.sh", session=shlex.join(words))


def _toml(value: object) -> str:
    """Return the value of a protocol's field in TOML, as in ``--set FIELD=VALUE``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, cast('list[object]', value)))}]"
    return quote(value) if isinstance(value, str) else str(value)


def _script(template: str, **values: str) -> File:
    return File(_template_file(template, **values).data, SCRIPT_MODE)


def _template_file(template: str, **values: str) -> File:
    return File(fill_template(f"{_TEMPLATES}/{template}", **values))
