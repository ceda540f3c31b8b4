"""The builders' library: one folder that works with Python alone and helps with no problem."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from esolangs.registry import find_language
from esoplay.benchmark.sessions import Sessions
from esoplay.benchmark.verification import verify_export
from esoplay.cli.main import main
from esoplay.codegen.back_ends import back_end_ids
from esoplay.codegen.cpython import run_source
from esoplay.codegen.errors import SourceFault
from esoplay.errors import UsageError
from esoplay.grading.packs import load_pack
from esoplay.grading.seeds import write_seed_file
from esoplay.programs.generation import generate
from esoplay.running.run import run_source as run_program
from esoplay.sessions.library import library_digest, library_files
from esoplay.sessions.store import digest

PACK = load_pack()
SEED = bytes(range(32))
PYTHON = re.compile(r"^```python[ a-z]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ALONE = (
    "import sys, runpy; sys.path.insert(0, sys.argv.pop(1)); "
    "runpy.run_module('builders', run_name='__main__', alter_sys=True)"
)
SOURCE = """\
from builders.source import ended_by, print_int, putc, read_int


def main() -> None:
    a = read_int()
    while ended_by() != 0:
        a = 2 * a - read_int()
    print_int(a)
    putc(ord("!"))


if __name__ == "__main__":
    main()
"""


def write_library(language: str, folder: Path) -> Path:
    for path, text in library_files(language).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder


def run_isolated(code: str, *arguments: str | Path, cwd: Path, stdin: bytes = b"") -> bytes:
    """What Python prints with nothing but its own library: no site, no environment."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.parametrize("language", back_end_ids())
def test_the_library_compiles_what_esoplay_compiles(language: str, tmp_path: Path) -> None:
    home, elsewhere = write_library(language, tmp_path / "home"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.py").write_text(SOURCE)
    target = elsewhere / f"mine{find_language(language).extensions[0]}"
    run_isolated(ALONE, home, "generate", "mine.py", "-o", target, cwd=elsewhere)
    expected = generate(SOURCE, language, name="mine.py")
    assert target.read_bytes() == expected.source
    beside = json.loads(target.with_name(f"{target.name}.map.json").read_text())
    assert beside == expected.source_map.as_json()
    outcome = run_program(language, target.read_bytes(), dialect="benchmark", stdin=b"5 3")
    assert outcome.stdout == b"7!"


def test_the_library_runs_sources_unchanged(tmp_path: Path) -> None:
    home = write_library("whitespace", tmp_path)
    (home / "mine.py").write_text(SOURCE)
    assert run_isolated(ALONE, home, "run", "mine.py", "--input", "5 3", cwd=home) == b"7!"
    code = "import sys; sys.path.insert(0, sys.argv[1]); exec(open('mine.py').read())"
    assert run_isolated(code, home, cwd=home, stdin=b"5 3") == b"7!"


def test_a_library_run_stops_at_int_overflow(tmp_path: Path) -> None:
    home = write_library("brainfuck", tmp_path)
    (home / "big.py").write_text("def main():\n    n = 7000\n    print_int(n * 7000 * 7000)\n")
    code = f"""import sys; sys.stderr = sys.stdout
try:
    {ALONE}
except SystemExit as leaving:
    print(leaving.code)
"""
    for lang in ([], ["--lang", "brainfuck"]):
        told = run_isolated(code, home, "run", *lang, "big.py", "--input", "", cwd=home)
        assert told.startswith(b"big.py: line 3: 343,000,000,000 is not an int in brainfuck; ")
        assert told.endswith(b"\n1\n")
    readme = (home / "builders/README.md").read_text("utf-8")
    assert "python3 -m builders run --lang brainfuck squares.py" in readme


@pytest.mark.parametrize("language", back_end_ids())
def test_the_example_of_a_language_on_its_page_runs_with_the_library_alone(
    language: str, tmp_path: Path
) -> None:
    home = write_library(language, tmp_path)
    page = (home / f"builders/docs/{language}.md").read_text("utf-8")
    folder = language.replace("-", "_")
    block = next(one for one in PYTHON.findall(page) if f"from builders.{folder} import" in one)
    code = f"import sys; sys.path.insert(0, sys.argv[1])\n{block}\n"
    code += "print(globals().get('program') or play, end='')"
    program = run_isolated(code, home, cwd=home)
    assert run_program(language, program, stdin=b"1324").status == "ok"


@pytest.mark.parametrize("language", back_end_ids())
def test_the_library_imports_only_the_standard_library_and_itself(language: str) -> None:
    for path, text in library_files(language).items():
        if not path.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(text)):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.partition(".")[0] in sys.stdlib_module_names | {"builders"}, path


