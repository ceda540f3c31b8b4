"""Load an export with Harbor's own models, and look it through by its own rules: FOLDER.

Prints ``{task: {"name": …, "verifier_folder": …, "findings": […]}}``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from harbor.models.task.task import Task
from harbor.models.task.verifier_mode import resolve_verifier_environment_definition

try:
    from harbor.lint.compose import ComposeLoadError
    from harbor.lint.task import lint_task
except ImportError:  # before 0.25
    ComposeLoadError = ()

    def lint_task(folder: Path) -> list[object]:
        return []


def findings(folder: Path) -> list[str]:
    try:
        return [str(finding) for finding in lint_task(folder)]
    except ComposeLoadError:  # Docker Compose is not installed
        return []


found = {}
for folder in sorted(Path(sys.argv[1]).iterdir()):
    if not Task.is_valid_dir(folder):
        continue
    task = Task(folder)
    definition = resolve_verifier_environment_definition(task.config, task.paths)
    found[folder.name] = {
        "name": task.name,
        "instruction": task.instruction if not task.has_steps else "",
        "verifier_folder": definition.directory.name,
        "bundled": definition.bundled_tests,
        "network": definition.config.network_mode.value,
        "findings": findings(folder),
        "steps": [step.name for step in task.config.steps or []],
        "servers": [server.url for server in task.config.environment.mcp_servers],
    }
print(json.dumps(found))
