"""Session protocols: a table of the published protocols, and changes to them by users.

A protocol is data: what a solver may do, how often, and which results are shown.  Only ``machine``
applies these rules, based on the fields and never on a protocol's name.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, cast

from msgspec import UNSET, Meta, UnsetType

from esoplay.decoding import DecodingError, FileWording, StrictTable, decode, decode_toml
from esoplay.errors import UsageError
from esoplay.grading.output_comparison import Compare
from esoplay.sessions.hosts import HOSTS
from esoplay.sessions.tool_profiles import ToolProfile

Skip = Literal["never", "when-exhausted", "free"]
ProblemOrder = Literal["forward", "free"]
Feedback = Literal["count", "per-test", "explained"]
Revisit = Literal["never", "skipped", "all"]
Files = Literal["any", "own"]
Material = Literal["none", "text", "library"]
RowCompare = Literal["pack", "exact", "newline", "strip", "numeric"]
"""A comparison mode; ``pack`` is replaced by the pack's mode when a session starts."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """A session protocol: a published one (a row of the table ``PROTOCOLS``), or one with changes.

    base: the row that this row is derived from; None for a published protocol.
    dialect: the dialect of all runs and submissions of the session.
    runs, submissions: the maximum number per problem; None is unlimited.
    skip: ``"when-exhausted"`` rejects ``skip`` while submissions are left. If submissions are
        limited, solvers can then give up a problem only by using them up, because the last one
        makes the problem final. ``"never"`` always rejects ``skip``.
    order: ``"forward"`` shows the problems one after the other, one active at a time; ``"free"``
        shows any problem on request.
    feedback: the result of a submission. ``"count"`` is the number of tests passed without results
        by test, ``"per-test"`` adds one word per test, ``"explained"`` adds input and outputs.
    examples: whether ``fetch`` shows the problem's public examples.
    revisit: which skipped or finished problems may be fetched and submitted again.
    debug: whether the solver may debug; each recording is a local run.
    shell: whether the solver may use other tools than the session's commands. The instructions
        state this; no program can check it.
    generators: the languages of other programs allowed in the workspace; None allows any.
    files: other files allowed in the workspace; ``"own"`` allows only programs in the session's
        language.
    material: the files that ``init`` writes in addition to the instructions.
    public_seed: whether hidden tests use the public practice seed instead of a secret one.
    compare: the comparison mode for output.
    tools: the tool profile if it was chosen by name; None if it follows from the other fields.
    """

    id: str
    purpose: str
    dialect: str
    runs: int | None
    submissions: int | None
    skip: Skip
    order: ProblemOrder
    feedback: Feedback
    examples: bool
    revisit: Revisit
    public_seed: bool
    debug: bool = False
    shell: bool = True
    generators: tuple[str, ...] | None = None
    files: Files = "any"
    material: Material = "none"
    base: str | None = None
    compare: RowCompare = "pack"
    tools: ToolProfile | None = None

    @property
    def profile(self) -> ToolProfile:
        """The tool profile that the fields ``shell``, ``runs`` and ``debug`` imply."""
        if self.shell:
            return "full-access"
        return "blind" if self.runs == 0 and not self.debug else "interpreter-only"

    @property
    def comparison(self) -> Compare:
        """The comparison mode for output; ``pack`` counts as ``exact``.

        When a session starts, ``pack`` is replaced by the mode of its pack.
        """
        return "exact" if self.compare == "pack" else self.compare


_PRIMARY = Protocol(
    id="primary",
    purpose="the headline numbers of the benchmark",
    dialect="benchmark",
    runs=None,
    submissions=3,
    skip="when-exhausted",
    order="forward",
    feedback="count",
    examples=False,
    revisit="never",
    public_seed=False,
)


def _budget_protocol(runs: int | None) -> Protocol:
    spoken = "any number of" if runs is None else f"{runs}"
    return replace(
        _PRIMARY,
        id=f"budget-{'inf' if runs is None else runs}",
        purpose=f"what the interpreter is worth: {spoken} local runs per problem",
        runs=runs,
    )


def _generators_protocol(language: str) -> Protocol:
    return replace(
        _PRIMARY,
        id=f"host-{language}",
        purpose=f"programs may be generated, by {language} alone",
        generators=(language,),
    )


PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(
    {
        protocol.id: protocol
        for protocol in (
            _PRIMARY,
            replace(
                _PRIMARY,
                id="controlled",
                purpose="three local runs, then the one submission",
                runs=3,
                submissions=1,
                skip="never",
            ),
            *(_budget_protocol(runs) for runs in (3, 5, 15, 30, None)),
            replace(
                _PRIMARY,
                id="direct",
                purpose="programs written by hand, without generators",
                shell=False,
                generators=(),
                files="own",
            ),
            *(_generators_protocol(language) for language in ("python", "javascript", "rust")),
            replace(
                _PRIMARY,
                id="library",
                purpose="as text, with the builders' library in the workspace",
                material="library",
            ),
            replace(
                _PRIMARY,
                id="text",
                purpose="a text on how to go about it lies in the workspace",
                material="text",
            ),
            replace(
                _PRIMARY,
                id="relaxed",
                purpose="diagnosis: problems may be left and taken up again; not comparable",
                skip="free",
                revisit="skipped",
            ),
            Protocol(
                id="practice",
                purpose="for learning: examples shown, results explained, nothing counted",
                dialect="standard",
                runs=None,
                submissions=None,
                skip="free",
                order="free",
                feedback="explained",
                examples=True,
                revisit="all",
                public_seed=True,
                debug=True,
            ),
        )
    }
)

_BUDGET = re.compile(r"budget-(0|[1-9][0-9]{0,8})")


def find_protocol(id: str) -> Protocol:
    """Return the protocol with this id; ``budget-N`` is valid for every N.

    Raises UsageError if no protocol has this id.
    """
    if id in PROTOCOLS:
        return PROTOCOLS[id]
    budget = _BUDGET.fullmatch(id)
    if budget:
        return _budget_protocol(int(budget[1]))
    raise UsageError(
        f"no protocol {id!r}; expected {', '.join(PROTOCOLS)}, budget-N for any number of runs, "
        "or a path that ends in .toml"
    )


def upgrade_protocol(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a protocol from JSON, perhaps of an earlier version, to the fields of this version.

    In versions without the field ``debug``, debugging was allowed only with a public seed, and
    ``revisit`` was a boolean. Output was compared byte by byte, and there were no tool profiles.
    """
    row = dict(fields)
    row.setdefault("compare", "exact")
    row.setdefault("tools", None)
    row.setdefault("debug", row.get("public_seed"))
    if isinstance(row.get("revisit"), bool):
        row["revisit"] = "all" if row["revisit"] else "never"
    return row


