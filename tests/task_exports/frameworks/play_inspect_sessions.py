"""Play an export of sessions in Inspect AI with a scripted model: FOLDER CALLS.json LOGS OPTIONS.

CALLS has the calls of each session, ``[tool, arguments]``, in order; then the model says that it is
done. OPTIONS are parameters of the task. Prints scores, metrics and the results of the calls.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from inspect_ai import eval as play
from inspect_ai.model import ChatMessageAssistant, ModelOutput, ModelUsage, get_model

folder, calls = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8"))
sys.path.insert(0, str(folder))
from esoplay_sessions import esoplay_sessions  # noqa: E402

samples = json.loads((folder / "samples.json").read_text("utf-8"))
BY_PROMPT = {sample["messages"][0]["content"]: sample["id"] for sample in samples}
listed: dict[str, list[str]] = {}


def answer(messages, tools, choice, config):
    id = BY_PROMPT[messages[0].text]
    listed[id] = [tool.name for tool in tools]
    turn = sum(isinstance(message, ChatMessageAssistant) for message in messages)
    if turn == len(calls[id]):
        said = ModelOutput.from_content("mockllm", "I am done.")
    else:
        said = ModelOutput.for_tool_call("mockllm", *calls[id][turn])
    said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return said


model = get_model("mockllm/model", custom_outputs=answer)
(log,) = play(
    esoplay_sessions(**json.loads(sys.argv[4])), model=model, display="none", log_dir=sys.argv[3]
)
assert log.status == "success", log.error.message
print(
    json.dumps(
        {
            "tools": listed,
            "rewards": {str(one.id): one.scores["session_score"].value for one in log.samples},
            "metrics": {name: one.value for name, one in log.results.scores[0].metrics.items()},
            "results": {
                str(one.id): [each.text for each in one.messages if each.role == "tool"]
                for one in log.samples
            },
        }
    )
)
