"""Freeze sessions: the store and the vault, exports, what commands show of them, and reports."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workshop import LANGUAGES, PROBLEMS, Workshop, wait_until

ONE_SHOT = """\
extends = "primary"
id = "one-shot"
purpose = "one submission, a word for each test"
submissions = 1
feedback = "per-test"
runs = 2
debug = true
generators = ["python", "shell"]
"""
PACK = """\
format = 1
id = "frozen"
version = "1"
title = "A few problems that stay as they are"
"""
WRONG = {
    "brainfuck": b",.",
    "befunge-98": b"~,@",
    "whitespace": b"\n\n\n",
    "unlambda": b"`.xi",
    "shakespeare": b"No act.\n\nRomeo, nobody.\n\nAct I: The end.\n\nScene I: The end.\n",
    "python": b"print(1)\n",
}
SOLVED_BY_PYTHON = b"import sys\nsys.stdout.write(sys.stdin.read())\n"


class Player:
    """One session that is played by commands in its workspace."""

    def __init__(self, shop: Workshop, name: str, language: str, *words: str | Path) -> None:
        self.shop, self.name, self.language = shop, name, language
        self.workspace = shop.work / name
        seed = () if "practice" in words else ("--seed-file", shop.seed_file(name))
        started = shop.json(
            *("session", "init", "--language", language, "--workspace", self.workspace),
            *("--solver", f"solver of {name}", *seed, *words),
        )
        self.id: str = started["session"]

    def fetch(self, *words: str) -> Any:
        return self.shop.json("session", "fetch", *words, cwd=self.workspace)

    def run(self, program: bytes | Path, given: str = "", status: int | None = 0) -> Any:
        return self.shop.json(
            *("session", "run", self.file(program), "--input", given),
            cwd=self.workspace,
            status=status,
        )

    def submit(
        self, problem: str, program: bytes | Path, *words: str, status: int | None = None
    ) -> Any:
        return self.shop.json(
            *("session", "submit", problem, self.file(program), *words),
            cwd=self.workspace,
            status=status,
        )

    def solve(self, problem: str) -> None:
        self.submit(problem, self.shop.program(problem, self.language), status=0)

    def skip(self) -> None:
        self.shop.json("session", "skip", cwd=self.workspace)

    def close(self) -> None:
        self.shop.json("session", "reveal", "--close", cwd=self.workspace)

    def file(self, program: bytes | Path) -> Path:
        """A program's file in the workspace, which inventories are about."""
        data = program if isinstance(program, bytes) else program.read_bytes()
        ending = LANGUAGES.get(self.language, ".py")
        return self.shop.write(self.workspace / f"try{ending}", data)

    def serve(self, *requests: Mapping[str, Any], words: tuple[str, ...] = ()) -> list[Any]:
        """Call methods as the session's solver does."""
        lines = [
            json.dumps({"jsonrpc": "2.0", "id": number, **request})
            for number, request in enumerate(requests, 1)
        ]
        said = self.shop.run(
            *("serve", "--solver", "--session", self.id, *words), stdin="\n".join(lines) + "\n"
        )
        answers = [json.loads(line) for line in said.splitlines()]
        for answer in answers:
            if "error" in answer:
                raise SystemExit(f"{self.name}: {answer}")
        return answers


def freeze(shop: Workshop) -> None:
    """Play all sessions in one store, and keep them as ``sessions`` and ``home``."""
    pack = make_pack(shop)
    install_small_pack(shop)
    players = [
        primary_closed(shop, pack),
        primary_open(shop, "primary-open"),
        primary_open(shop, "primary-waiting", "--pack", pack),
        relaxed(shop, pack),
        one_shot(shop, pack),
        practice(shop, pack),
        host_lane(shop, pack),
        library(shop, pack),
        direct(shop, pack),
        budget(shop, pack),
        fixed_tests(shop),
    ]
    for player in players:
        _keep_export(shop, player)
    shop.store_tree("work/primary-open", shop.work / "primary-open")
    _keep_reports(shop, players)
    shop.store("sessions/list.json", shop.json("session", "list"))
    shop.store("sessions/protocols.json", shop.json("session", "protocols"))


def make_pack(shop: Workshop) -> Path:
    """A pack with judges that stays as it is, whatever becomes of the one that ships."""
    folder = shop.root / "packs" / "frozen"
    folder.mkdir(parents=True)
    shipped = (shop.checkout / "problems" / "pack.toml").read_text("utf-8")
    shop.write(folder / "pack.toml", PACK + shipped[shipped.index("tiers =") :])
    for problem in PROBLEMS:
        (source,) = (shop.checkout / "problems").glob(f"{problem}-*")
        hidden = shutil.ignore_patterns("references", "source.py", "mistakes.py", "__pycache__")
        shutil.copytree(source, folder / source.name, ignore=hidden)
    shop.store_tree("packs/frozen", folder)
    return folder


