"""Endpoints that refuse, lie, break off and talk without end, and commands that do."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from scripted_models import Reply, add_fence, echoing, evaluate, records, serving

from esoplay.errors import UsageError
from esoplay.evaluation.endpoint import Endpoint, parse_retry_after
from esoplay.evaluation.model import (
    MAX_ANSWER_BYTES,
    CommandModel,
    EvaluationStopped,
    Message,
    RequestDeclined,
    RetryingModel,
    Unavailable,
    as_prompt,
    is_loopback,
)

HELLO = [Message("system", "You write."), Message("user", "Hello?")]


def replies(*script: Reply) -> Iterator[Reply]:
    yield from script


@pytest.mark.parametrize(
    "trouble",
    [
        Reply(None, 429, b'{"error": {"message": "slow down"}}', (("Retry-After", "0"),)),
        Reply(None, 500, b"<html>oh</html>"),
        Reply(None, 200, b"this is no JSON"),
        Reply(None, 200, b"[" * 100_000),
        Reply(None, 200, b'{"choices": []}'),
        Reply(None, 200, b'{"error": {"message": "busy"}}'),
    ],
    ids=["429", "500", "garbage", "nested", "nothing", "error"],
)
def test_temporary_failures_are_retried(trouble: Reply, tmp_path: Path) -> None:
    with serving(
        lambda messages: trouble if len(served.asked) < 3 else echoing(messages)
    ) as served:
        results, left = evaluate(tmp_path, served.url, ["brainfuck"], ["zero-shot"], ["E02"])
    assert (left, results.lines[0].solved, results.failures) == ([], 1, 2)
    assert len(served.asked) == 3


def test_failed_submissions_are_saved_and_the_batch_continues(tmp_path: Path) -> None:
    broken = Reply(None, 503, b"down")
    asked = ["brainfuck"], ["zero-shot"], ["E01", "E02"]
    with serving(lambda messages: broken) as served:
        results, left = evaluate(tmp_path, served.url, *asked, retries=1)
    assert sorted((step.trial.item, step.reason) for step in left) == [
        ("E01", "503: down"),
        ("E02", "503: down"),
    ]
    assert results.lines == ()
    assert len(served.asked) == 4
    with serving(echoing) as served:
        results, left = evaluate(tmp_path, served.url, *asked)
    assert (left, results.lines[0].solved, results.lines[0].total) == ([], 1, 2)


def test_a_request_that_is_declined_has_its_verdict(tmp_path: Path) -> None:
    refusal = Reply(None, 400, b'{"error": {"message": "too\\u001b[2Jlong"}}')
    with serving(lambda messages: refusal) as served:
        results, left = evaluate(tmp_path, served.url, ["brainfuck"], ["react"], ["E01"])
        evaluate(tmp_path, served.url, ["brainfuck"], ["react"], ["E01"])
    assert (left, results.lines[0].verdicts) == ([], {"no_answer": 1})
    assert len(served.asked) == 1
    assert records(tmp_path, "finished")[0]["reason"] == "400: too [2Jlong"


@pytest.mark.parametrize("status", [401, 404, 302])
def test_permanent_failures_end_the_evaluation(status: int, tmp_path: Path) -> None:
    answer = Reply(None, status, b"no", (("Location", "/elsewhere"),))
    with (
        serving(lambda messages: answer) as served,
        pytest.raises(UsageError, match=f"refuses to answer: {status}"),
    ):
        evaluate(tmp_path, served.url, ["brainfuck"], ["zero-shot"], ["E01", "E02"], jobs=1)
    assert len(served.asked) == 1


def test_answers_may_be_huge_invalid_utf_8_or_empty(tmp_path: Path) -> None:
    texts = {
        "Print Hello World": "+-" * 5_000_000,
        "Echo Line": add_fence(",[.,]" + "\x00\udc80\ud800é" * 300_000),
        "Hello Name": "",
    }

    def odd(messages: list[dict[str, str]]) -> Reply:
        return Reply(
            next(texts[title] for title in texts if f"# {title}\n" in messages[1]["content"])
        )

    with serving(odd) as served:
        results, left = evaluate(
            tmp_path, served.url, ["brainfuck"], ["zero-shot"], ["E01", "E02", "E03"]
        )
    assert left == []
    assert [(each.trial.item, each.verdict) for each in results.lines[0].results] == [
        ("E01", "no_program"),
        ("E02", "pass"),
        ("E03", "no_program"),
    ]


def test_answers_in_parts_refusals_and_missing_counts_are_read() -> None:
    parts = {"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}, 7]}
    bodies = [
        {"choices": [{"message": parts}], "usage": {"prompt_tokens": -1, "completion_tokens": 3}},
        {"choices": [{"message": {"content": None, "refusal": "no"}, "finish_reason": "stop"}]},
    ]
    script = replies(*(Reply(None, 200, json.dumps(body).encode()) for body in bodies))
    with serving(lambda messages: next(script)) as served:
        endpoint = Endpoint(served.url, "m", temperature=0.5, max_tokens=9, extra={"top_p": 0.1})
        assert endpoint.ask(HELLO, 3) == ("ab", None, None, 3, None, None)
        assert endpoint.ask(HELLO, None) == ("", None, None, None, "stop", None)
    assert served.asked[0] == {
        "model": "m",
        "temperature": 0.5,
        "max_tokens": 9,
        "top_p": 0.1,
        "seed": 3,
        "messages": [
            {"role": "system", "content": "You write."},
            {"role": "user", "content": "Hello?"},
        ],
    }
    assert "Authorization" not in served.headers[0]


def test_answers_that_are_too_long_or_never_come_are_reported() -> None:
    never = Event()
    script = replies(
        Reply(None, 200, b"x" * (MAX_ANSWER_BYTES + 1)),
        Reply("late", wait=never),
    )
    with serving(lambda messages: next(script)) as served:
        with pytest.raises(RequestDeclined, match="longer than"):
            Endpoint(served.url, "m").ask(HELLO, None)
        with pytest.raises(Unavailable, match=r"no complete answer within 0\.1 s"):
            Endpoint(served.url, "m", timeout=0.1).ask(HELLO, None)
        never.set()
    with pytest.raises(Unavailable, match="no answer"):
        Endpoint(served.url, "m").ask(HELLO, None)


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("http://localhost:8000/v1", True),
        ("http://127.0.0.7/v1", True),
        ("http://[::1]:8000", True),
        ("http://127.example.com/v1", False),
        ("http://10.0.0.1", False),
    ],
)
def test_only_this_machine_counts_as_loopback(address: str, here: bool) -> None:
    assert is_loopback(address) is here


def test_retry_after_is_a_number_or_a_date() -> None:
    assert parse_retry_after("7") == 7
    assert parse_retry_after("-7") == 0
    assert parse_retry_after("Thu, 01 Jan 1970 00:01:40 GMT", now=40.0) == 60
    assert parse_retry_after("Thu, 01 Jan 1970 00:01:40 GMT", now=400.0) == 0
    for nothing in (None, "soon", "inf", "nan", "Thu, 99 Jan"):
        assert parse_retry_after(nothing) is None


def test_a_pause_before_a_retry_ends_when_the_evaluation_stops() -> None:
    class Refusing:
        def ask(self, messages: object, seed: object) -> None:
            raise Unavailable("later", 900)

        def close(self) -> None: ...

    stop, noted, ended = Event(), Event(), Event()
    asked = RetryingModel(Refusing(), 3, stop)  # pyright: ignore[reportArgumentType]

    def ask() -> None:
        with pytest.raises(EvaluationStopped):
            asked.ask(HELLO, None, lambda *_: noted.set())
        ended.set()

    thread = Thread(target=ask)
    thread.start()
    assert noted.wait(300)
    stop.set()
    assert ended.wait(300)
    thread.join()


def python(code: str, timeout: float = 60) -> CommandModel:
    return CommandModel(shlex.join([sys.executable, "-c", code]), environment={}, timeout=timeout)


def test_commands_that_answer_too_much_too_late_or_not_at_all_are_reported(tmp_path: Path) -> None:
    with pytest.raises(RequestDeclined, match="longer than"):
        python("while True: print('x' * 1000000)").ask(HELLO, None)
    with pytest.raises(Unavailable, match=r"no answer within 0\.2 s"):
        python("import time; time.sleep(600)", timeout=0.2).ask(HELLO, None)
    with pytest.raises(Unavailable, match="ended by signal 9"):
        python("import os; os.kill(os.getpid(), 9)").ask(HELLO, None)
    path = tmp_path / "goes"
    with pytest.raises(UsageError, match=r"cannot find the program .*goes"):
        CommandModel(str(path), environment={})
    path.write_text("#!/no/such/shell\n")
    path.chmod(0o700)
    with pytest.raises(UsageError, match="cannot start"):
        CommandModel(str(path), environment={}).ask(HELLO, None)
    with pytest.raises(UsageError, match="No closing quotation"):
        CommandModel("echo 'x", environment={})
    assert python("print(input())").ask(HELLO, None).text == "You write.\n"
    assert (
        python("import os; print(os.environ['ESOPLAY_SAMPLING_SEED'])").ask(HELLO, 4).text == "4\n"
    )


def test_a_conversation_is_written_as_one_prompt() -> None:
    further = [*HELLO, Message("assistant", "Yes.\n"), Message("user", "Well?")]
    assert as_prompt(further) == (
        "You write.\n\nHello?\n\n==== Your answer ====\n\nYes.\n\n==== Then ====\n\nWell?\n"
    )
