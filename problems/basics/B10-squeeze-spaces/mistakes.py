"""Wrong solutions of B10, by the edge class that catches each."""

from __future__ import annotations

import re


def empty__prints_nothing(text: str) -> str:
    return f"<{' '.join(text.split())}>" if text else ""


def spaces__one_remains(text: str) -> str:
    return f"<{re.sub(' +', ' ', text)}>" if not text.strip() else f"<{' '.join(text.split())}>"


def start__not_trimmed(text: str) -> str:
    return f"<{re.sub(' +', ' ', text.rstrip())}>"


def end__not_trimmed(text: str) -> str:
    return f"<{re.sub(' +', ' ', text.lstrip())}>"


def groups__pairs_only(text: str) -> str:
    return f"<{text.strip().replace('  ', ' ')}>"


def groups__removed(text: str) -> str:
    return f"<{text.replace('  ', '').strip()}>"
