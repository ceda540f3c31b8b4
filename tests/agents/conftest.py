from __future__ import annotations

from pathlib import Path

import pytest
from agents_helpers import make_answers, make_pack

PROBLEMS = ("E02", "E08")


@pytest.fixture(scope="session")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("packs") / "pack", PROBLEMS)


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_answers(tmp_path_factory.mktemp("answers"), ["brainfuck"], PROBLEMS)
