"""What is generated runs to the same bytes on interpreters that others wrote; only when asked for.

    ESOPLAY_FOREIGN=1 python -m pytest tests/codegen/test_codegen_foreign.py

They are looked for in ``PATH`` and in the folders that ESOPLAY_FOREIGN names: Debian's ``beef``
and ``unlambda``, and ``shakespeare`` and ``whitespace``, which PyPI has as ``shakespearelang``
and ``whitespace``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from esoplay.codegen.back_ends import find_back_end
from esoplay.codegen.lowering import compile_source
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import Problem, load_pack
from esoplay.grading.seeds import PRACTICE_SEED

WHERE = os.environ.get("ESOPLAY_FOREIGN", "")
PATIENCE = 100  # seconds for a run; some are a thousand times slower than ours
PACK = load_pack()

pytestmark = [
    pytest.mark.skipif(not WHERE, reason="asks for ESOPLAY_FOREIGN=1"),
    pytest.mark.timeout(20 * PATIENCE),
]


def unchanged(program: str, stdin: bytes) -> tuple[bytes, bytes]:
    return program.encode("latin-1"), stdin


def with_zeros(program: str, stdin: bytes) -> tuple[bytes, bytes]:
    """This one fails at the end of the input; sources take a byte 0 for it."""
    return program.encode("latin-1"), stdin + bytes(8)


def program_before_input(program: str, stdin: bytes) -> tuple[bytes, bytes]:
    """Append the input to the program; this interpreter takes no byte from 128 on."""
    text = "".join(one if one < "\x80" else "!" for one in program.rstrip("\n"))
    return b"", text.encode("ascii") + stdin


DEEPLY = """\
import sys, threading
from whitespace.cli import main
sys.setrecursionlimit(1_000_000)
threading.stack_size(512 << 20)
thread = threading.Thread(target=main)
thread.start()
thread.join()
"""


def command_alone(command: str) -> list[str]:
    return [command]


def with_run_action(command: str) -> list[str]:
    return [command, "run"]


def with_its_python(command: str) -> list[str]:
    """This one's parser calls itself for each instruction."""
    return [str(Path(command).with_name("python")), "-c", DEEPLY]


class Foreign(NamedTuple):
    """called: how, after it was found; the file of the program follows, if it is given one.

    slow: so that the public examples are all that it is run on.
    """

    command: str
    called: Callable[[str], Sequence[str]] = command_alone
    given: Callable[[str, bytes], tuple[bytes, bytes]] = unchanged
    slow: bool = False


FOREIGN = {
    "brainfuck": Foreign("beef"),
    "unlambda": Foreign("unlambda", given=program_before_input),
    "shakespeare": Foreign("shakespeare", with_run_action, slow=True),
    "whitespace": Foreign("whitespace", with_its_python, with_zeros),
}


def find_command(foreign: Foreign) -> str:
    path = os.pathsep.join((WHERE, os.environ.get("PATH", os.defpath)))
    command = shutil.which(foreign.command, path=path)
    if command is None:
        pytest.skip(f"there is no {foreign.command}")
    return command


@pytest.mark.parametrize("problem", list(PACK), ids=lambda problem: problem.id)
@pytest.mark.parametrize("language", FOREIGN)
def test_foreign_interpreter_prints_the_same(
    language: str, problem: Problem, tmp_path: Path
) -> None:
    foreign = FOREIGN[language]
    command = find_command(foreign)
    assert problem.folder is not None
    source = (problem.folder / "source.py").read_text("utf-8")
    made = find_back_end(language).generate(compile_source(source)).text
    cases = [(one.input, one.output) for one in problem.examples]
    if not foreign.slow:
        cases += [(one.input, one.expected) for one in hidden_tests(problem, PRACTICE_SEED)]
    file = tmp_path / "program"
    for stdin, expected in dict.fromkeys(cases):
        program, given = foreign.given(made, stdin)
        file.write_bytes(program)
        done = subprocess.run(
            [*foreign.called(command), *([str(file)] if program else [])],
            input=given,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        if b"AddressMissingError" in done.stderr:
            pytest.xfail("a cell of the heap that was never stored to is an error there")
        assert (done.returncode, done.stdout) == (0, expected), done.stderr[-500:]