def protocol_from_json(fields: Mapping[str, Any]) -> Protocol:
    """Return the protocol with these fields, which an earlier version may have saved.

    fields: values by field name. Raises TypeError if they are invalid.
    """
    row = upgrade_protocol(fields)
    if row.get("generators") is not None:
        row["generators"] = tuple(row["generators"])
    return Protocol(**row)


def protocol_as_json(protocol: Protocol) -> dict[str, Any]:
    """Return a protocol as JSON for a log.

    Comparison and tool profile are omitted if they equal the behaviour of earlier versions, so that
    those versions can read the protocol.
    """
    row = asdict(protocol)
    if protocol.comparison == "exact":
        del row["compare"]
    if protocol.tools is None:
        del row["tools"]
    return row


_PROFILE_FIELDS: Mapping[ToolProfile, Mapping[str, Any]] = {
    "full-access": {"shell": True},
    "interpreter-only": {"shell": False},
    "blind": {"shell": False, "runs": 0, "debug": False},
}
"""The protocol fields that a tool profile determines, with their values."""
_NO_FIELDS: Mapping[str, Any] = {}


def find_profile_conflict(protocol: Protocol) -> str | None:
    """Return why a protocol contradicts its tool profile, or None."""
    if protocol.tools is None:
        return None
    for name, value in _PROFILE_FIELDS[protocol.tools].items():
        if getattr(protocol, name) != value:
            needed = format_field(replace(protocol, **{name: value}), name)
            return f"{protocol.tools} requires {name} = {needed}"
    return None


# Custom protocols: a row of the table with some fields changed by a TOML file or by command-line
# options. The result is an ordinary row, which the session's first event contains in full.

