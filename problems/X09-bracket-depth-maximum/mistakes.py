"""Wrong ways to measure the depth of brackets, by the edge class that catches each."""

from __future__ import annotations

import re


def _depths(text: str, floor: int | None = 0) -> list[int]:
    depths = [0]
    for sign in text:
        depth = depths[-1] + (1 if sign == "(" else -1)
        depths.append(depth if floor is None else max(depth, floor))
    return depths


def empty__nothing_printed(text: str) -> str:
    return str(max(_depths(text))) if text else ""


def closing__byte_wraps_around(text: str) -> str:
    return str(max(depth % 256 for depth in _depths(text, floor=None)))


def closing__absolute_depth(text: str) -> str:
    return str(max(abs(depth) for depth in _depths(text, floor=None)))


def clamped__below_zero(text: str) -> str:
    return str(max(_depths(text, floor=None)))


def clamped__ends_when_one_does_not_match(text: str) -> str:
    depths = _depths(text, floor=None)
    end = depths.index(-1) if -1 in depths else len(depths)
    return str(max(depths[:end]))


def climbing__longest_run(text: str) -> str:
    return str(max(map(len, re.findall(r"\(+", text)), default=0))


def climbing__opening_ones_counted(text: str) -> str:
    return str(text.count("("))


def early__depth_at_the_end(text: str) -> str:
    return str(_depths(text)[-1])


def early__last_deep_place(text: str) -> str:
    depths = _depths(text)
    tops = [b for a, b, c in zip(depths, depths[1:], depths[2:], strict=False) if a < b > c]
    return str(tops[-1] if tops else depths[-1])


def deepest__kept_in_a_byte(text: str) -> str:
    return str(max(_depths(text)) % 256)
