"""``/import``: the record of a game from a file, shown as a replay."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot import looks, people
from bot.answers import UNREACHED
from bot.refusals import Refusal
from bot.replays.bookmark import Bookmark
from bot.replays.dialogue import begin, finish, sheet
from matches import LARGEST_RECORD, RecordTooLarge

if TYPE_CHECKING:
    import discord

    from bot.client import Interaction

FETCHING = 20.0  # seconds in which Discord must hand a file over


async def take_in(interaction: Interaction, file: discord.Attachment) -> None:
    """Read a file, keep the record that it holds, and show its last board in private."""
    if file.size > LARGEST_RECORD:
        raise RecordTooLarge(limit=LARGEST_RECORD, size=file.size)
    await begin(interaction, public=False)
    client = interaction.client
    game = await client.matches.import_record(
        await _fetched(file),
        people.person(interaction.user),
        server=people.place(interaction.guild_id or 0),
        now=client.now(),
    )
    post = await sheet(client, game, Bookmark.of(game, game.turns), await looks.chosen(interaction))
    await finish(interaction, post)


async def _fetched(file: discord.Attachment) -> bytes:
    try:
        async with asyncio.timeout(FETCHING):
            return await file.read()
    except UNREACHED as error:
        raise Refusal("file_unreachable") from error
