"""Parameters that methods declare: their types, and what handlers get of them.

A method's parameters are one msgspec struct.  :mod:`esoplay.decoding` decodes them and words the
errors, which name a parameter by its path (``limits.steps``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import count
from typing import Annotated, Any, Literal, NamedTuple, Union, cast, get_args, get_origin

from msgspec import Meta, Struct, defstruct
from msgspec.json import schema_components

from esolangs.stops import Slot
from esoplay.decoding import DecodingError, FileWording, StrictTable, decode
from esoplay.rpc.protocol import invalid_params

Schema = Mapping[str, Any]
"""The JSON Schema of a value."""


class ParameterCheck(NamedTuple):
    """What a parameter takes.

    kind: the type that msgspec decodes.  convert: makes the handler's value of the decoded one,
    and takes its path too; it raises RpcError.  None: the handler gets the decoded value.
    """

    kind: Any
    convert: Callable[[Any, str], Any] | None = None

    def __call__(self, value: Any, path: str) -> Any:
        """The handler's value of a decoded one."""
        return value if self.convert is None else self.convert(value, path)


def check(kind: Any) -> Callable[[Callable[[Any, str], Any]], ParameterCheck]:
    """Make a function the ``convert`` of a Check."""
    return lambda convert: ParameterCheck(kind, convert)


LARGEST = (1 << 63) - 1
"""Of every whole number: what the engines count with."""


class Parameter(NamedTuple):
    """One named parameter; a handler gets an optional one only when it is given.

    An optional parameter may also be given as null, which is as good as not at all.
    """

    name: str
    check: ParameterCheck
    required: bool = False


