"""Prepare the workspace, home, environment and command of one agent."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from esoplay.agents import mcp_relay
from esoplay.agents.isolation import (
    Bubblewrap,
    CommandFileSearch,
    RunAsUser,
    SandboxCommand,
    SolverFiles,
    is_below,
    sandbox,
)
from esoplay.agents.manifest import build_command, find_version, missing_option
from esoplay.agents.processes import child_environment
from esoplay.agents.prompts import fill_placeholders, prompt_for
from esoplay.agents.records import HOME, STORE, TEMPORARY, USAGE, WORKSPACE
from esoplay.agents.solvers import Solver
from esoplay.agents.usage import USAGE_VARIABLE
from esoplay.benchmark.sessions import NewSession
from esoplay.errors import StoreError, UsageError
from esoplay.paths import private_folders, state_folder
from esoplay.sessions.protocols import Protocol
from esoplay.temporary_folders import clear_folder

TOOLS_SOCKET = "tools.sock"
"""File name of the Unix socket of :class:`~esoplay.agents.mcp_relay.ToolServer`."""

_PYTHON = os.path.realpath(sys.executable)  # not the link in a virtual environment

PASSED_VARIABLES = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TERM")
"""Environment variables that are passed to every agent; the grid can name more."""


@dataclass(frozen=True, slots=True)
class AgentLaunch:
    """The command, folder and environment with which an agent is started.

    secrets: values that transcripts must not show. sandbox: None if the agent is not isolated.
    """

    command: tuple[str, ...]
    workspace: Path
    environment: Mapping[str, str]
    secrets: Mapping[str, str]
    run_as: RunAsUser | None
    sandbox: SandboxCommand | None


@dataclass(frozen=True, slots=True)
class Isolation:
    """Isolation settings for the solvers of a run.

    hidden: folders that no solver can read. shared_folders: see :class:`CommandFileSearch`.
    """

    bubblewrap: Bubblewrap
    hidden: tuple[str, ...]
    shared_folders: tuple[str, ...]


def find_isolation(
    bubblewrap: Bubblewrap, solver: Solver, run: Path, grid: Path, pack: Path | None
) -> Isolation:
    """Return the isolation of one solver; raise UsageError if ``solver.show`` has a hidden path.

    run: folder of the run. grid: folder of the grid file. pack: folder of the pack.
    """
    private = [*private_folders(), run, *(() if pack is None else (pack,))]
    hidden = tuple(os.path.realpath(folder) for folder in private)
    for path in solver.show:
        if is_below(os.path.realpath(path), hidden):
            words = f"`show` names {path}, which belongs to the files that solvers must not see"
            raise UsageError(f"solver {solver.name}: {words}; name another path")
    return Isolation(bubblewrap, hidden, (str(run), str(grid), str(state_folder())))


def check_solver(solver: Solver) -> None:
    """Raise UsageError if the solver's agent cannot be started."""
    missing = [name for name in solver.passed_variables if name not in os.environ]
    if missing:
        raise UsageError(f"solver {solver.name}: the environment variable {missing[0]} is not set")
    program = solver.command[0]
    if "{" not in program and shutil.which(program) is None:
        raise UsageError(f"solver {solver.name}: program {program} not found")
    if solver.client == "mcp" and find_spec("mcp") is None:
        words = "an MCP client needs the extra mcp: pip install 'esoplay[mcp]'"
        raise UsageError(f"solver {solver.name}: {words}")
    if solver.user is not None:
        find_user(solver.user)
        if os.geteuid() != 0:
            raise UsageError(f"solver {solver.name}: only root can run it as another user")


def find_shell_obstacle(solver: Solver, protocol: Protocol) -> str | None:
    """Return an error message if ``protocol`` forbids the shell but the solver has one, or None."""
    if protocol.shell:
        return None
    if solver.agent is not None:
        missing = missing_option(solver.agent, solver.options(shell=False))
        advice = "choose an agent that can be started without a shell"
    else:
        missing = (
            "esoplay does not know how to start the agent in `command` without a shell"
            if solver.shell
            else None
        )
        advice = "if `command` starts the agent without a shell, set shell = false for this solver"
    if missing is None:
        return None
    words = f"solver {solver.name}: protocol {protocol.id} forbids the shell: {missing}"
    return f"{words}\ntry: {advice}"


def find_agent_version(solver: Solver) -> str | None:
    """Return the version of a solver's agent; None without a manifest.

    Raises UsageError if the agent does not print a version.
    """
    if solver.agent is None:
        return None
    environment = {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}
    try:
        return find_version(solver.agent, solver.command[0], environment)
    except UsageError as error:
        raise UsageError(f"solver {solver.name}: {error}") from None


