"""The fields of a position line: words separated by spaces, the first of them the name of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import NotationError
from engine.notation_text import MAX_LINE_LENGTH, abbreviate

if TYPE_CHECKING:
    from collections.abc import Iterable


def split_fields(text: str, layout: str, wrong_game: str = "line.wrong_game") -> list[str]:
    """Return the fields of the position line `text` without the name of the game. Raise NotationError.

    `layout` is the name of the game and the names of the fields, such as
    ``morphos MUTATORS ROWS SIDE TURN EXTRA``; `wrong_game` is the key of the refusal of another name.
    """
    name, *field_names = layout.split()
    if len(text) > MAX_LINE_LENGTH:
        raise NotationError("line.too_long", {"longest": MAX_LINE_LENGTH}, text=text)
    found = text.split()
    if len(found) != len(field_names) + 1:
        counts = {"found": len(found), "wanted": len(field_names) + 1}
        raise NotationError("line.wrong_field_count", {"form": layout, **counts}, text=text)
    if found[0] != name:
        raise NotationError(wrong_game, {"name": name, "found": abbreviate(found[0])}, text=text)
    return found[1:]


def check_side(found: str, letters: Iterable[str], line: str) -> None:
    """Raise NotationError if `found` is not one of the two `letters` of sides in a position line."""
    first, second = letters
    if found not in {first, second}:
        values = {"first": first, "second": second, "found": abbreviate(found)}
        raise NotationError("line.invalid_side", values, text=line)
