"""What all tests share: an own state folder, calm Hypothesis settings."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "check",
    deadline=None,  # no test depends on time
    max_examples=int(os.environ.get("ESOPLAY_EXAMPLES", "25")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("check")


def pytest_xdist_auto_num_workers() -> int:
    """Three for two processors: half of the tests drive the screen, and mostly wait for it."""
    processors = os.cpu_count() or 1
    return processors + processors // 2


@pytest.fixture(autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's own state."""
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path_factory.mktemp("state")))
