"""Freeze what is about single programs: source maps, recordings, verdicts, batches, predictions."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

from conversation import condensed
from freeze_sessions import WRONG
from workshop import LANGUAGES, PROBLEMS, Workshop

from esoplay.paths import problems_folder

GENERATOR = """\
from builders.emitter import Emitter

out = Emitter()
out.variable("letter", "cell[0]")


def number(value):
    with out.on_behalf():  # put it down to the line that calls
        out.emit("[-]" + "+" * value, f"set to {value}")


number(72)
out.emit(".", "print H")
for value in (105, 10):
    number(value)
    out.emit(".", "print it")
out.write("emitted.bf")
"""
"""What somebody with the builders' library writes: the map of a generator of one's own."""

SOURCE = '''\
"""Adds two numbers, keeps them in a list, and prints their characters."""

from esoplay.codegen.source import chars, putc, getc, print_int


def add(a: int, b: int) -> int:
    return a + b


def main() -> None:
    seen = chars(4)
    total = 0
    for i in range(3):
        c = getc()
        seen[i] = c
        total = add(total, int(c) - 48)
    print_int(total)
    i = 3
    while i > 0:
        i -= 1
        putc(seen[i])
'''
TALK = """\
view
s 3
break line 13
c
view
vars
c
source 12 3
sl
SL
display step
10 s
heat 3
coverage
writes
end
printed 0
why
back 5
goto 50%
rcontinue
registers
places
list
delete 1
input
output
start
to-output 1
"""
"""Moves and questions that every language answers, to a program with a source map."""


def freeze(shop: Workshop) -> None:
    freeze_source_maps(shop)
    freeze_conversations_with_the_text_debugger(shop)
    freeze_verdicts(shop)
    freeze_batch(shop)
    freeze_predictions(shop)
    freeze_task_exports(shop)


def freeze_source_maps(shop: Workshop) -> None:
    """Write-once sources with programs and maps, and those of a generator with an Emitter."""
    source = shop.write(shop.work / "digits.py", SOURCE)
    shop.store("programs/digits.py", SOURCE)
    for language, ending in LANGUAGES.items():
        program = shop.work / f"digits{ending}"
        shop.run("generate", source, "--lang", language, "-o", program)
        shop.store(f"programs/digits{ending}", program.read_bytes())
        shop.store(f"programs/digits{ending}.map.json", _map_of(shop, program.name))
    desk = shop.work / "emitted"
    words = ("--protocol", "library", "--language", "brainfuck", "--workspace", desk)
    shop.run("session", "init", *words, "--store", shop.work / "other.sqlite", "--pack", "small")
    shop.write(desk / "make.py", GENERATOR)
    shop.script(desk / "make.py")
    for name in ("emitted.bf", "emitted.bf.map.json"):
        shop.store(f"programs/{name}", (desk / name).read_bytes())
    shop.store("programs/emitted.py", GENERATOR)


def _map_of(shop: Workshop, name: str) -> bytes:
    return (shop.work / f"{name}.map.json").read_bytes()


def freeze_conversations_with_the_text_debugger(shop: Workshop) -> None:
    """Commands of the text debugger with their answers as JSON, in every language."""
    for language, ending in LANGUAGES.items():
        words = ("debug", shop.work / f"digits{ending}", "--input", "123", "--repl", "--json")
        said = [condensed(json.loads(line)) for line in shop.run(*words, stdin=TALK).splitlines()]
        lines = ["", *TALK.splitlines()]
        pairs = [{"say": line, "answer": answer} for line, answer in zip(lines, said, strict=True)]
        shop.store_lines(f"repl/{language}.jsonl", pairs)


def freeze_verdicts(shop: Workshop) -> None:
    """Single verdicts under the practice seed and a secret one, in every language and in Python."""
    verdicts: list[dict[str, Any]] = []
    for language in LANGUAGES:
        problem = "E02" if language == "unlambda" else "E08"
        program = shop.program(problem, language).read_bytes()
        verdicts.append(_verdicts(shop, language, program, problem, "practice", "frozen"))
    for program in (b"print(input()[::-1], end='')\n", b"print(input()[::-1])\n"):
        verdicts.append(_verdicts(shop, "python", program, "E08", "frozen"))
    shop.store_lines("verdicts.jsonl", verdicts)


def _verdicts(
    shop: Workshop, language: str, program: bytes, problem: str, *seeds: str
) -> dict[str, Any]:
    words = ("grade", "-", "--lang", language, "--problem", problem, "--seed")
    return {
        "language": language,
        "problem": problem,
        "program_base64": b64encode(program).decode(),
        "verdicts": {seed: shop.json(*words, seed, stdin=program, status=None) for seed in seeds},
    }


def freeze_batch(shop: Workshop) -> None:
    """A file of submissions of every kind, and the results under a secret seed."""
    lines: list[dict[str, Any] | str] = []
    for language in LANGUAGES:
        for problem in PROBLEMS[:3]:
            program = shop.program(problem, language).read_bytes()
            lines.append(
                {
                    "id": f"{language} {problem}",
                    "problem": problem,
                    "language": language,
                    "program_base64": b64encode(program).decode(),
                    "dialect": "benchmark" if problem == "E01" else "standard",
                }
            )
        wrong = b64encode(WRONG[language]).decode()
        lines.append({"problem": "E02", "language": language, "program_base64": wrong})
    echo = {"problem": "E02", "language": "brainfuck"}
    lines += [
        {**echo, "id": 7, "program": ",[.,]"},
        {**echo, "path": "echo.bf"},
        {**echo, "program": ",[.,]", "options": {"eof": "-1"}},
        {**echo, "program": ",[.,]++++++++++.", "compare": "strip"},
        {**echo, "program": ",[.,]++++++++++.", "compare": "exact"},
        {**echo, "program": "["},
        {**echo, "program": "+[]"},
        {**echo, "program": "+[.]"},
        {"problem": "Q1", "language": "brainfuck", "program": ",[.,]", "pack": "small"},
        {"problem": "E02", "language": "python", "program": "print(input(), end='')"},
        {**echo, "language": "klingon", "program": "nuqneH"},
        {**echo, "program": ",", "prorgam": ","},
        {"problem": "X99", "language": "brainfuck", "program": ","},
        "no JSON",
        "",
        {**echo, "id": "é", "program": ",[.,]"},
    ]
    text = "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in lines)
    shop.write(shop.work / "echo.bf", b",[.,]")
    shop.store("batch/echo.bf", b",[.,]")
    submissions = shop.write(shop.work / "submissions.jsonl", text)
    results = shop.work / "results.jsonl"
    words = ("grade", "--batch", submissions, "-o", results, "--seed", "frozen")
    summary = shop.json(*words, status=1)  # some of them are invalid
    shop.store("batch/submissions.jsonl", text)
    shop.store("batch/results.jsonl", results.read_bytes())
    shop.store("batch/summary.json", summary)


def freeze_predictions(shop: Workshop) -> None:
    """Output predictions: items of a secret seed, an imported set, answers and verdicts."""
    made = json.loads(shop.run("predict", "make", "--lang", "brainfuck", "--seed", "frozen"))
    made["problems"] = made["problems"][:4]
    shop.store("predictions/made.json", made)
    for file in problems_folder().glob("*/references/brainfuck.bf"):  # the items are made of them
        id, _, _ = file.parent.parent.name.partition("-")
        shop.store(f"predictions/references/{id}.bf", file.read_bytes())
    items = [
        {
            "id": "P1",
            "difficulty": "easy",
            "title": "Next",
            "language": "brainfuck",
            "code": ",+.",
            "input": "A",
            "expected_output": "B",
        },
        {
            "id": "P2",
            "difficulty": "hard",
            "title": "Blanks",
            "language": "whitespace",
            "dialect": "standard",
            "code": "[S][S][S][T][N][T][N][S][T][N][N][N]",
            "input": "",
            "expected_output": "1",
        },
    ]
    shop.store("predictions/items.json", items)
    shop.run("predict", "list", "--items", shop.output / "predictions" / "items.json")
    shop.run("problems", "import", shop.output / "predictions" / "items.json", "--id", "guesses")
    answers = '{"id": "P1", "output": "B"}\n{"id": "P2", "output_base64": "MQo="}\n'
    shop.store("predictions/answers.jsonl", answers)
    words = ("predict", "check", shop.output / "predictions" / "answers.jsonl")
    checked = shop.json(*words, "--items", "guesses", status=1)
    shop.store("predictions/checked.json", checked)


def freeze_task_exports(shop: Workshop) -> None:
    """Tasks for another framework, with the seed that judges their answers."""
    tasks = shop.work / "tasks"
    shop.run(
        *("export", "inspect", "--lang", "brainfuck", "--problem", "E02"),
        *("--seed", "frozen", "-o", tasks),
    )
    shop.store_tree("tasks/inspect", tasks)
