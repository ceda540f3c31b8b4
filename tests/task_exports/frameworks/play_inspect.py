"""Play an export in Inspect AI with a scripted model: FOLDER ANSWERS.json LOGS.

Prints ``{"scores": {task: [value, explanation]}, "accuracy": …}``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from inspect_ai import eval as play
from inspect_ai.model import ModelOutput, ModelUsage, get_model

folder, answers = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8"))
sys.path.insert(0, str(folder))
from esoplay_tasks import esoplay  # noqa: E402

samples = json.loads((folder / "samples.json").read_text("utf-8"))
BY_PROMPT = {
    tuple(each["content"] for each in sample["messages"]): sample["id"] for sample in samples
}


def answer(messages, tools, choice, config):
    id = BY_PROMPT[tuple(message.text for message in messages)]
    said = ModelOutput.from_content("mockllm", answers[id])
    said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return said


model = get_model("mockllm/model", custom_outputs=answer)
(log,) = play(esoplay(), model=model, display="none", log_dir=sys.argv[3])
assert log.status == "success", log.error
scores = {
    str(sample.id): [score.value, score.explanation]
    for sample in log.samples
    for score in sample.scores.values()
}
accuracy = log.results.scores[0].metrics["accuracy"].value
print(json.dumps({"scores": scores, "accuracy": accuracy}))