UNLIMITED = "unlimited"
UNNAMED = "unnamed"
"""The value of ``tools`` if a protocol does not name its tool profile.

The profile then follows from the other fields of the protocol.
"""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_MAX_BYTES = 1 << 16  # maximum bytes of a protocol file
_MAX_TEXT_LENGTH = 500


_LINE = f"a line of text, at most {_MAX_TEXT_LENGTH} characters"
_DIALECT = "the name of a dialect"
_GENERATORS = f'"any", or a list of these: {", ".join(HOSTS)}'

Runs = Annotated[
    Annotated[int, Meta(ge=0, le=10**9)] | Literal["unlimited"],
    Meta(extra={"expected": f'a non-negative integer or "{UNLIMITED}"'}),
]
Submissions = Annotated[
    Annotated[int, Meta(ge=1, le=10**9)] | Literal["unlimited"],
    Meta(extra={"expected": f'a positive integer or "{UNLIMITED}"'}),
]
Line = Annotated[str, Meta(min_length=1, max_length=_MAX_TEXT_LENGTH, extra={"expected": _LINE})]
Dialect = Annotated[
    str, Meta(min_length=1, max_length=_MAX_TEXT_LENGTH, extra={"expected": _DIALECT})
]
Generators = Annotated[
    Literal["any"] | tuple[str, ...], Meta(extra={"expected": _GENERATORS, "whole": True})
]


class RulesTable(StrictTable, kw_only=True):
    """Changes to the rules of a protocol; a rule that is not set remains unchanged."""

    dialect: Dialect | UnsetType = UNSET
    runs: Runs | UnsetType = UNSET
    submissions: Submissions | UnsetType = UNSET
    skip: Skip | UnsetType = UNSET
    order: ProblemOrder | UnsetType = UNSET
    feedback: Feedback | UnsetType = UNSET
    examples: bool | UnsetType = UNSET
    revisit: Revisit | UnsetType = UNSET
    public_seed: bool | UnsetType = UNSET
    debug: bool | UnsetType = UNSET
    shell: bool | UnsetType = UNSET
    generators: Generators | UnsetType = UNSET
    files: Files | UnsetType = UNSET
    material: Material | UnsetType = UNSET
    compare: RowCompare | UnsetType = UNSET
    tools: ToolProfile | Literal["unnamed"] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if isinstance(self.dialect, str) and not self.dialect.isprintable():
            raise DecodingError("dialect", expected=_DIALECT, found=self.dialect)
        names = self.generators
        if isinstance(names, tuple) and not all(name in HOSTS for name in names):
            raise DecodingError("generators", expected=_GENERATORS, found=list(names))

    def value(self, name: str) -> Any:
        """Return the value of a field that is set, in the form that ``Protocol`` uses."""
        value = getattr(self, name)
        if name == "generators":
            return None if value == "any" else tuple(sorted(set(value)))
        unset = {"runs": UNLIMITED, "submissions": UNLIMITED, "tools": UNNAMED}
        return None if value == unset.get(name) else value

    def apply_to(self, protocol: Protocol) -> Protocol:
        """Return the protocol with these rules applied. Raises DecodingError if they conflict."""
        given = [name for name in _RULES if getattr(self, name) is not UNSET]
        implied = _NO_FIELDS
        if self.tools is not UNSET and self.tools != UNNAMED:
            implied = _PROFILE_FIELDS[self.tools]
        changed = replace(protocol, **{**implied, **{name: self.value(name) for name in given}})
        conflict = find_profile_conflict(changed)
        if conflict is not None:
            raise DecodingError("tools", conflict)
        if protocol.tools is None and all(
            getattr(protocol, name) == value for name, value in implied.items()
        ):
            changed = replace(changed, tools=None)  # the fields already imply this profile
        if changed.feedback == "explained" and not changed.public_seed:
            words = '"explained" shows hidden tests, so it needs public_seed = true'
            raise DecodingError("feedback", words)
        return changed


class ProtocolTable(RulesTable, kw_only=True):
    """The contents of a protocol file."""

    extends: str | None = None
    id: str | None = None
    purpose: Line | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.purpose is not None and not self.purpose.isprintable():
            raise DecodingError("purpose", expected=_LINE, found=self.purpose)


