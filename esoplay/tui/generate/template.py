"""What a new source begins with: it compiles, and prints what it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from esoplay.grading.problem import Problem

_TEMPLATE = '''\
"""{title}"""

from esoplay.codegen.source import getc, putc


def main() -> None:
    c = getc()
    while c != 0:
        putc(c)
        c = getc()


if __name__ == "__main__":
    main()
'''


def template(problem: Problem | None) -> bytes:
    """A source for a problem, or for none."""
    title = f"{problem.id}: {problem.title}." if problem else "Each character goes out again."
    for sign in ("\\", '"'):
        title = title.replace(sign, "'")
    return _TEMPLATE.format(title=title).encode()
