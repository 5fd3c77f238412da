"""Interactions: sent to the bot, which must respond once within three seconds."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from tests.discord_server.errors import INVALID_WEBHOOK_TOKEN, UNKNOWN_WEBHOOK, ApiError, unknown_error
from tests.discord_server.guilds import ChannelKind
from tests.discord_server.permissions import IN_PRIVATE

if TYPE_CHECKING:
    from tests.discord_server.clock import Timer
    from tests.discord_server.errors import Json
    from tests.discord_server.guilds import ChannelState
    from tests.discord_server.messages import Message
    from tests.discord_server.users import User
    from tests.discord_server.world import World

NO_ANSWER = "The application did not respond"


class InteractionKind(IntEnum):
    """Discord's interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Callback(IntEnum):
    """Discord's interaction callback types."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


class InteractionState(IntEnum):
    """The progress of an interaction."""

    OPEN = 0
    ANSWERED = 1
    DEAD = 2


@dataclass(frozen=True, slots=True)
class InteractionResponse:
    """The first response to an interaction: its type and data, or why there was none (`failed`)."""

    callback: Callback | None = None
    data: Json = field(default_factory=dict)
    failed: str | None = None


@dataclass(eq=False, slots=True)
class Interaction:
    """An interaction that was sent. `source` is the message whose component was used.

    `original` is the message of `@original`: the response, or the source if the response updated it.
    """

    id: int
    token: str
    kind: InteractionKind
    user: User
    channel: ChannelState
    data: Json
    created: float
    response: asyncio.Future[InteractionResponse]
    source: Message | None = None
    trigger: Interaction | None = None
    state: InteractionState = InteractionState.OPEN
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    deadline: Timer | None = None
    owners: Json = field(default_factory=dict)

    def resolve(self, answer: InteractionResponse) -> None:
        """Pass the first response, or the failure, to the person who waits."""
        self.state = InteractionState.DEAD if answer.failed else InteractionState.ANSWERED
        if self.deadline is not None:
            self.deadline.cancel()
        if not self.response.done():
            self.response.set_result(answer)

    def expire(self) -> None:
        if self.state is InteractionState.OPEN:
            self.resolve(InteractionResponse(failed=NO_ANSWER))

    def metadata(self) -> Json:
        """Return the interaction metadata of a message."""
        found: Json = {
            "id": str(self.id),
            "type": int(self.kind),
            "user": self.user.json(),
            "authorizing_integration_owners": self.owners,
        }
        if self.kind is InteractionKind.COMMAND:
            found["name"] = self.data["name"]
            for target, key in (("users", "target_user"), ("messages", "target_message_id")):
                resolved = self.data.get("resolved", {}).get(target, {}).get(self.data.get("target_id"))
                if resolved is not None:
                    found[key] = resolved if target == "users" else resolved["id"]
        if self.kind is InteractionKind.COMPONENT and self.source is not None:
            found["interacted_message_id"] = str(self.source.id)
        if self.kind is InteractionKind.MODAL and self.trigger is not None:
            found["triggering_interaction_metadata"] = self.trigger.metadata()
        return found


def start_interaction(
    world: World,
    kind: InteractionKind,
    user: User,
    channel: ChannelState,
    data: Json,
    *,
    source: Message | None = None,
    trigger: Interaction | None = None,
) -> Interaction:
    """Send an interaction to the bot and start its deadline."""
    interaction = Interaction(
        world.clock.snowflake(),
        secrets.token_urlsafe(48),
        kind,
        user,
        channel,
        data,
        world.clock.time(),
        asyncio.get_running_loop().create_future(),
        source,
        trigger,
        owners=_owners(world, user, channel),
    )
    world.interactions[interaction.token] = interaction
    if world.gateway is None or not world.gateway.is_reachable:
        interaction.expire()  # no session will receive it, so waiting is pointless
        return interaction
    interaction.deadline = world.clock.call_later(world.settings.interaction_seconds, interaction.expire)
    world.dispatch("INTERACTION_CREATE", payload(world, interaction))
    return interaction


def _owners(world: World, user: User, channel: ChannelState) -> Json:
    """Return the installations that allow this interaction: 0 the guild's (or DM's), 1 the user's."""
    found: Json = {"1": str(user.id)} if user.installed else {}
    if channel.guild is None:
        return {"0": "0", **found}
    return {"0": str(channel.guild.id), **found} if world.bot.id in channel.guild.members else found


def payload(world: World, interaction: Interaction) -> Json:
    """Return the interaction as sent over the gateway; absent keys are omitted."""
    channel = interaction.channel
    guild = channel.guild
    found: Json = {
        "id": str(interaction.id),
        "application_id": str(world.application_id),
        "type": int(interaction.kind),
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": str(channel.id),
        "channel": channel.json() | {"permissions": str(int(channel.bits(interaction.user)))},
        "app_permissions": str(int(IN_PRIVATE if guild is None else channel.bits(world.bot))),
        "locale": interaction.user.locale,
        "entitlements": [],
        "authorizing_integration_owners": interaction.owners,
        "context": 1 if channel.kind is ChannelKind.DM else 0,
        "attachment_size_limit": world.settings.attachment_limit,
    }
    if guild is None:
        found["user"] = interaction.user.json()
    else:
        member = guild.members[interaction.user.id].json()
        member["permissions"] = str(int(channel.bits(interaction.user)))
        found |= {
            "member": member,
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
            "guild_locale": guild.locale,
        }
    if interaction.source is not None:
        found["message"] = interaction.source.json()
    return found


def by_token(world: World, token: str) -> Interaction:
    """Return the answered interaction with this webhook token. Raises `ApiError` if there is none."""
    interaction = world.interactions.get(token)
    if interaction is None or interaction.state is not InteractionState.ANSWERED:
        raise unknown_error("Webhook", UNKNOWN_WEBHOOK)
    if world.clock.time() - interaction.created > world.settings.token_seconds:
        raise ApiError(401, INVALID_WEBHOOK_TOKEN, "Invalid Webhook Token")
    return interaction
