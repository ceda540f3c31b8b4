"""Exports, by the framework that they are for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from esoplay.errors import UsageError
from esoplay.task_exports import harbor, inspect_tasks, verifiers_package
from esoplay.task_exports.folders import File, check_folder, seed_for, write_folder
from esoplay.task_exports.planning import Plan, Wishes, plan_of

FRAMEWORKS: Mapping[str, Callable[[Plan], dict[str, File]]] = MappingProxyType(
    {
        "harbor": harbor.harbor_files,
        "inspect": inspect_tasks.inspect_files,
        "verifiers": verifiers_package.verifiers_files,
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
