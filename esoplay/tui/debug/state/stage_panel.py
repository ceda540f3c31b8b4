"""The stage: who stands on it, who speaks to whom, what everybody holds in mind."""

from __future__ import annotations

from typing import ClassVar

from textual.strip import Strip

from esolangs.view import Actor, Stage
from esoplay.tui.debug.canvas import Piece, strip_of
from esoplay.tui.debug.moment import Moment
from esoplay.tui.debug.state.panel_box import Height, PanelBox, panel_before
from esoplay.tui.debug.state.stack_text import changed_values
from esoplay.tui.debug.state.values import spell_number
from esoplay.tui.debug.visible import PICTURED_TEXT, grouped

HEAD = 2
"""Rows above the actors: where in the play this is, and the last answer."""
ROLES = {"speaker": "speaks", "addressee": "is told"}
ON_STAGE, OFF_STAGE = "on stage", ""
ROLE_WIDTH = 8


class StagePanel(PanelBox):
    """Shows the stage of each moment, those on it first."""

    HEIGHT: ClassVar[Height] = Height(least=6, share=4)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._stage: Stage | None = None
        self._actors: list[Actor] = []
        self._before: dict[str, Actor] = {}

    def show(self, moment: Moment, panel: Stage) -> None:
        self.moment, self._stage = moment, panel
        self._actors = sorted(panel.actors, key=_nearness)
        before: Stage | None = panel_before(moment, panel)
        self._before = {actor.name: actor for actor in before.actors} if before else {}
        self.repaint()

    @property
    def height_wanted(self) -> Height:
        return self.HEIGHT._replace(most=max(self.HEIGHT.least, HEAD + len(self._actors) + 3))

    # Drawing

    def heading(self) -> list[Piece]:
        name = "stage" if self._stage is None else self._stage.name
        return [self.title_piece(f"{name}  {self.base.value}")]

    def caption(self) -> list[Piece]:
        on_stage = sum(actor.on_stage for actor in self._actors)
        return [self.title_piece(f"{on_stage} of {len(self._actors)} on stage")]

    def row_count(self) -> int:
        return HEAD + len(self._actors)

    def line(self, row: int, width: int) -> Strip:
        palette, stage = self.palette, self._stage
        if stage is None:
            return strip_of([], width, palette.base)
        if row == 0:
            place = f" {stage.act}, {stage.scene}".translate(PICTURED_TEXT)
            return strip_of([Piece(place, palette.strong)], width, palette.base)
        if row == 1:
            return strip_of(self._answer(stage), width, palette.base)
        return strip_of(self._actor(self._actors[row - HEAD], width), width, palette.base)

    def _answer(self, stage: Stage) -> list[Piece]:
        faint = self.palette.faint
        if stage.condition is None:
            return [Piece(" no question asked so far", faint)]
        word = "yes" if stage.condition else "no"
        return [Piece(" last answer: ", faint), Piece(word, self.palette.strong)]

    def _actor(self, actor: Actor, width: int) -> list[Piece]:
        palette = self.palette
        old = self._before.get(actor.name)
        name_width = min(max(len(each.name) for each in self._actors), width // 2)
        role = ROLES.get(actor.role, ON_STAGE if actor.on_stage else OFF_STAGE)
        style = palette.base if actor.on_stage else palette.faint
        if actor.role == "speaker":
            style = palette.strong
        elif actor.role == "addressee":
            style = palette.pointer
        value = spell_number(actor.value, self.base)
        changed = old is not None and old.value != actor.value
        pieces = [
            Piece(f" {role:<{ROLE_WIDTH}} ", style),
            Piece(f"{actor.name[:name_width]:<{name_width}} ", style),
            Piece(" " * max(0, 6 - len(value)), palette.base),
            Piece(value, palette.changed if changed else style),
        ]
        stack = actor.stack
        if stack.depth:
            pushed = changed_values(stack, old.stack if old is not None else None)
            pieces.append(Piece(f"  stack {grouped(stack.depth)}:", palette.faint))
            for index, each in enumerate(stack.values):
                pieces.append(Piece(" ", palette.base))
                body = palette.changed if index in pushed else style
                pieces.append(Piece(spell_number(each, self.base), body))
        return pieces


def _nearness(actor: Actor) -> int:
    """Speaker, addressee, others on stage, others; the play's order within each."""
    order = {"speaker": 0, "addressee": 1}
    return order.get(actor.role, 2 if actor.on_stage else 3)
