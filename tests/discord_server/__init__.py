"""A Discord on loopback for tests, the demo and benches: the unmodified discord.py client talks to it.

    async with DiscordServer() as discord:
        guild = discord.guild("Salon")
        channel = guild.channel("games")             # permissions=... are the bot's there; DEFAULT otherwise
        alice, bob = guild.member("Alice"), guild.member("Bob")
        client = discord_py.Client(intents=..., connector=discord.connector())
        running = asyncio.create_task(client.start(discord.token))
        await discord.wait_until_connected()

        reply = await alice.command("challenge", {"opponent": bob}, channel=channel)   # "group sub" too
        reply.content, reply.embeds, reply.attachments[0].data, reply.ephemeral, reply.buttons, reply.text
        reply = await bob.click(reply, "Accept")     # by label, emoji or custom_id; takes a Reply or Message
        reply = await bob.select(channel.messages[-1], "Choose a stone", ["D1"])       # by label or value
        reply = await alice.submit(reply.modal, {"Move": "D1-I6"})                     # by label or custom_id
        choices = await alice.autocomplete("move", {"move": "D1"}, focused="move", channel=channel)
        alice.sees(channel), alice.pings, alice.dms, channel.messages, discord.posts   # messages are live
        await channel.wait_for(lambda message: "White" in message.text)                # woken by events

What a person cannot do in Discord's app raises `ActionNotPossible`: unknown commands and options, buttons
that are disabled or in messages that they cannot see, choices that are not offered. A `Reply` tells what
came: a message (`message`), a modal (`modal`), suggestions (`choices`), "thinking" (`deferred`; `await
reply.finished()`), an update of the clicked message (`updated`), or nothing in time (`failed`, in Discord's
words).

Time: `discord.advance(seconds)` moves Discord's clock, so that the three seconds of an interaction, the
fifteen minutes of its token and the memory of nonces run out without waiting. `discord.settings` holds
those spans, the attachment limit and the token.

Faults: `discord.faults.refuse / rate_limit / hold / drop / silence(method, route, ...)`, routes as
"/channels/*/messages" or "/interactions/**"; one-shot unless `times` says otherwise (None: until removed).
`hold` and `drop` take `when_done=True` to strike after the request has been worked on. Gateway: `await
discord.gateway.reconnect() / close(code) / invalidate(resumable=...)`, `discord.gateway.lose()`.

`discord.requests` is the log of the bot's requests (method, path, route, body, uploads, status). Every
request and answer is checked against Discord's description where that lies beside the project
(`discord.violations`, raised at the end of the context; `check=False` for benches).

Another process connects with `connector_for(port, ca_file)`, given `discord.port` and `discord.ca_file`.

Note: discord.py says `on_ready` only two seconds after the last guild unless `guild_ready_timeout` is
given, and sleeps five seconds before it identifies anew unless `before_identify_hook` is overridden;
resuming is immediate.
"""

from tests.discord_server.attachments import Attachment, Upload
from tests.discord_server.components import Button, Select, SelectOption
from tests.discord_server.connector import connector_for
from tests.discord_server.errors import ActionNotPossible
from tests.discord_server.handles import Channel, Guild
from tests.discord_server.members import Member
from tests.discord_server.messages import Message
from tests.discord_server.permissions import DEFAULT, NOTHING, Permission
from tests.discord_server.replies import AutocompleteChoice, Modal, ModalField, Reply
from tests.discord_server.rest import LoggedRequest
from tests.discord_server.server import DiscordServer, SchemaViolations
from tests.discord_server.world import LoopbackSettings

__all__ = [
    "DEFAULT",
    "NOTHING",
    "ActionNotPossible",
    "Attachment",
    "AutocompleteChoice",
    "Button",
    "Channel",
    "DiscordServer",
    "Guild",
    "LoggedRequest",
    "LoopbackSettings",
    "Member",
    "Message",
    "Modal",
    "ModalField",
    "Permission",
    "Reply",
    "SchemaViolations",
    "Select",
    "SelectOption",
    "Upload",
    "connector_for",
]
