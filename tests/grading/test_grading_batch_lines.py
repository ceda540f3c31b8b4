"""The lines of a batch: how they are counted, and what is wrong with a bad one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esoplay.batch.submissions import SubmissionLines, parse_line, read_submission
from esoplay.errors import UsageError


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "not valid JSON: Expecting value (column 1)"),
        ("7", "expected an object, found a number"),
        ('{"id": NaN}', "contains NaN, Infinity or a number with too many digits"),
        ("9" * 5000, "contains NaN, Infinity or a number with too many digits"),
        ("{}", "problem: this field is missing"),
        ('{"problem": 1}', "problem: expected a string, found a number"),
        ('{"problem": "E01"}', "language: this field is missing"),
        ('{"problem": "E01", "langauge": "x"}', "unknown field 'langauge'"),
        ('{"problem": "E01", "language": "klingon", "program": ""}', "klingon"),
        ('{"problem": "E01", "language": "unlambda"}', "found none"),
        ('{"problem": "E01", "path": "/x.bf", "program": ""}', "found program and path"),
        ('{"problem": "E01", "path": "/none/x.bf"}', "cannot read /none/x.bf: No such file"),
        ('{"problem": "E01", "path": "/\\u0000.bf"}', "null byte"),
        ('{"problem": "E01", "path": "/", "language": "unlambda"}', "Is a directory"),
        ('{"problem": "E01", "path": "/dev/zero", "language": "unlambda"}', "is longer than"),
        ('{"problem": "E01", "language": "unlambda", "program": "\\ud800"}', "surrogate"),
        ('{"problem": "E01", "language": "unlambda", "program_base64": "a"}', "program_base64: "),
        (
            '{"problem": "E01", "language": "unlambda", "program": "", "options": {"a": []}}',
            "options: a: expected a string or an integer, found a list",
        ),
        (
            '{"problem": "E01", "language": "unlambda", "program": "", "compare": "fuzzy"}',
            "compare: expected exact, newline, strip or numeric, found 'fuzzy'",
        ),
        ('{"id": true, "problem": "E01"}', "id: expected a string or an integer"),
    ],
)
def test_a_bad_line_says_what_is_wrong(line: str, reason: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_submission(parse_line(line.encode()), "/")
    assert reason in str(caught.value)


@given(st.lists(st.sampled_from([b"", b"a", b"bc", b" ", b"\r"])), st.booleans())
def test_lines_are_numbered_and_blank_ones_left_out(parts: list[bytes], ended: bool) -> None:
    text = b"\n".join(parts) + (b"\n" if ended else b"")
    into, out = os.pipe()
    os.write(out, text)
    os.close(out)
    lines = SubmissionLines(into)
    found: list[tuple[int, bytes]] = []
    while (line := lines.wait()) is not None:
        found.append(line)
    os.close(into)
    assert found == [
        (number, part) for number, part in enumerate(text.split(b"\n"), 1) if part.strip()
    ]
    assert lines.taken_bytes == len(text)


def test_an_endless_line_is_refused_in_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("esoplay.batch.submissions.MAX_LINE_BYTES", 1000)
    (tmp_path / "s").write_bytes(b"x" * 2_000_000 + b"\nnext\n")
    with (tmp_path / "s").open("rb") as file:
        lines = SubmissionLines(file.fileno())
        assert lines.wait() == (1, b"x" * 1001)
        assert lines.wait() == (2, b"next")
        assert lines.taken_bytes == 2_000_006
