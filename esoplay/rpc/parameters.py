"""Parameter declarations of methods: their types, and the values that handlers receive.

The parameters of a method are one msgspec struct. :mod:`esoplay.decoding` decodes the struct and
writes the error messages, which name a parameter by its path (``limits.steps``).
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
"""JSON Schema of a value."""


class ParameterCheck(NamedTuple):
    """Type and conversion of a parameter.

    kind: the type that msgspec decodes. convert: called with the decoded value and its path;
    returns the handler's value, or raises RpcError for an invalid value; None for no conversion.
    """

    kind: Any
    convert: Callable[[Any, str], Any] | None = None

    def __call__(self, value: Any, path: str) -> Any:
        """Convert a decoded value for the handler."""
        return value if self.convert is None else self.convert(value, path)


def check(kind: Any) -> Callable[[Callable[[Any, str], Any]], ParameterCheck]:
    """Return a decorator that turns a conversion function into a ``ParameterCheck``."""
    return lambda convert: ParameterCheck(kind, convert)


MAX_INTEGER = (1 << 63) - 1
"""Default maximum of ``bounded_integer``, and the limit of coordinates: a signed 64-bit integer."""


class Parameter(NamedTuple):
    """Named parameter; handlers receive an optional parameter only if it is present.

    An optional parameter that is null counts as absent.
    """

    name: str
    check: ParameterCheck
    required: bool = False


def bind_parameters(parameters: Sequence[Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the handler's keyword arguments; raise RpcError -32602 for an invalid value."""
    given = {name: value for name, value in values.items() if value is not None}
    try:
        decoded = decode(given, _struct(tuple(parameters)), _WORDING)
    except DecodingError as mistake:
        raise invalid_params(f"{mistake.path} {mistake.message}".lstrip()) from None
    return _arguments(parameters, decoded, "")


def parameters_schema(parameters: Sequence[Parameter]) -> Schema:
    """Return the JSON Schema of an object that permits only these parameters as members."""
    (schema,), definitions = schema_components([_struct(tuple(parameters))])
    return cast("Schema", _inline_references(schema, definitions))


def quote_name(name: str) -> str:
    """Return a client's text in quotes for an error message; long text is shortened."""
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
    unknown="unknown parameter {path}; expected one of: {known}",
    expected="must be {expected}, not {found}",
    show=_json_name,
    show_path=quote_name,
    unknown_before_missing=True,
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


def _annotate(kind: Any, expected: str, outside: str = "", **bounds: Any) -> Any:
    """Return ``kind`` with bounds for its values, and with words for error messages.

    expected: what a value must be. outside: error for a value outside ``bounds``. bounds: arguments
    of ``msgspec.Meta``.
    """
    words = {"expected": expected, **({"outside": outside} if outside else {})}
    return Annotated[kind, Meta(extra=words, **bounds)]


text = ParameterCheck(_annotate(str, "a string"))
"""Any string."""


@check(text.kind)
def utf8(value: str, _path: str) -> bytes:
    """Encode a string as UTF-8."""
    return value.encode()


boolean = ParameterCheck(bool)
"""Boolean."""
base64_bytes = ParameterCheck(_annotate(bytes, "a string", "is not valid base64"))
"""Base64 bytes (RFC 4648, with padding)."""
integer = ParameterCheck(_annotate(int, "an integer"))
"""Integer of any size; the JSON parser limits the number of digits."""


def short_text(maximum: int) -> ParameterCheck:
    """Return the check for a string of at most ``maximum`` characters."""
    return ParameterCheck(
        _annotate(str, "a string", f"must have at most {maximum} characters", max_length=maximum)
    )


def bounded_integer(minimum: int = 0, maximum: int = MAX_INTEGER) -> ParameterCheck:
    """Return the check for an integer in a range."""
    outside = f"must be between {minimum} and {maximum}"
    return ParameterCheck(_annotate(int, "an integer", outside, ge=minimum, le=maximum))


