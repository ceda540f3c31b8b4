"""Derive or read the hidden tests of a problem.

Only the grader, the check of mistakes and exports for operators may import this module.

Tests are not stored: the function ``cases`` in the problem's ``judge.py`` derives them from a seed,
and ``solve`` computes the expected outputs.  An imported problem has ``tests.json`` instead of a
judge; its tests are the same under every seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from traceback import extract_tb
from types import ModuleType
from typing import NamedTuple, Protocol, cast

from esoplay.decoding import SECRET_WORDING, DecodingError, decode_json
from esoplay.errors import PackError
from esoplay.grading.packs import EXIT_NEEDED, TESTS_FILE, ExampleTable, ExampleTables, digest_tests
from esoplay.grading.problem import Problem
from esoplay.grading.seeds import GENERATOR_VERSION, Rng
from esoplay.running.invocation import PLAIN, ProgramInvocation

SLOT_COUNT = 6
JUDGE_FILE = "judge.py"


class HiddenTest(NamedTuple):
    """Hidden test, which solvers must not see.

    edge_class: None for a fixed test.
    """

    edge_class: str | None
    input: bytes
    expected: bytes
    invocation: ProgramInvocation = PLAIN


class JudgeModule(Protocol):
    """Interface of ``judge.py``: a reference solution, and a generator of six test inputs.

    ``cases`` yields tuples of edge class, input and, optionally, command-line arguments, which are
    passed to ``solve``.  ``solve`` returns the output, or a tuple of output, exit status and
    stderr.
    """

    def solve(self, text: str, *arguments: str) -> str | tuple[str, int, str]: ...
    def cases(self, rng: Rng) -> Iterator[tuple[str, str] | tuple[str, str, list[str]]]: ...


def hidden_tests(problem: Problem, seed: bytes) -> tuple[HiddenTest, ...]:
    """Return the hidden tests of a problem.

    They are the problem's fixed tests, if it has any, or else six tests generated from ``seed``.
    Each of the six tests has its own random generator.  The seed also shuffles the order, so that a
    solver who knows the numbers of the failed tests does not know their edge classes.  Fixed tests
    are in the order of their file.

    Raises PackError if the judge or the file of tests is invalid.
    """
    return (
        _read_fixed_tests(problem)
        if problem.has_fixed_tests
        else TestSlots(problem).shuffled_tests(seed)
    )


def _read_fixed_tests(problem: Problem) -> tuple[HiddenTest, ...]:
    file = problem.folder / TESTS_FILE
    if (problem.folder / JUDGE_FILE).exists():
        raise PackError(
            f"{problem.folder}: found both {JUDGE_FILE} and {TESTS_FILE}; expected one of them"
        )
    try:
        data = file.read_bytes()
    except OSError as error:
        raise PackError(f"{file}: {type(error).__name__}") from error
    if digest_tests(data) != problem.tests_digest:
        raise PackError(f"{file}: the tests do not match the digest in the pack")
    kind = cast("type[tuple[ExampleTable, ...]]", ExampleTables)
    try:
        tests = decode_json(data, kind, SECRET_WORDING, "tests")
    except DecodingError as mistake:
        # The error of the JSON parser may quote the file, which is secret.
        reason = str(mistake) if mistake.path else type(mistake.__cause__).__name__
        raise PackError(f"{file}: {reason}") from None
    found = tuple(
        HiddenTest(None, one.input.encode(), one.output.encode(), one.invocation()) for one in tests
    )
    if "exit" not in problem.needs and any(one.invocation.must_fail for one in found):
        raise PackError(f"{file}: {EXIT_NEEDED}")
    return found


class TestSlots:
    """Generator of a problem's tests: each of six slots makes one test per seed.

    It reads ``judge.py`` only once for many seeds.
    """

    def __init__(self, problem: Problem):
        self._problem = problem
        self._judge = load_judge(problem)
        self._classes = {entry.name for entry in problem.classes}

    def tests(self, seed: bytes) -> list[HiddenTest]:
        """Generate one test for each slot from the random seed ``seed``, in the order of the slots.

        Raises PackError if the judge is invalid.
        """
        rng = self._generator(seed)
        return [self._draw_case(rng, slot) for slot in range(SLOT_COUNT)]

    def shuffled_tests(self, seed: bytes) -> tuple[HiddenTest, ...]:
        """Return the six tests for ``seed``, in an order that depends on the seed.

        Raises PackError if the judge is invalid or a class has no test.
        """
        drawn = self.tests(seed)
        drawn_classes = {test.edge_class for test in drawn}
        missing = self._classes - drawn_classes
        if missing:
            file = _judge_path(self._problem)
            raise PackError(f"{file}: cases: no test of class {', '.join(sorted(missing))}")
        return tuple(self._generator(seed).fork("order").shuffle(drawn))

    def _generator(self, seed: bytes) -> Rng:
        pack = self._problem.pack
        return Rng(seed).fork(GENERATOR_VERSION, pack.id, pack.version, self._problem.id)

    def _draw_case(self, rng: Rng, slot: int) -> HiddenTest:
        problem, judge = self._problem, self._judge
        # Later cases belong to other slots; the last slot checks that no more cases follow.
        most = SLOT_COUNT + 1 if slot == SLOT_COUNT - 1 else slot + 1
        try:
            cases: list[object] = list(islice(judge.cases(rng.fork("slot", slot)), most))
        except Exception as error:
            raise _judge_error(problem, error) from error
        if len(cases) <= slot or len(cases) > SLOT_COUNT:
            raise PackError(
                f"{_judge_path(problem)}: cases: expected {SLOT_COUNT} tests, found {len(cases)}"
            )
        arguments: tuple[str, ...] = ()
        match cases[slot]:
            case (str(edge_class), str(text)):
                pass
            case (str(edge_class), str(text), list()):
                arguments = tuple(map(str, cast("tuple[str, str, list[object]]", cases[slot])[2]))
            case _:
                raise PackError(
                    f"{_judge_path(problem)}: cases: expected pairs of edge class and input, "
                    'such as ("empty", "")'
                )
        if edge_class not in self._classes:
            raise PackError(
                f"{_judge_path(problem)}: cases: edge class {edge_class!r} is not in [classes] of "
                "problem.toml"
            )
        try:
            answer = cast("object", judge.solve(text, *arguments))
        except Exception as error:
            raise _judge_error(problem, error) from error
        ending = read_answer(answer)
        if ending is None:
            is_tuple = isinstance(answer, tuple)
            found = "a tuple of other values" if is_tuple else type(answer).__name__
            raise PackError(
                f"{_judge_path(problem)}: solve: expected a string, or a tuple of output, exit "
                f"status and stderr; found {found}"
            )
        if ending[1:] != (0, "") and "exit" not in problem.needs:
            raise PackError(f"{_judge_path(problem)}: solve: {EXIT_NEEDED}")
        output, exit_code, stderr = ending
        invocation = PLAIN
        if arguments or exit_code or stderr:
            invocation = ProgramInvocation(arguments, exit_code, stderr.encode())
        return HiddenTest(edge_class, text.encode(), output.encode(), invocation)


def read_answer(answer: object) -> tuple[str, int, str] | None:
    """Return output, exit status and stderr from a result of ``solve``; None if invalid."""
    match answer:
        case str():
            return answer, 0, ""
        case (str(output), int(code), str(stderr)):
            return output, code, stderr
        case _:
            return None


def _judge_error(problem: Problem, error: Exception) -> PackError:
    """Convert a judge's exception to a PackError without its message, which may reveal tests."""
    file = _judge_path(problem)
    lines = [at.lineno for at in extract_tb(error.__traceback__) if at.filename == file]
    where = f"line {lines[-1]}: " if lines else ""
    return PackError(f"{file}: {where}{type(error).__name__}")


def load_judge(problem: Problem) -> JudgeModule:
    """Load ``judge.py`` as a module, without writing bytecode into the pack."""
    file = _judge_path(problem)
    module = ModuleType(f"judge_{problem.id}")
    module.__file__ = file
    try:
        source = (problem.folder / JUDGE_FILE).read_bytes()
        exec(compile(source, file, "exec"), module.__dict__)
    except Exception as error:  # the module may raise anything
        raise PackError(f"{file}: {type(error).__name__}: {error}") from error
    for name in ("solve", "cases"):
        if not callable(module.__dict__.get(name)):
            raise PackError(f"{file}: {name}: expected a function with this name")
    return cast("JudgeModule", module)


def _judge_path(problem: Problem) -> str:
    return str(problem.folder / JUDGE_FILE)
