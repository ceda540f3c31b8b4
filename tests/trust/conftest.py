"""Requirements of attack tests, and a switch that turns an unexpected skip into a failure.

``@pytest.mark.needs("root", "bubblewrap")`` skips a test where one of these is missing.  With
``ESOPLAY_TRUST=require``, which ``.ci/run`` sets, a requirement that this machine could meet
fails the test instead of skipping it, and so does any other skip in this folder.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator
from functools import cache
from pathlib import Path

import pytest

REQUIRED = os.environ.get("ESOPLAY_TRUST") == "require"


def _is_linux() -> bool:
    return sys.platform == "linux"


def _is_root() -> bool:
    return os.geteuid() == 0


@cache
def _can_mount_proc() -> bool:
    """Whether a mount namespace with a ``/proc`` of its own can be made; not in every container."""
    command = ["unshare", "-m", "sh", "-c", "mount -t proc -o hidepid=invisible proc /proc"]
    try:
        return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0
    except OSError:
        return False


NEEDS: dict[str, Callable[[], bool]] = {
    "linux": _is_linux,
    "root": _is_root,
    "bubblewrap": lambda: shutil.which("bwrap") is not None,
    "mounts": _can_mount_proc,
}
"""What a test may need, by name."""

# Root can install bubblewrap where there is apt-get; elsewhere its absence is accepted.
OBTAINABLE: dict[str, Callable[[], bool]] = {
    "linux": lambda: False,
    "root": lambda: False,
    "mounts": lambda: False,
    "bubblewrap": lambda: _is_linux() and _is_root() and shutil.which("apt-get") is not None,
}


@pytest.fixture
def unused_uid() -> int:
    """A user id that no account has, for the solver or a third user."""
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    return next(uid for uid in range(47_001, 60_000) if uid not in taken)


@pytest.fixture
def shared_folder() -> Generator[Path]:
    """A folder that every user can enter and write to, as /tmp is."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o1777)
        yield Path(folder)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("needs"):
        for name in marker.args:
            if NEEDS[name]():
                continue
            if REQUIRED and OBTAINABLE[name]():
                pytest.fail(f"{name} is missing and ESOPLAY_TRUST=require", pytrace=False)
            pytest.skip(f"needs {name}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if REQUIRED and report.skipped and not _is_missing_requirement(item):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped; ESOPLAY_TRUST=require forbids that"
    return report


def _is_missing_requirement(item: pytest.Item) -> bool:
    names = [name for marker in item.iter_markers("needs") for name in marker.args]
    opt_in = item.get_closest_marker("opt_in") is not None
    return opt_in or not all(NEEDS[name]() for name in names)