def install_small_pack(shop: Workshop) -> None:
    """A pack with fixed tests, imported from the data set of another benchmark."""
    items = [
        {
            "id": name,
            "difficulty": difficulty,
            "title": title,
            "description": "Print the input." if name == "Q1" else "Print its first byte.",
            "test_cases": tests,
            "public_examples": [{"input": "xy", "output": "xy" if name == "Q1" else "x"}],
        }
        for name, difficulty, title, tests in (
            ("Q1", "easy", "Echo", [{"input": text, "output": text} for text in ("a b", "", "é")]),
            ("Q2", "extra_hard", "First", [{"input": "abc", "output": "a"}]),
        )
    ]
    data = {"metadata": {"name": "Small", "version": "3"}, "problems": items}
    shop.store("packs/small.json", data)
    shop.run("problems", "import", shop.output / "packs" / "small.json", "--id", "small")
    shop.store("packs/installed.json", shop.json("problems", "packs"))
    words = ("problems", "export", "--pack", "small")
    shop.store("packs/small-exported.json", shop.run(*words))
    shop.run(*words, "--format", "pair", "-o", "pair")
    for part in ("public", "private"):
        shop.store(f"packs/small_{part}.json", (shop.work / f"pair_{part}.json").read_bytes())


# Sessions


def primary_closed(shop: Workshop, pack: Path) -> Player:
    """Solved at once, solved late, failed, and a submission that is repeated by its request id."""
    player = Player(shop, "primary-closed", "brainfuck", "--pack", pack)
    player.run(b"+[.,]", "before anything is fetched")
    player.fetch()
    player.run(b"[", status=None)  # no program
    player.run(b"<", status=None)  # leaves the tape
    player.run(b"+[]", status=None)  # the step limit
    player.run(b"+[.]", status=None)  # the output limit
    player.submit("E01", shop.program("E01", "brainfuck"), "--request-id", "first")
    player.submit("E01", shop.program("E01", "brainfuck"), "--request-id", "first")
    player.fetch()
    player.submit("E02", WRONG["brainfuck"])
    shop.write(player.workspace / "make.py", "print(',[.,]')\n")
    player.solve("E02")
    player.fetch()
    player.run(b"\x00\xff,.", "\xff")
    for program in (b"[", b"<", b"+[]"):
        player.submit("E03", program)
    player.fetch()
    player.solve("E08")
    player.close()
    return player


def primary_open(shop: Workshop, name: str, *words: str | Path) -> Player:
    """In the middle of the second problem; once with the pack that ships."""
    player = Player(shop, name, "brainfuck", *words)
    player.fetch()
    player.solve("E01")
    player.fetch()
    player.run(b",[.,]", "abc")
    player.submit("E02", WRONG["brainfuck"], "--request-id", "again")
    return player


def relaxed(shop: Workshop, pack: Path) -> Player:
    """Single tests are told; a problem is skipped and fetched again."""
    player = Player(
        shop, "relaxed", "whitespace", "--pack", pack, "--protocol", "relaxed",
        *("--set", "feedback=per-test"),
    )  # fmt: skip
    player.fetch()
    player.skip()
    player.fetch()
    player.submit("E02", shop.program("E08", "whitespace"))
    player.solve("E02")
    player.fetch()
    player.submit("E03", shop.program("E02", "whitespace"))
    player.skip()
    player.fetch()
    player.solve("E08")
    player.fetch("E01")
    player.run(shop.program("E01", "whitespace"))
    player.solve("E01")
    return player


def one_shot(shop: Workshop, pack: Path) -> Player:
    """A protocol from a file, with counted runs, debugging, and a workspace that breaks a rule."""
    protocol = shop.write(shop.root / "one-shot.toml", ONE_SHOT)
    shop.store("sessions/one-shot.toml", ONE_SHOT)
    player = Player(shop, "one-shot", "unlambda", "--pack", pack, "--protocol", protocol)
    player.fetch()
    player.serve({"method": "debug.open", "params": {"language": "unlambda", "program": "`.ai"}})
    player.run(b"`.bi")
    player.solve("E01")
    player.fetch()
    shop.write(player.workspace / "make.rs", "fn main() {}\n")
    (player.workspace / "link.py").symlink_to("nowhere.py")
    player.submit("E02", shop.program("E02", "unlambda"))  # passes, and breaks the rule
    player.fetch()
    player.submit("E03", WRONG["unlambda"])
    return player


def practice(shop: Workshop, pack: Path) -> Player:
    """Explained tests, the public seed, and the debugger: opened, changed, forked, compared."""
    player = Player(shop, "practice", "befunge-98", "--pack", pack, "--protocol", "practice")
    player.fetch("E02")
    player.submit("E02", WRONG["befunge-98"])
    player.solve("E02")
    player.serve(
        {
            "method": "debug.open",
            "params": {"language": "befunge-98", "program": "12+.~,@", "stdin": "ab"},
        },
        {"method": "debug.continue", "params": {"debug": "d1"}},
        {"method": "debug.fork", "params": {"debug": "d1"}},
        {"method": "debug.seek", "params": {"debug": "d2", "step": 2}},
        {"method": "debug.set", "params": {"debug": "d2", "cell": [2, 0], "value": 42}},
        {"method": "debug.set", "params": {"debug": "d1", "stdin": "xyz"}},
        {"method": "debug.compare", "params": {"debug": "d1", "stdin": "other"}},
        {"method": "session.run", "params": {"program": "@", "request_id": "r1"}},
        {"method": "session.run", "params": {"program": "@", "request_id": "r1"}},
        {"method": "session.submit", "params": {"problem": "E02", "program": "~,@"}},
    )
    player.fetch("E08")
    return player


