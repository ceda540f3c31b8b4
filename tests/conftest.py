"""What all tests share: a state folder, settings of Hypothesis and of the garbage collector."""

from __future__ import annotations

import gc
import itertools
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

_numbers = itertools.count()


def pytest_xdist_auto_num_workers() -> int:
    """Three for two processors: half of the tests drive the screen, and mostly wait for it."""
    processors = os.cpu_count() or 1
    return processors + processors // 2


def pytest_collection_finish() -> None:
    """Collect garbage less often, and never search the thousands of collected tests for it.

    A test of the screen leaves a large graph of widgets.  With the default thresholds the
    collector takes a quarter of the processor time of these tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """Spare pytest's search for unraisable errors, which collects garbage several times."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's own state.

    The folder is not made: most tests never use it, and removing thousands of folders at the end
    of a session takes longer than many tests do.
    """
    folder = tmp_path_factory.getbasetemp() / "state" / str(next(_numbers))
    monkeypatch.setenv("ESOPLAY_HOME", str(folder))
