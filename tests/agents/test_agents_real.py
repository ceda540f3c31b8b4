"""Real agents play sessions; a script answers them in place of a model.

``ESOPLAY_AGENTS=1`` runs these tests with the agents on PATH; at least two are needed.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from agents_helpers import agents
from model_endpoint import ModelEndpoint

from esolangs.registry import find_language
from esoplay.agents.manifest import read_manifest
from esoplay.cli.main import main
from esoplay.packs.references import find_reference

LANGUAGES = ("brainfuck", "whitespace")
PROBLEMS = ("E01", "E02", "E05")
SHELLS = {"Bash", "bash", "exec_command", "shell", "shell_command", "write_stdin", "Agent", "task"}
"""Tools that run commands, or start agents that can."""


class RealAgent(NamedTuple):
    """How an agent is sent to the endpoint; ``ADDRESS`` in its table stands for the address."""

    model: str
    table: str
    writes: bool = True
    reports_reasoning: bool = True


_PROVIDER = '{name="scripted",base_url="ADDRESS/v1",env_key="SCRIPTED_KEY",wire_api="responses"}'
_CODEX = ("-c", 'model_provider="scripted"', "-c", f"model_providers.scripted={_PROVIDER}")
AGENTS = {
    "claude-code": RealAgent(
        "claude-opus-4-5",
        '[solvers.set]\nANTHROPIC_BASE_URL = "ADDRESS"\nANTHROPIC_API_KEY = "sk-scripted"\n',
        reports_reasoning=False,
    ),
    "codex": RealAgent(
        "gpt-5.5",
        f'arguments = {json.dumps(_CODEX)}\n[solvers.set]\nSCRIPTED_KEY = "sk-scripted"\n',
    ),
    "opencode": RealAgent("scripted/model-1", 'home = "opencode-home"\n'),
    "mini-swe-agent": RealAgent(
        "openai/model-2",
        '[solvers.set]\nOPENAI_API_BASE = "ADDRESS/v1"\nOPENAI_API_KEY = "sk-scripted"\n',
        writes=False,
    ),
}
FOUND = {
    name: agent
    for name, agent in AGENTS.items()
    if shutil.which(read_manifest(name, Path()).table.program)
}

pytestmark = [
    pytest.mark.skipif(not os.environ.get("ESOPLAY_AGENTS"), reason="ESOPLAY_AGENTS is not set"),
    pytest.mark.timeout(1800),
]


def solution(problem: str, language: str) -> bytes:
    reference = find_reference(problem, language)
    assert reference is not None
    return reference.program


def turn(turns: list[dict[str, Any]], *calls: dict[str, Any], say: str = "") -> None:
    """Add a turn; the tokens of each turn are others."""
    at = len(turns)
    usage = {"input": 1000 + 17 * at, "cached": 300 + 11 * at, "output": 80 + 3 * at}
    turns.append({"say": say, "calls": calls, "usage": {**usage, "reasoning": 20 + at}})


def play(language: str, *, last: str | None) -> list[dict[str, Any]]:
    """The turns that solve the problems; ``last`` is the command that ends mini-swe-agent."""
    turns: list[dict[str, Any]] = []
    for problem in PROBLEMS:
        program = solution(problem, language)
        file = f"{problem}{find_language(language).extensions[0]}"
        turn(turns, {"shell": "python3 session.py fetch"}, say="The next problem.")
        if language == "brainfuck":  # two calls in one answer
            turn(turns, {"write": file, "text": program.decode()}, {"shell": f"wc -c {file}"})
        else:
            encoded = base64.b64encode(program).decode()
            turn(turns, {"shell": f"echo {encoded} | base64 -d > {file}"})
        turn(turns, {"shell": f"python3 session.py run {file} --input 3"})
        turn(turns, {"shell": f"python3 session.py submit {problem} {file}"})
    if last is None:
        turn(turns, say="Done.")
    else:
        turn(turns, {"shell": last})
    return turns


END_OF_MINI = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
PLAYED = {
    (language, ends): play(language, last=END_OF_MINI if ends else None)
    for ends in (True, False)
    for language in LANGUAGES
}


def prompt_phrase(language: str) -> str:
    return f"problems in {language} by yourself"


@pytest.fixture
def endpoint() -> Iterator[ModelEndpoint]:
    script = [
        {
            "when": [prompt_phrase(language), *(["COMPLETE_TASK_AND"] if ends else [])],
            "turns": turns,
        }
        for (language, ends), turns in PLAYED.items()
    ]
    with ModelEndpoint(script) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield served
        served.shutdown()


def write_grid(folder: Path, endpoint: ModelEndpoint, names: list[str], head: str, more: str = ""):
    """A grid of real agents."""
    settings = folder / "opencode-home" / ".config" / "opencode" / "opencode.json"
    settings.parent.mkdir(parents=True)
    options = {"baseURL": f"{endpoint.url}/v1", "apiKey": "sk-scripted"}
    scripted = {
        "npm": "@ai-sdk/openai-compatible",
        "options": options,
        "models": {"model-1": {"reasoning": True}},
    }
    settings.write_text(json.dumps({"provider": {"scripted": scripted}}), "utf-8")
    solvers = [
        f'[[solvers]]\nname = "{name}"\nagent = "{name}"\nmodel = "{AGENTS[name].model}"\n'
        f'effort = "high"\n{more}{AGENTS[name].table.replace("ADDRESS", endpoint.url)}'
        for name in names
    ]
    file = folder / "grid.toml"
    file.write_text(head + "\n".join(solvers), "utf-8")
    return file


def by_hand(turns: list[dict[str, Any]], agent: RealAgent) -> dict[str, Any]:
    """The tokens and calls of a script, counted without any log."""
    calls = [call for each in turns for call in each["calls"]]
    edits = sum("write" in call for call in calls) if agent.writes else 0

    def total(name: str) -> int:
        return sum(each["usage"][name] for each in turns)

    return {
        "input_tokens": total("input"),
        "cached_tokens": total("cached"),
        "output_tokens": total("output"),
        "reasoning_tokens": total("reasoning") if agent.reports_reasoning else None,
        "tool_calls": len(calls),
        "shell_commands": len(calls) - edits,
        "edits": edits,
    }


def test_a_grid_of_real_agents_is_counted_as_by_hand(
    endpoint: ModelEndpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(FOUND) >= 2, "install two of the agents"
    head = f"languages = {json.dumps(LANGUAGES)}\nproblems = {json.dumps(PROBLEMS)}\n"
    grid = write_grid(tmp_path, endpoint, list(FOUND), head)
    status, out, told = agents(capsys, "run", grid, "-o", tmp_path / "run", "--json")
    assert status == 0, told
    sessions = json.loads(out)["sessions"]
    assert len(sessions) == 2 * len(FOUND)
    expected_answers = 0
    for one in sessions:
        agent, result = FOUND[one["solver"]], one["result"]
        turns = PLAYED[one["language"], one["solver"] == "mini-swe-agent"]
        expected_answers += len(turns)
        assert (one["status"], result["solved"], result["problems"]) == ("complete", 3, 3)
        assert result["verified"]
        assert result["repeated"]
        activity, counted = result["agent"], by_hand(turns, agent)
        assert {name: activity[name] for name in counted} == counted, one["solver"]
        assert activity["agent"] == one["solver"]
        assert activity["model"] == agent.model
        assert activity["effort"] == "high"
        assert activity["version"][0].isdigit()
        assert result["tokens"] == counted["input_tokens"] + counted["output_tokens"]
        attempt = Path(one["attempt"])
        lines = [json.loads(line) for line in (attempt / "calls.jsonl").read_text().splitlines()]
        commands = [line["text"] for line in lines if line["kind"] == "shell"]
        scripted = [call for each in turns for call in each["calls"]]
        wanted = [call["shell"] for call in scripted if "shell" in call]
        assert [text for text in commands if not text.startswith("cat > ")] == wanted
        export = [str(attempt / "session.json"), "--seed", result["seed"]]
        assert main(["session", "verify", *export]) == 0
    scripted_answers = [one for one in endpoint.records if one["turn"] is not None]
    assert len(scripted_answers) == expected_answers == len(endpoint.records)
    assert {one["effort"] for one in endpoint.records} == {"high"}
    assert main(["agents", "report", str(tmp_path / "run")]) == 0


def test_real_agents_have_no_shell_under_protocol_direct(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("mcp")
    names = [name for name in ("claude-code", "opencode") if name in FOUND]
    program = solution("E01", "brainfuck").decode()
    turns: list[dict[str, Any]] = []
    turn(turns, {"tool": "fetch"})
    turn(turns, {"shell": "echo an attempt"})
    turn(turns, {"tool": "submit", "arguments": {"problem": "E01", "program": program}})
    turn(turns, say="Done.")
    head = 'languages = ["brainfuck"]\nprotocols = ["direct"]\nproblems = ["E01"]\n'
    with ModelEndpoint([{"when": prompt_phrase("brainfuck"), "turns": turns}]) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        grid = write_grid(tmp_path, served, names, head, 'client = "mcp"\n')
        status, out, told = agents(capsys, "run", grid, "-o", tmp_path / "run", "--json")
        served.shutdown()
    assert status == 0, told
    for one in json.loads(out)["sessions"]:
        assert (one["status"], one["result"]["solved"]) == ("complete", 1)
        assert one["result"]["agent"]["shell_commands"] == 0
        assert one["result"]["agent"]["tool_calls"] == 3
    assert len(served.records) == 4 * len(names)
    for record in served.records:
        assert not SHELLS & set(record["tools"])
