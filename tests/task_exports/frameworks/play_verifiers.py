"""Play an export in verifiers with a scripted model on loopback: FOLDER ANSWERS.json.

Prints ``{task: {"reward": …, "metrics": …}}``.  The harness asks the model once, in this process.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

folder, answers = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8"))
sys.path[:0] = [str(folder), str(Path(__file__).parent)]
if __name__ == "__main__":  # the harness is found by this module's name
    sys.modules["play_verifiers"] = sys.modules["__main__"]

import verifiers.v1 as vf  # noqa: E402

samples = json.loads((folder / "esoplay_tasks" / "tasks" / "samples.json").read_text("utf-8"))
BY_PROMPT = {
    tuple(each["content"] for each in sample["messages"]): sample["id"] for sample in samples
}


class Model(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        id = BY_PROMPT[tuple(message["content"] for message in asked["messages"])]
        reply = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": asked["model"],
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": answers[id]},
                }
            ],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


class OnceConfig(vf.HarnessConfig):
    pass


class Once(vf.Harness[OnceConfig]):
    """One request, one answer."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data):
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
        request = urllib.request.Request(
            f"{endpoint}/chat/completions",
            json.dumps({"model": ctx.model, "messages": messages}).encode(),
            {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"},
        )
        await asyncio.to_thread(lambda: urllib.request.urlopen(request, timeout=300).read())
        return vf.ProgramResult(0, "", "")


__all__ = ["Once"]


async def play(port: int) -> dict[str, object]:
    os.environ["SCRIPTED_KEY"] = "none"
    client = vf.EvalClientConfig(base_url=f"http://127.0.0.1:{port}/v1", api_key_var="SCRIPTED_KEY")
    context = vf.ModelContext(client=client, model="scripted", sampling=vf.SamplingConfig())
    config = vf.SingleAgentEnvConfig(
        taskset=vf.taskset_config_type("esoplay-tasks")(id="esoplay-tasks"),
        agent=vf.AgentConfig(harness={"id": "play_verifiers"}, runtime=vf.SubprocessConfig()),
    )
    env = vf.load_environment(config)
    found: dict[str, object] = {}
    async with env.serving():
        for task in env.taskset:
            (slot,) = env.slots(task)
            episode = await env.run_slot(slot, context)
            (trace,) = episode.traces
            assert not trace.errors, trace.errors
            rewards = {name: reward.value for name, reward in trace.rewards.items()}
            found[task.data.id] = {"rewards": rewards, "metrics": trace.metrics}
    return found


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        print(json.dumps(asyncio.run(play(server.server_port))))
        server.shutdown()
