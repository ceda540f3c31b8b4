"""A corpus of six tasks in the format of the AgentLang Index, one of each shape, for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FIXTURE = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(int(self.path.strip("/")))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


port = int(sys.argv[1]) if len(sys.argv) > 1 else 18077
server = HTTPServer(("127.0.0.1", port), Answer)
print("ready", flush=True)
server.serve_forever()
"""
TASKS: dict[str, dict[str, Any]] = {
    "000-say": {
        "tags": ["io"],
        "prompt": "Write `hello` and a newline.",
        "ref.py": "print('hello')\n",
        "ref.js": "console.log('hello');\n",
        "public": [("", [], "hello\n")],
        "hidden": [("ignored", [], "hello\n")],
    },
    "001-triangle": {
        "tags": ["algorithms"],
        "prompt": "Read n and write the n-th triangular number and a newline.",
        "ref.py": "n = int(input())\nprint(n * (n + 1) // 2)\n",
        "public": [("3\n", ["3"], "6\n")],
        "hidden": [("0\n", ["0"], "0\n"), ("10\n", ["10"], "55\n")],
    },
    "002-fields": {
        "tags": ["strings", "parsing"],
        "difficulty": "medium",
        "prompt": "Write the number of fields between semicolons and a newline.",
        "ref.py": "print(input().count(';') + 1)\n",
        "public": [("a;b\n", [], "2\n")],
        "hidden": [("\n", [], "1\n")],
    },
    "003-status": {
        "tags": ["networking"],
        "difficulty": "medium",
        "prompt": "Request the URL and write the status of the answer and a newline.",
        "ref.py": (
            "import urllib.error, urllib.request\n"
            "try:\n    print(urllib.request.urlopen(input(), timeout=5).status)\n"
            "except urllib.error.HTTPError as error:\n    print(error.code)\n"
        ),
        "fixture_server.py": FIXTURE,
        "wall_time_max_ms": 10000,
        "public": [("http://127.0.0.1:18077/200\n", ["http://127.0.0.1:18077/200"], "200\n")],
        "hidden": [("http://127.0.0.1:18077/503\n", ["http://127.0.0.1:18077/503"], "503\n")],
    },
    "004-halve": {
        "tags": ["error-handling"],
        "difficulty": "hard",
        "prompt": "Write half of the argument, or fail with status 2 and `odd` on stderr.",
        "ref.py": (
            "import sys\nn = int(sys.argv[1])\n"
            "if n % 2:\n    sys.stderr.write('odd')\n    sys.exit(2)\nprint(n // 2)\n"
        ),
        "public": [("", ["8"], "4\n")],
        "hidden": [("", ["7"], "", "odd", 2)],
    },
    "005-double": {
        "tags": ["multi-file"],
        "prompt": "Write twice the number and a newline.",
        "ref.py": "-- main.py --\nfrom twice import twice\nprint(twice(int(input())))\n"
        "-- twice.py --\ndef twice(n):\n    return 2 * n\n",
        "zero/zero.json": "{}\n",
        "zero/src/main.0": "use lib\n",
        "zero/src/lib.0": "fn twice\n",
        "public": [("4\n", ["4"], "8\n")],
        "hidden": [("-1\n", ["-1"], "-2\n")],
    },
}


def write_corpus(folder: Path) -> Path:
    """Write the corpus into a new folder, and return it."""
    for slug, task in TASKS.items():
        home = folder / slug
        home.mkdir(parents=True)
        spec = {
            "slug": slug,
            "title": slug[4:].title(),
            "difficulty": task.get("difficulty", "easy"),
            "tags": task["tags"],
            "spec_version": 1,
            "prompt": task["prompt"],
            "input_schema": {},
            "output_schema": {},
            "acceptance": {
                "stdout_exact_per_case": True,
                "stderr_exact": "",
                "exit_code": 0,
                "wall_time_max_ms": task.get("wall_time_max_ms", 5000),
            },
            "token_budget": 2000,
            "languages": ["zero", "ts", "rust", "go", "python"],
        }
        (home / "spec.json").write_text(json.dumps(spec, indent=2))
        for name, text in task.items():
            if "." in name:
                (home / name).parent.mkdir(parents=True, exist_ok=True)
                (home / name).write_text(text)
        for kind in ("public", "hidden"):
            (home / "tests" / kind).mkdir(parents=True)
            for number, (stdin, argv, stdout, *end) in enumerate(task[kind], 1):
                case = {"name": "a case", "stdin": stdin, "argv": argv, "expected_stdout": stdout}
                stderr, code = end or ("", 0)
                case |= {"expected_stderr": stderr, "expected_exit": code}
                file = home / "tests" / kind / f"case-{number:03}.json"
                file.write_text(json.dumps(case, indent=2))
    return folder
