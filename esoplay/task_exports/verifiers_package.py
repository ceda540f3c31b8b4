"""Tasks for verifiers of Prime Intellect: a package with a taskset and its rewards."""

from __future__ import annotations

from esoplay.task_exports.folders import HEAD, SEED, File, json_file, seed_file
from esoplay.task_exports.inspect_tasks import grader_files
from esoplay.task_exports.planning import Plan
from esoplay.task_exports.templates import filled, names

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