def host_lane(shop: Workshop, pack: Path) -> Player:
    """Python, and a submission that came to nothing because its grader was killed."""
    player = Player(shop, "host-lane", "python", "--pack", pack)
    player.fetch()
    player.run(b"print(input())", "words")
    player.run(b"raise SystemExit('no')", status=None)
    player.submit("E01", b"print('Hello World', end='')\n")
    while player.fetch()["problem"] == "E01":
        player.submit("E01", WRONG["python"])
    _void(player, "E02")
    player.submit("E02", SOLVED_BY_PYTHON, status=0)
    player.fetch()
    player.submit("E03", b"syntax error(\n")
    return player


def _void(player: Player, problem: str) -> None:
    """Kill a submission while it is graded: the log then has one that is void."""
    words = ("session", "submit", problem, str(player.file(b"while True: pass\n")))
    process = subprocess.Popen(
        player.shop.command(*words),
        cwd=player.workspace,
        env=player.shop.environment,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    store = player.shop.home / "sessions.sqlite"

    def is_reserved() -> bool:
        query = "SELECT kind FROM event WHERE session = ? ORDER BY seq DESC LIMIT 1"
        with sqlite3.connect(store) as connection:
            (kind,) = connection.execute(query, (player.id,)).fetchone()
        connection.close()
        return kind == "submission_reserved"

    wait_until(is_reserved, "a submission is reserved")
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    player.shop.json("session", "status", cwd=player.workspace)


def library(shop: Workshop, pack: Path) -> Player:
    """The builders' library in the workspace, with one of its files changed."""
    player = Player(shop, "library", "shakespeare", "--pack", pack, "--protocol", "library")
    player.fetch()
    player.solve("E01")
    with (player.workspace / "builders" / "ir.py").open("a") as file:
        file.write("# changed\n")
    player.fetch()
    player.solve("E02")
    player.fetch()
    player.close()
    return player


def direct(shop: Workshop, pack: Path) -> Player:
    """A foreign file breaks the rule of the protocol."""
    player = Player(shop, "direct", "befunge-98", "--pack", pack, "--protocol", "direct")
    player.fetch()
    player.solve("E01")
    player.fetch()
    shop.write(player.workspace / "notes.txt", "foreign\n")
    player.submit("E02", shop.program("E02", "befunge-98"))
    return player


def budget(shop: Workshop, pack: Path) -> Player:
    """Counted local runs, one of them to debug, all of them spent."""
    player = Player(
        shop, "budget", "brainfuck", "--pack", pack, "--protocol", "budget-3", "--debug"
    )
    player.fetch()
    player.run(b"+.")
    player.serve({"method": "debug.open", "params": {"language": "brainfuck", "program": "+."}})
    player.run(b"++.")
    player.solve("E01")
    return player


def fixed_tests(shop: Workshop) -> Player:
    """A pack with fixed tests."""
    player = Player(shop, "fixed-tests", "brainfuck", "--pack", "small")
    player.fetch()
    player.submit("Q1", b",[.,]", status=0)
    player.fetch()
    for program in (b",.,.", b",", b".,"):
        player.submit("Q2", program)
    return player


# What is kept of them


def _keep_export(shop: Workshop, player: Player) -> None:
    """An export and everything that commands say of it."""
    place = f"sessions/{player.name}"
    at = player.workspace
    export = shop.work / f"{player.name}.json"
    shop.run("session", "export", "-o", export, cwd=at)
    shop.store(f"{place}/session.json", export.read_bytes())
    shop.store(f"{place}/status.json", shop.json("session", "status", cwd=at))
    shop.store(f"{place}/events.jsonl", shop.run("session", "events", export))
    shop.store(f"{place}/replay.json", shop.json("session", "replay", export))
    words: list[str | Path] = []
    if player.name == "practice":
        words = ["--pack", shop.root / "packs" / "frozen"]
    else:
        words = ["--seed-file", shop.seed_file(player.name)]
        if player.name not in ("primary-open", "fixed-tests"):
            words += ["--pack", shop.root / "packs" / "frozen"]
    verified = shop.json("session", "verify", export, *words)
    shop.store(f"{place}/verify.json", verified)


def _keep_reports(shop: Workshop, players: list[Player]) -> None:
    """Reports of single sessions and of all together."""
    exports = [shop.work / f"{player.name}.json" for player in players]
    pack = ("--pack", shop.root / "packs" / "frozen")
    for player, export in zip(players, exports, strict=True):
        own = () if player.name in ("primary-open", "fixed-tests") else pack
        report = shop.json("report", export, *own, "--resamples", "100")
        shop.store(f"sessions/{player.name}/report.json", report)
    report = shop.json("report", *exports, "--resamples", "100", "--keep-going")
    shop.store("sessions/report.json", report)
