"""Contrast of two colours by WCAG 2.1, implemented independently of esoplay."""

from __future__ import annotations

Rgb = tuple[int, int, int]


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast ratio, from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: Rgb) -> float:
    channels = [each / 255 for each in color]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