def bind(parameters: Sequence[Parameter], params: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments for the handler; raises -32602 naming a parameter that is wrong."""
    given = {name: value for name, value in params.items() if value is not None}
    try:
        decoded = decode(given, _struct(tuple(parameters)), _WORDING)
    except DecodingError as mistake:
        raise invalid_params(f"{mistake.path} {mistake.words}".lstrip()) from None
    return _arguments(parameters, decoded, "")


def schema_of(parameters: Sequence[Parameter]) -> Schema:
    """The JSON Schema of an object with these members and no others."""
    (schema,), definitions = schema_components([_struct(tuple(parameters))])
    return cast("Schema", _inlined(schema, definitions))


def shown(name: str) -> str:
    """A client's own word in quotes, bounded, to be named in an error."""
    return repr(name if len(name) <= 80 else name[:79] + "…")


_JSON_NAMES: dict[type, str] = {
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}


def _json_name(value: object) -> str:
    return _JSON_NAMES.get(type(value), "null")


_WORDING = FileWording(
    missing="parameter {path} is missing",
    unknown="unknown parameter {path}; taken are: {known}",
    expected="must be {expected}, not {found}",
    show=_json_name,
    show_path=shown,
    unknown_first=True,
    table="an object",
)


_NUMBERS = count(1)


@cache
def _struct(parameters: tuple[Parameter, ...]) -> type[Struct]:
    members: list[Any] = [
        (each.name, each.check.kind) if each.required else (each.name, each.check.kind | None, None)
        for each in parameters
    ]
    # msgspec distinguishes the structs of a schema by their names.
    return defstruct(f"Parameters{next(_NUMBERS)}", members, bases=(StrictTable,), kw_only=True)


def _arguments(parameters: Sequence[Parameter], decoded: Struct, prefix: str) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, check, _required in parameters:
        value = getattr(decoded, name)
        if value is not None:
            given[name] = check(value, prefix + name)
    return given


def _typed(kind: Any, expected: str, outside: str = "", **bounds: Any) -> Any:
    """A type with its bounds and words; outside: about a value that only breaks the bounds."""
    words = {"expected": expected, **({"outside": outside} if outside else {})}
    return Annotated[kind, Meta(extra=words, **bounds)]


text = ParameterCheck(_typed(str, "a string"))
"""Any string."""


@check(text.kind)
def utf8(value: str, _path: str) -> bytes:
    """A string, as the bytes of its UTF-8."""
    return value.encode()


flag = ParameterCheck(bool)
"""true or false."""
base64_bytes = ParameterCheck(_typed(bytes, "a string", "is not valid base64"))
"""Bytes in base64 (RFC 4648, with padding)."""
integer = ParameterCheck(_typed(int, "a whole number"))
"""A whole number, however large: as many digits as a line of JSON may hold."""


def short_text(most: int) -> ParameterCheck:
    """A string of at most ``most`` characters."""
    return ParameterCheck(
        _typed(str, "a string", f"has at most {most} characters", max_length=most)
    )


def whole(least: int = 0, most: int = LARGEST) -> ParameterCheck:
    """A whole number in a range."""
    outside = f"lies between {least} and {most}"
    return ParameterCheck(_typed(int, "a whole number", outside, ge=least, le=most))


_COORDINATE = whole(-LARGEST).kind
_POINT = _typed(
    tuple[_COORDINATE, _COORDINATE],
    "a point such as [3, -4]",
    "is a point of two numbers, such as [3, -4]",
)

point = ParameterCheck(_POINT)
"""Column and row on a plane, ``[x, y]``."""
cell = ParameterCheck(_typed(Union[int, _POINT], "a whole number or a point such as [3, -4]"))  # noqa: UP007 (computed)
"""An address of memory: a number, or a point where memory is a plane."""


def seconds(most: float) -> ParameterCheck:
    """A positive time, fractions allowed."""
    outside = f"lies above 0 and is at most {most:g}"
    return ParameterCheck(_typed(float, "a number of seconds", outside, gt=0, le=most))


def one_of(*choices: str) -> ParameterCheck:
    """One of some words."""
    words = ", ".join(choices)
    return ParameterCheck(_typed(Literal[choices], f"one of {words}", f"is one of {words}"))


def list_of(item: ParameterCheck, most: int) -> ParameterCheck:
    """An array of at most ``most`` items."""
    outside = f"holds at most {most} items"
    kind = _typed(list[item.kind], "an array", outside, max_length=most)
    if item.convert is None:
        return ParameterCheck(kind)

    def convert(items: list[Any], path: str) -> list[Any]:
        return [item(each, f"{path}[{index}]") for index, each in enumerate(items)]

    return ParameterCheck(kind, convert)


def record(*parameters: Parameter) -> ParameterCheck:
    """An object with these members and no others; the handler gets those given, in a dict."""

    def convert(value: Struct, path: str) -> dict[str, Any]:
        return _arguments(parameters, value, path + ".")

    return ParameterCheck(_struct(parameters), convert)


def mapping_of(item: ParameterCheck) -> ParameterCheck:
    """An object whose member names are the caller's to choose."""
    kind = _typed(dict[str, item.kind], "an object")
    if item.convert is None:
        return ParameterCheck(kind)

    def convert(members: dict[str, Any], path: str) -> dict[str, Any]:
        return {name: item(value, f"{path}.{name}") for name, value in members.items()}

    return ParameterCheck(kind, convert)


def either(*checks: ParameterCheck, what: str) -> ParameterCheck:
    """A value that one of the checks takes; their values have different types."""
    by_type = {_type_of(each.kind): each for each in checks}
    kind = _typed(Union[tuple(each.kind for each in checks)], what)  # noqa: UP007 (computed)

    def convert(value: Any, path: str) -> Any:
        return by_type[type(value)](value, path)

    return ParameterCheck(kind, convert)


@check(_struct((Parameter("stack", whole()), Parameter("level", whole(), required=True))))
def slot(value: Any, _path: str) -> Slot:
    """A place on a stack: its level, and which stack, the first when it is not said."""
    return Slot(value.stack or 0, value.level)


def _type_of(kind: Any) -> Any:
    """The type of the values of a type."""
    plain = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return get_origin(plain) or plain


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """A schema with definitions in place of the references to them."""
    if isinstance(schema, list):
        return [_inlined(each, definitions) for each in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    members = cast("dict[str, Any]", schema)
    if "$ref" in members:
        return _inlined(definitions[members["$ref"].rpartition("/")[2]], definitions)
    return {
        name: {each: _inlined(one, definitions) for each, one in value.items()}
        if name == "properties"
        else _inlined(value, definitions)
        for name, value in members.items()
        if name not in ("title", "default")
    }
