"""Freeze conversations with ``esoplay serve``: every method, both roles, all kinds of errors."""

from __future__ import annotations

import itertools
import json
import shutil
from base64 import b64encode
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from conversation import Held, Turn, hold, write_conversation
from workshop import LANGUAGES, Workshop

HELLO = "++++++++[>++++++++<-]>+.+.,.,."
ECHO = ",[.,]"
LONG = 300


class Script:
    """Collects turns; ids of requests are numbered from 1."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self._ids = itertools.count(1)

    def request(self, method: str, params: Any = None, id: Any = None) -> str:
        request: dict[str, Any] = {"jsonrpc": "2.0", "id": next(self._ids) if id is None else id}
        request["method"] = method
        if params is not None:
            request["params"] = params
        return json.dumps(request)

    def ask(self, method: str, **params: Any) -> None:
        self.turns.append(Turn((self.request(method, params or None),), 1))

    def name(self, name: str, path: Sequence[str | int], method: str, **params: Any) -> None:
        """Ask, and call a value of the result by a name from now on."""
        turn = Turn((self.request(method, params),), 1, {name: ("result", *path)})
        self.turns.append(turn)

    def send(self, *lines: str | dict[str, Any], answers: int) -> None:
        self.turns.append(Turn(lines, answers))


def freeze(shop: Workshop) -> None:
    """Hold all conversations, each with a copy of the state folder."""
    seed = shop.seed_file("operator")
    sessions = {row["solver"]: row["session"] for row in shop.json("session", "list")["sessions"]}

    def solver(name: str, *words: str) -> list[str]:
        return ["--solver", "--session", sessions[f"solver of {name}"], *words]

    keep(shop, "operator", ["--seed-file", str(seed)], operator)
    keep(shop, "lessons", [], lessons)
    keep(shop, "shipped-pack", ["--seed-file", str(seed)], shipped_pack)
    keep(shop, "errors", [], errors)
    keep(shop, "machine", [], machine, ("version", "held", "lacks", "broken"))
    keep(shop, "solver-primary", solver("primary-waiting"), solver_under_primary)
    keep(shop, "solver-may-debug", solver("primary-waiting", "--allow-debug"), solver_may_debug)
    keep(shop, "solver-practice", solver("practice"), solver_in_practice)
    keep(shop, "solver-relaxed", solver("relaxed"), solver_under_relaxed)
    keep(shop, "solver-closed", solver("primary-closed"), solver_of_a_closed_session)
    for language in LANGUAGES:
        program = shop.program("E02", language).read_bytes()
        keep(shop, f"recording-{language}", [], recording(language, program))
    keep(shop, "source-map", [], source_map(shop))


def keep(
    shop: Workshop,
    name: str,
    arguments: list[str],
    write: Callable[[Script], None],
    without: Sequence[str] = (),
) -> None:
    """Hold a conversation with a copy of the state folder as it is now.

    without: members that are left out of the answers, as they tell of the machine.
    """
    home = shop.home.with_name("home-before")
    shutil.copytree(shop.home, home)
    try:
        script = Script()
        write(script)
        command = shop.command("serve", *arguments)
        held = hold(command, script.turns, shop.environment, shop.work)
        held = [Held(each.lines, _without(each.messages, without)) for each in held]
        shop.store(f"serve/{name}.jsonl", write_conversation(arguments, held, script.turns))
    finally:
        shutil.rmtree(shop.home)
        home.rename(shop.home)


def _without(value: Any, members: Sequence[str]) -> Any:
    if isinstance(value, list):
        return [_without(each, members) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        return {name: _without(table[name], members) for name in table if name not in members}
    return value


# Operators


def operator(script: Script) -> None:
    """What an operator calls, with a pack that stays as it is."""
    ask = script.ask
    ask("initialize", client={"name": "frozen", "version": "1"}, protocol_version=1)
    ask("initialize")
    ask("language.list")
    ask("language.card", language="brainfuck")
    ask("language.card", language="unlambda", protocol="primary")
    ask("language.card", language="python", dialect="benchmark")
    ask("problem.list", pack="small")
    ask("problem.get", problem="Q1", pack="small")
    _runs(script)
    _grades(script)
    _sessions(script)


def lessons(script: Script) -> None:
    """Courses, which may be rewritten: what is compared is the shape of the answers."""
    ask = script.ask
    ask("lesson.list", language="brainfuck")
    ask("lesson.get", language="brainfuck", lesson=1)
    ask("lesson.get", language="brainfuck", lesson=12)
    ask("lesson.check", language="brainfuck", lesson=1, step=6)
    ask("lesson.check", language="brainfuck", lesson=1, step=1)
    ask("lesson.check", language="brainfuck", lesson=4, program=", . + . + .")
    ask("lesson.check", language="brainfuck", lesson=4, program=",.")
    ask("lesson.check", language="brainfuck", lesson=12, program=ECHO)
    ask("lesson.check", language="brainfuck", lesson=4, answer="no")


def _runs(script: Script) -> None:
    ask = script.ask
    ask("run", language="brainfuck", program=ECHO, stdin="Aé")
    ask("run", language="brainfuck", program_base64="LFsuLF0=", stdin_base64="/wA=")
    ask("run", language="brainfuck", program="+[.]", limits={"output": 10})
    ask("run", language="brainfuck", program="+[]", limits={"steps": 1000})
    ask("run", language="brainfuck", program="+[>+]", limits={"memory": 1000})
    ask("run", language="brainfuck", program="<")
    ask("run", language="brainfuck", program="+\n]")
    ask("run", language="brainfuck", program=",.", options={"eof": -1})
    ask("run", language="brainfuck", program="-.", dialect="benchmark", options={"cell": 16})
    ask("run", language="befunge-98", program="?1.@\n2   \n.   \n@", seed=3)
    ask("run", language="befunge-98", program='"!iH",,,@')
    ask("run", language="whitespace", program="   \t\n\t\n \t\n\n\n")
    ask("run", language="unlambda", program="`r```````````.H.e.l.l.o. .w.o.r.l.di")
    ask("run", language="unlambda", program="```sii``sii", limits={"steps": 500})
    ask("run", language="shakespeare", program="No play.\n")


def _grades(script: Script) -> None:
    ask = script.ask
    echo = {"problem": "Q1", "language": "brainfuck", "program": ECHO, "pack": "small"}
    ask("grade", **echo)
    ask("grade", **echo, seed="frozen")
    ask("grade", **echo, dialect="benchmark", seed="frozen", compare="strip")
    ask("grade", **{**echo, "program": ",."}, seed="frozen")
    ask("grade", **{**echo, "program": "+[]"}, seed="frozen")
    ask("grade", **{**echo, "program": "["}, seed="frozen")
    ask("grade", **{**echo, "language": "python", "program": "print(input())"})


def _sessions(script: Script) -> None:
    ask = script.ask
    ask("session.list")
    ask("session.protocols")
    ask("session.protocols", protocol="budget-7")
    script.name(
        "FIRST", ["session"], "session.init",
        language="brainfuck", changes={"feedback": "per-test"}, solver="somebody", pack="small",
    )  # fmt: skip
    ask("session.status", session="{{FIRST}}")
    ask("session.fetch", session="{{FIRST}}")
    ask("session.run", session="{{FIRST}}", program="+.", stdin="abc", request_id="run 1")
    ask("session.run", session="{{FIRST}}", program="+.", stdin="abc", request_id="run 1")
    ask("session.run", session="{{FIRST}}", program="[")
    ask("session.submit", session="{{FIRST}}", problem="Q1", program="+.", request_id="a")
    ask("session.submit", session="{{FIRST}}", problem="Q1", program="+.", request_id="a")
    ask("session.submit", session="{{FIRST}}", problem="Q1", program="-.", request_id="a")
    ask("session.skip", session="{{FIRST}}")
    ask("session.submit", session="{{FIRST}}", problem="Q2", program="+.")
    ask("session.submit", session="{{FIRST}}", problem="q1", program="+[]")
    ask("session.submit", session="{{FIRST}}", problem="Q1", program="[")
    ask("session.submit", session="{{FIRST}}", problem="Q1", program="+.")
    ask("session.fetch", session="{{FIRST}}")
    ask("session.status", session="{{FIRST}}")
    ask("session.export", session="{{FIRST}}")
    script.name(
        "SECOND", ["session"], "session.init",
        language="befunge-98", protocol="practice", pack="small",
    )  # fmt: skip
    ask("session.fetch", session="{{SECOND}}", problem="Q2")
    ask("session.submit", session="{{SECOND}}", problem="Q2", program="~,@")
    ask("session.submit", session="{{SECOND}}", problem="Q2", program="~,~,@")
    ask("session.skip", session="{{SECOND}}")
    ask("session.export", session="{{SECOND}}")
    script.name(
        "THIRD", ["session"], "session.init",
        language="python", protocol="host-python", pack="small",
        seed="ab" * 32, workspace="at-work",
    )  # fmt: skip
    ask("session.fetch", session="{{THIRD}}")
    ask("session.submit", session="{{THIRD}}", problem="Q1", program="print(input(), end='')")


def shipped_pack(script: Script) -> None:
    """The pack that ships, which may change: what is compared is the shape of the answers."""
    ask = script.ask
    ask("problem.list")
    ask("problem.get", problem="E02")
    echo = {"problem": "E02", "language": "brainfuck", "program": ECHO}
    ask("grade", **echo)
    ask("grade", **echo, seed="frozen")
    ask("grade", **{**echo, "program": ",."}, seed="frozen")
    script.name("SESSION", ["session"], "session.init", language="brainfuck", protocol="practice")
    ask("session.fetch", session="{{SESSION}}", problem="E02")
    ask("session.submit", session="{{SESSION}}", problem="E02", program=",.")
    ask("session.submit", session="{{SESSION}}", problem="E02", program=ECHO)
    ask("session.status", session="{{SESSION}}")
    ask("session.export", session="{{SESSION}}")


def machine(script: Script) -> None:
    """What differs from machine to machine."""
    script.ask("lane.list")


# Errors


def errors(script: Script) -> None:
    """Answers to what is wrong, batches, notifications, and cancelling."""
    send, request = script.send, script.request
    send("no JSON", answers=1)
    send('{"jsonrpc": "2.0", "id": 1, "meth', answers=1)
    send('{"jsonrpc": "2.0", "id": 1, "method": "run", "params": NaN}', answers=1)
    send('{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}', answers=1)
    send("\udcff\udcfe", answers=1)
    send({"first": "", "again": "[", "times": 2000, "last": ""}, answers=1)
    send({"first": "[", "again": "1,", "times": 200_001, "last": "1]"}, answers=1)
    for wrong in ("{}", "7", "null", '"text"', "[]", "[1, 2]", '{"jsonrpc": "1.0", "id": 1}'):
        send(wrong, answers=1)
    send('{"jsonrpc": "2.0", "id": {}, "method": "language.list"}', answers=1)
    send('{"jsonrpc": "2.0", "id": 1, "method": 7}', answers=1)
    send('{"jsonrpc": "2.0", "id": 1, "method": "run", "params": [1]}', answers=1)
    send(request("nonsense"), answers=1)
    send(request("language.list", id="a text"), answers=1)
    send(request("language.list", id=1.5), answers=1)
    _wrong_parameters(script)
    _wrong_batches(script)
    _cancelled(script)


def _wrong_parameters(script: Script) -> None:
    ask = script.ask
    ask("run", langauge="brainfuck")
    ask("run", language="brainfuck")
    ask("run", language="klingon", program="")
    ask("run", language=7, program="")
    ask("run", language="brainfuck", program="", program_base64="")
    ask("run", language="brainfuck", program_base64="?")
    ask("run", language="brainfuck", path="/nowhere/at/all.bf")
    ask("run", language="brainfuck", program="", dialect="none")
    ask("run", language="brainfuck", program="", options={"eof": "never"})
    ask("run", language="brainfuck", program="", options={"none": 1})
    ask("run", language="brainfuck", program="", limits={"steps": -1})
    ask("grade", problem="X99", language="brainfuck", program="")
    ask("grade", problem="Q1", language="brainfuck", program="", compare="nearly")
    ask("grade", problem="Q1", language="brainfuck", program="", pack="none")
    ask("lesson.get", language="brainfuck", lesson=99)
    ask("language.card", language="brainfuck", protocol="none")
    ask("session.init", language="brainfuck", protocol="none")
    ask("session.init", language="brainfuck", changes={"runs": "many"})
    ask("session.init", language="klingon")
    ask("session.status", session="0123456789ab")
    ask("session.status", session="no id")
    ask("session.status")
    ask("debug.step", debug="d9")
    ask("debug.open", language="brainfuck", program="+]")
    ask("debug.open", language="brainfuck", program="+", source_map={"format": "none"})
    script.send(script.request("debug.open", {"language": "brainfuck", "program": "+"}), answers=1)
    ask("debug.continue", debug="d1", until=[{"condition": "cell["}])
    ask("debug.continue", debug="d1", until=[{"condition": "nonsense > 1"}])
    ask("debug.continue", debug="d1", until=[{}])
    ask("debug.breakpoints", debug="d1", set=[{"offset": 1, "cell": "x"}])
    ask("debug.step", debug="d1", granularity="word")
    ask("debug.step", debug="d1", count=0)
    ask("debug.set", debug="d1", cell=1)
    ask("debug.set", debug="d1", feed="x")
    ask("debug.set", debug="d1", stdin="x", close_input=True)
    ask("debug.watch", debug="d1", delete=[3])
    ask("debug.notebook", debug="d1", delete=4)
    ask("debug.variables", debug="d1")
    ask("debug.close", debug="d1")
    ask("debug.close", debug="d1")
    for _ in range(9):  # one more than there is room for
        ask("debug.open", language="brainfuck", program="+")


def _wrong_batches(script: Script) -> None:
    request = script.request
    batch = [
        request("language.card", {"language": "brainfuck"}),
        '{"jsonrpc": "2.0", "method": "language.list"}',
        request("nonsense"),
        "7",
        request("run", {"language": "brainfuck", "program": "+.", "stdin": ""}),
    ]
    script.send(f"[{', '.join(batch)}]", answers=1)
    notification = '{"jsonrpc": "2.0", "method": "language.list"}'
    script.send(notification, "", f"[{notification}]", request("session.protocols"), answers=1)
    script.send({"first": "[7", "again": ", 7", "times": 1000, "last": "]"}, answers=1)


def _cancelled(script: Script) -> None:
    endless = {"language": "brainfuck", "program": "+[]"}
    script.send(
        script.request("run", endless, id="endless"),
        script.request("cancel", {"id": "endless"}),
        answers=2,
    )
    script.ask("cancel", id="endless")
    script.ask("debug.close", debug="d2")
    script.send(script.request("debug.open", endless), answers=1)
    script.send(
        script.request("debug.continue", {"debug": "d10"}, id="for ever"),
        script.request("cancel", {"id": "for ever"}),
        answers=2,
    )


# Solvers


def solver_under_primary(script: Script) -> None:
    """A session in the middle of a problem; debugging and what is the operator's are refused."""
    ask = script.ask
    ask("initialize")
    ask("session.status")
    ask("language.card", language="brainfuck")
    ask("session.fetch")
    ask("session.run", program=ECHO, stdin="xy")
    ask("session.run", program_base64="/w==", request_id="r")
    ask("session.run", program_base64="/w==", request_id="r")
    ask("session.submit", problem="E02", program=",.", request_id="again")  # answered before
    ask("session.submit", problem="E02", program=ECHO, request_id="again")
    ask("session.submit", problem="E02", program=ECHO, request_id="new")
    ask("session.submit", problem="E02", program=ECHO, request_id="new")
    ask("session.submit", problem="E02", program=ECHO)
    ask("session.submit", problem="E99", program=ECHO)
    ask("session.skip")
    ask("session.fetch")
    ask("session.fetch", problem="E01")
    ask("session.skip")
    ask("session.status", session="0123456789ab")
    for method in (
        *("language.list", "lane.list", "problem.list", "problem.get", "run", "grade"),
        *("session.init", "session.list", "session.protocols", "session.export", "lesson.list"),
        *("lesson.get", "lesson.check", "debug.open"),
    ):
        ask(method)
    ask("debug.open", language="brainfuck", program="+")
    ask("session.run", path="/etc/passwd")
    ask("session.status")


