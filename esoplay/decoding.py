"""Decode JSON and TOML into msgspec structs, with error messages for invalid values.

A file format is a subclass of :class:`StrictTable`.  The type of a field may be ``Annotated`` with
``Meta(extra={…})``: ``"expected"`` describes the valid values in error messages, ``"outside"`` is
the message for a value of the right type that is out of bounds, and with ``"whole": True`` an
invalid item is reported as an error of the list or table that contains it.  Checks that a type
cannot express go into ``__post_init__``, which raises :class:`DecodingError`.

msgspec reports the path of the first invalid field. This module finds the field in the value and
formats the message, so that all file formats have the same error messages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, is_dataclass
from dataclasses import fields as dataclass_fields
from decimal import Decimal
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert, defstruct
from msgspec.structs import fields as struct_fields

from esolangs.wording import suggest

Kind = TypeVar("Kind")

Text = Annotated[str, Meta(pattern=r"\S", extra={"expected": "a string that is not empty"})]
"""String with at least one character that is not whitespace."""
Texts = Annotated[tuple[Text, ...], Meta(extra={"expected": "a list of strings"})]


class StrictTable(Struct, forbid_unknown_fields=True):
    """TOML table or JSON object that rejects unknown fields."""


class DecodingError(ValueError):
    """Invalid value in a file or message.

    path: path of the field, such as ``task.runs[1].output``; empty for the whole value. message:
    text of the error, without the path. ``str`` returns ``PATH: MESSAGE``. Checks in
    ``__post_init__`` pass a path relative to their table, and either ``message``, or ``expected``
    and ``found``, which a :class:`FileWording` formats.
    """

    def __init__(
        self, path: str, message: str = "", *, expected: str | None = None, found: object = None
    ):
        super().__init__(path, message)
        self.path = path
        self.message = (
            message if expected is None else _format_expected(DEFAULT_WORDING, expected, found)
        )
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


def short_repr(value: object) -> str:
    """Return a value in Python syntax, at most 60 characters."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def short_json(value: object) -> str:
    """Return a value in JSON syntax, at most 60 characters."""
    shown = json.dumps(value, default=repr)
    return shown if len(shown) <= 60 else shown[:57] + "..."


class FileWording(NamedTuple):
    """Templates for messages about errors in a kind of file.

    The templates may contain ``{expected}``, ``{found}`` and ``{known}``. A message begins with the
    path of the field. If ``unknown`` contains ``{name}``, the path of the table is used instead. If
    ``missing`` or ``unknown`` contains ``{path}``, the message does not begin with a path.
    show_path: formats a path. show: formats a value. unknown_before_missing: whether an unknown
    field is reported before a missing one. quoted: whether expected strings are quoted. table: name
    of an object in messages.
    """

    missing: str = "this field is missing"
    unknown: str = "unknown field; known fields: {known}"
    expected: str = "expected {expected}, found {found}"
    show: Callable[[object], str] = short_repr
    show_path: Callable[[str], str] = str
    unknown_before_missing: bool = False
    quoted: bool = False
    table: str = "a table"


DEFAULT_WORDING = FileWording()
SECRET_WORDING = FileWording(expected="expected {expected}")
"""Wording for files whose contents must not appear in messages."""


def decode_toml(
    data: bytes | str,
    kind: type[Kind],
    wording: FileWording = DEFAULT_WORDING,
    parse_float: Callable[[str], Any] = float,
) -> Kind:
    """Decode a TOML file.

    Raises DecodingError if the data is not valid TOML or does not match ``kind``.
    """
    import tomllib

    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        found = tomllib.loads(text, parse_float=parse_float)
    except (ValueError, RecursionError) as error:
        raise DecodingError("", str(error)) from error
    return decode(found, kind, wording)


