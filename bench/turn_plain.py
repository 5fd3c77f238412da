"""The cost of discord.py alone: ``python -m bench.turn_plain PORT CA_FILE TOKEN PNG``.

A bot that uses only discord.py: /plain answers as a turn does, with text, the picture in the file PNG and
three buttons.
"""

from __future__ import annotations

import asyncio
import io
import sys
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from tests.discord_connector import connector_for

ALT_TEXT = "Match 1. Black C1-D2. Bob (White) is to move.\n" + "1 w . . . . . . . . . . . b\n" * 18


class PlainBot(discord.Client):
    """A client with one command."""

    def __init__(self, connector: Any, png: bytes) -> None:
        super().__init__(intents=discord.Intents(guilds=True), connector=connector, max_messages=None)
        self.png = png
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        """Register the command."""
        self.tree.add_command(
            app_commands.Command(name="plain", description="Answers with a picture.", callback=answer_plain)
        )
        await self.tree.sync()


async def answer_plain(interaction: discord.Interaction[PlainBot]) -> None:
    """Answer as the bot answers a turn."""
    view = discord.ui.View(timeout=None)
    for label in ("Pick", "Move", "My view"):
        view.add_item(discord.ui.Button(label=label, custom_id=f"{label}:1:2"))
    picture = discord.File(io.BytesIO(interaction.client.png), "board.png", description=ALT_TEXT)
    await interaction.response.send_message(
        f"{interaction.user.mention}, you are to move.", file=picture, view=view
    )


async def main(port: str, ca_file: str, token: str, png: bytes) -> None:
    """Run the bot until it is terminated."""
    async with PlainBot(connector_for(int(port), ca_file), png) as client:
        await client.start(token)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]).read_bytes()))
