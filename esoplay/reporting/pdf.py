"""Pictures as PDF, for papers; needs CairoSVG (the extra ``pdf``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from esoplay.errors import UsageError
from esoplay.reporting.canvas import SvgCanvas

_MISSING = "--pdf needs the extra pdf: pip install 'esoplay[pdf]'"
_NO_CAIRO = "--pdf needs the library Cairo, which CairoSVG cannot load"
_TRY = "try: install libcairo2 (Debian, Ubuntu), cairo (Fedora, Homebrew)"


def pdf_writer() -> Callable[[SvgCanvas], bytes]:
    """Return a function that converts a picture; UsageError if the extra is not installed."""
    try:
        # No stubs exist.
        import cairosvg  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        raise UsageError(_MISSING) from None
    except OSError:
        raise UsageError(f"{_NO_CAIRO}\n{_TRY}") from None
    convert = cast("Callable[..., Any]", getattr(cairosvg, "svg2pdf"))  # noqa: B009 (untyped)
    return lambda canvas: bytes(convert(bytestring=canvas.plain_document().encode("utf-8")))
