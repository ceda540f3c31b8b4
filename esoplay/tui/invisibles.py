"""Bytes for reading: every character visible, none of it interpreted."""

from __future__ import annotations

from textual.content import Content

from esoplay.tui.editor.codec import to_text, visible


def invisibles(data: bytes, *, limit: int = 200, none: str = "") -> Content:
    """``data`` on one line; controls as their pictures, spaces at the ends and line ends marked.

    limit: characters shown before the rest is counted instead.  none: shown for no bytes.
    """
    if not data:
        return Content.styled(none, "$quiet italic")
    text = to_text(data)
    shown = text[:limit]
    body = shown.strip(" ")
    lead = len(shown) - len(shown.lstrip(" ")) if body else len(shown)
    tail = len(shown) - lead - len(body)
    marked = "␠" * lead + visible(body.replace("\n", "␊")) + "␠" * tail
    parts: list[Content | tuple[str, str]] = [Content(marked)]
    if len(text) > limit:
        parts.append((f" … {len(text) - limit:,} more", "$quiet"))
    return Content.assemble(*parts)
