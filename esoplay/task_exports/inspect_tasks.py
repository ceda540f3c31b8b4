"""Tasks for Inspect AI: a module with ``@task``, and its data set beside it."""

from __future__ import annotations

from esoplay.task_exports.folders import HEAD, SEED, File, json_file, seed_file
from esoplay.task_exports.judging import PACK, SAMPLES
from esoplay.task_exports.pack_copies import copy_of
from esoplay.task_exports.planning import Plan
from esoplay.task_exports.templates import filled, names

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