def solver_may_debug(script: Script) -> None:
    """Recordings of a solver are local runs in the session's dialect."""
    ask = script.ask
    ask("initialize")
    ask("debug.open", language="brainfuck", program=HELLO, stdin="xy")
    ask("debug.open", language="brainfuck", program=HELLO, dialect="standard")
    ask("debug.open", language="brainfuck", path="/etc/passwd")
    ask("debug.continue", debug="d1")
    ask("debug.fork", debug="d1")
    ask("debug.set", debug="d2", stdin="other")
    ask("debug.compare", debug="d1", stdin="yx", keep=True)
    ask("debug.note", debug="d1", text="a note")
    ask("debug.notebook", debug="d1", markdown=True)
    ask("debug.notebook", debug="d1", path="notes.md")
    ask("session.status")


def solver_in_practice(script: Script) -> None:
    """Everything is explained."""
    ask = script.ask
    ask("initialize")
    ask("session.status")
    ask("session.fetch", problem="E03")
    ask("session.submit", problem="E03", program='"olleH",,,,,@')
    ask("session.submit", problem="E03", program="@")
    ask("session.skip")
    ask("session.fetch")
    ask("debug.open", language="befunge-98", program="12+.@")
    ask("debug.continue", debug="d1")


def solver_under_relaxed(script: Script) -> None:
    """Single tests by number, and a problem that was skipped."""
    ask = script.ask
    ask("session.status")
    ask("session.fetch")
    ask("session.submit", problem="E03", program="\n\n\n")
    ask("session.submit", problem="E03", program="   \t\n\t\n \t")
    ask("session.fetch")
    ask("session.status")


