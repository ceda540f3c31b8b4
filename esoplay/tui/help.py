"""The help page with the active keys and the reference card, and jump letters for panes."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from esolangs.registry import find_language
from esoplay.tui.debug.canvas import box_label_and_actions
from esoplay.tui.footer import ModalPage
from esoplay.tui.generate.pane import CARD
from esoplay.tui.keys import Action, FooterKey, FooterKeys, bindings, escape_key


class HelpScreen(ModalPage[None]):
    """Shows the active keys of a screen, from the focused pane outwards, and a reference card."""

    DEFAULT_CSS = """
    HelpScreen {
        /* Opaque: for a translucent color, the covered screen would be painted, too. */
        background: $surface;
        & > Horizontal { width: 100%; height: 100%; }
        VerticalScroll {
            border: round $border-blurred;
            border-title-style: bold;
            border-title-color: $quiet;
            border-subtitle-color: $quiet;
            scrollbar-size-vertical: 1;
            padding: 0 1;
            &:focus { border: round $border; border-title-color: $border; }
        }
        #help-keys { width: 60; }
        #help-card { width: 1fr; }
        Markdown { background: transparent; padding: 0; margin: 0; }
        MarkdownTableContent { keyline: thin $border-blurred; }
    }
    HelpScreen.-narrow #help-card { display: none; }
    HelpScreen.-narrow #help-keys { width: 1fr; }
    HelpScreen.-card #help-card { display: block; }
    HelpScreen.-card.-narrow #help-keys { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "help",
        Action("help.close", "dismiss(None)", "Close", in_footer=True),
        Action("help.card", "card", "Keys / card", in_footer=True),
    )
    app: App[None]

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-mid")]  # noqa: RUF012

    def __init__(
        self,
        screen: Screen[None],
        language_id: str,
        dialect: str = "standard",
        *,
        is_source: bool = False,
    ) -> None:
        """Create the help page for ``screen``.

        is_source: whether a write-once source is being edited.
        """
        super().__init__()
        self._is_source = is_source
        self._described_screen = screen
        self._language = find_language(language_id)
        self._dialect = dialect
        self._card = VerticalScroll(id="help-card")

    def compose(self) -> ComposeResult:
        with Horizontal():
            words = describe_keys(self._described_screen, self.app)
            keys = VerticalScroll(Static(words, markup=False), id="help-keys")
            keys.border_title = "keys here"
            keys.border_subtitle = "Tab goes to the card, Esc closes"
            yield keys
            name = "write-once" if self._is_source else self._language.name
            self._card.border_title = Content(f"{name} card")
            self._card.border_subtitle = "Tab goes to the keys, Esc closes"
            yield self._card

    @on(events.ScreenResume)
    def _show_pages(self, event: events.ScreenResume) -> None:
        """Show the keys first, and fill the reference card later, which takes ten times longer."""
        event.refresh_styles = False  # the screen was just created
        self.call_after_refresh(self._show_card)

    def _show_card(self) -> None:
        """Fill the reference card once it is visible: creating its many widgets takes time."""
        if self._card.display and not self._card.children:
            # Imported late, because the import takes as long as showing the keys.
            from textual.widgets import Markdown

            text = CARD if self._is_source else self._language.card(self._dialect)
            self._card.mount(Markdown(text, open_links=False))

    def on_resize(self) -> None:
        self.call_after_refresh(self._show_card)

    def action_card(self) -> None:
        self.toggle_class("-card")
        self.call_after_refresh(self._show_card)
        here = "#help-card" if self.has_class("-card") else "#help-keys"
        self.query_one(here).focus()


def describe_keys(screen: Screen[None], app: App[Any]) -> Content:
    """Return the active keys and their actions, starting with the focused pane."""
    groups: dict[str, dict[str, list[str]]] = {}
    here, ids = box_label_and_actions(screen.focused) or ("", ())
    if here:
        groups[here] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.id is None:  # keys of its kind of widget, such as arrows
            continue
        owner = "everywhere" if active.node in (screen, app) else _name(active.node)
        owner = here if binding.id in ids else owner
        words = groups.setdefault(owner, {}).setdefault(binding.description, [])
        words.append(app.get_key_display(binding))
    order = sorted(groups, key=lambda name: name == "everywhere")
    parts: list[Content] = []
    for name in order:
        lines = [Content.styled(name, "bold $accent")]
        lines += [
            Content.assemble((f"{' '.join(dict.fromkeys(keys)):>16}  ", "$primary"), words)
            for words, keys in groups[name].items()
        ]
        parts.append(Content("\n").join(lines))
    return Content("\n\n").join(parts)


def _name(node: object) -> str:
    """Return the class name in words: ``problem list`` for a ``ProblemList``."""
    name = type(node).__name__
    return "".join(f" {each.lower()}" if each.isupper() else each for each in name).strip()


# Jump mode: each pane gets a letter that focuses it.

LETTERS = "asdfghjklqwertyuiopzxcvbnm"


class JumpScreen(ModalPage[Widget | None]):
    """Labels all focusable widgets with letters; the dialog returns the selected widget."""

    DEFAULT_CSS = """
    JumpScreen {
        background: $background 40%;
        Static {
            position: absolute;
            width: 3;
            height: 1;
            content-align: center middle;
            color: $background;
            background: $accent;
            text-style: bold;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "jump",
        Action("jump.cancel", "dismiss(None)", "Cancel", in_footer=True),
    )
    app: App[None]

    def __init__(self, screen: Screen[None]) -> None:
        super().__init__()
        panes = [
            widget for widget in screen.focus_chain if widget.region.area and widget.is_on_screen
        ]
        self.targets = dict(zip(LETTERS, panes, strict=False))

    def footer_keys(self) -> FooterKeys:
        letters = "/".join(self.targets)
        words = "Press the letter of a pane to focus it"
        cancel = escape_key("Cancel")
        return FooterKeys((FooterKey(letters, words),), (cancel,))

    def compose(self) -> ComposeResult:
        for letter, target in self.targets.items():
            label = Static(Content(letter))
            label.styles.offset = (target.region.x + 1, target.region.y)
            yield label

    def on_key(self, event: events.Key) -> None:
        if event.character in self.targets:
            event.stop()
            self.dismiss(self.targets[event.character])

    def on_click(self, event: events.Click) -> None:
        for target in self.targets.values():
            if target.region.contains(event.screen_x, event.screen_y):
                self.dismiss(target)
                return
        self.dismiss(None)
