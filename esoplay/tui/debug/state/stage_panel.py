"""The stage: the characters on it, who speaks to whom, and the values of all characters."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from textual.strip import Strip

from esolangs.stops import Slot
from esolangs.view import Actor, Stack, Stage
from esoplay.debugging.provenance import Place
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES, format_int
from esoplay.tui.debug.canvas import StyledText, make_strip
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.state.panel_box import (
    CLOSE,
    OPEN,
    SLOT_ACTIONS,
    PanelBox,
    PanelHeight,
    previous_panel,
    visible_slots,
)
from esoplay.tui.debug.state.stacks import changed_values, index_at, row_text
from esoplay.tui.debug.state.values import format_number
from esoplay.tui.word_wrap import cut_words, wrap_words

MAX_SCENE_ROWS = 4
"""Maximum number of rows for act and scene; longer text is cut off."""
MIN_SCENE_COLUMNS = 12
"""Minimum width to which act and scene are wrapped, in columns."""
ROLES = {"speaker": "speaks", "addressee": "listens"}
ON_STAGE, OFF_STAGE = "on stage", ""
ROLE_WIDTH = 8
VALUE_WIDTH = 6


class StagePanel(PanelBox):
    """Shows all characters of a play, starting with the characters on stage.

    The value of a character is a cell; its number is the character's position in the cast.
    """

    LABEL = "the stack"
    ACTIONS = SLOT_ACTIONS
    PANEL_TYPE = Stage
    HEIGHT: ClassVar[PanelHeight] = PanelHeight(minimum=6, weight=4)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._stage: Stage | None = None
        self._actors: list[Actor] = []
        self._addresses: dict[str, int] = {}
        self._previous_actors: dict[str, Actor] = {}

    def show(self, snapshot: DebugSnapshot, panel: Stage) -> None:
        self.set_snapshot(snapshot)
        self._stage = panel
        self._addresses = {actor.name: at for at, actor in enumerate(panel.actors)}
        self._actors = sorted(panel.actors, key=_stage_order)
        before: Stage | None = previous_panel(snapshot, panel)
        self._previous_actors = {actor.name: actor for actor in before.actors} if before else {}
        self.repaint()

    @property
    def wanted_height(self) -> PanelHeight:
        return self.HEIGHT._replace(
            maximum=max(self.HEIGHT.minimum, self._head_row_count + len(self._actors) + 3)
        )

    # Entries

    def stacks(self) -> list[Stack]:
        return [actor.stack for actor in self._actors]

    def places(self) -> list[Place]:
        found: list[Place] = []
        for actor in self._actors:
            found += [self._addresses[actor.name], *visible_slots(actor.stack)]
        return found

    def find_row(self, place: Place) -> int | None:
        for at, actor in enumerate(self._actors):
            owns_slot = actor.stack.key == place.stack if isinstance(place, Slot) else False
            if owns_slot or (not isinstance(place, Slot) and place == self._addresses[actor.name]):
                return self._head_row_count + at
        return None

    def place_at(self, row: int, column: int) -> Place | None:
        head = self._head_row_count
        if not head <= row < head + len(self._actors):
            return None
        actor = self._actors[row - head]
        start = self._values_start(actor)
        values = [format_number(value, self.base) for value in actor.stack.values]
        index = index_at(list(enumerate(values)), column - start)
        return self._addresses[actor.name] if index is None else visible_slots(actor.stack)[index]

    def footer(self) -> list[StyledText]:
        snapshot, cell = self.snapshot, self.selected
        if snapshot is None or isinstance(cell, Slot | None):
            return super().footer()
        known = snapshot.last_write
        name = next((name for name, at in self._addresses.items() if at == cell), "")
        if known is None or known.cell != cell or not name:
            return [self.title_span(name)] if name else []
        written = "never written" if known.write is None else ""
        if known.write is not None:
            written = f"last write @{format_int(known.write.step)}"
        return [self.title_span(f"{name}: {written}")]

    # Drawing

    def heading(self) -> list[StyledText]:
        name = "stage" if self._stage is None else self._stage.name
        return [self.title_span(f"{name}  {self.base.value}")]

    def caption(self) -> list[StyledText]:
        on_stage = sum(actor.on_stage for actor in self._actors)
        return [self.title_span(f"{on_stage} of {len(self._actors)} on stage")]

    def row_count(self) -> int:
        return self._head_row_count + len(self._actors)

    def line(self, row: int, width: int) -> Strip:
        palette, stage = self.palette, self._stage
        if stage is None:
            return make_strip([], width, palette.base)
        scene_rows = self._scene_rows
        if row < len(scene_rows):
            return make_strip(
                [StyledText(f" {scene_rows[row]}", palette.strong)], width, palette.base
            )
        if row == len(scene_rows):
            return make_strip(self._answer_spans(stage), width, palette.base)
        actor = self._actors[row - len(scene_rows) - 1]
        return make_strip(self._actor(actor, width), width, palette.base)

    @property
    def _head_row_count(self) -> int:
        """Number of rows above the characters: act, scene, and the answer to the last question."""
        return len(self._scene_rows) + 1

    @property
    def _scene_rows(self) -> list[str]:
        """The rows with act and scene, wrapped between words."""
        stage, width = self._stage, max(MIN_SCENE_COLUMNS, self.inner_width) - 1
        if stage is None:
            return [""]
        scene_text = f"{stage.act}, {stage.scene}".translate(CONTROL_PICTURES)
        rows = wrap_words(scene_text, width, 2)
        if len(rows) > MAX_SCENE_ROWS:
            rest = " ".join(rows[MAX_SCENE_ROWS - 1 :])
            rows[MAX_SCENE_ROWS - 1 :] = [cut_words(rest, width)]
        return rows

    def _answer_spans(self, stage: Stage) -> list[StyledText]:
        faint = self.palette.faint
        if stage.condition is None:
            return [StyledText(" no question asked so far", faint)]
        word = "yes" if stage.condition else "no"
        return [StyledText(" last answer: ", faint), StyledText(word, self.palette.strong)]

    def _actor(self, actor: Actor, width: int) -> list[StyledText]:
        palette = self.palette
        old = self._previous_actors.get(actor.name)
        name_width = self._name_width
        role = ROLES.get(actor.role, ON_STAGE if actor.on_stage else OFF_STAGE)
        style = palette.base if actor.on_stage else palette.faint
        if actor.role == "speaker":
            style = palette.strong
        elif actor.role == "addressee":
            style = palette.pointer
        value = format_number(actor.value, self.base)
        changed = old is not None and old.value != actor.value
        is_value_selected = self.is_selected(self._addresses[actor.name])
        pieces = [
            StyledText(
                CLOSE if is_value_selected else " ",
                palette.selected if is_value_selected else style,
            ),
            StyledText(f"{role:<{ROLE_WIDTH}} ", style),
            StyledText(f"{actor.name[:name_width]:<{name_width}} ", style),
            StyledText(" " * max(0, VALUE_WIDTH - len(value)), palette.base),
            StyledText(
                value,
                palette.selected if is_value_selected else palette.changed if changed else style,
            ),
        ]
        stack = actor.stack
        if stack.depth:
            changed_indices = changed_values(stack, old.stack if old is not None else None)
            pieces.append(StyledText(_stack_label(stack), palette.faint))
            slots = visible_slots(stack)
            marked = next((at for at, slot in enumerate(slots) if self.is_selected(slot)), None)
            cells: list[tuple[str, Style]] = []
            for index, each in enumerate(stack.values):
                value_style = palette.changed if index in changed_indices else style
                value_style = palette.selected if index == marked else value_style
                cells.append((format_number(each, self.base), value_style))
            pieces += row_text(cells, marked, OPEN, CLOSE, palette.base)
        return pieces

    @property
    def _name_width(self) -> int:
        return min(max(len(each.name) for each in self._actors), self.inner_width // 2)

    def _values_start(self, actor: Actor) -> int:
        """Return the column of the first value of a character's stack."""
        value = len(format_number(actor.value, self.base))
        before = 1 + ROLE_WIDTH + 1 + self._name_width + 1 + max(VALUE_WIDTH, value)
        return before + len(_stack_label(actor.stack)) + 1


def _stack_label(stack: Stack) -> str:
    return f"  stack {format_int(stack.depth)}:"


def _stage_order(actor: Actor) -> int:
    """Return the sort key of a character: speaker, addressee, others on stage, off stage."""
    order = {"speaker": 0, "addressee": 1}
    return order.get(actor.role, 2 if actor.on_stage else 3)