_RULES = RulesTable.__struct_fields__


class ProtocolField(NamedTuple):
    """A field of a protocol that can be changed."""

    name: str

    def read(self, value: Any) -> Any:
        """Convert a parsed value to the form that ``Protocol`` uses.

        Raises DecodingError if it has the wrong type.
        """
        return decode({self.name: value}, ProtocolTable, _WORDING).value(self.name)


FIELDS = {name: ProtocolField(name) for name in ("purpose", *_RULES)}
"""The fields that can be changed, by name."""
_WORDING = FileWording(
    unknown="unknown field {name!r}; expected {known}",
    expected="expected {expected}; got {found}",
    unknown_before_missing=True,
    quoted=True,
)


def resolve_protocol(name_or_file: str, changes: Mapping[str, Any] | None = None) -> Protocol:
    """Return the protocol with this name or in this file, with some fields changed.

    The name of a changed protocol lists the changes, so that its results are not mistaken for
    results of the published protocol. Only for operators, as it reads a file.

    Raises UsageError if the protocol is unknown or a field is invalid.
    """
    protocol = (
        read_protocol(Path(name_or_file))
        if name_or_file.endswith(".toml")
        else find_protocol(name_or_file)
    )
    try:
        changed = decode(dict(changes or {}), RulesTable, _WORDING).apply_to(protocol)
    except DecodingError as mistake:
        raise UsageError(f"{protocol.id}: {mistake}") from None
    implied = _NO_FIELDS if changed.tools is None else _PROFILE_FIELDS[changed.tools]
    differing = [
        one
        for one in _RULES
        if getattr(changed, one) != getattr(protocol, one) and one not in implied
    ]
    if not differing:
        return protocol
    name = "+".join([protocol.id, *(f"{one}={format_field(changed, one)}" for one in differing)])
    return replace(changed, id=name, base=protocol.base or protocol.id)


def read_protocol(file: Path) -> Protocol:
    """Return the protocol in a TOML file.

    Raises UsageError, with file, field and expected value, if the file is invalid.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise UsageError(f"{file}: a protocol file has at most {_MAX_BYTES} bytes")
    except OSError as error:
        raise UsageError(f"cannot read the protocol file {file}: {error.strerror}") from None
    try:
        table = decode_toml(data, ProtocolTable, _WORDING)
        return _protocol(table, file.stem)
    except DecodingError as mistake:
        raise UsageError(f"{file}: {mistake}") from None


def _protocol(table: ProtocolTable, stem: str) -> Protocol:
    """Return the protocol in a file; raise DecodingError if it is invalid. stem: default id."""
    if table.extends is None:
        raise DecodingError("extends", 'expected the name of a protocol, such as "primary"')
    try:
        parent = find_protocol(table.extends)
    except UsageError as error:
        raise DecodingError("extends", str(error)) from None
    name = stem if table.id is None else table.id
    if not _NAME.fullmatch(name):
        expected = "lower-case letters, digits and hyphens, at most 40"
        raise DecodingError("id", f"expected {expected}; got {name!r}")
    if name in PROTOCOLS or name.startswith("budget-"):
        raise DecodingError("id", f"{name} is a published protocol; choose another name")
    purpose = parent.purpose if table.purpose is None else table.purpose
    return replace(table.apply_to(parent), id=name, purpose=purpose, base=parent.id)


def parse_changes(settings: Sequence[str]) -> dict[str, Any]:
    """Parse ``FIELD=VALUE`` options; a value that is not valid TOML is a string."""
    changes: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise UsageError(f"--set {setting}: expected FIELD=VALUE, such as submissions=1")
        if name in changes:
            raise UsageError(f"--set {name}: given twice")
        try:
            changes[name] = tomllib.loads(f"value = {text}")["value"]
        except (ValueError, RecursionError):
            changes[name] = text
    return changes


def format_field(protocol: Protocol, field: str) -> str:
    """Format a field's value as in ``--set FIELD=VALUE``."""
    value = getattr(protocol, field)
    if value is None:
        return {"generators": "any", "tools": UNNAMED}.get(field, UNLIMITED)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(cast("tuple[str, ...]", value)) or "none"
    return str(value)