_COORDINATE = bounded_integer(-MAX_INTEGER).kind
_POINT = _annotate(
    tuple[_COORDINATE, _COORDINATE],
    "a point such as [3, -4]",
    "must be a point of two numbers, such as [3, -4]",
)

point = ParameterCheck(_POINT)
"""Column and row on a plane, ``[x, y]``."""
cell = ParameterCheck(_annotate(Union[int, _POINT], "an integer or a point such as [3, -4]"))  # noqa: UP007 (computed)
"""Memory address: a number, or a point if memory is a plane."""


def seconds(maximum: float) -> ParameterCheck:
    """Return the check for a positive number of seconds."""
    outside = f"must be above 0 and at most {maximum:g}"
    return ParameterCheck(_annotate(float, "a number of seconds", outside, gt=0, le=maximum))


def one_of(*choices: str) -> ParameterCheck:
    """Return the check for a string that is one of ``choices``."""
    words = ", ".join(choices)
    return ParameterCheck(_annotate(Literal[choices], f"one of {words}", f"must be one of {words}"))


def list_of(item: ParameterCheck, maximum: int) -> ParameterCheck:
    """Return the check for an array of at most ``maximum`` items."""
    outside = f"must have at most {maximum} items"
    kind = _annotate(list[item.kind], "an array", outside, max_length=maximum)
    if item.convert is None:
        return ParameterCheck(kind)

    def convert(items: list[Any], path: str) -> list[Any]:
        return [item(each, f"{path}[{index}]") for index, each in enumerate(items)]

    return ParameterCheck(kind, convert)


def record(*parameters: Parameter) -> ParameterCheck:
    """Return the check for a JSON object whose only permitted members are ``parameters``.

    Handlers receive the object as a dict.
    """

    def convert(value: Struct, path: str) -> dict[str, Any]:
        return _arguments(parameters, value, path + ".")

    return ParameterCheck(_struct(parameters), convert)


def mapping_of(item: ParameterCheck) -> ParameterCheck:
    """Return the check for an object whose members have any names and values that pass ``item``."""
    kind = _annotate(dict[str, item.kind], "an object")
    if item.convert is None:
        return ParameterCheck(kind)

    def convert(members: dict[str, Any], path: str) -> dict[str, Any]:
        return {name: item(value, f"{path}.{name}") for name, value in members.items()}

    return ParameterCheck(kind, convert)


def any_of(*checks: ParameterCheck, expected: str) -> ParameterCheck:
    """Return the check for a value that passes one of ``checks``, whose types must differ."""
    by_type = {_base_type(each.kind): each for each in checks}
    kind = _annotate(Union[tuple(each.kind for each in checks)], expected)  # noqa: UP007 (computed)

    def convert(value: Any, path: str) -> Any:
        return by_type[type(value)](value, path)

    return ParameterCheck(kind, convert)


@check(
    _struct(
        (
            Parameter("stack", bounded_integer()),
            Parameter("level", bounded_integer(), required=True),
        )
    )
)
def slot(value: Any, _path: str) -> Slot:
    """Convert an object with the members ``level`` and ``stack`` (0 by default) to a slot."""
    return Slot(value.stack or 0, value.level)


def _base_type(kind: Any) -> Any:
    """Return the Python type of the values of an annotated type."""
    plain = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return get_origin(plain) or plain


def _inline_references(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a schema with its references replaced by the definitions."""
    if isinstance(schema, list):
        return [_inline_references(each, definitions) for each in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    members = cast("dict[str, Any]", schema)
    if "$ref" in members:
        return _inline_references(definitions[members["$ref"].rpartition("/")[2]], definitions)
    return {
        name: {each: _inline_references(one, definitions) for each, one in value.items()}
        if name == "properties"
        else _inline_references(value, definitions)
        for name, value in members.items()
        if name not in ("title", "default")
    }
