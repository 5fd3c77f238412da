"""A small real discord.py bot that uses every feature of the loopback Discord."""

from __future__ import annotations

import asyncio
import contextlib
import io
from typing import TYPE_CHECKING, Any, Literal

import discord
from discord import app_commands

from tests.discord_server.waiting import PATIENCE, Signal

if TYPE_CHECKING:
    import re
    from collections.abc import AsyncIterator

    import aiohttp

    from tests.discord_server import DiscordServer

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x02\x00\x00\x00\x03\x08\x02\x00\x00\x00"
    b"\x12\x16\xf1M\x00\x00\x00\x00IEND\xaeB`\x82"
)


def picture(name: str = "board.png", description: str | None = "A board") -> discord.File:
    """Return a small PNG to upload."""
    return discord.File(io.BytesIO(PNG), name, description=description)


class CounterButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"count:(?P<count>\d+)"):
    """A button whose state is only in its custom_id, so that it survives a restart."""

    def __init__(self, count: int) -> None:
        super().__init__(discord.ui.Button(label=f"Count {count}", custom_id=f"count:{count}"))
        self.count = count

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: discord.ui.Item[Any], match: re.Match[str], /
    ) -> CounterButton:
        return cls(int(match["count"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        view = discord.ui.View(timeout=None).add_item(CounterButton(self.count + 1))
        await interaction.response.edit_message(content=f"counted {self.count + 1}", view=view)


class LabelForm(discord.ui.Modal, title="A move"):
    """A modal with labels around inputs."""

    move: discord.ui.Label[Any] = discord.ui.Label(
        text="Move", description="As text", component=discord.ui.TextInput(min_length=2, max_length=10)
    )
    side: discord.ui.Label[Any] = discord.ui.Label(
        text="Side",
        component=discord.ui.Select(
            options=[discord.SelectOption(label="Black"), discord.SelectOption(label="White")], required=False
        ),
    )

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        text = self.move.component
        side = self.side.component
        assert isinstance(text, discord.ui.TextInput)
        assert isinstance(side, discord.ui.Select)
        await interaction.response.send_message(f"{text.value} by {side.values}", ephemeral=True)


class RowForm(discord.ui.Modal, title="An old form"):
    """A modal with inputs in action rows, the older form."""

    text: discord.ui.TextInput[Any] = discord.ui.TextInput(label="Text", required=False, default="as it was")

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        await interaction.response.edit_message(content=f"form: {self.text.value}")


class Panel(discord.ui.View):
    """Buttons and a select, one for each kind of response."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.add_item(discord.ui.Button(label="Page", url="https://example.com/"))

    @discord.ui.button(label="Update", custom_id="panel:update")
    async def update(self, interaction: discord.Interaction[Any], _: discord.ui.Button[Any]) -> None:
        await interaction.response.edit_message(content="updated", attachments=[picture("new.png")])

    @discord.ui.button(label="Whisper", custom_id="panel:whisper")
    async def whisper(self, interaction: discord.Interaction[Any], _: discord.ui.Button[Any]) -> None:
        await interaction.response.send_message("psst", ephemeral=True, view=Panel())

    @discord.ui.button(label="Form", custom_id="panel:form")
    async def form(self, interaction: discord.Interaction[Any], _: discord.ui.Button[Any]) -> None:
        await interaction.response.send_modal(LabelForm())

    @discord.ui.button(label="Old form", custom_id="panel:old")
    async def old_form(self, interaction: discord.Interaction[Any], _: discord.ui.Button[Any]) -> None:
        await interaction.response.send_modal(RowForm())

    @discord.ui.button(label="Later", custom_id="panel:later", row=1)
    async def later(self, interaction: discord.Interaction[Any], _: discord.ui.Button[Any]) -> None:
        await interaction.response.defer()
        await interaction.edit_original_response(content="changed later")

    @discord.ui.button(label="Off", custom_id="panel:off", row=1, disabled=True)
    async def off(self, interaction: discord.Interaction[Any], _: discord.ui.Button[Any]) -> None:
        await interaction.response.send_message("never")

    @discord.ui.button(label="Twice", custom_id="panel:twice", row=1)
    async def twice(self, interaction: discord.Interaction[Any], _: discord.ui.Button[Any]) -> None:
        await interaction.response.send_message("once")
        interaction.response._response_type = None
        try:
            await interaction.response.send_message("twice")
        except discord.HTTPException as error:
            await interaction.followup.send(f"refused with {error.code}", ephemeral=True)

    @discord.ui.select(
        placeholder="Stone",
        custom_id="panel:stone",
        max_values=2,
        row=2,
        options=[
            discord.SelectOption(label="Left", value="D1"),
            discord.SelectOption(label="Right", value="E1"),
        ],
    )
    async def stone(self, interaction: discord.Interaction[Any], menu: discord.ui.Select[Any]) -> None:
        await interaction.response.edit_message(content=f"stones {menu.values}")


class SmallBot(discord.Client):
    """A client with a command tree; tests can wait for the events that it receives."""

    def __init__(self, connector: aiohttp.BaseConnector, intents: discord.Intents | None = None) -> None:
        super().__init__(
            intents=intents or discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            connector=connector,
            guild_ready_timeout=0.05,
            allowed_mentions=discord.AllowedMentions(everyone=False, users=True, roles=False),
        )
        self.tree = app_commands.CommandTree(self)
        self._heard: list[str] = []
        self._hearing = Signal()
        self.got: asyncio.Queue[discord.Interaction[Any]] = asyncio.Queue()
        _register(self.tree)
        _register_for_people(self.tree)

    async def setup_hook(self) -> None:
        self.add_view(Panel())
        self.add_dynamic_items(CounterButton)
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify immediately, without the library's delay of five seconds for the real Discord."""

    async def on_message(self, message: discord.Message) -> None:
        self._receive(message.content)

    async def on_message_edit(self, _: discord.Message, after: discord.Message) -> None:
        self._receive(f"edited: {after.content}")

    def _receive(self, text: str) -> None:
        self._heard.append(text)
        self._hearing.notify()

    async def wait_for_text(self, text: str, seconds: float = PATIENCE) -> int:
        """Wait for a message with this content over the gateway; return how often it has been received."""
        return await self._hearing.until(
            lambda: self._heard.count(text), seconds, f"the bot to hear {text!r}"
        )


def _owner(interaction: discord.Interaction[Any]) -> str:
    if interaction.is_guild_integration():
        return f"guild {interaction.guild_id}"
    return f"user {interaction.user.id}" if interaction.is_user_integration() else "nobody"


def _register(tree: app_commands.CommandTree[Any]) -> None:
    @tree.command(description="Says something")
    @app_commands.describe(text="What", to="Whom", loud="Loudly", times="How often")
    async def say(
        interaction: discord.Interaction[Any],
        text: str,
        to: discord.Member | None = None,
        loud: Literal["yes", "no"] = "no",
        times: app_commands.Range[int, 1, 3] = 1,
    ) -> None:
        texts = text.upper() if loud == "yes" else text
        whom = f"{to.mention} " if to else ""
        await interaction.response.send_message(whom + " ".join([texts] * times))

    @tree.command(description="Hands the interaction to the test")
    async def hand(interaction: discord.Interaction[Any]) -> None:
        assert isinstance(interaction.client, SmallBot)
        interaction.client.got.put_nowait(interaction)

    @tree.command(description="Shows the panel")
    async def panel(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("panel", view=Panel(), file=picture())

    @tree.command(description="Counts")
    async def count(interaction: discord.Interaction[Any]) -> None:
        view = discord.ui.View(timeout=None).add_item(CounterButton(0))
        await interaction.response.send_message("counted 0", view=view)

    @tree.command(description="Moves")
    async def move(interaction: discord.Interaction[Any], move: str) -> None:
        await interaction.response.send_message(f"moved {move}")

    @move.autocomplete("move")
    async def moves(_: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        known = ["D1-I6", "D1-E2", "A4"]
        return [app_commands.Choice(name=one, value=one) for one in known if one.startswith(typed)]

    @tree.command(description="Reads a file")
    async def read(interaction: discord.Interaction[Any], record: discord.Attachment) -> None:
        text = (await record.read()).decode()
        await interaction.response.send_message(f"{record.filename}: {text}")

    group = app_commands.Group(name="match", description="Matches")

    @group.command(description="Resigns")
    async def resign(interaction: discord.Interaction[Any], number: int) -> None:
        await interaction.response.send_message(f"resigned {number}", ephemeral=True)

    tree.add_command(group)


def _register_for_people(tree: app_commands.CommandTree[Any]) -> None:
    @tree.command(description="Is with a person, wherever they are")
    @app_commands.allowed_installs(guilds=False, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True)
    async def mine(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(_owner(interaction))

    @tree.command(description="Is with a person and in servers")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True)
    async def both(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message(_owner(interaction))


@contextlib.asynccontextmanager
async def running_bot(
    server: DiscordServer, intents: discord.Intents | None = None
) -> AsyncIterator[SmallBot]:
    """Run a bot inside this context."""
    bot = SmallBot(server.connector(), intents)
    task = asyncio.create_task(bot.start(server.token))
    try:
        await server.wait_until_connected()
        yield bot
    finally:
        await bot.close()
        with contextlib.suppress(asyncio.CancelledError):
            await task
