"""Tasks for Harbor, which also runs Terminal-Bench; a separate container grades each task."""

from __future__ import annotations

import json
import shlex

from esoplay.batch.submissions import MAX_PROGRAM_BYTES
from esoplay.errors import UsageError
from esoplay.evaluation.prompts import task_values
from esoplay.grading.packs import TESTS_FILE, Pack
from esoplay.packs.references import find_reference
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT
from esoplay.task_exports.folders import (
    HEAD_FILE,
    SCRIPT_MODE,
    SEED_FILE,
    File,
    copy_pack,
    fill_template,
    json_file,
    quote,
    seed_file,
)
from esoplay.task_exports.installation import Wheel, image_values, image_wheel, readme_values
from esoplay.task_exports.plan import ExportPlan, ExportTask

HARBOR = "harbor"
HEADROOM_SECONDS = 120.0  # seconds to start a container and esoplay in it
_GENERATED_TESTS = 6
_MEBIBYTE = 1 << 20


def harbor_files(plan: ExportPlan) -> dict[str, File]:
    """Return the export's files by path.

    Raises PackError if the pack cannot be copied, and UsageError for a lane or an unsuitable
    wheel.
    """
    files = common_files(plan, HARBOR)
    wheel = image_wheel(plan.options)
    copies: dict[str, tuple[dict[str, bytes], Pack]] = {}
    if plan.folder is not None:
        ids = dict.fromkeys(task.problem.id for task in plan.tasks)
        copies = {id: copy_pack(plan.folder, plan.pack, {id}) for id in ids}
    for task in plan.tasks:
        copied, pack = copies.get(task.problem.id, ({}, plan.pack))
        made = _task_files(plan, task, plan.commitment(pack), wheel)
        made |= {f"tests/pack/{name}": File(data) for name, data in copied.items()}
        files |= {f"{task.id}/{name}": file for name, file in made.items()}
    return files


def common_files(plan: ExportPlan, templates: str) -> dict[str, File]:
    """Return the files of an export that belong to no single task, such as its README.

    templates: the folder of the templates. Raises UsageError for tasks in a host lane.
    """
    for task in plan.sessions or plan.tasks:
        if task.language.is_lane:
            raise UsageError(
                f"{task.language.name} is a host lane, and the images for Harbor do not have its "
                "toolchain; choose the format inspect or verifiers to export host lanes"
            )
    return {
        HEAD_FILE: json_file(plan.head(HARBOR)),
        SEED_FILE: seed_file(plan.seed),
        "README.md": File(fill_template(f"{templates}/README.md", **readme_values(plan, HARBOR))),
    }


def _task_files(
    plan: ExportPlan, task: ExportTask, commitment: str, wheel: Wheel | None
) -> dict[str, File]:
    values = {"file": task.file_name, **image_values(plan.options, wheel)}
    files = {
        "task.toml": _template_file(
            "task.toml", **_settings(plan, task, commitment), file=task.file_name
        ),
        "instruction.md": _instruction(task),
        "environment/Dockerfile": _template_file("environment.Dockerfile", **values),
        f"environment/{task.file_name}": File(task.problem.starter(task.language.id)),
        "tests/Dockerfile": _template_file("tests.Dockerfile", **values),
        "tests/test.sh": _test_script(plan, task, commitment),
        "tests/seed": seed_file(plan.seed),
    }
    if wheel is not None:
        files |= {f"{folder}/{wheel.name}": File(wheel.data) for folder in ("environment", "tests")}
    if plan.options.with_solutions:
        files |= _solution(task)
    return files


def _settings(plan: ExportPlan, task: ExportTask, commitment: str) -> dict[str, str]:
    problem = task.problem
    tests = _GENERATED_TESTS
    if problem.has_fixed_tests:
        tests = len(json.loads((problem.folder / TESTS_FILE).read_bytes()))
    return {
        "name": quote(f"{organisation(plan.pack.id)}/{task.id}"),
        "description": quote(f"{problem.title}, in {task.language.name}"),
        "title": quote(problem.title),
        "problem": quote(problem.id),
        "language": quote(task.language.id),
        "dialect": quote(task.dialect),
        "tier": quote(problem.tier),
        "category": quote(problem.category),
        "pack": quote(plan.pack.id),
        "pack_version": quote(plan.pack.version),
        "commitment": quote(commitment),
        "timeout": f"{HEADROOM_SECONDS + tests * TIME_LIMIT:.1f}",
    }


def _instruction(task: ExportTask) -> File:
    shown = task_values(task.problem)
    return _template_file(
        "instruction.md",
        title=shown["title"],
        statement=shown["statement"],
        examples=shown["examples"],
        name=task.language.name,
        language=task.language.id,
        dialect=task.dialect,
        file=task.file_name,
        steps=f"{GRADING_LIMITS.steps:,}",
        output=str(GRADING_LIMITS.output // _MEBIBYTE),
        memory=str(GRADING_LIMITS.memory // _MEBIBYTE),
        card=task.language.card.strip("\n"),
    )


def _test_script(plan: ExportPlan, task: ExportTask, commitment: str) -> File:
    script = _template_file(
        "test.sh",
        file=task.file_name,
        problem=shlex.quote(task.problem.id),
        language=shlex.quote(task.language.id),
        dialect=shlex.quote(task.dialect),
        pack="" if plan.folder is None else ' --pack "$tests/pack"',
        promise=shlex.quote(commitment),
        largest=str(MAX_PROGRAM_BYTES),
    )
    return File(script.data, SCRIPT_MODE)


def _solution(task: ExportTask) -> dict[str, File]:
    """Return the solution files, which Harbor's oracle gets but solvers do not."""
    reference = find_reference(task.problem, task.language.id)
    if reference is None:
        return {}
    script = _template_file("solve.sh", file=task.file_name)
    return {
        "solution/solve.sh": File(script.data, SCRIPT_MODE),
        f"solution/{task.file_name}": File(reference.program),
    }


def _template_file(template: str, **values: str) -> File:
    return File(fill_template(f"{HARBOR}/{template}", **values))


def organisation(id: str) -> str:
    """Return a pack's id as an organisation's name; ``-`` replaces all but letters and digits."""
    kept = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in id)
    return kept.strip("-").lower() or "pack"
