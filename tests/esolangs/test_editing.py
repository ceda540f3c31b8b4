"""What languages report to editors is true of the program, and neutral where it says so."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from esolangs.editing import Editing
from esolangs.errors import ParseError
from esolangs.limits import Limits
from esolangs.registry import find_language, language_ids
from esoplay.api import run


def editing_of(language_id: str) -> Editing:
    return find_language(language_id).editing()


ANY = st.one_of(
    st.binary(max_size=60),
    st.lists(
        st.sampled_from(
            ["`", "k", "s", ".a", ".", "#", "\n", " ", "\t", "[", "]", "+", "é", ">", "v", "_", '"',
             ";", "#", "Act I: x.", "Romeo", "You are", "the sum", "a big", "[Enter ", "Scene II:",
             "proceed to scene II", "\r", "\x00"]
        )
    ).map(lambda parts: "".join(parts).encode()),
)  # fmt: skip


@pytest.mark.parametrize("language_id", language_ids())
@given(source=ANY, at=st.integers(0, 80))
@example(source=b"Scene II:proceed to scene II\x00", at=0)  # a title that cannot be printed
def test_any_source_can_be_edited(language_id: str, source: bytes, at: int) -> None:
    editing = editing_of(language_id)
    offset = min(at, len(source))
    for told in (editing.structure(source, offset), editing.path(source, offset, (1, 0))):
        if told is not None:
            assert all(0 <= mark.start <= mark.end <= len(source) for mark in told.marks)
            assert told.goal is None or 0 <= told.goal <= len(source)
            assert told.words.isprintable()
    found = editing.completions(source, offset)
    if found is not None:
        assert 0 <= found.start <= offset
        assert found.items


@pytest.mark.parametrize("language_id", ["brainfuck", "unlambda"])
@given(source=ANY, width=st.integers(2, 20))
def test_reflow_adds_line_breaks_and_nothing_else(
    language_id: str, source: bytes, width: int
) -> None:
    reflowed = editing_of(language_id).reflow(source, width)
    assert reflowed is not None
    at = 0
    for byte in reflowed:
        if at < len(source) and source[at] == byte:
            at += 1
        else:
            assert byte == 10
    assert at == len(source)


UNLAMBDA = st.recursive(
    st.sampled_from([b"k", b"s", b".a", b".`", b".#", b".\n", b"i ", b"r# `k\n", b"?x", b"\n"]),
    lambda terms: st.tuples(terms, terms).map(lambda pair: b"`" + b"".join(pair)),
    max_leaves=12,
)


@given(source=UNLAMBDA, width=st.integers(2, 9))
def test_reflowed_unlambda_is_the_same_program(source: bytes, width: int) -> None:
    reflowed = editing_of("unlambda").reflow(source, width)
    assert reflowed is not None
    assert combinators(source) == combinators(reflowed)


def combinators(source: bytes) -> list[bytes] | str:
    """The program's atoms in order, or what is wrong with it."""
    try:
        program = find_language("unlambda").parse(source)
    except ParseError as error:
        return error.message.split(" at line")[0]
    return [source[start:end] for start, end in program.spans()]


@given(source=UNLAMBDA)
def test_a_backtick_applies_one_whole_term_to_another(source: bytes) -> None:
    editing, language = editing_of("unlambda"), find_language("unlambda")
    for offset in range(len(source)):
        structure = editing.structure(source, offset)
        if structure is not None and len(structure.marks) == 2:
            for mark in structure.marks:
                term = language.parse(source[mark.start : mark.end])
                assert not term.warnings
                assert term.spans()


def test_a_backtick_that_is_printed_or_comment_applies_nothing() -> None:
    editing = editing_of("unlambda")
    for source in (b".`ki", b"# `ki", b"`.`# `\n", b"?`kk"):
        assert editing.structure(source, source.rindex(b"`")) is None
    assert editing.structure(b"..`ki", 2) is not None


@given(st.lists(st.sampled_from([b"   \t\n", b" \n ", b"\t\n\t ", b"\n  \t\n", b"x", b"  \tS "])))
def test_the_instruction_at_the_cursor_matches_the_parser(parts: list[bytes]) -> None:
    source = b"".join(parts)
    editing, language = editing_of("whitespace"), find_language("whitespace")
    try:
        spans = language.parse(source).spans()
    except ParseError:
        return
    for start, end in spans:
        for offset in range(start, end):
            structure = editing.structure(source, offset)
            assert structure is not None
            mark = structure.marks[0]
            assert (mark.start, mark.end) == (start, end)


