"""The fields of a position line: words parted by spaces, the first of them the game's name."""

from __future__ import annotations

from engine.game import NotationError
from engine.texts import LONGEST_LINE, quoted

TOO_LONG = "A position line is at most {longest} characters long."
COUNT = "A position line reads: {form}. This one has {found} fields, not {wanted}."
NAME = "A position line of this game begins with {name}, not {found}."


def split(text: str, form: str) -> list[str]:
    """Give the fields of the position line `text` after the game's name.

    `form` names the game and then every field, such as ``morphos MUTATORS ROWS SIDE TURN EXTRA``.
    Raises NotationError.
    """
    name, *names = form.split()
    if len(text) > LONGEST_LINE:
        raise NotationError(TOO_LONG.format(longest=LONGEST_LINE), text=text)
    found = text.split()
    if len(found) != len(names) + 1:
        reason = COUNT.format(form=form, found=len(found), wanted=len(names) + 1)
        raise NotationError(reason, text=text)
    if found[0] != name:
        raise NotationError(NAME.format(name=name, found=quoted(found[0])), text=text)
    return found[1:]
