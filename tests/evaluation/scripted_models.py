"""A model on loopback that answers by a script, and what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from esoplay.evaluation.endpoint import Endpoint
from esoplay.evaluation.extraction import add_fence
from esoplay.evaluation.model import Model
from esoplay.evaluation.reports import save_results, start_or_resume
from esoplay.evaluation.results import EvaluationLine, ResultTable
from esoplay.evaluation.runs import EvaluationOptions, TrialEvent, make_plan, run_trials
from esoplay.evaluation.transcript import EvaluationTranscript

PROBLEMS = "E01,E02,E03"
INPUT_TOKENS, CACHED_TOKENS, OUTPUT_TOKENS, REASONING_TOKENS = 100, 40, 7, 5

ECHO = {
    "Brainfuck": ",[.,]",
    "Befunge-98": "#@~:1+!#@_,",
    "Whitespace": "",
    "Unlambda": "```s`d`@|i``s`d`@|i",
    "Shakespeare": (
        "Echo.\n\nRomeo, a voice.\nJuliet, an ear.\n\nAct I: All.\n\nScene I: Enter.\n\n"
        "[Enter Romeo and Juliet]\n\nScene II: Again.\n\nRomeo:\n Open your mind. Are you worse "
        "than nothing? If so, let us proceed to scene III. Speak your mind! Let us return to "
        "scene II.\n\nScene III: Exeunt.\n\n[Exeunt]\n"
    ),
}
ECHO["Python"] = "import sys\nprint(sys.stdin.read(), end='')"
"""A program in each language that solves E02 and none of the other problems asked here."""
ECHO["Whitespace"] = "LSSL SSSL TLTS SSSL TTT SLS LTTTL TLSS LSLL LSSTL LLL".replace(
    " ", ""
).translate(str.maketrans("STL", " \t\n"))


class Reply(NamedTuple):
    """What the server sends.  wait: before that; text: None for ``body`` as it is."""

    text: str | None = None
    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    usage: bool = True
    wait: threading.Event | None = None


Script = Callable[[list[dict[str, str]]], Reply]


class Served(NamedTuple):
    """A running server: its address, and the bodies and headers of all requests so far."""

    url: str
    asked: list[dict[str, Any]]
    headers: list[dict[str, str]]


@contextmanager
def serving(script: Script) -> Iterator[Served]:
    served = Served("", [], [])
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            assert self.path == "/v1/chat/completions"
            with lock:
                served.asked.append(body)
                served.headers.append(dict(self.headers))
            reply = script(body["messages"])
            if reply.wait is not None:
                reply.wait.wait(300)
            data = reply.body if reply.text is None else _completion(reply)
            try:
                self.send_response(reply.status)
                for name, value in reply.headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                pass  # who asked was killed meanwhile

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield served._replace(url=f"http://127.0.0.1:{server.server_address[1]}/v1")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def echoing(messages: list[dict[str, str]]) -> Reply:
    """Writes the echo in the language that is asked for; plans and reviews in words."""
    return Reply(answer_to(messages[0]["content"]))


def answer_to(system: str) -> str:
    """The scripted answer to this system prompt."""
    language = next(name for name in ECHO if f" in {name}" in system)
    if system.startswith("You write"):
        return f"Here it is.\n\n{add_fence(ECHO[language])}\n\nGood luck!"
    return "Print every character.\n\n```\n,[.,] is code\n```\n\nThat is all."


def evaluate(
    folder: Path,
    asked: str | Model,
    languages: Sequence[str],
    regimes: Sequence[str],
    problems: Sequence[str],
    *,
    jobs: int = 4,
    retries: int = 6,
    **options: Any,
) -> tuple[ResultTable, list[TrialEvent]]:
    """An evaluation as the command does it, in this process."""
    folder.mkdir(exist_ok=True)
    model = Endpoint(asked, "scripted") if isinstance(asked, str) else asked
    wanted = EvaluationOptions(
        "scripted", "loopback", languages, regimes, problems=problems, **options
    )
    with EvaluationTranscript(folder) as transcript:
        plan, terms = make_plan(wanted, bytes(range(32)))
        start_or_resume(folder, terms, transcript, None)
        left = run_trials(plan, transcript, model, jobs=jobs, retries=retries, first_pause=0.001)
        return save_results(folder, terms, transcript, plan.tiers), left


def arguments(folder: Path, url: str, regime: str = "self-scaffolding") -> list[str]:
    """Of a command that asks for three problems in Brainfuck."""
    return [
        *("eval", "--language", "brainfuck", "--regime", regime, "--problems", PROBLEMS),
        *("--model", "scripted", "--base-url", url, "--attempts", "2", "-o", str(folder)),
    ]


def line_of(results: ResultTable, language: str, regime: str) -> EvaluationLine:
    (line,) = (line for line in results.lines if (line.language, line.regime) == (language, regime))
    return line


def records(folder: Path, kind: str) -> list[dict[str, Any]]:
    lines = (folder / "transcript.jsonl").read_bytes().splitlines()
    return [found for found in map(json.loads, lines) if found["kind"] == kind]


def _completion(reply: Reply) -> bytes:
    found: dict[str, Any] = {
        "choices": [
            {"message": {"role": "assistant", "content": reply.text}, "finish_reason": "stop"}
        ]
    }
    if reply.usage:
        found["usage"] = {
            "prompt_tokens": INPUT_TOKENS,
            "completion_tokens": OUTPUT_TOKENS,
            "prompt_tokens_details": {"cached_tokens": CACHED_TOKENS},
            "completion_tokens_details": {"reasoning_tokens": REASONING_TOKENS},
        }
    return json.dumps(found).encode("ascii")
