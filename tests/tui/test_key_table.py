"""One table binds keys to actions; widgets own actions, and no keys."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import esoplay.tui
from esoplay.tui import screen_actions
from esoplay.tui.debug.keys import ACTIONS
from esoplay.tui.keys import FIXED_SCOPES, KEYS

ROOT = Path(esoplay.tui.__file__).parent
TABLE = ROOT / "keys.py"
MODULES = sorted(ROOT.rglob("*.py"))


def calls(module: Path, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def first_texts(module: Path, name: str) -> list[str]:
    """The first argument of each call, where that is a literal."""
    arguments = [call.args[0] for call in calls(module, name)]
    return [each.value for each in arguments if isinstance(each, ast.Constant)]


@pytest.mark.parametrize("module", [each for each in MODULES if each != TABLE], ids=str)
def test_no_widget_names_a_key(module: Path) -> None:
    assert not list(calls(module, "Binding"))
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.AnnAssign | ast.Assign) and isinstance(node.value, ast.List):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            if any(isinstance(each, ast.Name) and each.id == "BINDINGS" for each in targets):
                assert all(isinstance(each, ast.Starred) for each in node.value.elts)


def test_every_action_of_the_table_has_one_owner() -> None:
    owned: Counter[str] = Counter()
    for module in MODULES:
        if module == TABLE:
            continue
        actions = set(first_texts(module, "Action"))
        scopes = set(first_texts(module, "bindings"))
        for scope in scopes:
            if KEYS[scope].keys() <= actions:
                owned[scope] += 1
        assert actions <= {id for scope in KEYS for id in KEYS[scope]}
    owned["debug"] += [action.id for action in ACTIONS] == list(KEYS["debug"])
    owned["screen"] += {action.id for action in screen_actions.ACTIONS} >= KEYS["screen"].keys()
    owned["tests"] += [screen_actions.STOP_TESTS.id] == list(KEYS["tests"])
    assert owned == Counter(dict.fromkeys(KEYS, 1))


@pytest.mark.parametrize("scope", KEYS)
def test_no_key_has_two_actions_in_a_scope(scope: str) -> None:
    keys = Counter(key for keys in KEYS[scope].values() for key in keys.split(","))
    assert [key for key, times in keys.items() if times > 1] == []


def test_fixed_scopes_are_in_the_table() -> None:
    assert KEYS.keys() >= FIXED_SCOPES


def test_a_letter_means_the_same_in_every_scope() -> None:
    actions: dict[str, set[str]] = {}
    for scope in KEYS.keys() - FIXED_SCOPES - {"go"}:
        for id, keys in KEYS[scope].items():
            for key in keys.split(","):
                if len(key) == 1 or key in ("slash", "comma", "left_square_bracket", "ctrl+l"):
                    actions.setdefault(key, set()).add(id)
    alike = {
        "D": {"debug.compare", "replay.changes", "solutions.compare"},
        "E": {"debug.set-cell", "notes.edit", "watch.edit"},
        "L": {"language", "solution.language"},
        "o": {"debug.printed", "results.wrong"},
        "Y": {"debug.source", "solution.generated"},
        "q": {"matrix.close", "solution.close", "solutions.close"},
        "slash": {"debug.search", "problems.filter", "replay.filter"},
        "z": {"debug.zoom", "maximise", "replay.alone"},
    }
    assert all(id.endswith("down") for id in actions.pop("j"))
    assert all(id.endswith("up") for id in actions.pop("k"))
    assert all(id.endswith(("end", "last")) for id in actions.pop("G"))
    assert {key: ids for key, ids in actions.items() if len(ids) > 1} == alike