def test_an_instruction_is_named_with_its_operand() -> None:
    editing = editing_of("whitespace")
    for source, words in (
        (b"  \t\t \n", "push -2  SSTTSL"),
        (b"\n\t  \t\n", "jz ? (ST): no such label  LTSSTL"),
        (b"\n\t  \t\n\n   \t\n", "jz L1 (ST) in line 3  LTSSTL"),
        (b"   \t     \t\nx", "push 65 'A'  SSSTSSSSSTL"),
        (b"\n   \t\n", "label L1 (ST)  LSSSTL"),
        (b" \n ", "dup  SLS"),
        (b" \n \t\n\n", "dup  SLS"),  # what comes after it is wrong
    ):
        structure = editing.structure(source, 0)
        assert structure is not None
        assert structure.words == words


@pytest.mark.parametrize(
    ("source", "delta", "cells", "words"),
    [
        (b">  v\n@..<\n", (1, 0), 6, "@ ends the IP"),
        (b"12_", (1, 0), 3, "_ goes east on 0, else west"),
        (b'"@"@', (1, 0), 4, "@ ends the IP"),
        (b"1;@;2@", (1, 0), 4, "@ ends the IP"),
        (b"1#@2q", (1, 0), 4, "q ends the program"),
        (b"1\n2\n", (0, 1), 2, "the path repeats"),
        (b"1]\n @", (1, 0), 3, "@ ends the IP"),
        (b"1'@@", (1, 0), 3, "@ ends the IP"),
        (b"", (1, 0), 0, "the path repeats"),
    ],
)
def test_the_path_of_an_ip_is_followed_to_its_end(
    source: bytes, delta: tuple[int, int], cells: int, words: str
) -> None:
    path = editing_of("befunge-98").path(source, 0, delta)
    assert path is not None
    assert f"{cells} instructions, {words}" in path.words


PLAY = find_language("shakespeare").sample()


@pytest.mark.parametrize(
    ("typed", "text", "words"),
    [
        (b"Viola: You are a cow", "coward", "noun: −1"),
        (b"Viola: You are a furry ki", "king", "noun: 1"),
        (b"Viola: You are as bold as the d", "the difference between", "a − b"),
        (b"Viola: sp", "speak your mind!", "print the value as a character"),
        (
            b"Viola: You are the remainder of the q",
            "the remainder of the quotient between",
            "a ÷ b",
        ),
        (b"[Enter or", "Orsino", "in this play"),
        (b"Viola: Let us return to scene I", "II", "The guest says a name"),
        (b"Viola: Am I bet", "Am I better than", ">"),
        (b"[ex", "Exit", "one character leaves"),
        (b"Viola: You are as f", "fair", "×2"),
    ],
)
def test_completions_have_meanings(typed: bytes, text: str, words: str) -> None:
    source = PLAY + b"\n" + typed
    found = editing_of("shakespeare").completions(source, len(source))
    assert found is not None
    items = {item.text: item.words for item in found.items}
    assert words in items[text]
    typed_of_it = source[found.start :].decode()
    assert text.lower().startswith(typed_of_it.lower())


def test_completions_after_an_adjective_are_valid_nouns() -> None:
    source = b"Act I: x. Scene I: y. Romeo: You are a rotten "
    found = editing_of("shakespeare").completions(source, len(source))
    assert found is not None
    assert {item.text for item in found.items} >= {"pig", "stuffed"}
    assert not {item.text for item in found.items} & {"king", "tree", "sweet"}


@given(st.data())
def test_the_target_scene_of_a_goto_is_found(data: st.DataObject) -> None:
    editing = editing_of("shakespeare")
    program = find_language("shakespeare").parse(PLAY)
    places = program.places()
    start, end = data.draw(st.sampled_from(program.spans()))
    structure = editing.structure(PLAY, data.draw(st.integers(start, end - 1)))
    assert structure is not None
    sentence = PLAY[start:end].decode()
    if "scene" in sentence:
        name = f"Act I Scene {sentence.rstrip('.').split()[-1].upper()}"
        assert structure.goal is not None
        heading = PLAY[structure.goal :].lstrip()
        assert heading.lower().startswith(name.split(" ", 2)[2].lower().encode())
        assert name in places
    elif structure.marks:
        mark = structure.marks[0]
        assert mark.start <= start
        assert mark.end >= end


