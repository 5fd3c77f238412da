"""A Discord on loopback for tests, the demo and benchmarks; the unmodified discord.py client connects to it.

    async with DiscordServer() as discord:
        guild = discord.guild("Salon")
        channel = guild.channel("games")         # permissions=...: the bot's there; DEFAULT otherwise
        alice, bob = guild.member("Alice"), guild.member("Bob")
        client = discord_py.Client(intents=..., connector=discord.connector())
        running = asyncio.create_task(client.start(discord.token))
        await discord.wait_until_connected()

        reply = await alice.command("challenge", {"opponent": bob}, channel=channel)   # also "group sub"
        reply.content, reply.embeds, reply.attachments[0].data, reply.ephemeral, reply.buttons, reply.text
        reply = await bob.click(reply, "Accept")     # label, emoji or custom_id; on a Reply or a Message
        reply = await bob.select(channel.messages[-1], "Choose a stone", ["D1"])   # labels or values
        reply = await alice.submit(reply.modal, {"Move": "D1-I6"})                 # by label or custom_id
        choices = await alice.autocomplete("move", {"move": "D1"}, focused="move", channel=channel)
        alice.sees(channel), alice.pings, alice.dms, channel.messages, discord.posts   # live objects
        await channel.wait_for(lambda message: "White" in message.text)                # event-driven

Actions that Discord's app does not allow raise `ActionNotPossible`: unknown commands and options, disabled
buttons, components of messages that the person cannot see, options that do not exist. A `Reply` holds the
response: a message (`message`), a modal (`modal`), autocomplete choices (`choices`), a deferred response
(`deferred`; `await reply.wait_until_complete()`), an update of the clicked message (`updated`), or Discord's
error text if there was no response in time (`failed`).

Time: `discord.advance(seconds)` advances Discord's clock, so that the three-second response deadline, the
fifteen minutes of the interaction token and the nonce memory expire without waiting. `discord.settings`
holds these durations, the attachment limit and the token.

Faults: `discord.faults.refuse / rate_limit / hold / drop / silence(method, route, ...)`, with routes like
"/channels/*/messages" or "/interactions/**". A fault applies once unless `times` is given (None: until
removed). With `after_processing=True`, `hold` and `drop` apply after the request was processed. Gateway:
`await discord.gateway.reconnect() / close(code) / invalidate(resumable=...)`,
`discord.gateway.drop_connections()`.

`discord.requests` is the log of the bot's requests (method, path, route, body, uploads, status). Every
request and response is checked against Discord's OpenAPI description if it is available
(`discord.violations`, raised at the end of the context; `check=False` disables this).

Another process connects with `connector_for(discord.port, discord.ca_file)`.

Note: discord.py fires `on_ready` two seconds after the last guild unless `guild_ready_timeout` is given, and
sleeps five seconds before it identifies again unless `before_identify_hook` is overridden; resuming is
immediate.
"""

from tests.discord_connector import connector_for
from tests.discord_server.attachments import Attachment, Upload
from tests.discord_server.components import Button, Select, SelectOption
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