def test_the_library_is_reproducible() -> None:
    first = library_files("brainfuck")
    library_files.cache_clear()
    assert library_files("brainfuck") == first
    assert library_digest(library_files("brainfuck")) == library_digest(first)
    assert library_digest({**first, "builders/ir.py": "pass"}) != library_digest(first)
    with pytest.raises(UsageError, match="no back end for"):
        library_files("intercal")


# Nothing of any problem


def all_texts() -> Mapping[str, str]:
    return {
        f"{language}:{path}": text
        for language in back_end_ids()
        for path, text in library_files(language).items()
    }


def test_the_library_names_no_problem_and_quotes_no_statement() -> None:
    whole = "\n".join(set(all_texts().values()))
    words = " ".join(whole.lower().split()).replace("the factorial of", "")  # of Shakespeare
    assert not {problem.id for problem in PACK} & set(re.findall(r"\b[A-Z]\d\d\b", whole))
    for problem in PACK:
        title = problem.title.partition(" (")[0].lower()
        assert title not in words
        for sentence in re.split(r"(?<=[.:])\s+|\n\n", problem.statement):
            spoken = " ".join(sentence.lower().split())
            assert len(spoken) < 25 or spoken not in words, sentence


def meaningful(text: str) -> Iterator[str]:
    """Lines of Python that do something, without surrounding whitespace."""
    for line in map(str.strip, text.splitlines()):
        if line and not line.startswith(
            ("from ", "import ", "#", '"""', "def main", "if __name__")
        ):
            yield line


def test_the_library_contains_no_part_of_a_solution() -> None:
    theirs: dict[tuple[str, ...], str] = {}
    for path, text in all_texts().items():
        lines = list(meaningful(text))
        theirs |= dict.fromkeys(zip(lines, lines[1:], lines[2:], strict=False), path)
    for problem in PACK:
        assert problem.folder is not None
        lines = list(meaningful((problem.folder / "source.py").read_text("utf-8")))
        for three in zip(lines, lines[1:], lines[2:], strict=False):
            assert three not in theirs, (problem.id, theirs[three])


def test_no_example_of_its_pages_solves_a_problem() -> None:
    pages = {text for path, text in all_texts().items() if path.endswith(".md")}
    sources = [one for page in pages for one in PYTHON.findall(page) if "\ndef main(" in one]
    assert len(sources) >= 2
    for source in sources:
        for problem in PACK:
            assert not all(prints(source, one.input, one.output) for one in problem.examples)


def prints(source: str, stdin: bytes, expected: bytes) -> bool:
    try:
        return run_source(source, stdin, rounds=10_000) == expected
    except SourceFault:
        return False


# In a session


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    write_seed_file(tmp_path / "seed", SEED)
    begin = ["init", "--language", "whitespace", "--protocol", "library", "--seed-file", "seed"]
    assert main(["session", *begin, "--workspace", "bench"]) == 0
    monkeypatch.chdir("bench")
    return tmp_path / "bench"


