"""Read an agent's log after an attempt, and save its tool calls and tokens."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from esoplay.agents.agent_log import LoggedCall, LoggedTokens, read_log
from esoplay.agents.records import CALLS, HOME, WORKSPACE, AgentActivity, AttemptStart
from esoplay.agents.solvers import Solver
from esoplay.agents.usage import UsageFile
from esoplay.errors import StoreError

_MIN_SECRET_BYTES = 8  # bytes; shorter values occur in any text by chance
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW


def read_activity(
    attempt: Path, solver: Solver, start: AttemptStart, usage: UsageFile, *, shell: bool
) -> tuple[AgentActivity | None, list[str]]:
    """Read the log of an agent that has exited; return its activity and a list of remarks.

    Saves the tool calls, and the tokens unless the agent reported them itself. shell: whether the
    protocol allows a shell. The activity is None for a solver without a manifest. Raises StoreError
    if the tool calls or tokens cannot be saved.
    """
    if solver.agent is None or start.agent is None:
        return None, []
    log = solver.agent.table.log
    if log is None:
        return AgentActivity(**asdict(start.agent)), []
    folders = {"home": str(attempt / HOME), "workspace": str(attempt / WORKSPACE)}
    found = read_log(log, folders, attempt / "stdout.log")
    remarks = list(found.notes)
    usage.read_lines()
    if found.tokens:
        if usage.tokens is None:
            usage.add(found.tokens)
        elif usage.tokens != sum(one.input + one.output for one in found.tokens):
            remarks.append(
                "the token counts in the agent's reports and in its log differ; "
                "the reports are used"
            )
    calls = found.calls
    commands = None if calls is None else sum(call.kind == "shell" for call in calls)
    if commands and not shell:
        remarks.append(f"shell commands used, although the protocol forbids them: {commands}")
    secrets = {name: os.environ[name] for name in solver.passed_variables if name in os.environ}
    return (
        AgentActivity(
            agent=start.agent.agent,
            version=start.agent.version,
            model=found.model or start.agent.model,
            effort=found.effort or start.agent.effort,
            input_tokens=_total(found.tokens, "input"),
            cached_tokens=_total(found.tokens, "cached"),
            output_tokens=_total(found.tokens, "output"),
            reasoning_tokens=_total(found.tokens, "reasoning"),
            tool_calls=None if calls is None else len(calls),
            shell_commands=commands,
            edits=None if calls is None else sum(call.kind == "edit" for call in calls),
            calls_sha256=None if calls is None else _save(attempt / CALLS, calls, secrets),
        ),
        remarks,
    )


def _total(tokens: Sequence[LoggedTokens] | None, name: str) -> int | None:
    """Return the sum of one kind of tokens; None if the log does not contain this kind."""
    numbers = [getattr(each, name) for each in tokens or ()]
    return None if None in numbers or not numbers else sum(numbers)


def _save(file: Path, calls: Iterable[LoggedCall], secrets: Mapping[str, str]) -> str:
    """Write a line per call, with secrets replaced by their names; return the file's SHA-256."""
    digest = sha256()
    try:
        with open(os.open(file, _CREATE_FLAGS, 0o600), "wb") as stream:
            for call in calls:
                text = call.text
                for name, value in secrets.items():
                    if len(value) >= _MIN_SECRET_BYTES:
                        text = text.replace(value, f"[{name}]")
                line = json.dumps(call._replace(text=text)._asdict()).encode() + b"\n"
                digest.update(line)
                stream.write(line)
    except OSError as error:
        raise StoreError(f"cannot write {file}: {error.strerror}") from error
    return digest.hexdigest()