def decode_json(
    data: bytes | str, kind: type[Kind], wording: FileWording = DEFAULT_WORDING, path: str = ""
) -> Kind:
    """Decode a JSON text; raise DecodingError if it is not valid JSON or does not match ``kind``.

    If an object has several members with the same name, the last one is used. Lone surrogates are
    rejected.
    """
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DecodingError("", str(error)) from error
    decoded = decode(found, kind, wording, path)
    escaped = _SURROGATE_TEXT if isinstance(data, str) else _SURROGATE
    broken = _find_surrogate(found) if escaped.search(cast("Any", data)) else None
    if broken is not None:
        place = _follow_path(found, kind, broken, path)
        text = str if place.kind is Any else place.kind
        raise DecodingError(place.path, _mismatch_message(text, place.value, wording))
    return decoded


_BUILTIN_TYPES = (Decimal,)
"""Types that msgspec must not create from strings; only ``tomllib`` creates values of them."""


def decode(
    value: object, kind: type[Kind], wording: FileWording = DEFAULT_WORDING, path: str = ""
) -> Kind:
    """Convert ``value``, as read by ``json`` or ``tomllib``, to ``kind``.

    path: path of the value in its file.

    Raises DecodingError if the value does not match.
    """
    try:
        return convert(value, kind, builtin_types=_BUILTIN_TYPES)
    except ValidationError as error:
        mistake = _locate_error(error, value, kind, path, wording)
    except UnicodeEncodeError:  # msgspec encodes field names and literals
        decode(_escape_surrogates(value), kind, wording, path)
        mistake = DecodingError(path, "unpaired surrogate; expected valid Unicode text")
    except RecursionError:
        mistake = DecodingError("", "nested too deeply")
    raise mistake


@cache
def strict_struct(kind: type[Any]) -> type[Any]:
    """Return a struct type that has the fields of a dataclass and rejects unknown fields."""
    hints = get_type_hints(kind, include_extras=True)
    members: list[Any] = []
    for each in dataclass_fields(kind):
        required = each.default is MISSING and each.default_factory is MISSING
        hint = _strict_hint(hints[each.name])
        members.append((each.name, hint) if required else (each.name, hint | UnsetType, UNSET))
    return defstruct(kind.__name__, members, bases=(StrictTable,), kw_only=True)


_GENERIC: frozenset[Any] = frozenset({tuple, list, dict, Sequence, Mapping})


def _strict_hint(hint: Any) -> Any:
    if is_dataclass(hint) and isinstance(hint, type):
        return strict_struct(cast("type[Any]", hint))
    origin: Any = get_origin(hint)
    parts = tuple(_strict_hint(part) for part in get_args(hint))
    if origin in (Union, UnionType):
        return Union[parts]  # noqa: UP007 (computed)
    return origin[parts] if origin in _GENERIC else hint


# Location of an error


class _ValuePlace(NamedTuple):
    path: str
    kind: Any
    value: object


_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_SURROGATE_TEXT = re.compile(r"\\u[dD][89a-fA-F]")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")


def _locate_error(
    error: ValidationError, value: object, kind: Any, path: str, wording: FileWording
) -> DecodingError:
    """Convert msgspec's error about the value at ``path`` to a DecodingError."""
    message = str(error)
    cut = message.rfind(" - at `")
    where = message[cut + 6 :] if cut >= 0 else "`$`"
    steps = _STEP.findall(where[where.find("$") + 1 : -1])
    names = [name or (int(at) if at.isdigit() else ...) for name, at in steps]
    try:
        place = _follow_path(value, kind, names, path)
        if isinstance(error.__cause__, DecodingError):
            return _failed_check_error(error.__cause__, place, wording)
        if _is_reported_as_whole(place.kind):
            return DecodingError(place.path, _mismatch_message(place.kind, place.value, wording))
        if ... in names or where.startswith("`key`"):
            return _member_error(place, wording)
        if message.startswith("Object missing required field `"):
            return _missing_error(place, message.split("`")[1], wording)
        if message.startswith("Object contains unknown field `"):
            return _unknown_error(place, wording)
    except (LookupError, TypeError, StopIteration):  # a field name contains path syntax
        return DecodingError(path, message)
    return DecodingError(place.path, _mismatch_message(place.kind, place.value, wording))


