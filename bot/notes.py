"""Private notes about a match: read and written in one form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from discord.utils import escape_markdown

from bot import forms, people
from bot.answers import within
from bot.commands import command
from bot.parts import Part
from bot.posts import Post
from bot.presses import Press
from bot.replays import choosing
from bot.replays.bookmark import Bookmark, Kind
from bot.replays.dialogue import load
from matches import MatchId
from matches.notes import LONGEST_NOTE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from engine.game import Game
    from matches import MatchView
    from words import Words

FORM = "noted1"


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the command and its form."""
    note = command(words, "note", _asked, choosing.field("note"))
    return Part(commands=(note,), items=(NoteButton,), forms={FORM: _written}, in_private=(NoteButton.of,))


class NoteButton(Press, template=r"note1:(?P<match>\d{1,12})"):
    """Shows one's note about a match."""

    @classmethod
    def of(cls, words: Words, view: MatchView, _account: str) -> Self | None:
        """Make the button under a board."""
        if view.position is None:
            return None
        return cls.labelled(words("button.note"), f"note1:{view.id}")

    async def pressed(self, interaction: Interaction) -> None:
        """Show it, to be changed."""
        await _show(interaction, MatchId(int(self.values["match"])))


async def _asked(interaction: Interaction, match: str | None) -> None:
    await _show(interaction, await choosing.chosen(interaction, match))


async def _show(interaction: Interaction, number: MatchId) -> None:
    """Show one's note, to be changed."""
    client = interaction.client
    await _see(interaction, number)
    words, note = client.words, await client.matches.notes.of(number, people.person(interaction.user))
    modal = forms.form(
        words("note.title", match=number),
        f"{FORM}:{number}",
        forms.text("note", words("note.label"), note, LONGEST_NOTE),
    )
    async with within(interaction):
        await interaction.response.send_modal(modal)


async def _written(interaction: Interaction) -> None:
    """Keep what was written."""
    client = interaction.client
    number = MatchId(int(forms.values(interaction)[0]))
    text, who = forms.typed(interaction).get("note", ""), people.person(interaction.user)
    kept = await client.matches.notes.write(number, who, text, now=client.now())
    words = client.words
    key = "note.kept" if kept else "note.gone"
    post = Post(words(key, match=number, note=escape_markdown(kept)))
    async with within(interaction):
        await interaction.response.send_message(**post.new(), ephemeral=True)


async def _see(interaction: Interaction, match: MatchId) -> None:
    """Raise MatchError where the match is none that can be seen here."""
    await load(interaction, Bookmark(Kind.MATCH, match))
