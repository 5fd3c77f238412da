"""The fields of a position line: words separated by spaces, the first of them the name of the game."""

from __future__ import annotations

from engine.game import NotationError
from engine.notation_text import MAX_LINE_LENGTH, abbreviate

LINE_TOO_LONG = "A position line is at most {longest} characters long."
WRONG_FIELD_COUNT = "A position line reads: {form}. This one has {found} fields, not {wanted}."
WRONG_GAME_NAME = "A position line of this game begins with {name}, not {found}."


def split_fields(text: str, layout: str) -> list[str]:
    """Return the fields of the position line `text` without the name of the game. Raise NotationError.

    `layout` is the name of the game and the names of the fields, such as
    ``morphos MUTATORS ROWS SIDE TURN EXTRA``.
    """
    name, *field_names = layout.split()
    if len(text) > MAX_LINE_LENGTH:
        raise NotationError(LINE_TOO_LONG.format(longest=MAX_LINE_LENGTH), text=text)
    found = text.split()
    if len(found) != len(field_names) + 1:
        message = WRONG_FIELD_COUNT.format(form=layout, found=len(found), wanted=len(field_names) + 1)
        raise NotationError(message, text=text)
    if found[0] != name:
        raise NotationError(WRONG_GAME_NAME.format(name=name, found=abbreviate(found[0])), text=text)
    return found[1:]
