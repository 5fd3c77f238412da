"""What boards to think on bring to the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot import looks, people
from bot.analysis import dialogue
from bot.commands import Field, command
from bot.parts import Part
from bot.presses import Press
from bot.replays import choosing
from bot.replays.bookmark import END, FORM, Bookmark, Kind
from bot.replays.dialogue import load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from engine.game import Game
    from matches import MatchView
    from words import Words


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the command, its form, and the buttons and the menu under its answers."""
    what_if = command(
        words,
        "whatif",
        _opened,
        choosing.field("whatif"),
        Field("turn", "command.whatif.turn", int),
        Field("record", "command.whatif.record", int),
    )
    return Part(
        commands=(what_if,),
        items=(*dialogue.ITEMS, WhatIf),
        forms={dialogue.TYPED: dialogue.typed},
        in_private=(WhatIf.of,),
        on_page=(WhatIf.at,),
    )


class WhatIf(Press, template=rf"whatif1:{FORM}"):
    """Opens the board under which it stands, to think on it."""

    @classmethod
    def of(cls, words: Words, view: MatchView, _account: str) -> Self | None:
        """Make the button under a board."""
        if view.position is None:
            return None
        turn = view.last[-1].turn if view.last else 0
        return cls.labelled(words("button.what_if"), f"whatif1:{Bookmark(Kind.MATCH, view.id, turn)}")

    @classmethod
    def at(cls, words: Words, bookmark: Bookmark) -> Self:
        """Make the button under the page of a bookmark, beside the other things to do with it."""
        return cls.labelled(words("button.what_if"), f"whatif1:{bookmark}", row=1)

    async def pressed(self, interaction: Interaction) -> None:
        """Answer with it."""
        bookmark = Bookmark.read(self.values)
        await _open(interaction, bookmark, bookmark.turn)


async def _opened(interaction: Interaction, match: str | None, turn: int | None, record: int | None) -> None:
    """Open a board of a match or a record, by default its last."""
    if record is None:
        bookmark = Bookmark(Kind.MATCH, await choosing.chosen(interaction, match))
    else:
        bookmark = choosing.record(record)
    at = END if turn is None else max(0, min(turn, END))
    await _open(interaction, bookmark, at)


async def _open(interaction: Interaction, bookmark: Bookmark, at: int) -> None:
    game = await load(interaction, bookmark)
    second = game.pages[-1].seats[1].person.account == people.account(interaction.user)
    turned = looks.turned(await looks.chosen(interaction), second=second)
    page = game.page(at)
    await dialogue.open_study(interaction, Bookmark(bookmark.kind, bookmark.number, page.turn, turned))
