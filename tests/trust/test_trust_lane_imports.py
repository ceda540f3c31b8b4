"""Python imports a submission's own files, which gives a hostile submission nothing.

The Python lane runs ``python -E -s`` instead of ``-I``, because a submission of several files must
find its second file. Its folder is then first on the path of its own process, and of no other.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from esoplay.running.host.runner import HostRunner
from esoplay.running.host.source_files import join_files
from esoplay.running.invocation import ProgramInvocation

TRAP = b"import os\nos.write(2, b'trap')\nos._exit(9)\n"
SERVER = """
import socket
listener = socket.create_server(("127.0.0.1", 18098))
print("ready", flush=True)
while True:
    listener.accept()[0].close()
"""


@pytest.fixture(scope="module")
def runner() -> Iterator[HostRunner]:
    with HostRunner() as runner:
        yield runner


def test_files_of_a_submission_are_not_imported_at_the_start_of_python(runner: HostRunner) -> None:
    names = ("sitecustomize", "usercustomize", "site", "encodings/__init__", "codecs", "io", "ast")
    files = {"main.py": b"print('fine', end='')\n", **{f"{name}.py": TRAP for name in names}}
    outcome = runner.run("python", join_files(files))
    assert (outcome.status, outcome.stdout, outcome.stderr) == ("ok", b"fine", "")


def test_files_of_a_submission_replace_modules_only_in_its_own_process(runner: HostRunner) -> None:
    """Not in the check of the syntax, and not in the server of the problem."""
    files = {
        "main.py": b"import _socket\nopened = _socket.socket()\n"
        b"opened.connect(('127.0.0.1', 18098))\nprint(opened.recv(9), end='')\nimport socket\n",
        "socket.py": b"print('mine', end='')\n",
        "sys.py": TRAP,
    }
    source = join_files(files)
    if runner.run("python", b"pass") and "network" not in runner.guards:
        pytest.skip("a problem's server needs namespaces")
    outcome = runner.run("python", source, invocation=ProgramInvocation(server=SERVER))
    assert (outcome.status, outcome.stdout, outcome.stderr) == ("ok", b"b''mine", "")


def test_neither_the_user_s_packages_nor_the_environment_are_on_the_path(
    runner: HostRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/hint")
    monkeypatch.setenv("PYTHONSTARTUP", "/hint/start.py")
    outcome = runner.run(
        "python", b"import sys\nprint(sys.flags, *sys.path[1:], sep='|', end='')\n"
    )
    flags, *path = outcome.stdout.decode().split("|")
    for flag in ("ignore_environment=1", "no_user_site=1", "dont_write_bytecode=1"):
        assert flag in flags
    assert not [folder for folder in path if "hint" in folder or ".local" in folder]


def test_esoplay_is_not_on_the_path(runner: HostRunner) -> None:
    outcome = runner.run("python", b"import esoplay\n")
    assert (outcome.status, "ModuleNotFoundError" in outcome.stderr) == ("fault", True)
