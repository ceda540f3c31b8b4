"""A model endpoint on the loopback device that answers agents from a script.

    python model_endpoint.py SCRIPT.json [--port N] [--log REQUESTS.jsonl]

It prints its address and answers these requests, each as JSON or as server-sent events, so that
real agents can be run without a model:

POST /v1/messages             Anthropic's messages, and /v1/messages/count_tokens
POST /v1/responses            OpenAI's responses
POST /v1/chat/completions     chat completions
GET  /v1/models               a list with the model that was asked for last

A script is a list of conversations. A request gets the first one whose ``when`` (one text or
several) occurs in it::

    [{"when": "in brainfuck",
      "turns": [{"say": "I fetch.", "calls": [{"shell": "python3 session.py fetch"}],
                 "usage": {"input": 900, "cached": 300, "output": 80, "reasoning": 30}},
                {"calls": [{"write": "E01.bf", "text": "+."}, {"tool": "fetch", "arguments": {}}]},
                {"say": "Done."}]}]

``shell`` and ``write`` become calls of the tool that the agent offers for it, ``tool`` calls the
tool of an MCP server. The endpoint saves nothing between requests: ids of calls contain the number
of their turn, and the answer is the turn after the highest one in the request. Requests without
tools, such as those for a title, and requests after the last turn get a short text. ``input`` and
``output`` are totals, of which ``cached`` and ``reasoning`` are parts.
"""

from __future__ import annotations

import argparse
import json
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, cast

_CALL_ID = re.compile(r"call_(\d{3})_\d")
_SHELLS = {
    "bash": "command",
    "shell_command": "command",
    "exec_command": "cmd",
    "shell": "command",
}
"""Shell tools by lower-case name, and the argument that is the command."""
_WRITERS = {"write": ("file_path", "content"), "apply_patch": ("input", "")}
"""Tools that write a file, with the arguments for its path and its text."""
SHORT = {"input": 50, "output": 5}
"""The usage of an answer that is not in the script."""


class Call(NamedTuple):
    """A call of a tool. freeform: its input is a text instead of JSON. space: of its tool."""

    id: str
    name: str
    arguments: dict[str, Any]
    freeform: bool = False
    space: str = ""


class Answer(NamedTuple):
    """What the endpoint answers to one request. turn: None if it is not from the script."""

    model: str
    text: str
    calls: tuple[Call, ...]
    usage: Mapping[str, int]
    turn: int | None