def solver_of_a_closed_session(script: Script) -> None:
    ask = script.ask
    ask("session.status")
    ask("session.fetch")
    ask("session.run", program="+")
    ask("session.submit", problem="E03", program="+")
    ask("session.skip")


# Debuggers


def recording(language: str, echo: bytes) -> Callable[[Script], None]:
    """A recording that is looked at, travelled, edited, fed, forked and compared."""
    program = b64encode(echo).decode()

    def write(script: Script) -> None:
        ask = script.ask
        given = {"language": language, "program_base64": program}
        ask("debug.open", **given, stdin="xyz", limits={"steps": 10**7})
        ask("debug.view", debug="d1", fields=["step", "registers", "places", "input", "output"])
        ask("debug.step", debug="d1", count=7)
        ask("debug.step", debug="d1", reverse=True)
        ask("debug.step", debug="d1", granularity="loop", budget=LONG)
        ask("debug.step", debug="d1", granularity="finish", budget=LONG)
        ask("debug.step", debug="d1", granularity="line", budget=LONG)
        ask("debug.continue", debug="d1", until=[{"output": 1}])
        ask("debug.continue", debug="d1", until=[{"effect": "input"}])
        ask("debug.continue", debug="d1", until=[{"condition": "step > 50 and step % 7 == 0"}])
        ask(
            "debug.breakpoints",
            debug="d1",
            set=[{"effect": "output", "log": "at {step}"}, {"every": 40}, {"step": 60}],
        )
        ask("debug.continue", debug="d1")
        ask("debug.continue", debug="d1", reverse=True)
        ask("debug.breakpoints", debug="d1", set=[])
        ask("debug.seek", debug="d1", step=10**9)
        ask("debug.printed", debug="d1", byte=2)
        ask("debug.printed", debug="d1", byte=99)
        ask("debug.read", debug="d1", byte=1)
        ask("debug.diagnose", debug="d1", quick=True)
        ask("debug.coverage", debug="d1", limit=3)
        ask("debug.heat", debug="d1", limit=3)
        ask("debug.heat", debug="d1", by="line", limit=2, all=True)
        ask("debug.watch", debug="d1", add=["step * 2", "hits"])
        ask("debug.seek", debug="d1", step=30)
        ask("debug.watch", debug="d1", change={"id": 1, "expression": "step"}, delete=[2])
        ask("debug.note", debug="d1", text="here — é")
        ask("debug.notebook", debug="d1", markdown=True)
        ask("debug.compare", debug="d1", stdin="xyw", keep=True)
        ask("debug.close", debug="d2")
        ask("debug.fork", debug="d1")
        _edits(script, language)
        ask("debug.open", **given, closed=False)
        ask("debug.continue", debug="d4")
        ask("debug.set", debug="d4", feed="ab")
        ask("debug.continue", debug="d4")
        ask("debug.set", debug="d4", close_input=True)
        ask("debug.continue", debug="d4")
        ask("debug.view", debug="d4", fields=["output", "input", "step", "status"])
        ask("debug.set", debug="d4", stdin="other")
        ask("debug.close", debug="d4")

    return write


