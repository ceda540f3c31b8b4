from __future__ import annotations

from pathlib import Path

import pytest
from agents_helpers import make_answers, make_pack

from esoplay.agents.isolation import DISABLE_VARIABLE

PROBLEMS = ("E02", "E08")


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("packs") / "pack", PROBLEMS)


@pytest.fixture
def visible_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solvers are not isolated, as on a machine without bubblewrap: they reach all of it."""
    monkeypatch.setenv(DISABLE_VARIABLE, "1")


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_answers(tmp_path_factory.mktemp("answers"), ["brainfuck"], PROBLEMS)
