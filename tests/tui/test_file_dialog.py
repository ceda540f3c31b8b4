"""The dialog that asks for a file."""

from __future__ import annotations

from pathlib import Path

from textual.app import App
from textual.widgets import Input, OptionList

from esoplay.tui.file_dialog import FileDialog
from esoplay.tui.themes import variable_defaults


class DialogApp(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)


async def test_click_on_a_removed_entry_opens_nothing(tmp_path: Path) -> None:
    for name in ("a.bf", "b.bf", "c.bf"):
        (tmp_path / name).write_bytes(b"+")
    answers: list[Path | None] = []
    app = DialogApp()
    async with app.run_test() as pilot:
        dialog = FileDialog("Open")
        app.push_screen(dialog, answers.append)
        await pilot.pause()
        entry, listed = dialog.query_one(Input), dialog.query_one(OptionList)
        entry.value = f"{tmp_path}/"
        await pilot.pause()
        clicked = OptionList.OptionSelected(listed, listed.get_option_at_index(2), 2)
        entry.value = f"{tmp_path}/b"
        await pilot.pause()
        listed.post_message(clicked)
        await pilot.pause()
        assert not answers
        listed.post_message(
            OptionList.OptionSelected(listed, listed.get_option_at_index(0), 2)  # it moved
        )
        await pilot.pause()
        assert answers == [tmp_path / "b.bf"]
