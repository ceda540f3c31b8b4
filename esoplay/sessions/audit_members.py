"""What stands beside the log of an export, held against the log."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from typing import Any, cast

from esoplay.sessions.audit import Audit
from esoplay.sessions.export import (
    AS_WRITTEN,
    BLOB_FIELDS,
    header,
    named,
    open_reports,
    read_report,
)
from esoplay.sessions.shape import misfit
from esoplay.sessions.store import digest

_REPORTS = "reports"
_TEST = {"verdict": str, "steps": int}  # what is read of each test of a report


def check_members(result: Audit, export: Mapping[str, Any]) -> None:
    """Findings for whatever says something else than the log, is missing, or is too much."""
    assert result.state is not None, "the log is whole"
    said = header(result.state, result.records[-1].head)
    if (result.version, said["format_version"]) == (1, 2):
        said["format_version"] = 1
    for name in AS_WRITTEN:
        said[name] = result.records[0].body[name]
    for name, value in json.loads(json.dumps(said)).items():
        if name not in export:
            result.find(None, name, "is missing")
        elif json.dumps(export[name], sort_keys=True) != json.dumps(value, sort_keys=True):
            result.find(None, name, "is not what the log says")
    blobs = dict(BLOB_FIELDS)
    if result.version == 1:
        del blobs["inventories"]
    for name in export.keys() - said.keys() - blobs.keys() - {"events", _REPORTS}:
        result.find(None, name, "an export has no such member")
    for member, fields in blobs.items():
        _check_blobs(result, export, member, named(result.records, fields))
    _check_sizes(result)
    _check_reports(result, export, open_reports(result.state, result.records))


def _check_blobs(
    result: Audit, export: Mapping[str, Any], member: str, wanted: Mapping[str, int]
) -> None:
    for name, value in _named(result, export, member, wanted):
        try:
            data = b64decode(value, validate=True)
        except ValueError:
            data = b""
        # The last letters of base64 have bits that mean nothing: only one spelling is right.
        if digest(data) != name or b64encode(data).decode("ascii") != value:
            result.find(wanted[name], f"{member}.{name}", "these are not the bytes it names")
        else:
            result.blobs[name] = data


def _check_sizes(result: Audit) -> None:
    for record in result.records:
        size, program = record.body.get("size"), result.blobs.get(record.body.get("program", ""))
        if size is not None and program is not None and size != len(program):
            result.find(record.seq, "size", f"is {size}; the program has {len(program)} bytes")


def _check_reports(result: Audit, export: Mapping[str, Any], wanted: Mapping[str, int]) -> None:
    # By the name, as the number that an event gives itself need not be its place.
    verdicts = {one.body.get("report"): one.body for one in reversed(result.records)}
    for name, value in _named(result, export, _REPORTS, wanted):
        if digest(value.encode("utf-8", "surrogatepass")) != name:
            result.find(wanted[name], f"{_REPORTS}.{name}", "this is not the report it names")
            continue
        result.reports[name] = value
        graded = verdicts[name]
        if _counts(value) != (graded["passed"], graded["total"]):
            result.find(wanted[name], "passed", "is not what the report of the tests says")


def _counts(report: str) -> tuple[int, int] | None:
    """How many tests passed, of how many; None for what is no report."""
    try:
        tests = read_report(report.encode())["tests"]
        if any(misfit(test[name], kind) for test in tests for name, kind in _TEST.items()):
            return None
        return sum(test["verdict"] == "pass" for test in tests), len(tests)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _named(
    result: Audit, export: Mapping[str, Any], member: str, wanted: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """The texts of a member that the log names; findings for all else."""
    found: object = export.get(member)
    if not isinstance(found, dict):
        result.find(None, member, "is missing, or no object")
        return
    texts = cast("dict[str, object]", found)
    for name in texts.keys() - wanted.keys():
        result.find(None, f"{member}.{name}", "no event names it")
    for name, seq in wanted.items():
        value = texts.get(name)
        if isinstance(value, str):
            yield name, value
        else:
            result.find(seq, f"{member}.{name}", "is missing, or no text")