@pytest.mark.parametrize("language_id", language_ids())
@given(source=ANY)
def test_code_is_never_larger_than_its_source(language_id: str, source: bytes) -> None:
    assert 0 <= editing_of(language_id).code_size(source) <= len(source)


@pytest.mark.parametrize(
    ("language_id", "source", "size"),
    [
        ("brainfuck", b"[a comment, with . and ] ,[.,] echo", 5),
        ("brainfuck", b"+[-][again, a comment.]>.", 6),
        ("brainfuck", b"+[-[>]<]", 8),
        ("brainfuck", b"]][", 2),
        ("befunge-98", b"12+.@   \r\n  >@\n\n  \n", 9),
        ("whitespace", b"push one:   \t\nend: \n\n\n", 10),
        ("unlambda", b"# says a\n`.a i # done", 4),
        ("unlambda", b"``.#. i", 7 - 1 + 1),
        ("unlambda", b"`?\n`.", 5),
        ("shakespeare", b"Untitled.\n\n\nRomeo,   a  man.\n", len(b"Untitled. Romeo, a man.")),
    ],
)
def test_code_is_counted_without_comments(language_id: str, source: bytes, size: int) -> None:
    assert editing_of(language_id).code_size(source) == size


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (b"';$9.@;", b"9 "),  # ' fetches the first ;
        (b'";"$9.@;', b"9 "),  # in a string
        (b"v;8;\n>20g,@", b"8"),  # read as data
        (b"v\n>   v\n;@.9<;", b"9 "),  # executed by a path from elsewhere
    ],
)
def test_code_of_a_plane_cannot_be_hidden_between_semicolons(source: bytes, printed: bytes) -> None:
    assert run(source, "befunge-98", limits=Limits(steps=100)).stdout == printed
    size = sum(map(len, source.splitlines()))
    assert editing_of("befunge-98").code_size(source) == size


@pytest.mark.parametrize(
    ("language_id", "source", "bare"),
    [
        ("brainfuck", b"[a comment, with . and ]\n ,[.,] echo\n\n+ done", b",[.,]\n+\n"),
        ("whitespace", b"push one:   \t\nend: \n\n\n", b"    \t\n \n\n\n"),
        ("unlambda", b"# says a\n`.a i # done\n", b"`.a i\n"),
        ("unlambda", b"``.#. i # .\n", b"``.#. i\n"),
        ("unlambda", b"`.  # a space\n`.\n# a newline", b"`. \n`.\n"),
        ("befunge-98", b"v  read a digit, print it\n>~,@  and then end\n", b"v\n>~,@\n"),
        ("befunge-98", b";print a 1;1.@", b";         ;1.@"),
        ("befunge-98", b">:#,_@  cell (0, 1) has it\n", b">:#,_@\n"),
        ("befunge-98", b'"a man a plan a canal">:#,_@\n', b'"a man a plan a canal">:#,_@\n'),
        (
            "shakespeare",
            b"What? An echo.\nRomeo, who reads.\nAct I: One!\n Scene I: Two?\n[Enter Romeo]\n",
            b"A play.\nRomeo, a person.\nAct I: A place.\n Scene I: A place.\n[Enter Romeo]\n",
        ),
        ("shakespeare", b"An unfinished play", b"An unfinished play"),
    ],
)
def test_comments_and_titles_are_removed(language_id: str, source: bytes, bare: bytes) -> None:
    assert editing_of(language_id).without_comments(source) == bare


@pytest.mark.parametrize("language_id", language_ids())
@given(source=ANY)
def test_a_source_without_comments_has_none_and_does_the_same(
    language_id: str, source: bytes
) -> None:
    editing = editing_of(language_id)
    bare = editing.without_comments(source)
    if not editing.strips_exactly:
        return
    assert editing.without_comments(bare) == bare
    limits = Limits(steps=500, output=500)
    before, after = (run(each, language_id, stdin=b"ab", limits=limits) for each in (source, bare))
    if before.status not in ("parse_error", "step_limit"):
        assert (after.status, after.stdout) == (before.status, before.stdout)


@pytest.mark.parametrize("language_id", ["brainfuck", "whitespace", "unlambda"])
def test_comments_of_the_starter_do_not_count_as_code(language_id: str) -> None:
    starter = find_language(language_id).starter()
    assert editing_of(language_id).code_size(starter) * 8 < len(starter)
