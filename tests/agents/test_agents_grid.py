"""What a grid's file says, and what is wrong with one."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from agents_helpers import write_grid

from esoplay.agents import agent_workspace
from esoplay.agents.agent_workspace import check_solver, mcp_config
from esoplay.agents.grid import GridOverrides, read_grid
from esoplay.agents.grid_run import list_cells, remaining_sessions
from esoplay.agents.prompts import fill_placeholders
from esoplay.agents.templates import GRIDS, grid_title, read_grid_template
from esoplay.cli.main import build_parser, main
from esoplay.errors import UsageError

SOLVER = '[[solvers]]\nname = "heron"\ncommand = ["true"]\n'

MISTAKES = [
    ("", "solvers", "missing"),
    ("sessions = 0\n" + SOLVER, "sessions", "an integer from 1"),
    ('sessions = "3"\n' + SOLVER, "sessions", "an integer from 1"),
    ('languages = ["klingon"]\n' + SOLVER, "languages[0]", "host lanes: go"),
    ("languages = []\n" + SOLVER, "languages", "at least one"),
    ('protocols = ["primary", "secondary"]\n' + SOLVER, "protocols[1]", "secondary"),
    ('protocols = ["primary", "primary"]\n' + SOLVER, "protocols", "twice"),
    ('protocols = ["gone.toml"]\n' + SOLVER, "protocols[0]", "gone.toml"),
    ('tools = ["deaf"]\n' + SOLVER, "tools[0]", "full-access | interpreter-only | blind"),
    ('tools = ["blind", "blind"]\n' + SOLVER, "tools", "twice"),
    ('compare = "fuzzy"\n' + SOLVER, "compare", "exact | newline | strip | numeric"),
    ("time_limit = 0\n" + SOLVER, "time_limit", "seconds above 0"),
    ('pack = "nowhere"\n' + SOLVER, "pack", "nowhere"),
    ('problems = ["E01-E05", "Z1"]\n' + SOLVER, "problems", "'Z1' is not an id"),
    ('[limits]\ntime = "soon"\n' + SOLVER, "limits.time", '"90s"'),
    ("[limits]\ntime = 90\n" + SOLVER, "limits.time", '"90s"'),
    ("[limits]\nturns = -1\n" + SOLVER, "limits.turns", "an integer from 1"),
    ("[limits]\nspeed = 3\n" + SOLVER, "limits.speed", "unknown field"),
    ("sesions = 3\n" + SOLVER, "sesions", "unknown field"),
    (SOLVER + SOLVER, "solvers[1].name", "duplicate solver"),
    ('[[solvers]]\ncommand = ["true"]\n', "solvers[0].name", "missing"),
    ('[[solvers]]\nname = "a"\n', "solvers[0].command", "missing"),
    ('[[solvers]]\nname = "a"\ncommand = []\n', "solvers[0].command", "the program"),
    ('[[solvers]]\nname = "../a"\ncommand = ["true"]\n', "solvers[0].name", "letters"),
    (
        '[[solvers]]\nname = "a"\ncommand = ["true", "{promt}"]\n',
        "solvers[0].command[1]",
        "{prompt}",
    ),
    (SOLVER + 'client = "smoke"\n', "solvers[0].client", "session | mcp"),
    (
        SOLVER + 'environment = ["A KEY"]\n',
        "solvers[0].environment[0]",
        "name of an environment variable",
    ),
    (SOLVER + 'home = "nowhere"\n', "solvers[0].home", "a folder"),
    (SOLVER + 'prompt = "nowhere"\n', "solvers[0].prompt", "a text file"),
    (
        SOLVER + 'client = "mcp"\nuser = "nobody"\n',
        "solvers[0].user",
        "the user of the solver would also run the server of the session",
    ),
    (SOLVER + "[solvers.limits]\ntime = 3\n", "solvers[0].limits.time", '"90s"'),
    (SOLVER + "[solvers.set]\nA = 3\n", "solvers[0].set.A", "with string values"),
]


@pytest.mark.parametrize(("text", "key", "expected"), MISTAKES, ids=lambda value: value[-30:])
def test_a_mistake_is_reported_with_file_key_and_what_was_expected(
    text: str, key: str, expected: str, tmp_path: Path
) -> None:
    file = tmp_path / "grid.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError) as caught:
        read_grid(file)
    place = re.escape(str(file)) + r"(:\d+:\d+)?"
    assert re.match(f"{place}: {re.escape(key)}: ", str(caught.value))
    assert expected in str(caught.value)


LANES_ONLY = [
    (
        'problems = ["B13-B15", "b14"]\n',
        "3:1: problems: B14 cannot be solved in brainfuck: it needs",
    ),
    ('problems = ["B14", "B02"]\n', "3:1: problems: B02 cannot be solved in brainfuck: it needs"),
    ('problems = ["B14-B16"]\n', "3:1: problems: B14 cannot be solved in brainfuck: it needs"),
]


@pytest.mark.parametrize(("line", "complaint"), LANES_ONLY, ids=lambda value: value[-30:])
def test_a_problem_that_only_lanes_can_solve_is_refused_when_the_grid_is_read(
    line: str, complaint: str, tmp_path: Path
) -> None:
    file = tmp_path / "grid.toml"
    head = 'pack = "basics"\nlanguages = ["python", "brainfuck"]\n'
    file.write_text(head + line + SOLVER, "utf-8")
    with pytest.raises(UsageError) as caught:
        read_grid(file)
    assert str(caught.value).startswith(f"{file}:{complaint}")
    assert "host lanes" in str(caught.value)
    file.write_text(head + SOLVER, "utf-8")
    with pytest.raises(UsageError, match=r"^--problems: B14 cannot be solved in brainfuck"):
        read_grid(file, GridOverrides(problems=("B14",)))
    assert read_grid(file, GridOverrides(problems=("hard",))).problems == ("hard",)


@pytest.mark.parametrize("name", GRIDS)
def test_a_grid_template_lacks_only_its_solver(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.toml"
    file.write_text(read_grid_template(name), "utf-8")
    with pytest.raises(UsageError, match="solvers: missing"):
        read_grid(file)
    commented = [line for line in read_grid_template(name).splitlines() if line.startswith("# ")]
    solver = [line[2:] for line in commented if " = " in line or "[[" in line]
    file.write_text(read_grid_template(name) + "\n".join(solver), "utf-8")
    grid = read_grid(file)
    assert grid.title == grid_title(name)
    assert len(grid.languages) == 5
    assert len(list_cells(grid)) == 5 * len(grid.protocols) * grid.sessions


def test_the_definition_of_a_solver_depends_on_its_configuration(tmp_path: Path) -> None:
    file, config = tmp_path / "grid.toml", tmp_path / "home" / "deep" / "config"
    config.parent.mkdir(parents=True)
    file.write_text(SOLVER + 'home = "home"\n', "utf-8")

    def definition() -> str:
        grid = read_grid(file)
        return grid.definition_digest(grid.solvers[0], grid.protocols[0][1])

    names: list[str] = []
    for text in ("model = 1", "model = 2", "model = 1"):
        config.write_text(text, "utf-8")
        names.append(definition())
    config.rename(config.with_name("other"))
    names.append(definition())
    (config.parent / "link").symlink_to("/dev/zero")
    names.append(definition())
    assert names[0] == names[2]
    assert len(set(names)) == 4


def test_cells_are_ordered_by_session_number_and_solvers_alternate(
    pack: Path, answers: Path, tmp_path: Path
) -> None:
    solvers = {"heron": "solve", "crow": "fail"}
    protocols = ["primary", "direct"]
    file = write_grid(tmp_path / "g.toml", pack, answers, solvers, sessions=2, protocols=protocols)
    cells = list_cells(read_grid(file))
    assert [cell.number for cell in cells] == [1] * 4 + [2] * 4
    assert [cell.solver for cell in cells] == ["heron", "crow"] * 4
    assert [cell.protocol for cell in cells[:4]] == ["primary", "primary", "direct", "direct"]


def test_a_dry_run_lists_the_sessions_and_starts_none(
    pack: Path, answers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_grid(tmp_path / "g.toml", pack, answers, {"heron": "solve"}, sessions=3)
    assert main(["agents", "run", str(file), "-o", str(tmp_path / "run"), "--dry-run"]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines() == [
        f"heron  brainfuck  primary  {number}  not begun" for number in (1, 2, 3)
    ]
    assert "3 of 3 sessions would be played" in told.err
    assert not (tmp_path / "run").exists()


def test_options_replace_pack_problems_and_sessions_of_a_grid(pack: Path, tmp_path: Path) -> None:
    file = tmp_path / "grid.toml"
    file.write_text('problems = ["hard"]\nsessions = 3\n' + SOLVER, "utf-8")
    whole = read_grid(file)
    assert whole.problems == ("hard",)
    chosen = read_grid(file, GridOverrides(problems=("e04", "E01-E02"), sessions=1))
    assert (chosen.problems, chosen.sessions) == (("e04", "E01-E02"), 1)
    other = read_grid(file, GridOverrides(pack=str(pack), problems=("easy",)))
    assert other.pack == str(pack)
    assert (
        len({one.definition_digest(one.solvers[0], one.protocols[0][1]) for one in (whole, chosen)})
        == 2
    )


def test_tool_profiles_comparison_and_time_limit_of_a_grid_apply_to_its_sessions(
    tmp_path: Path,
) -> None:
    file = tmp_path / "g.toml"
    modes = 'tools = ["full-access", "blind"]\ncompare = "strip"\ntime_limit = 5\n'
    definitions: list[str] = []
    for text in (SOLVER, 'compare = "exact"\n' + SOLVER, 'compare = "strip"\n' + SOLVER):
        file.write_text(text, "utf-8")
        grid = read_grid(file)
        definitions.append(grid.definition_digest(grid.solvers[0], grid.protocols[0][1]))
    assert len(set(definitions)) == 3
    file.write_text(modes + SOLVER, "utf-8")
    grid = read_grid(file)
    planned_sessions = remaining_sessions(grid, tmp_path / "run")
    assert [(each.cell.protocol, each.changes) for each in planned_sessions[:2]] == [
        ("primary+compare=strip", {"compare": "strip"}),
        ("primary+compare=strip+tools=blind", {"compare": "strip", "tools": "blind"}),
    ]
    assert {each.time_limit for each in planned_sessions} == {5}


def test_wrong_overrides_name_their_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "grid.toml"
    file.write_text(SOLVER, "utf-8")
    for option, value, expected in (
        ("--problems", "E05-E01", "esoplay: --problems: 'E05-E01' ends before it starts"),
        ("--pack", "nowhere", "esoplay: --pack: nowhere is neither"),
        ("--sessions", "0", "esoplay: --sessions must be an integer from 1 to 1000"),
    ):
        assert main(["agents", "run", str(file), "--dry-run", option, value]) == 2
        assert expected in capsys.readouterr().err


def test_an_unset_variable_is_reported_before_the_start(
    pack: Path, answers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = 'environment = ["A_KEY_OF_NOBODY"]'
    file = write_grid(tmp_path / "g.toml", pack, answers, {"heron": "solve"}, more=more)
    assert main(["agents", "run", str(file), "-o", str(tmp_path / "run")]) == 2
    assert (
        "solver heron: the environment variable A_KEY_OF_NOBODY is not set"
        in capsys.readouterr().err
    )
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (
            'client = "mcp"',
            "solver a: an MCP client needs the extra mcp: pip install 'esoplay[mcp]'",
        ),
        ('user = "nobody-at-all"', "unknown user nobody-at-all"),
    ],
)
def test_missing_tools_of_an_agent_are_reported_before_the_start(
    more: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent_workspace, "find_spec", lambda _name: None)
    file = tmp_path / "grid.toml"
    file.write_text(f'[[solvers]]\nname = "a"\ncommand = ["true"]\n{more}\n', "utf-8")
    with pytest.raises(UsageError, match=re.escape(expected)):
        check_solver(read_grid(file).solvers[0])


def test_braces_without_a_known_placeholder_are_unchanged() -> None:
    assert fill_placeholders('{"a": {session}} {other}', {"session": "s"}) == '{"a": s} {other}'


def test_the_path_of_a_program_is_relative_to_the_folder_of_the_grid(tmp_path: Path) -> None:
    file = tmp_path / "grid.toml"
    file.write_text('[[solvers]]\nname = "a"\ncommand = ["./agent.sh", "./x"]\n', "utf-8")
    assert read_grid(file).solvers[0].command == (f"{tmp_path}/agent.sh", "./x")


def test_the_mcp_configuration_is_a_valid_command_line(tmp_path: Path) -> None:
    config = mcp_config("0123456789ab", tmp_path / "store")["mcpServers"]["esoplay"]
    at = config["args"].index("esoplay") + 1
    args = build_parser(["mcp"]).parse_args(config["args"][at:])
    assert (args.command, args.session) == ("mcp", "0123456789ab")
    assert args.store == str(tmp_path / "store")
    assert config["env"]["ESOPLAY_HOME"] == os.environ["ESOPLAY_HOME"]
