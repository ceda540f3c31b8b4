"""No command prints a control character that it did not choose.

Row 5 of the attacks: a lane's stderr in the "because" line of ``grade`` and file names with ESC in
error messages commanded the terminal.  Every command and action is found in the parser, so a new
one is covered as well.  Hostile text comes in as file names, options, the home folder, programs and
what they print, packs, exports, stored and served sessions.  Colours are on in the terminal.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, cast

import pytest
from made_sessions import MadeSession
from selection import slow_except

from esoplay import terminal_text, thin_client
from esoplay.cli.main import build_parser, command_names
from esoplay.paths import problems_folder

RED = "\x1b[31mred"
HOSTILE = f"a{RED}\x1b]0;title\x07\x9b2J\x7f\u202e\u2066\r\b\nb\udc9b"
"""SGR, OSC, CSI in both spellings, DEL, overrides, returns, and a byte that is not UTF-8."""
EVIL = HOSTILE.encode("utf-8", "surrogateescape").decode("latin-1")
"""The same in a program, byte for byte."""
WIDE = HOSTILE.replace("\udc9b", "")
"""The same without the half character, which cannot stand in a text file."""

OWN = re.compile(r"\x1b\[(?:0|1|2|31|32|36)m|\r\x1b\[K")
RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
TOML = json.dumps(WIDE).replace("\x7f", "\\u007f")
"""The same as a text in TOML, which has the escapes of JSON."""


class Ran(NamedTuple):
    """What a command printed.  ended: ``exit``, ``until`` or ``deadline``."""

    stdout: str
    stderr: str
    shown: str
    ended: str


class Server:
    """Runs commands in forks of one process, see ``command_server``."""

    def __init__(self, folder: Path) -> None:
        """``folder``: where commands run; it, and the home in it, have hostile names."""
        self.folder = folder
        self.home = folder / f"home{HOSTILE}"
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("command_server.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def run(
        self,
        *argv: str,
        terminal: bool = False,
        typed: str = "",
        keyboard: bool = False,
        until: str = "",
        client: bool = False,
        **environment: str,
    ) -> Ran:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        here = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        request = {
            "argv": argv,
            "environment": {
                **here,
                "HOME": str(self.home),
                "ESOPLAY_HOME": str(self.home),
                "TERM": f"xterm{HOSTILE}",
                **environment,
            },
            "folder": str(self.folder),
            "typed": typed,
            "terminal": terminal,
            "keyboard": keyboard,
            "until": until,
            "client": client,
        }
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        texts = (
            answer.get(name, "").encode("latin-1").decode("utf-8", "surrogateescape")
            for name in ("stdout", "stderr", "shown")
        )
        stdout, stderr, shown = texts
        return Ran(stdout, stderr, shown, answer["ended"])

    def check(self, *argv: str, data: bool = False, **more: Any) -> Ran:
        """Run a command through pipes and in a terminal, and fail on raw controls.

        data: stdout is a program's bytes, which are documented to stay as they are.
        """
        piped = self.run(*argv, **more)
        assert piped.ended == "exit" or more.get("until"), argv
        assert_harmless(piped.stderr, argv)
        if not data:
            assert_harmless(piped.stdout, argv)
            shown = self.run(*argv, terminal=True, **more).shown.replace("\r\n", "\n")
            assert RED not in shown, argv
            assert_harmless(OWN.sub("", shown), argv)
        return piped


def assert_harmless(text: str, argv: tuple[str, ...]) -> None:
    found = RAW.search(text)
    assert found is None, (argv, text[max(0, found.start() - 60) : found.end() + 60])


class World(NamedTuple):
    """Hostile things on disk.  session: of the default store."""

    server: Server
    program: str
    lane: str
    pack: str
    export: str
    session: str


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[Server]:
    folder = tmp_path_factory.mktemp("escapes") / HOSTILE
    folder.mkdir()
    server = Server(folder)
    server.home.mkdir(mode=0o700)
    yield server
    server.close()


@pytest.fixture(scope="module")
def world(server: Server) -> World:
    folder = server.folder
    program = f"{HOSTILE}.bf"
    (folder / program).write_bytes(prints(EVIL))
    lane = f"{HOSTILE}.py"
    (folder / lane).write_text(
        f"import sys\nfor out in sys.stdout, sys.stderr:\n"
        f"    out.buffer.write({EVIL!r}.encode('latin-1'))\nsys.exit(1)\n"
    )
    pack = f"pack{HOSTILE}"
    make_pack(folder / pack)
    export = f"export{HOSTILE}.json"
    (folder / export).write_text(json.dumps(made_export()))
    begun = server.run("session", "init", "--language", "brainfuck", "--workspace", f"w{HOSTILE}")
    session = begun.stdout.strip()
    assert re.fullmatch("[0-9a-f]{12}", session), begun
    return World(server, program, lane, pack, export, session)


def prints(text: str) -> bytes:
    """A Brainfuck program that prints these bytes."""
    return b"".join(b"+" * ord(sign) + b".[-]" for sign in text)


def make_pack(folder: Path) -> None:
    """A pack of one problem, whose texts are hostile."""
    (problem,) = problems_folder().glob("E08-*")
    shutil.copytree(problem, folder / problem.name)
    for file in (folder / "pack.toml", folder / problem.name / "problem.toml"):
        text = (problems_folder() / file.relative_to(folder)).read_text("utf-8")
        text = re.sub('^title = ".*"$', lambda _: f"title = {TOML}", text, flags=re.MULTILINE)
        file.write_text(text.replace('"strings"', TOML), "utf-8")  # a category
    (folder / problem.name / "statement.md").write_text(f"Turn round: {WIDE}\n", "utf-8")


def made_export() -> dict[str, Any]:
    made = MadeSession()
    made.run("E01", prints(EVIL), EVIL.encode("latin-1"))
    made.submit("E01", b"+.", 3)
    made.submit("E01", prints(EVIL), None)
    return made.export()


def replaced(value: Any, key: str) -> Any:
    """A JSON value in which each text of the name ``key`` is hostile."""
    if isinstance(value, dict):
        return {
            name: WIDE if name == key and isinstance(inner, str) else replaced(inner, key)
            for name, inner in cast("dict[str, Any]", value).items()
        }
    if isinstance(value, list):
        return [replaced(inner, key) for inner in cast("list[Any]", value)]
    return value


def names_in(value: Any) -> Iterator[str]:
    """The names of texts in a JSON value."""
    if isinstance(value, dict):
        for name, inner in cast("dict[str, Any]", value).items():
            if isinstance(inner, str):
                yield name
            yield from names_in(inner)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from names_in(inner)


# Every command and action, with hostile arguments


class Action(NamedTuple):
    """A command or an action of one.  options: only options that take a value."""

    words: tuple[str, ...]
    positionals: tuple[argparse.Action, ...]
    options: tuple[argparse.Action, ...]


def actions(parser: argparse.ArgumentParser, words: tuple[str, ...] = ()) -> Iterator[Action]:
    own: list[argparse.Action] = cast("Any", parser)._actions
    for action in own:
        choices: Any = action.choices
        if isinstance(choices, dict) and not action.option_strings:
            inner = cast("dict[str, argparse.ArgumentParser]", choices)
            for name, below in inner.items():
                yield from actions(below, (*words, name))
            return
    yield Action(
        words,
        tuple(action for action in own if not action.option_strings),
        tuple(action for action in own if action.option_strings and action.nargs != 0),
    )


ACTIONS = {" ".join(action.words): action for action in actions(build_parser(command_names()))}
ENOUGH: dict[str, tuple[str, ...]] = {
    "export": ("--problem", HOSTILE),
    "verify": ("--problem", HOSTILE),
    "web": ("--port", HOSTILE),  # without it the command would wait for browsers
}
"""What keeps a command from minutes of work."""
LISTENS = ("serve", "--socket")
"""An option with which a command would wait for clients."""


def test_every_command_is_covered() -> None:
    assert {name.split()[0] for name in ACTIONS} == set(command_names())


@pytest.mark.parametrize("name", slow_except(ACTIONS, "run", "grade"))
def test_errors_of_hostile_arguments_are_harmless_in_every_command(
    server: Server, name: str
) -> None:
    action = ACTIONS[name]
    words = action.words
    needed = [first_choice(one) for one in action.positionals if one.nargs not in ("?", "*")]
    needed += ENOUGH.get(name, ())
    server.check(*words, *needed)
    server.check(*words, *needed, f"--{HOSTILE}")
    server.check(*words, *[HOSTILE] * max(1, len(action.positionals)))
    required = [
        part for one in action.options if one.required for part in (one.option_strings[0], HOSTILE)
    ]
    for option in action.options:
        if (*words, option.option_strings[0]) != LISTENS:
            ran = server.run(*words, *needed, *required, option.option_strings[0], HOSTILE)
            assert ran.ended == "exit"
            assert_harmless(ran.stdout + ran.stderr, (name, option.option_strings[0]))


def first_choice(positional: argparse.Action) -> str:
    choices = list(cast("Iterable[str]", positional.choices or ()))
    return choices[0] if choices else HOSTILE


# What is in files


def test_output_about_hostile_programs_is_harmless(world: World) -> None:
    check, program = world.server.check, world.program
    assert RED in check("run", program, data=True).stdout, "a program's bytes stay as they are"
    check("run", "--json", program)
    check("run", "--max-steps", "5", program, data=True)
    check("grade", program, "--problem", "E08")
    check("grade", program, "--problem", "E08", "--json")
    check("grade", program, "--problem", "E08", "--pack", world.pack)
    for words in (["show", "E08", "--hints", "3"], ["list"]):
        assert "\\x1b[31mred" in check("problems", *words, "--pack", world.pack).stdout
    check("learn", "brainfuck", "2", "--check", program)
    check("problems", "show", "E08", "--solution", program)


@pytest.mark.parametrize(
    ("suffix", "text"),
    [(".bf", b"["), (".b98", b"@"), (".ws", b"\t\n"), (".spl", b"A"), (".unl", b"`")],
)
def test_errors_of_hostile_broken_programs_are_harmless(
    server: Server, suffix: str, text: bytes
) -> None:
    broken = f"broken{HOSTILE}{suffix}"
    (server.folder / broken).write_bytes(text + EVIL.encode("latin-1"))
    server.check("run", broken, data=True)
    server.check("grade", broken, "--problem", "E08")
    server.check("debug", "--repl", broken)


def test_output_of_a_lane_is_escaped_in_a_verdict(world: World) -> None:
    ran = world.server.check("grade", world.lane, "--problem", "E08")
    assert "because" in ran.stdout
    assert "\\x1b[31mred" in ran.stdout


def test_errors_of_hostile_lane_manifests_are_harmless(world: World) -> None:
    lanes = world.server.folder / f"lanes{HOSTILE}"
    lanes.mkdir()
    (lanes / "bad.toml").write_text(f'id = "bad"\n{TOML} = 1\n')
    world.server.check("lanes", ESOPLAY_LANES=str(lanes), PATH="")
    world.server.check("grade", "a.bad", "--problem", "E08", ESOPLAY_LANES=str(lanes))
    world.server.check("lanes", ESOPLAY_LANES=HOSTILE)


def test_output_about_hostile_batches_is_harmless(world: World) -> None:
    lines = [
        {"id": WIDE, "problem": "E08", "language": "brainfuck", "source": "+."},
        {"id": 1, "problem": WIDE, "language": WIDE, "source": WIDE},
        {WIDE: WIDE},
    ]
    batch = f"batch{HOSTILE}"
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (world.server.folder / batch).write_text(text + WIDE)
    world.server.check("grade", "--batch", batch, "--jobs", "1")
    world.server.check("grade", "--batch", batch, "--jobs", "1", "-o", f"results{HOSTILE}")


def test_errors_of_hostile_sources_grids_and_configurations_are_harmless(world: World) -> None:
    check, folder = world.server.check, world.server.folder
    for number, source in enumerate((f"x = '{EVIL}'\n", f"{EVIL}\n", "def main(): pass\n")):
        name = f"source{number}{HOSTILE}.py"
        (folder / name).write_bytes(source.encode("latin-1"))
        check("generate", name, "--lang", "brainfuck", "--comments")
        check("generate", name, "--run", data=True)
    for text in (f"{TOML} = 1\n", f"title = {TOML}\n", f"x = {WIDE}"):
        name = f"file{HOSTILE}.toml"
        (folder / name).write_text(text)
        check("agents", "run", name, "-o", f"out{HOSTILE}")
        check("session", "init", "--language", "brainfuck", "--protocol", name)
        check("session", "protocols", name)
    (folder / f"items{HOSTILE}.json").write_text(json.dumps({WIDE: WIDE}))
    check("predict", "list", "--items", f"items{HOSTILE}.json")
    check("eval", "--language", "brainfuck", "-o", f"e{HOSTILE}", "--command", "x", "--model", "m")


def test_output_of_the_text_debugger_is_harmless(world: World) -> None:
    typed = "\n".join(
        [
            *("step", "view", "source", "output", "input", "run", "why", "profile", HOSTILE),
            *(f"break {WIDE}", f"break '{RED}'", f"watch {WIDE}", f"note {WIDE}", "notes"),
            *(f"feed {WIDE}", f"set {WIDE}", f"help {WIDE}", "breakpoints", "quit"),
        ]
    )
    text = typed.encode("utf-8", "surrogateescape").decode("latin-1")
    world.server.check("debug", "--repl", world.program, typed=text)
    world.server.check("debug", "--repl", world.program, "--json", typed=text)
    world.server.check("learn", "brainfuck", "1", "--repl", typed=text)


def test_output_of_the_text_mode_is_harmless(world: World) -> None:
    ran = world.server.run(
        *("play", "--plain", world.program),
        terminal=True,
        keyboard=True,
        typed="show\nsource\nrun\nproblems\nlessons\ntest\nhelp\nquit\n",
        TERM="dumb",
    )
    assert ran.ended == "exit"
    assert_harmless(ran.shown.replace("\r\n", "\n"), ("play", "--plain"))


@pytest.mark.parametrize("command", ["play", "debug"])
def test_hostile_text_on_the_screen_is_drawn_as_placeholders(world: World, command: str) -> None:
    """Textual draws file names and programs; the sequences of its own are not looked at."""
    ran = world.server.run(
        *(command, world.program),
        terminal=True,
        keyboard=True,
        until="brainfuck",
        TERM="xterm-256color",
        COLUMNS="120",
        LINES="40",
    )
    assert ran.ended == "until", ran.shown[-2000:]
    shown = ran.shown.replace("\x1b]22;default\x07", "")  # the shape of the pointer
    for sequence in (RED, "\x1b]", "\x07", "\x9b", "\x7f", "\u202e", "\u2066", "\udc9b"):
        assert sequence not in shown


# Sessions


@pytest.mark.slow
def test_output_about_hostile_sessions_is_harmless(world: World) -> None:
    check, session = world.server.check, world.session
    check("session", "list")
    check("session", "fetch", "--session", session)
    check("session", "run", "--session", session, world.program, data=True)
    check("session", "run", "--session", session, "--json", world.program)
    check("session", "submit", "--session", session, "E01", world.program, "--request-id", WIDE)
    check("session", "status", "--session", session, "-v")
    check("session", "export", "--session", session)
    check("session", "events", "--session", session)
    check("session", "export", "--session", session, "-o", f"e{HOSTILE}")
    check("session", "verify", f"e{HOSTILE}", "--json")
    check("session", "reveal", "--close", "--session", session)


KEYS = sorted(set(names_in(made_export())))


@pytest.mark.parametrize("key", slow_except(KEYS, *KEYS[:2]))
def test_output_about_forged_exports_is_harmless(world: World, key: str) -> None:
    name = f"{key}{HOSTILE}"
    text = json.dumps(replaced(made_export(), key))
    (world.server.folder / name).write_text(text)
    for command in (["verify"], ["replay", "--list"], ["replay", "--json"], ["events"]):
        world.server.check("session", *command, name)
    world.server.check("report", name, "--keep-going")
    world.server.check("report", name, "--markdown")


@pytest.mark.parametrize("client", [False, True], ids=["session --connect", "thin client"])
def test_answers_of_a_hostile_server_are_shown_harmlessly(server: Server, client: bool) -> None:
    folder = server.folder
    socket_name = str(folder / "s") if len(str(folder)) < 90 else "s"
    status: dict[str, Any] = {
        "session": WIDE, "language": WIDE, "protocol": WIDE, "closed": False, "dialect": WIDE,
        "problems": [
            {"problem": WIDE, "status": "active", "runs": 0, "submissions": 0, "runs_left": None,
             "submissions_left": 1},
            {"problem": WIDE, "status": "solved", "runs": 0, "submissions": 0},
        ],
        "tiers": {WIDE: dict.fromkeys(("solved", "failed", "skipped", "active", "pending"), 1)},
        "counts": {WIDE: 1}, "head": WIDE,
    }  # fmt: skip
    answers: dict[str, Any] = {
        "session.fetch": {
            "problem": WIDE, "title": WIDE, "tier": WIDE, "statement": WIDE, "runs_left": None,
            "examples": [{"input": WIDE, "output": WIDE}], "submissions_left": 1,
        },
        "session.status": status,
        "session.skip": {"problem": WIDE, "status": WIDE},
        "session.submit": {
            "tests": [{"verdict": WIDE, "index": WIDE, "input": WIDE, "got": WIDE}],
            "violation": WIDE, "passed": WIDE, "total": WIDE, "solved": False, "status": WIDE,
            "submissions_left": 1, "problem": WIDE,
        },
        "session.run": {
            "stdout": "", "stderr": WIDE, "runs_left": WIDE, "exit_code": 0,
        },
        "session.export": {"events": [], "head": WIDE, "session": WIDE},
        "language.card": {"card": WIDE},
    }  # fmt: skip
    (folder / "p.bf").write_bytes(b"+.")
    given = {"submit": ["E01", "p.bf"], "run": ["p.bf"]}
    with serving(folder / "s", lambda method: answers.get(method)):
        for name in thin_client.ACTIONS:
            for more in ([], ["--json"]):
                words = [name, *given.get(name, []), "--connect", socket_name, *more]
                if client:
                    server.check(*words, client=True)
                elif name in ("card",):
                    server.check("session", "--connect", socket_name, *words[:1])
                else:
                    server.check("session", *words)
        server.check("status", HOSTILE, client=True)
        server.check(HOSTILE, client=True)
    with serving(folder / "s", lambda method: None):
        server.check("session", "status", "--connect", socket_name)
        server.check("status", "--connect", socket_name, client=True)
    server.check("status", "--connect", HOSTILE, client=True)


class serving:  # noqa: N801 - a context manager
    """Answers each request on a Unix socket with a result, or with a hostile error."""

    def __init__(self, path: Path, answer: Callable[[str], Any]) -> None:
        self._path, self._answer = path, answer

    def __enter__(self) -> None:
        self._path.unlink(missing_ok=True)
        before = Path.cwd()
        os.chdir(self._path.parent)  # a path of a socket is short
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(self._path.name)
        os.chdir(before)
        self._listening.listen()
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listening.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                for line in lines:
                    result = self._answer(json.loads(line)["method"])
                    error = {"code": -32000, "message": WIDE, "data": {"kind": WIDE}}
                    told = {"error": error} if result is None else {"result": result}
                    message = {"jsonrpc": "2.0", "id": 1, **told}
                    connection.sendall(json.dumps(message).encode() + b"\n")


def test_errors_of_servers_are_harmless(world: World) -> None:
    nonsense = json.dumps({"jsonrpc": "2.0", "id": 1, "method": WIDE}) + "\n" + EVIL + "\n"
    for argv in (["serve"], ["dap"]):
        world.server.check(*argv, typed=nonsense, data=True)
    ran = world.server.check("serve", "--socket", "own", until="listening on")
    assert "listening on" in ran.stderr


# The function itself


def test_the_thin_client_escapes_the_same_characters() -> None:
    text = "".join(map(chr, (*range(0x3000), *range(0xD700, 0xE100), 0x1F600)))
    assert thin_client.escaped(text) == terminal_text.escape_controls(text)
    assert RAW.search(terminal_text.escape_controls(text)) is None
    harmless = "tab\tline\nZürich 日本 \xa0 👩\u200d👧"
    assert terminal_text.escape_controls(harmless) == harmless


def test_json_keeps_its_value() -> None:
    text = "".join(map(chr, range(0xD800))) + "".join(map(chr, range(0xE000, 0x10000)))
    assert json.loads(terminal_text.escape_controls(json.dumps(text, ensure_ascii=False))) == text
