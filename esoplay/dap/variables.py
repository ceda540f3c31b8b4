"""What a state holds, as the protocol's scopes and variables: panels, unfolded on request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from esolangs.numbers import shown
from esolangs.view import CallStack
from esoplay.dap.panels import Item, items_of
from esoplay.dap.requests import RequestError
from esoplay.service.debugging import Debugger
from esoplay.service.source_maps import variables as named_variables

MOST = 4096
"""Variables of one answer."""


class Variables:
    """The variables of the present state; numbers for them hold until the state changes."""

    def __init__(self, debugger: Debugger):
        self._debugger = debugger
        self._groups: list[Item] = []
        self._given: dict[int, dict[str, Item]] = {}

    def forget(self) -> None:
        """The state is another one."""
        self._groups.clear()
        self._given.clear()

    def scopes(self) -> list[dict[str, Any]]:
        """The panels of the state; variables by name first where there is a source map."""
        return [
            {
                "name": item.name,
                "variablesReference": self._number(item),
                "expensive": False,
                **({"indexedVariables": item.indexed} if item.indexed else {}),
            }
            for item in self._scopes()
        ]

    def children(self, reference: int, start: int, count: int) -> list[dict[str, Any]]:
        """The variables inside of a scope or a variable; raises RequestError."""
        if not 0 < reference <= len(self._groups):
            raise RequestError(f"there is no variable {reference} in this state")
        inner = self._groups[reference - 1].inner
        assert inner is not None
        count = MOST if count <= 0 else min(count, MOST)
        items = inner(max(0, start), count)
        self._given.setdefault(reference, {}).update({item.name: item for item in items})
        return [self._as_json(item) for item in items]

    def find(self, reference: int, name: str) -> Item | None:
        """A variable that was given out."""
        return self._given.get(reference, {}).get(name)

    def _number(self, item: Item) -> int:
        if item.inner is None:
            return 0
        self._groups.append(item)
        return len(self._groups)

    def _as_json(self, item: Item) -> dict[str, Any]:
        data: dict[str, Any] = {
            "name": item.name,
            "value": item.value,
            "variablesReference": self._number(item),
        }
        if item.kind:
            data["type"] = item.kind
        if item.indexed:
            data["indexedVariables"] = item.indexed
        if item.expression:
            data["evaluateName"] = item.expression
        if not item.changeable:
            data["presentationHint"] = {"attributes": ["readOnly"]}
        return data

    def _scopes(self) -> Iterator[Item]:
        if self._debugger.source_map is not None:
            yield Item("variables", "", inner=self._named)
        for panel in self._debugger.view().panels:
            if not isinstance(panel, CallStack):  # its frames are the stack trace
                yield from items_of(panel, self._debugger)
        yield Item("registers", "", inner=self._registers)

    def _named(self, start: int, count: int) -> list[Item]:
        found = named_variables(self._debugger)
        return [
            Item(
                each.name,
                each.text,
                "" if each.value is None else "int",
                expression="" if each.value is None else each.name,
                place=None,
                name_of_map=each.name if each.cells else "",
            )
            for each in found[start : start + count]
        ]

    def _registers(self, start: int, count: int) -> list[Item]:
        meanings = self._debugger.program.register_names()
        values = list(self._debugger.registers().items())[start : start + count]
        return [
            Item(name, str(shown(value)), meanings.get(name, ""), expression=name)
            for name, value in values
        ]