def find_user(user: str) -> RunAsUser:
    """Return the user with this name; raise UsageError if it does not exist."""
    try:
        found = pwd.getpwnam(user)
    except KeyError:
        raise UsageError(f"unknown user {user}") from None
    return RunAsUser(found.pw_uid, found.pw_gid)


def prepare_workspace(
    attempt: Path,
    solver: Solver,
    started: NewSession,
    socket: Path,
    isolation: Isolation | None,
) -> AgentLaunch:
    """Create an agent's home, with its prompt and MCP configuration, next to its workspace.

    Returns the settings for starting the agent. Raises StoreError if a file cannot be written.
    """
    run_as = None if solver.user is None else find_user(solver.user)
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
            if isolation is None:
                servers = mcp_config(started.session, attempt / STORE)
            else:
                relay = home / "mcp_relay.py"
                shutil.copyfile(mcp_relay.__file__, relay)
                servers = relayed_mcp_config(relay, socket.with_name(TOOLS_SOCKET))
            config.write_text(json.dumps(servers), "utf-8")
            values |= _mcp_values(servers)
        if isolation is not None:
            (attempt / TEMPORARY).mkdir()
            (attempt / TEMPORARY).chmod(0o1777)
        if run_as is not None:
            if isolation is None:
                attempt.chmod(0o711)
            workspace.chmod(0o700)  # other users may be playing at the same time
            _change_owner(workspace, run_as)
            _change_owner(home, run_as)
    except (OSError, shutil.Error) as error:
        raise StoreError(f"cannot create the home directory {home}: {error}") from error
    passed_variables = {name: os.environ[name] for name in solver.passed_variables}
    if solver.agent is None:
        command = tuple(fill_placeholders(word, values) for word in solver.command)
        variables: dict[str, str] = {}
    else:
        options = solver.options(shell=started.protocol.shell)
        command, variables = build_command(solver.agent, options, values)
    environment = {
        **{name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ},
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        USAGE_VARIABLE: str(usage),
        **variables,
        **solver.extra_variables,
        **passed_variables,
    }
    inside = None
    if isolation is not None:
        tools = CommandFileSearch(
            environment.get("PATH", os.defpath), isolation.hidden, isolation.shared_folders
        )
        python = tools.find_program_files(_PYTHON) if solver.client == "mcp" else ()
        solver_files = SolverFiles(
            tools=(*tools.find_command_files(command), *python, *solver.show),
            hidden_folders=isolation.hidden,
            writable_folders=(str(workspace), str(home)),
            socket=str(socket.parent),
            temporary=str(attempt / TEMPORARY),
        )
        inside = sandbox(isolation.bubblewrap, solver_files, str(workspace), run_as)
    return AgentLaunch(command, workspace, environment, passed_variables, run_as, inside)


def remove_temporary(attempt: Path) -> None:
    """Remove the files that an isolated solver left in its ``/tmp``."""
    with suppress(OSError):
        clear_folder(attempt / TEMPORARY)
        (attempt / TEMPORARY).rmdir()


def mcp_config(session: str, store: Path) -> dict[str, dict[str, Any]]:
    """Return the configuration with which MCP clients use the tools of one session."""
    own = child_environment()
    program, *arguments = mcp_command(session, store)
    environment = {"PYTHONPATH": own["PYTHONPATH"], "ESOPLAY_HOME": str(state_folder())}
    return _mcp_servers(program, arguments, environment)


def mcp_command(session: str, store: Path) -> list[str]:
    """Return the command that starts the MCP server of one session."""
    words = ["-P", "-m", "esoplay", "mcp", "--session", session, "--store", str(store)]
    return [sys.executable, *words]


def relayed_mcp_config(relay: Path, socket: Path) -> dict[str, dict[str, Any]]:
    """Return the MCP configuration for an isolated solver; the server runs outside its sandbox."""
    return _mcp_servers(_PYTHON, ["-I", "-S", str(relay), str(socket)], {})


def _mcp_servers(
    command: str, arguments: list[str], environment: dict[str, str]
) -> dict[str, dict[str, Any]]:
    server = {"command": command, "args": arguments, "env": environment}
    return {"mcpServers": {"esoplay": server}}


def _mcp_values(servers: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Return the values of the placeholders for the command of the MCP server."""
    server = servers["mcpServers"]["esoplay"]
    set_first = [f"{name}={text}" for name, text in server["env"].items()]
    words = [*(["/usr/bin/env", *set_first] if set_first else ()), server["command"]]
    words += server["args"]
    return {
        "mcp_words": json.dumps(words),
        "mcp_program": words[0],
        "mcp_arguments": json.dumps(words[1:]),
    }


def _change_owner(folder: Path, run_as: RunAsUser) -> None:
    """Make another user the owner of a folder and its contents."""
    os.chown(folder, run_as.uid, run_as.gid)
    for inner, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(Path(inner, name), run_as.uid, run_as.gid, follow_symlinks=False)