def _follow_path(
    value: object, kind: Any, names: Sequence[str | int | Any], path: str
) -> _ValuePlace:
    """Return the part of ``value`` to which the path ``names`` leads, with its type.

    Stops early at a value whose errors are reported for the value as a whole.
    """
    for name in names:
        if _is_reported_as_whole(kind) or name is ...:
            break
        kind = _strip_annotations(kind, value)
        if isinstance(name, int):
            items = get_args(kind) or (Any,)
            kind = items[0] if len(items) == 1 or items[1] is ... else items[name]
            value = cast("Sequence[object]", value)[name]
            path = f"{path}[{name}]"
        elif isinstance(kind, type) and issubclass(kind, Struct):
            kind = _field_types(kind)[name]
            value = cast("Mapping[str, object]", value)[name]
            path = _join(path, name)
        else:
            kind = (*get_args(kind), Any, Any)[1]
            value = cast("Mapping[str, object]", value)[name]
            path = _join(path, name)
    return _ValuePlace(path, kind, value)


def _member_error(place: _ValuePlace, wording: FileWording) -> DecodingError:
    """Return the error of a mapping's first invalid member, which msgspec does not name."""
    plain = _strip_annotations(place.kind, place.value)
    of_key, of_value = (*get_args(plain), Any, Any)[:2]
    for name, item in cast("Mapping[str, object]", place.value).items():
        path = _join(place.path, str(name))
        for value, kind in ((name, of_key), (item, of_value)):
            try:
                convert(value, kind, builtin_types=_BUILTIN_TYPES)
            except ValidationError as error:
                return _locate_error(error, value, kind, path, wording)
    return DecodingError(place.path, _mismatch_message(place.kind, place.value, wording))


def _failed_check_error(
    error: DecodingError, place: _ValuePlace, wording: FileWording
) -> DecodingError:
    path = _join(place.path, error.path) if error.path else place.path
    if error.expected is None:
        return DecodingError(path, error.message)
    return DecodingError(path, _format_expected(wording, error.expected, error.found))


def _missing_error(place: _ValuePlace, name: str, wording: FileWording) -> DecodingError:
    kind, path = (
        _field_types(_strip_annotations(place.kind, place.value))[name],
        _join(place.path, name),
    )
    message = wording.missing.format(
        expected=_describe_type(kind, wording), path=wording.show_path(path)
    )
    return DecodingError("" if "{path" in wording.missing else path, message)


def _unknown_error(place: _ValuePlace, wording: FileWording) -> DecodingError:
    """Return the error for an unknown field or, if a required field is missing, for that field.

    The unknown field may be a misspelling of the missing one.  ``unknown_before_missing`` reports
    the unknown field in any case.
    """
    kind, table = (
        _strip_annotations(place.kind, place.value),
        cast("Mapping[str, object]", place.value),
    )
    known = _field_types(kind)
    name = next(one for one in table if one not in known)
    for each in struct_fields(kind):
        if each.required and each.encode_name not in table and not wording.unknown_before_missing:
            mistake = _missing_error(place, each.encode_name, wording)
            if suggest(name, [each.encode_name]):
                mistake.message += f"; found {name} instead"
            return mistake
    path = _join(place.path, name)
    filled = {"name": name, "path": wording.show_path(path), "known": ", ".join(known) or "none"}
    message = wording.unknown.format(**filled) + suggest(name, known)
    if "{path" in wording.unknown:
        path = ""
    return DecodingError(place.path if "{name" in wording.unknown else path, message)


def _find_surrogate(value: object) -> list[str | int] | None:
    """Return the path to a lone surrogate, or None; JSON allows it, but Unicode text does not."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return []
        return None
    members: Iterable[tuple[Any, object]] = ()
    if isinstance(value, dict):
        members = cast("dict[str, object]", value).items()
    elif isinstance(value, list):
        members = enumerate(cast("list[object]", value))
    for name, item in members:
        way = _find_surrogate(item)
        if way is not None:
            return [name, *way]
    return None


def _escape_surrogates(value: Any) -> Any:
    """Replace each lone surrogate with ``\\udXXX``."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        table = cast("dict[Any, Any]", value)
        return {_escape_surrogates(name): _escape_surrogates(item) for name, item in table.items()}
    if isinstance(value, list):
        return [_escape_surrogates(item) for item in cast("list[Any]", value)]
    return value


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


