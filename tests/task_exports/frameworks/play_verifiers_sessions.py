"""Play an export of sessions in verifiers with a scripted model: FOLDER CALLS.json OPTIONS.

CALLS has the calls of each session, ``[tool, arguments]``, in order; then the model says that it is
done. The model is an endpoint on loopback, and verifiers' own harness ``null`` asks it; the harness
needs uv. Prints tools, rewards, metrics, results of calls and the stop condition of each session.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

folder, calls = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8"))
sys.path[:0] = [str(folder)]
os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])

import verifiers.v1 as vf  # noqa: E402

samples = json.loads((folder / "esoplay_sessions" / "tasks" / "samples.json").read_text("utf-8"))
BY_PROMPT = {sample["messages"][0]["content"]: sample["id"] for sample in samples}
tools: dict[str, list[str]] = {}
results: dict[str, list[str]] = {}


def answer(asked: dict) -> dict:
    messages = asked["messages"]
    id = BY_PROMPT[messages[0]["content"]]
    tools[id] = [tool["function"]["name"] for tool in asked["tools"]]
    results[id] = [text_of(each["content"]) for each in messages if each["role"] == "tool"]
    turn = sum(message["role"] == "assistant" for message in messages)
    if turn == len(calls[id]):
        return {"role": "assistant", "content": "I am done."}
    name, arguments = calls[id][turn]
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"call-{turn}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def text_of(content: str | list[dict]) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


class Model(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = answer(asked)
        end = "tool_calls" if "tool_calls" in message else "stop"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        reply = {"id": "1", "created": 0, "model": asked["model"], "usage": usage}
        if asked.get("stream"):
            for at, call in enumerate(message.get("tool_calls", ())):
                call["index"] = at
            choice = {"index": 0, "delta": message, "finish_reason": end}
            reply |= {"object": "chat.completion.chunk", "choices": [choice]}
            kind, body = "text/event-stream", f"data: {json.dumps(reply)}\n\ndata: [DONE]\n\n"
        else:
            choice = {"index": 0, "message": message, "finish_reason": end}
            reply |= {"object": "chat.completion", "choices": [choice]}
            kind, body = "application/json", json.dumps(reply)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


async def play(port: int, options: dict[str, float]) -> dict[str, object]:
    os.environ["SCRIPTED_KEY"] = "none"
    client = vf.EvalClientConfig(base_url=f"http://127.0.0.1:{port}/v1", api_key_var="SCRIPTED_KEY")
    context = vf.ModelContext(client=client, model="scripted", sampling=vf.SamplingConfig())
    taskset = vf.taskset_config_type("esoplay-sessions")
    config = vf.SingleAgentEnvConfig(
        taskset=taskset.model_validate({"id": "esoplay-sessions", "task": options}),
        agent=vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig()),
    )
    env = vf.load_environment(config)
    found: dict[str, object] = {}
    async with env.serving():
        for task in env.taskset:
            (slot,) = env.slots(task)
            episode = await env.run_slot(slot, context)
            (trace,) = episode.traces
            assert not trace.errors, trace.errors
            id = task.data.id
            found[id] = {
                "tools": tools[id],
                "results": results[id],
                "rewards": {name: reward.value for name, reward in trace.rewards.items()},
                "reward": trace.reward,
                "metrics": trace.metrics,
                "stop": trace.stop_condition,
            }
    return found


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        print(json.dumps(asyncio.run(play(server.server_port, json.loads(sys.argv[3])))))
        server.shutdown()
