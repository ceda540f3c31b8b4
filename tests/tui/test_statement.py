"""The statement of a problem, while the cursor goes through the list."""

from __future__ import annotations

import asyncio

from textual.app import App, ComposeResult

from esoplay.packs.catalogue import get_pack
from esoplay.tui.browser.statement import ExampleCard, StatementPane
from esoplay.tui.themes import variable_defaults


class StatementApp(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    def compose(self) -> ComposeResult:
        yield StatementPane()


async def test_the_last_of_several_problems_is_shown_alone() -> None:
    pack = get_pack()
    first, second, third = (pack.problem(id) for id in ("E02", "E08", "E04"))
    app = StatementApp()
    async with app.run_test() as pilot:
        statement = app.query_one(StatementPane)
        for problems in ((first, second), (third, first, third), (second, second)):
            await asyncio.gather(*(statement.show(problem, 0) for problem in problems))
            await pilot.pause()
            last = problems[-1]
            assert statement.problem is last
            tips = [str(card.tooltip) for card in statement.query(ExampleCard)]
            assert tips == [
                f"Example {at}: click to debug it" for at in range(1, len(last.examples) + 1)
            ]
        await asyncio.gather(statement.show(first, 0), statement.show_no_problem())
        await pilot.pause()
        assert not statement.query(ExampleCard)