def _edits(script: Script, language: str) -> None:
    """Change the fork ``d3``, and ask where values come from."""
    ask = script.ask
    windows = {"befunge-98": {"width": 20, "height": 3}, "brainfuck": {"cells": 8, "first": 0}}
    window = windows.get(language, {"depth": 4})
    ask("debug.view", debug="d3", window=window)
    if language in ("unlambda",):
        ask("debug.origin", debug="d3", part=2, window={"width": 60})
    else:
        place = {"befunge-98": [1, 0], "brainfuck": 1, "whitespace": 1, "shakespeare": 1}[language]
        ask("debug.set", debug="d3", cell=place, value=66)
        ask("debug.writes", debug="d3", cell=place, limit=3)
        ask("debug.origin", debug="d3", cell=place)
    if language != "brainfuck":
        ask("debug.writes", debug="d3", slot={"level": 0}, limit=3)
        ask("debug.origin", debug="d3", slot={"level": 0})
    ask("debug.continue", debug="d3", budget=10**6)
    ask("debug.view", debug="d3", fields=["output", "input", "step", "status"])


def source_map(shop: Workshop) -> Callable[[Script], None]:
    """Debugging by lines of a source, by maps that are given and maps that are named."""
    place = shop.output / "programs"
    given = json.loads((place / "digits.ws.map.json").read_text("utf-8"))
    whitespace = b64encode((place / "digits.ws").read_bytes()).decode()
    brainfuck = (place / "digits.bf").read_text("ascii")
    shop.write(shop.root / "programs" / "digits.bf.map.json", _read(place / "digits.bf.map.json"))

    def write(script: Script) -> None:
        ask = script.ask
        named = str(shop.root / "programs" / "digits.bf.map.json")
        ask("debug.open", language="whitespace", program_base64=whitespace, stdin="123",
            source_map=given)  # fmt: skip
        ask("debug.open", language="brainfuck", program=brainfuck, stdin="123",
            source_map_path=named)  # fmt: skip
        ask("debug.open", language="brainfuck", program="+", source_map=given)
        for debug in ("d1", "d2"):
            ask("debug.continue", debug=debug, until=[{"source_line": 15}])
            ask("debug.step", debug=debug, granularity="source")
            ask("debug.step", debug=debug, granularity="source", reverse=True)
            ask("debug.variables", debug=debug)
            ask("debug.variables", debug=debug, names="t", limit=1)
            stop = {"source_line": 17, "condition": "total > 1", "log": "now {total}"}
            ask("debug.breakpoints", debug=debug, set=[stop])
            ask("debug.seek", debug=debug, step=10**9)
            ask("debug.continue", debug=debug, reverse=True)
            ask("debug.coverage", debug=debug, by="source")
            ask("debug.heat", debug=debug, by="source", all=True)
        ask("debug.continue", debug="d1", until=[{"source_line": 17}])
        ask("debug.set", debug="d1", variable="total", value=100)
        ask("debug.seek", debug="d1", step=10**9)
        ask("debug.view", debug="d1", fields=["output"])

    return write


def _read(file: Path) -> bytes:
    return file.read_bytes()
