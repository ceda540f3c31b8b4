"""Where one agent works: workspace, home, environment, and its command with all filled in."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from esoplay.agents.kept import Person
from esoplay.agents.prompting import filled, prompt_for
from esoplay.agents.records import HOME, STORE, USAGE, WORKSPACE
from esoplay.agents.serving import own_environment
from esoplay.agents.solvers import Solver
from esoplay.agents.usage import VARIABLE
from esoplay.errors import StoreError, UsageError
from esoplay.paths import state_folder
from esoplay.service.sessions import SessionStarted

PASSED = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TERM")
"""The operator's variables that every agent gets; others are named in the grid."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What an agent is started with.  secrets: values that transcripts must not show."""

    command: tuple[str, ...]
    workspace: Path
    environment: Mapping[str, str]
    secrets: Mapping[str, str]
    person: Person | None


def check_solver(solver: Solver) -> None:
    """UsageError where an agent could not be started as the grid says, whatever the session."""
    missing = [name for name in solver.environment if name not in os.environ]
    if missing:
        raise UsageError(f"solver {solver.name}: the variable {missing[0]} is not set")
    program = solver.command[0]
    if "{" not in program and shutil.which(program) is None:
        raise UsageError(f"solver {solver.name}: there is no program {program}")
    if solver.client == "mcp" and find_spec("mcp") is None:
        words = "its tools need the extra mcp: pip install 'esoplay[mcp]'"
        raise UsageError(f"solver {solver.name}: {words}")
    if solver.user is not None:
        person_of(solver.user)
        if os.geteuid() != 0:
            raise UsageError(f"solver {solver.name}: only root can run it as another user")


def person_of(user: str) -> Person:
    """The user of this name; raises UsageError."""
    try:
        found = pwd.getpwnam(user)
    except KeyError:
        raise UsageError(f"there is no user {user} on this machine") from None
    return Person(found.pw_uid, found.pw_gid)


def furnish(attempt: Path, solver: Solver, started: SessionStarted, socket: Path) -> Desk:
    """Make the home of an agent whose session and workspace are there; raises StoreError."""
    person = None if solver.user is None else person_of(solver.user)
    workspace, home = attempt / WORKSPACE, attempt / HOME
    config, prompt_file, usage = home / "mcp.json", home / "PROMPT.md", home / USAGE
    values = {
        "workspace": str(workspace),
        "home": str(home),
        "session": started.session,
        "language": started.language,
        "protocol": started.protocol.id,
        "prompt_file": str(prompt_file),
        "socket": str(socket),
        "mcp_config": str(config),
        "usage_file": str(usage),
        "turns": "" if solver.bounds.turns is None else str(solver.bounds.turns),
        "seconds": str(solver.bounds.time),
    }
    values["prompt"] = prompt_for(solver.prompt, solver.client, values)
    try:
        if solver.home is None:
            home.mkdir(mode=0o700)
        else:
            shutil.copytree(solver.home, home, symlinks=True)
            home.chmod(0o700)
            usage.unlink(missing_ok=True)
        (home / "tmp").mkdir(exist_ok=True)
        prompt_file.write_text(values["prompt"], "utf-8")
        if solver.client == "mcp":
            config.write_text(json.dumps(mcp_config(started.session, attempt / STORE)), "utf-8")
        if person is not None:
            attempt.chmod(0o711)
            workspace.chmod(0o700)  # further users may be playing as well
            _hand_over(workspace, person)
            _hand_over(home, person)
    except (OSError, shutil.Error) as error:
        raise StoreError(f"cannot make the home {home}: {error}") from error
    handed = {name: os.environ[name] for name in solver.environment}
    return Desk(
        command=tuple(filled(word, values) for word in solver.command),
        workspace=workspace,
        environment={
            **{name: os.environ[name] for name in PASSED if name in os.environ},
            "HOME": str(home),
            "TMPDIR": str(home / "tmp"),
            VARIABLE: str(usage),
            **solver.variables,
            **handed,
        },
        secrets=handed,
        person=person,
    )


def mcp_config(session: str, store: Path) -> dict[str, dict[str, Any]]:
    """The configuration that clients of MCP read, for the tools of one session."""
    own = own_environment()
    return {
        "mcpServers": {
            "esoplay": {
                "command": sys.executable,
                "args": ["-P", "-m", "esoplay", "mcp", "--session", session, "--store", str(store)],
                "env": {"PYTHONPATH": own["PYTHONPATH"], "ESOPLAY_HOME": str(state_folder())},
            }
        }
    }


def _hand_over(folder: Path, person: Person) -> None:
    """Give a folder and all that is in it to another user."""
    os.chown(folder, person.uid, person.gid)
    for inner, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(Path(inner, name), person.uid, person.gid, follow_symlinks=False)
