"""Freeze runs: evaluations of a scripted model, and a grid that a scripted agent plays."""

from __future__ import annotations

import json
import shutil
import stat
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from workshop import Workshop

ECHO = {"Brainfuck": ",[.,]", "Befunge-98": "#@~:1+!#@_,", "Python": "print(input(), end='')"}
"""Programs that solve Q1 and not Q2, by the language's name."""
COMMAND = """\
#!/bin/sh
cat > /dev/null
printf 'It prints this.\\n```\\nB\\n```\\n'
"""
AGENT = """\
for name in Q1 Q2; do
    python3 session.py fetch || exit 0
    printf ',[.,]' > try.bf
    python3 session.py run try.bf --input 'a b'
    python3 session.py submit $name try.bf --request-id $name
    printf ',.' > try.bf
    python3 session.py submit $name try.bf
    echo '{"input_tokens": 900, "output_tokens": 80, "cost": 0.5}' >> "$ESOPLAY_USAGE"
done
"""
"""Plays the small pack: it solves the first problem at once, and the second at the second try."""
GRID = """\
title = "Two agents"
languages = ["brainfuck"]
protocols = ["primary", "relaxed"]
sessions = 1
pack = "small"

[limits]
time = "10m"
grace = "1s"

[[solvers]]
name = "scripted"
command = ["sh", "-c", '''
{agent}''']

[[solvers]]
name = "idle"
command = ["true"]
environment = ["LANG"]
[solvers.set]
MANNER = "quiet"
[solvers.limits]
turns = 40
"""
PRICES = """\
currency = "USD"

[models."scripted"]
input = 3.00
cached_input = 0.30
output = 15.00
"""


def freeze(shop: Workshop) -> None:
    freeze_evaluation(shop)
    freeze_predictions_by_a_command(shop)
    freeze_agents(shop)


def freeze_evaluation(shop: Workshop) -> None:
    """Two languages and a host lane under three regimes, asked of an endpoint on loopback.

    Statements and cards are a part of what is asked, so these are of a pack that stays as it is,
    and left out.
    """
    folder = shop.work / "evaluation"
    prices = shop.write(shop.work / "prices.toml", PRICES)
    shop.environment["OPENAI_API_KEY"] = "unused"
    with serving() as url:
        words = [
            *("--language", "brainfuck,befunge-98,python", "--regime"),
            *("zero-shot,self-scaffolding,agent-loop", "--pack", "small", "--no-card"),
            *("--attempts", "2", "--model", "scripted", "--base-url", url, "--temperature", "0.5"),
        ]
        shop.run("eval", *words, "--jobs", "2", "-o", folder, "--prices", prices)
    shop.store_tree("evaluations/endpoint", folder)
    shop.store("evaluations/endpoint.arguments.json", words)
    shop.store("evaluations/endpoint.prices.toml", PRICES)


def freeze_predictions_by_a_command(shop: Workshop) -> None:
    """Output predictions, asked of a command."""
    folder = shop.work / "guessing"
    script = shop.write(shop.work / "guess.sh", COMMAND)
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    words = [
        *("--task", "predict", "--items", "guesses", "--language", "brainfuck,whitespace"),
        *("--regime", "zero-shot", "--command", "./guess.sh"),
    ]
    shop.run("eval", *words, "--seed-file", shop.seed_file("guesses"), "-o", folder)
    shop.store_tree("evaluations/predict", folder)
    shop.store("evaluations/predict.arguments.json", words)


@contextmanager
def serving() -> Generator[str]:
    """A model on loopback that writes an echo in the language that it is asked for."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            system = asked["messages"][0]["content"]
            language = next((name for name in ECHO if f" in {name}" in system), "Brainfuck")
            answer = {
                "choices": [
                    {
                        "message": {
                            "role": "assistant",
                            "content": f"Here it is.\n\n```\n{ECHO[language]}\n```\n",
                        },
                        "finish_reason": "stop",
                    }
                ],
                "usage": {
                    "prompt_tokens": 100,
                    "completion_tokens": 7,
                    "prompt_tokens_details": {"cached_tokens": 40},
                },
            }
            data = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def freeze_agents(shop: Workshop) -> None:
    """A grid of a scripted agent that completes its sessions, and one that gives up at once."""
    grid = shop.write(shop.work / "small.toml", GRID.replace("{agent}", AGENT))
    shop.run("agents", "run", grid, "--jobs", "2", status=1)  # idle sessions are not complete
    run = shop.work / "small.runs"
    shop.store("agents/small.toml", grid.read_bytes())
    shop.store("agents/status.json", shop.json("agents", "status", run, status=1))
    words = ("--resamples", "100", "--keep-going")
    shop.store("agents/report.json", shop.json("agents", "report", run, *words, status=None))
    for place in run.rglob("home"):  # what the agent's home has besides is no format of ours
        shutil.rmtree(place)
    for name in ("session.py", "AGENTS.md", "CLAUDE.md"):
        for place in run.rglob(name):
            place.unlink()
    shop.store_tree("agents/small.runs", run, ignore=["*.sock"])
    for name in ("main", "direct", "hosts", "library", "budgets"):
        shop.store(f"agents/grids/{name}.toml", shop.run("agents", "grid", name))
