"""Run Harbor's trials of an export of sessions: FOLDER CALLS TRIALS.

CALLS has for each session and each problem the calls ``[tool, arguments]`` that a scripted agent
makes in that step, through the MCP server that Harbor names. Environments are folders, as
containers may not be available here. Prints the rewards of trials and steps, and results of calls.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from harbor.agents.base import BaseAgent
from harbor.agents.capabilities import AgentCapabilities
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, TrialConfig
from harbor.trial.trial import Trial
from mcp.client.client import Client

HERE = Path(__file__).parent


class Scripted(BaseAgent):
    """An agent that calls the tools of a step, each step as a new client."""

    capabilities = AgentCapabilities(mcp_servers=True)

    def __init__(self, *args: Any, calls: dict[str, list[Any]], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._calls = calls

    @staticmethod
    def name() -> str:
        return "scripted"

    def version(self) -> str:
        return "1"

    async def setup(self, environment: BaseEnvironment) -> None:
        pass

    async def run(
        self, instruction: str, environment: BaseEnvironment, context: AgentContext
    ) -> None:
        problem = instruction.split("`")[1]
        looked = await environment.exec("ls /session /tests")
        assert "No such file" in (looked.stderr or ""), "the session is where the solver is"
        (server,) = self.mcp_servers
        assert (server.name, server.transport) == ("esoplay", "streamable-http")
        url = server.url.replace("session:8000", f"127.0.0.1:{environment.ports['session']}")
        results = []
        async with Client(url) as client:
            for name, arguments in self._calls[problem]:
                answer = await client.call_tool(name, arguments)
                results.append(answer.content[0].text)
        (self.logs_dir / "results.json").write_text(json.dumps(results))


async def play(folder: Path, calls: dict[str, list[Any]], trials: Path) -> dict[str, Any]:
    trial = await Trial.create(
        TrialConfig(
            task=TaskConfig(path=folder),
            trials_dir=trials,
            agent=AgentConfig(import_path="play_harbor_sessions:Scripted", kwargs={"calls": calls}),
            environment=EnvironmentConfig(import_path="folder_environment:FolderEnvironment"),
        )
    )
    result = await trial.run()
    steps = {step.step_name: step for step in result.step_results or []}
    rewards = {
        name: step.verifier_result.rewards if step.verifier_result else None
        for name, step in steps.items()
    }
    errors = [each.exception_info for each in (result, *steps.values()) if each.exception_info]
    found = {
        name: json.loads((trial.paths.step_agent_dir(name) / "results.json").read_text())
        for name in steps
    }
    return {
        "rewards": result.verifier_result.rewards if result.verifier_result else None,
        "steps": rewards,
        "errors": [error.exception_message for error in errors],
        "results": found,
    }


async def main(folder: Path, calls: dict[str, dict[str, list[Any]]], trials: Path) -> None:
    print(json.dumps({id: await play(folder / id, calls[id], trials) for id in calls}))


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    asyncio.run(
        main(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8")), Path(sys.argv[3]))
    )