def test_a_session_with_the_library_is_played_from_init_to_verify(
    bench: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, text in library_files("whitespace").items():
        assert (bench / path).read_text("utf-8") == text
    instructions = (bench / "AGENTS.md").read_text("utf-8")
    assert "Read `STRATEGY.md` and `builders/README.md` first" in instructions
    (bench / "made.py").write_text("def main():\n    puts('Hello World!')\n")
    subprocess.run(
        [sys.executable, "-m", "builders", "generate", "made.py", "-o", "made.ws"],
        cwd=bench,
        env={},
        capture_output=True,
        check=True,
        timeout=300,
    )
    assert list(bench.glob("builders/__pycache__/*.pyc")), "Python keeps what it compiled"
    assert main(["session", "fetch"]) == 0
    assert main(["session", "submit", "E01", "made.ws"]) == 0
    assert main(["session", "export", "-o", "../session.json"]) == 0
    export = json.loads(Path("../session.json").read_text())
    told = export["versions"]["library"]
    assert told == library_digest(library_files("whitespace"))
    (inventory,) = (json.loads(b64decode(one)) for one in export["inventories"].values())
    kinds = {one["path"]: one["kind"] for one in inventory["files"]}
    assert {kind for path, kind in kinds.items() if path.startswith("builders/")} == {"given"}
    assert kinds["made.py"] == "generator"
    capsys.readouterr()
    assert main(["session", "verify", "../session.json", "--seed", SEED.hex()]) == 0
    assert "verified" in capsys.readouterr().out


def export_after_submission(sessions: Sessions, session: str) -> dict[str, Any]:
    sessions.fetch(session)
    sessions.submit(session, "E01", b"6")
    return sessions.export(session).as_json()


def test_a_changed_library_file_is_a_generator(sessions: Sessions, tmp_path: Path) -> None:
    workspace = tmp_path / "bench"
    session = sessions.init("brainfuck", "library", workspace=workspace).session
    (workspace / "builders" / "ir.py").write_text("mine = 1")
    pycache = workspace / "builders" / "__pycache__"
    pycache.mkdir()
    (pycache / "ir.cpython-311.pyc").write_bytes(b"compiled")
    (pycache / "mine.cpython-311.pyc").write_bytes(b"compiled")
    export = export_after_submission(sessions, session)
    (inventory,) = (json.loads(b64decode(one)) for one in export["inventories"].values())
    brought = {one["path"] for one in inventory["files"] if one["kind"] == "generator"}
    assert brought == {"builders/ir.py", "builders/__pycache__/mine.cpython-311.pyc"}


def test_a_file_is_not_a_generator_where_other_languages_are_allowed(
    sessions: Sessions, tmp_path: Path
) -> None:
    workspace = tmp_path / "bench"
    rules = {"material": "library"}
    started = sessions.init("brainfuck", "host-rust", changes=rules, workspace=workspace)
    sessions.fetch(started.session)
    assert sessions.submit(started.session, "E01", b"2").violation is None
    (workspace / "mine.py").write_text("")
    found = sessions.submit(started.session, "E01", b"6").violation
    assert found is not None
    assert "mine.py (python)" in found


def test_existing_files_are_not_mixed_with_an_export(sessions: Sessions, tmp_path: Path) -> None:
    (tmp_path / "bench" / "builders").mkdir(parents=True)
    with pytest.raises(UsageError, match="builders exists"):
        sessions.init("brainfuck", "library", workspace=tmp_path / "bench")
    assert sessions.list() == ()


def test_verification_checks_the_files_of_the_library(
    sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = sessions.init("brainfuck", "library", workspace=tmp_path / "bench").session
    export = export_after_submission(sessions, session)
    text = json.dumps(export).encode()
    assert verify_export(text).verified
    told = export["versions"]["library"]

    (inventory,) = export["inventories"].values()
    listed = json.loads(b64decode(inventory))
    entry = next(one for one in listed["files"] if one["path"] == "builders/ir.py")
    assert entry["sha256"] == digest(library_files("brainfuck")["builders/ir.py"].encode())

    other = {**library_files("brainfuck"), "builders/ir.py": "other"}
    with monkeypatch.context() as patch:
        patch.setattr("esoplay.benchmark.verification.library_files", lambda _: other)
        verification = verify_export(text)
        assert verification.verified
        assert f"the builders' library differs: recorded {told[:12]}…" in " ".join(
            verification.notes
        )
        patch.setattr("esoplay.benchmark.verification.library_digest", lambda _: told)
        (finding,) = verify_export(text).findings
        assert str(finding) == (
            "event 3, inventory: builders/ir.py is recorded as an unchanged library file "
            "but differs from that file"
        )
