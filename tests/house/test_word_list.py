"""The word list of ``tests/prose.py`` finds phrases in each kind of text, and only in prose."""

from __future__ import annotations

from pathlib import Path

import prose
import pytest

PYTHON = '''
def forget(name):
    """Delete it anew."""
    # Told by nobody: see `told`.
    raise ValueError(f"{name} is no file")
'''


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        ("page.md", "It is\nkept.\n\n```\nanew\n```\nand `told`", [(1, 4, "is\nkept")]),
        (
            "messages.py",
            PYTHON,
            [(3, 18, "anew"), (4, 7, "Told"), (4, 15, "nobody"), (5, 31, "is no")],
        ),
        ("lesson.toml", 'text = """\nThe blanks."""\n', [(2, 5, "blanks")]),
        ("there.md", "There is no file; it is no longer here. Tell them apart.", []),
    ],
)
def test_phrases_are_found_where_they_are(
    name: str, source: str, expected: list[tuple[int, int, str]], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(source)
    assert [each[1:4] for each in sorted(prose.findings(path))] == expected


def test_strings_of_tests_are_data(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    path = folder / "test_data.py"
    path.write_text('def test():\n    """Run anew."""\n    assert "told anew"\n')
    assert [each[1:4] for each in prose.findings(path)] == [(2, 12, "anew")]
