"""Run Harbor's trials of an export: FOLDER ANSWERS TRIALS.

ANSWERS is a JSON object: for each task the program that a scripted agent writes, a character per
byte, or null for none.  Environments are folders, as containers may not be available here.
Prints ``{task: {"rewards": …, "error": …}}``.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from harbor.agents.base import BaseAgent
from harbor.environments.base import BaseEnvironment
from harbor.models.agent.context import AgentContext
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, TrialConfig
from harbor.trial.trial import Trial

HERE = Path(__file__).parent


class Scripted(BaseAgent):
    """An agent that reads its instruction, as all do, and writes the given answer."""

    def __init__(self, *args: Any, answer: str | None, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._answer = answer

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
        assert instruction.startswith("Write a program in ")
        (path,) = (word.strip("`.,") for word in instruction.split() if "/app/solution" in word)
        looked = await environment.exec("ls /tests/seed; esoplay --version")
        assert "esoplay" in (looked.stdout or "")
        assert "No such file" in (looked.stderr or ""), "the seed is where the solver is"
        if self._answer is not None:
            file = self.logs_dir / "answer"
            file.write_text(self._answer, "latin-1")
            await environment.upload_file(file, path)


async def play(folder: Path, answer: str | None, trials: Path) -> dict[str, Any]:
    trial = await Trial.create(
        TrialConfig(
            task=TaskConfig(path=folder),
            trials_dir=trials,
            agent=AgentConfig(import_path="play_harbor:Scripted", kwargs={"answer": answer}),
            environment=EnvironmentConfig(import_path="folder_environment:FolderEnvironment"),
        )
    )
    result = await trial.run()
    rewards = result.verifier_result.rewards if result.verifier_result else None
    error = result.exception_info.exception_message if result.exception_info else None
    return {"rewards": rewards, "error": error}


async def main(folder: Path, answers: dict[str, str | None], trials: Path) -> None:
    found = {id: await play(folder / id, answer, trials) for id, answer in answers.items()}
    print(json.dumps(found))


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    asyncio.run(
        main(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8")), Path(sys.argv[3]))
    )
