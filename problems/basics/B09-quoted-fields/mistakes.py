"""Wrong solutions of B09, by the edge class that catches each."""

from __future__ import annotations


def fields(text: str) -> list[str]:
    found, quoted = [""], False
    for sign in text:
        if sign == '"':
            quoted = not quoted
        elif sign == "," and not quoted:
            found.append("")
        else:
            found[-1] += sign
    return found


def shown(found: list[str]) -> str:
    return "\n".join(f"{field};" for field in found)


def one__needs_a_comma(text: str) -> str:
    return shown(fields(text)[:-1])


def empty__left_out(text: str) -> str:
    return shown([field for field in fields(text) if field])


def empty__last_one_lost(text: str) -> str:
    return shown(fields(text.rstrip(",")))


def comma__splits_within_quotes(text: str) -> str:
    return shown(text.replace('"', "").split(","))


def quotes__printed(text: str) -> str:
    return shown(['""' if each == '""' else each.strip('"') for each in text.split(",")])


def last__closing_quote_lost(text: str) -> str:
    return shown(fields(text.removesuffix('"').removesuffix(",")))


def nothing__no_field(text: str) -> str:
    return shown(fields(text)) if text else ""
