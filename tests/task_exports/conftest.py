"""Exports that the tests look at and do not change."""

from __future__ import annotations

from pathlib import Path

import pytest
from export_slices import SEED, SLICE

from esoplay.task_exports.frameworks import FRAMEWORKS, export_tasks


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("exports")
    for framework in FRAMEWORKS:
        export_tasks(framework, home / framework, SLICE, seed=SEED)
    return {framework: home / framework for framework in FRAMEWORKS}