# Description of expected values


def _mismatch_message(kind: Any, found: object, wording: FileWording) -> str:
    for note in _metadata(kind):
        if note.extra and "outside" in note.extra and _has_type(kind, found):
            return note.extra["outside"]
    return _format_expected(wording, _describe_type(kind, wording), found)


def _format_expected(wording: FileWording, expected: str, found: object) -> str:
    if "{found}" not in wording.expected:
        return wording.expected.format(expected=expected)
    return wording.expected.format(expected=expected, found=wording.show(found))


_VALUE_TYPES: Mapping[Any, Any] = {
    Literal: str,
    bytes: str,
    str: str,
    int: int,
    float: int | float,
    list: list,
    tuple: list,
}


def _has_type(kind: Any, value: object) -> bool:
    """Return whether a value has the type, ignoring its bounds."""
    plain = _strip_annotations(_without_null(kind), value)
    expected = _VALUE_TYPES.get(get_origin(plain) or plain)
    return expected is not None and isinstance(value, expected) and not isinstance(value, bool)


_WORDS: Mapping[Any, str] = {
    str: "a string",
    int: "an integer",
    float: "a number",
    bool: "true or false",
    NoneType: "null",
}


def _describe_type(kind: Any, wording: FileWording) -> str:
    """Describe the values that a type accepts."""
    kind = _without_null(kind)
    notes = _metadata(kind)
    for note in notes:
        if note.extra and "expected" in note.extra:
            return note.extra["expected"]
    if notes:
        return _describe_type(get_args(kind)[0], wording) + _range(notes[-1])
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        words = (f'"{part}"' if wording.quoted else str(part) for part in parts)
        return " | ".join(words)
    if origin in (Union, UnionType):
        given = [part for part in parts if part not in (NoneType, UnsetType)]
        return " or ".join(_describe_type(part, wording) for part in given)
    if origin in (list, tuple, Sequence):
        return "a list"
    return _WORDS.get(kind, wording.table)


def _range(note: Meta) -> str:
    if note.ge is None:
        return ""
    return f", {note.ge} or more" if note.le is None else f" from {note.ge} to {note.le:,}"


def _is_reported_as_whole(kind: Any) -> bool:
    return any(note.extra and note.extra.get("whole") for note in _metadata(kind))


def _metadata(kind: Any) -> list[Meta]:
    kind = _without_null(kind)
    found = kind.__metadata__ if get_origin(kind) is Annotated else ()
    return [note for note in found if isinstance(note, Meta)]


def _without_null(kind: Any) -> Any:
    """Return the type of an optional field without null and "unset"."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    parts = [part for part in get_args(kind) if part not in (NoneType, UnsetType)]
    return parts[0] if len(parts) == 1 else kind


def _strip_annotations(kind: Any, value: Any) -> Any:
    """Return a type without ``Annotated``; for a union, return the member that fits ``value``.

    A dict fits a mapping or a struct, and a list fits a list or tuple. For other values, the union
    is returned.
    """
    if get_origin(kind) is Annotated:
        return _strip_annotations(get_args(kind)[0], value)
    if get_origin(kind) not in (Union, UnionType):
        return kind
    for part in get_args(kind):
        plain = _strip_annotations(part, value)
        is_table = get_origin(plain) in (dict, Mapping) or hasattr(plain, "__struct_fields__")
        is_list = get_origin(plain) in (list, tuple, Sequence)
        if is_table if isinstance(value, dict) else is_list and isinstance(value, list):
            return plain
    return kind


@cache
def _field_types(kind: type[Struct]) -> dict[str, Any]:
    """Return the types of a struct's fields, keyed by their names in files."""
    hints = get_type_hints(kind, include_extras=True)
    return {one.encode_name: hints[one.name] for one in struct_fields(kind)}