def offered_tools(request: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the tools of a request by name; tools of a namespace as NAMESPACE__NAME.

    Codex lists the tools of some models in an item of the input, as namespaces.
    """
    found: dict[str, dict[str, Any]] = {}
    told: list[dict[str, Any]] = list(request.get("tools") or ())
    items: object = request.get("input")
    for item in cast("list[dict[str, Any]]", items) if isinstance(items, list) else ():
        told += item.get("tools") or ()
    for tool in told:
        if tool.get("type") == "namespace":
            for inner in tool["tools"]:
                found[f"{tool['name']}__{inner['name']}"] = {**inner, "space": tool["name"]}
        else:
            shown = tool.get("function") or tool
            found[shown.get("name") or tool.get("type", "")] = {**shown, "type": tool.get("type")}
    return found


def answer_to(request: Mapping[str, Any], script: Sequence[Mapping[str, Any]]) -> Answer:
    """Return the scripted answer to a request of any of the three interfaces."""
    model, tools, text = str(request.get("model")), offered_tools(request), json.dumps(request)
    script = [one for one in script if all(word in text for word in _texts(one.get("when", [])))]
    if not tools or not script:
        return Answer(model, "A scripted session", (), SHORT, None)
    turns = script[0]["turns"]
    number = max((int(found) for found in _CALL_ID.findall(text)), default=-1) + 1
    if number >= len(turns):
        return Answer(model, "Nothing is left to do.", (), SHORT, None)
    turn = turns[number]
    calls = tuple(
        _call(f"call_{number:03}_{at}", wanted, tools)
        for at, wanted in enumerate(turn.get("calls", ()))
    )
    return Answer(model, turn.get("say", ""), calls, turn.get("usage", SHORT), number)


def _texts(when: str | list[str]) -> list[str]:
    return [when] if isinstance(when, str) else when


def _call(id: str, wanted: Mapping[str, Any], tools: Mapping[str, Mapping[str, Any]]) -> Call:
    if "tool" in wanted:
        for name, tool in tools.items():
            if re.split(r"__|_|\.", name)[-1] == wanted["tool"]:
                space = tool.get("space", "")
                shown = name.removeprefix(f"{space}__") if space else name
                return Call(id, shown, dict(wanted.get("arguments", {})), space=space)
    shell = next((name for name in tools if name.lower() in _SHELLS), None)
    if "write" in wanted:
        path, text = wanted["write"], wanted["text"]
        writer = next((name for name in tools if name.lower() in _WRITERS), None)
        if writer is not None and writer.lower() == "write":
            known = json.dumps(tools[writer])
            at = "filePath" if "filePath" in known else "file_path"
            return Call(id, writer, {at: path, "content": text})
        if writer is not None:
            lines = "".join(f"+{line}\n" for line in text.splitlines())
            patch = f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n"
            return Call(id, writer, {"input": patch}, tools[writer].get("type") == "custom")
        wanted = {"shell": f"cat > {path} <<'END'\n{text}\nEND"}
    if shell is None and "functions__exec" in tools and "shell" in wanted:
        command = f"await tools.exec_command({json.dumps({'cmd': wanted['shell']})})"
        return Call(id, "exec", {"input": f"text({command});"}, freeform=True, space="functions")
    if shell is None or "shell" not in wanted:
        return Call(id, "no_such_tool", dict(wanted))
    arguments: dict[str, Any] = {_SHELLS[shell.lower()]: wanted["shell"]}
    if shell == "shell":
        arguments = {"command": ["bash", "-c", wanted["shell"]]}
    if '"description"' in json.dumps(tools[shell].get("parameters") or tools[shell]):
        arguments["description"] = "a move of the session"
    return Call(id, shell, arguments)


# Anthropic's messages


def message(answer: Answer) -> dict[str, Any]:
    """Return an answer as a message."""
    content: list[dict[str, Any]] = []
    if answer.text or not answer.calls:
        content.append({"type": "text", "text": answer.text})
    content += [
        {"type": "tool_use", "id": one.id, "name": one.name, "input": one.arguments}
        for one in answer.calls
    ]
    cached = answer.usage.get("cached", 0)
    return {
        "id": _id("msg", answer),
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": content,
        "stop_reason": "tool_use" if answer.calls else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": answer.usage["input"] - cached,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": cached,
            "output_tokens": answer.usage["output"],
        },
    }


def message_events(answer: Answer) -> Iterator[dict[str, Any]]:
    """Yield a message as events."""
    whole = message(answer)
    begun: dict[str, Any] = {**whole, "content": [], "stop_reason": None}
    begun["usage"] = {**whole["usage"], "output_tokens": 1}
    yield {"type": "message_start", "message": begun}
    for index, block in enumerate(whole["content"]):
        empty: dict[str, Any] = {"text": ""} if block["type"] == "text" else {"input": {}}
        delta = (
            {"type": "text_delta", "text": block["text"]}
            if block["type"] == "text"
            else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        )
        yield {"type": "content_block_start", "index": index, "content_block": {**block, **empty}}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": whole["usage"]}
    yield {"type": "message_stop"}


# OpenAI's responses


def response(answer: Answer) -> dict[str, Any]:
    """Return an answer as a response."""
    output: list[dict[str, Any]] = []
    if answer.text or not answer.calls:
        text: dict[str, Any] = {"type": "output_text", "text": answer.text, "annotations": []}
        output.append(
            {"type": "message", "id": _id("msg", answer), "role": "assistant", "content": [text]}
        )
    for one in answer.calls:
        item: dict[str, Any] = {"id": f"item_{one.id}", "call_id": one.id, "name": one.name}
        if one.freeform:
            item |= {"type": "custom_tool_call", "input": one.arguments["input"]}
        else:
            item |= {"type": "function_call", "arguments": json.dumps(one.arguments)}
        if one.space:
            item["namespace"] = one.space
        output.append(item)
    used = answer.usage
    return {
        "id": _id("resp", answer),
        "object": "response",
        "created_at": int(time.time()),
        "status": "completed",
        "model": answer.model,
        "output": [{"status": "completed", **item} for item in output],
        "usage": {
            "input_tokens": used["input"],
            "input_tokens_details": {"cached_tokens": used.get("cached", 0)},
            "output_tokens": used["output"],
            "output_tokens_details": {"reasoning_tokens": used.get("reasoning", 0)},
            "total_tokens": used["input"] + used["output"],
        },
    }


def response_events(answer: Answer) -> Iterator[dict[str, Any]]:
    """Yield a response as events."""
    whole = response(answer)
    begun: dict[str, Any] = {**whole, "status": "in_progress", "output": [], "usage": None}
    yield {"type": "response.created", "response": begun}
    for index, item in enumerate(whole["output"]):
        place = {"output_index": index, "item_id": item["id"]}
        empty = {**item, "status": "in_progress"}
        if item["type"] == "message":
            empty["content"] = []
        yield {"type": "response.output_item.added", "output_index": index, "item": empty}
        if item["type"] == "message":
            part = item["content"][0]
            inside = {**place, "content_index": 0}
            start = {**part, "text": ""}
            yield {"type": "response.content_part.added", **inside, "part": start}
            yield {"type": "response.output_text.delta", **inside, "delta": part["text"]}
            yield {"type": "response.output_text.done", **inside, "text": part["text"]}
            yield {"type": "response.content_part.done", **inside, "part": part}
        elif item["type"] == "function_call":
            kind = "response.function_call_arguments"
            yield {"type": f"{kind}.delta", **place, "delta": item["arguments"]}
            yield {"type": f"{kind}.done", **place, "arguments": item["arguments"]}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": whole}


# Chat completions


def completion(answer: Answer) -> dict[str, Any]:
    """Return an answer as a chat completion."""
    calls = [
        {
            "id": one.id,
            "type": "function",
            "function": {"name": one.name, "arguments": json.dumps(one.arguments)},
        }
        for one in answer.calls
    ]
    told: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
    if calls:
        told["tool_calls"] = calls
    finish = "tool_calls" if calls else "stop"
    return {
        **_completion_head(answer, "chat.completion"),
        "choices": [{"index": 0, "message": told, "finish_reason": finish}],
        "usage": _completion_usage(answer),
    }


def completion_events(answer: Answer) -> Iterator[dict[str, Any]]:
    """Yield a chat completion as chunks."""
    head = _completion_head(answer, "chat.completion.chunk")
    told = completion(answer)["choices"][0]

    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": told["message"]["content"] or ""})
    for index, call in enumerate(told["message"].get("tool_calls", ())):
        yield chunk({"tool_calls": [{"index": index, **call}]})
    yield chunk({}, told["finish_reason"])
    yield {**head, "choices": [], "usage": _completion_usage(answer)}


def _completion_head(answer: Answer, kind: str) -> dict[str, Any]:
    created = int(time.time())
    return {"id": _id("chat", answer), "object": kind, "created": created, "model": answer.model}


def _completion_usage(answer: Answer) -> dict[str, Any]:
    used = answer.usage
    return {
        "prompt_tokens": used["input"],
        "completion_tokens": used["output"],
        "total_tokens": used["input"] + used["output"],
        "prompt_tokens_details": {"cached_tokens": used.get("cached", 0)},
        "completion_tokens_details": {"reasoning_tokens": used.get("reasoning", 0)},
    }


def _id(kind: str, answer: Answer) -> str:
    return f"{kind}_{time.time_ns()}_{answer.turn if answer.turn is not None else 'short'}"


# The server

_KINDS = {
    "/messages": (message, message_events),
    "/responses": (response, response_events),
    "/chat/completions": (completion, completion_events),
}


class ModelEndpoint(ThreadingHTTPServer):
    """The endpoint. records: one per answer of a model: interface, model, tools, turn, usage."""

    daemon_threads = True

    def __init__(self, script: Sequence[Mapping[str, Any]], port: int = 0, log: Path | None = None):
        super().__init__(("127.0.0.1", port), _Handler)
        self.script = script
        self.log = log
        self.records: list[dict[str, Any]] = []
        self.model = "scripted"
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def record(self, path: str, request: Mapping[str, Any], answer: Answer) -> None:
        with self._lock:
            self.model = answer.model
            told = {
                "path": path,
                "model": answer.model,
                "stream": bool(request.get("stream")),
                "effort": _effort(request),
                "tools": sorted(offered_tools(request)),
                "turn": answer.turn,
                "calls": [one.name for one in answer.calls],
                "usage": dict(answer.usage),
            }
            self.records.append(told)
            if self.log is not None:
                with self.log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(told) + "\n")


def _effort(request: Mapping[str, Any]) -> str | None:
    """Return the reasoning effort that a request asks for."""
    places: list[dict[str, Any] | None] = [request.get("reasoning"), request.get("output_config")]
    found: list[str | None] = [place.get("effort") for place in places if place]
    return next((one for one in [request.get("reasoning_effort"), *found] if one), None)


class _Handler(BaseHTTPRequestHandler):
    @property
    def _endpoint(self) -> ModelEndpoint:
        assert isinstance(self.server, ModelEndpoint)
        return self.server

    def do_GET(self) -> None:
        model = {"id": self._endpoint.model, "object": "model", "owned_by": "script"}
        self._send({"object": "list", "data": [model], "models": []})

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.end_headers()

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self._send({"input_tokens": len(data) // 4})
            return
        kind = next((kind for end, kind in _KINDS.items() if path.endswith(end)), None)
        if kind is None:
            self._send({"error": {"message": f"no answer to {path}"}}, 404)
            return
        request = json.loads(data)
        answer = answer_to(request, self._endpoint.script)
        self._endpoint.record(path, request, answer)
        whole, events = kind
        if not request.get("stream"):
            self._send(whole(answer))
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for number, event in enumerate(events(answer)):
            name = f"event: {event['type']}\n" if "type" in event else ""
            if path.endswith("/responses"):
                event["sequence_number"] = number
            self.wfile.write(f"{name}data: {json.dumps(event)}\n\n".encode())
        if path.endswith("/completions"):
            self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, value: object, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("script", type=Path)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", type=Path, help="append a line for each answer")
    options = parser.parse_args()
    script = json.loads(options.script.read_text("utf-8"))
    with ModelEndpoint(script, options.port, options.log) as endpoint:
        print(endpoint.url, flush=True)
        endpoint.serve_forever()


if __name__ == "__main__":
    main()
