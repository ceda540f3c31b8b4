"""A process that submits until it has done its part or is killed; one line for each answer.

Arguments: folder, session, number of submissions, prefix of the request ids, program, and
perhaps ``hang`` (grading never ends) or ``fetch`` (fetch instead of submitting).
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from session_fakes import fake_grade, open_sessions

from esoplay.grading.report import GradeReport


def hang(*args: Any, **named: Any) -> GradeReport:
    say({"grading": True})
    while True:
        time.sleep(60)


def say(value: object) -> None:
    print(json.dumps(value), flush=True)


def main() -> None:
    folder, session, count, prefix, program, *rest = sys.argv[1:]
    with open_sessions(Path(folder), hang if rest == ["hang"] else fake_grade) as sessions:
        say({"ready": True})
        sys.stdin.readline()
        for number in range(int(count)):
            request_id = f"{prefix}{number}"
            if rest == ["fetch"]:
                answer = sessions.fetch(session)
            else:
                answer = sessions.submit(session, "E01", program.encode(), request_id=request_id)
            say({"request_id": request_id, **answer.as_json()})


if __name__ == "__main__":
    main()
