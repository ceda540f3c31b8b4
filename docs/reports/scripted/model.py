"""Two scripted models, heron and wren, at an endpoint on this machine::

    python model.py ANSWERS PORT            ANSWERS: the folder that answers.py writes

Whether a model solves a problem depends on a digest of its name, the language and the problem, on
the tier, and on the answers before it, but not on the words of the prompt: all runs are the same.
"""

from __future__ import annotations

import json
import re
import sys
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

SKILL = {"heron": 0.55, "wren": 0.3}
EASE = {"brainfuck": 0.1, "befunge-98": 0.05, "python": 0.6}
HARDER = {"E": 0.0, "M": 0.1, "H": 0.2, "X": 0.35}
BROKEN = {
    "brainfuck": "[",
    "whitespace": "\n",
    "unlambda": "`",
    "python": "def",
    "shakespeare": "No.",
}
ENDLESS = {"brainfuck": "+[]", "befunge-98": " ", "python": "print(1"}


class Answers:
    """The programs that solve problems, by language and id."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.ids: dict[str, str] = json.loads((folder / "titles.json").read_text("utf-8"))

    def program(self, language: str, id: str) -> str:
        (path,) = (self.folder / language).glob(f"{id}.*")
        return path.read_text("utf-8", "replace")

    def answer(self, model: str, messages: list[dict[str, str]]) -> tuple[str, int]:
        """The answer to a conversation, and its tokens of reasoning."""
        system = messages[0]["content"]
        named = re.search(r" in ([A-Z][A-Za-z0-9-]+)", system)
        assert named is not None, system
        language = named[1].lower()
        asked = "\n".join(one["content"] for one in messages[1:] if one["role"] == "user")
        id = next(
            self.ids[title]
            for title in self.ids
            if re.search(rf"^# {re.escape(title)}$", asked, re.M)
        )
        luck = int(sha256(f"{model} {language} {id}".encode()).hexdigest()[:8], 16) / 16**8
        reasoning = int(600 * luck) if model == "heron" else 0
        if not system.startswith("You write"):
            return "Read the input to its end. Then compare the output byte by byte.", reasoning
        attempt = sum(one["role"] == "assistant" for one in messages)
        attempt += len(re.findall(r"^Attempt \d+ was this program", messages[-1]["content"], re.M))
        shown = 0.06 if asked.count("\n# ") + asked.startswith("# ") > 1 else 0.0
        chance = SKILL[model] + EASE.get(language, 0) - HARDER[id[0]] + 0.12 * attempt + shown
        program: str | None = self.program(language, id)
        if luck >= chance:
            kind = int(luck * 10_000) % 5
            others = [other for other in self.ids.values() if other != id]
            program = self.program(language, others[int(luck * 1_000) % len(others)])
            if kind == 0:
                program = None
            elif kind == 1:
                program = BROKEN.get(language, program)
            elif kind == 2:
                program = ENDLESS.get(language, program)
        if program is None:
            return "This cannot be solved in so small a language.", reasoning
        return f"Here it is.\n\n~~~~~~\n{program}\n~~~~~~\n", reasoning


def main() -> None:
    answers = Answers(Path(sys.argv[1]))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text, reasoning = answers.answer(body["model"], body["messages"])
            told = {
                "choices": [{"message": {"role": "assistant", "content": text}}],
                "usage": {
                    "prompt_tokens": 800 * len(body["messages"]),
                    "completion_tokens": len(text) // 4 + reasoning,
                    "completion_tokens_details": {"reasoning_tokens": reasoning},
                },
            }
            data = json.dumps(told).encode("ascii")
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
