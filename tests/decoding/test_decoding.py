"""Values that do not fit a struct are reported with the field's path and what was expected."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, field

from esoplay.decoding import (
    SECRET_WORDING,
    DecodingError,
    StrictTable,
    Text,
    Texts,
    decode,
    decode_json,
    decode_toml,
    strict_struct,
    suggest,
)

Letters = Annotated[str, Meta(pattern="^[a-z]+$", extra={"expected": "letters"})]


class Run(StrictTable):
    input: str
    count: Annotated[int, Meta(ge=1, le=1000)] = 1


class Whole(StrictTable):
    runs: tuple[Run, ...] = ()
    names: dict[Letters, Text] = field(default_factory=dict)
    by_name: dict[str, Run] = field(default_factory=dict)
    words: Texts = ()
    command: Annotated[
        tuple[str, ...],
        Meta(min_length=1, extra={"expected": "at least one string", "whole": True}),
    ] = ("a",)
    kind: Literal["debug", "edit"] = "debug"
    place: int | tuple[int, int] | None = None
    price: Annotated[float, Meta(ge=0)] = 0
    even: int = 0

    def __post_init__(self) -> None:
        if self.even % 2:
            raise DecodingError("even", expected="an even number", found=self.even)
        if self.even == 8:
            raise DecodingError("even", "8 is taken")


CASES: list[tuple[dict[str, Any], str]] = [
    ({"runs": [{"input": "a"}, {"input": 1}]}, "runs[1].input: expected a string, found 1"),
    ({"runs": [{}]}, "runs[0].input: this field is missing"),
    (
        {"runs": [{"input": "", "cuont": 1}]},
        "runs[0].cuont: unknown field; known fields: input, count; did you mean count?",
    ),
    ({"runs": [{"inputs": ""}]}, "runs[0].input: this field is missing; found inputs instead"),
    ({"runs": [{"input": "", "count": 0}]}, "runs[0].count: expected an integer from 1 to"),
    ({"runs": [{"input": "", "count": True}]}, "runs[0].count: expected an integer from 1"),
    ({"runs": [{"input": "", "count": 2**70}]}, "runs[0].count: expected an integer from 1"),
    ({"runs": {}}, "runs: expected a list, found {}"),
    ({"runs": [1]}, "runs[0]: expected a table, found 1"),
    ({"names": {"a": "x", "b": " "}}, "names.b: expected a string that is not empty, found ' '"),
    ({"names": {"A": "x"}}, "names.A: expected letters, found 'A'"),
    ({"names": []}, "names: expected a table, found []"),
    ({"by_name": {"x": {"input": ""}, "y": {"input": 2}}}, "by_name.y.input: expected a string"),
    ({"words": ["a", 3]}, "words[1]: expected a string that is not empty, found 3"),
    ({"words": "a"}, "words: expected a list of strings, found 'a'"),
    ({"command": [1]}, "command: expected at least one string, found [1]"),
    ({"command": []}, "command: expected at least one string, found []"),
    ({"kind": "watch"}, "kind: expected debug | edit, found 'watch'"),
    ({"kind": ["debug"]}, "kind: expected debug | edit, found ['debug']"),
    ({"place": [1]}, "place: expected an integer or a list, found [1]"),
    ({"price": float("nan")}, "price: expected a number, 0 or more"),
    ({"even": 3}, "even: expected an even number, found 3"),
    ({"even": 8}, "even: 8 is taken"),
    ({"x` - at `$.runs[9]": 1}, "x` - at `$.runs[9]"),
    ({"even": "x" * 100}, "even: expected an integer, found 'xxx"),
]


@pytest.mark.parametrize(("value", "words"), CASES)
def test_the_first_field_that_does_not_fit_is_named(value: dict[str, Any], words: str) -> None:
    with pytest.raises(DecodingError) as caught:
        decode(value, Whole)
    assert words in str(caught.value)
    with pytest.raises(DecodingError) as again:
        decode_json(json.dumps(value), Whole)
    assert str(again.value) == str(caught.value)


def test_a_close_word_is_suggested_and_a_long_one_is_not() -> None:
    assert suggest("langauge", ["program", "language"]) == "; did you mean language?"
    assert suggest("xyz", ["program", "language"]) == ""
    assert suggest("language" * 1_000_000, ["language"]) == ""


def test_valid_values_are_decoded() -> None:
    found = decode_toml('kind = "edit"\nplace = [1, 2]\n[[runs]]\ninput = ""\n', Whole)
    assert found == Whole(kind="edit", place=(1, 2), runs=(Run(input=""),))


def test_half_of_a_surrogate_pair_is_not_text() -> None:
    with pytest.raises(DecodingError, match=r"runs\[0\]\.input: expected a string"):
        decode_json('{"runs": [{"input": "\\ud800"}]}', Whole)
    assert decode_json(b'{"runs": [{"input": "\\ud83d\\ude00"}]}', Whole).runs[0].input == "😀"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"kind": "\ud800"}, "kind: expected debug | edit, found '"),
        ({"kind": "debug\ud800"}, "kind: expected debug | edit, found 'debug"),
        ({"\ud800": 1}, "unknown field; known fields: runs,"),
        ({"runs": [{"input": "", "\ud800": 1}]}, "runs[0]."),
        ({"by_name": {"x": {"input": "", "\ud800": 1}}}, "by_name.x."),
        ({"names": {"\ud800": "a"}}, "names."),
    ],
)
def test_half_of_a_surrogate_pair_fits_no_choice_and_no_field(
    value: dict[str, Any], words: str
) -> None:
    with pytest.raises(DecodingError) as caught:
        decode(value, Whole)
    assert words in str(caught.value)
    with pytest.raises(DecodingError):
        decode_json(json.dumps(value), Whole)


def test_a_secret_file_is_not_quoted() -> None:
    with pytest.raises(DecodingError) as caught:
        decode({"runs": [{"input": 12345}]}, Whole, SECRET_WORDING)
    assert str(caught.value) == "runs[0].input: expected a string"


@pytest.mark.parametrize("text", ["{", "", "[" * 100_000, "{'a': 1}"])
def test_invalid_json_is_refused(text: str) -> None:
    with pytest.raises(DecodingError) as caught:
        decode_json(text, Whole)
    assert caught.value.path == ""


def test_invalid_toml_is_refused() -> None:
    with pytest.raises(DecodingError, match="line 1"):
        decode_toml("a = b", Whole)
    with pytest.raises(DecodingError, match="utf-8"):
        decode_toml(b"\xff", Whole)


@dataclass
class Inner:
    name: str


@dataclass
class Outer:
    inner: Inner
    parts: tuple[Inner, ...] = ()
    note: str | None = None


def test_a_strict_struct_refuses_unknown_fields() -> None:
    decode({"inner": {"name": "a"}, "note": None}, strict_struct(Outer))
    for value, words in [
        ({"inner": {"name": "a", "nam": 1}}, "inner.nam: unknown field; known fields: name"),
        ({"inner": {"name": "a"}, "parts": [{}]}, "parts[0].name: this field is missing"),
        ({"inner": None}, "inner: expected a table, found None"),
        ({"note": 1, "inner": {"name": ""}}, "note: expected a string, found 1"),
    ]:
        with pytest.raises(DecodingError, match=re.escape(words)):
            decode(value, strict_struct(Outer))
