from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from session_fakes import open_sessions

from esoplay.benchmark.sessions import Sessions


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    with open_sessions(tmp_path) as opened:
        yield opened
