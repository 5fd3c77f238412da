"""Routes for channels, threads, direct messages and guilds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.discord_server.errors import (
    THREAD_EXISTS,
    UNKNOWN_MEMBER,
    ApiError,
    ValidationProblems,
    missing_access,
    missing_permissions,
    unknown_error,
)
from tests.discord_server.guilds import THREADS, ChannelKind, ChannelState
from tests.discord_server.messages import MessageFlag
from tests.discord_server.permissions import Permission
from tests.discord_server.rest import NO_CONTENT, ApiResponse, Route

if TYPE_CHECKING:
    from tests.discord_server.rest import ApiCall
    from tests.discord_server.world import World

GUILDS = 1 << 0


def require_channel(call: ApiCall, *needed: Permission) -> ChannelState:
    """Return the channel of the path if the bot can view it and has the needed permissions."""
    channel = call.world.channel(call.id("channel_id"))
    granted = channel.permissions(call.world.bot)
    if Permission.VIEW_CHANNEL not in granted:
        raise missing_access()
    if any(one not in granted for one in needed):
        raise missing_permissions()
    return channel


async def get_channel(call: ApiCall) -> ApiResponse:
    return ApiResponse(require_channel(call).json())


async def edit_channel(call: ApiCall) -> ApiResponse:
    channel = require_channel(call)
    if channel.kind in THREADS and channel.owner_id != call.world.bot.id:
        channel = require_channel(call, Permission.MANAGE_THREADS)
    channel.name = call.body.get("name") or channel.name
    channel.archived = bool(call.body.get("archived", channel.archived))
    channel.locked = bool(call.body.get("locked", channel.locked))
    call.world.dispatch(
        "THREAD_UPDATE" if channel.kind in THREADS else "CHANNEL_UPDATE", channel.json(), GUILDS
    )
    return ApiResponse(channel.json())


async def start_thread(call: ApiCall) -> ApiResponse:
    kind = ChannelKind(call.body.get("type") or ChannelKind.PRIVATE_THREAD)
    public = kind is ChannelKind.PUBLIC_THREAD
    parent = require_channel(
        call, Permission.CREATE_PUBLIC_THREADS if public else Permission.CREATE_PRIVATE_THREADS
    )
    thread = _open(call, parent, kind, call.world.clock.snowflake())
    member = {
        "id": str(thread.id),
        "user_id": str(call.world.bot.id),
        "join_timestamp": call.world.clock.timestamp(),
        "flags": 0,
    }
    return ApiResponse(thread.json() | {"member": member}, 201)


async def start_thread_from_message(call: ApiCall) -> ApiResponse:
    parent = require_channel(call, Permission.CREATE_PUBLIC_THREADS)
    message = call.world.message(parent, call.id("message_id"))
    if message.thread is not None:
        raise ApiError(400, THREAD_EXISTS, "A thread has already been created for this message")
    thread = _open(call, parent, ChannelKind.PUBLIC_THREAD, message.id)
    message.thread = thread
    message.flags |= MessageFlag.HAS_THREAD
    return ApiResponse(thread.json(), 201)


def _open(call: ApiCall, parent: ChannelState, kind: ChannelKind, thread_id: int) -> ChannelState:
    problems = ValidationProblems()
    problems.required("name", call.body.get("name"))
    problems.length("name", call.body.get("name"), 1, 100)
    problems.raise_if_any()
    thread = call.world.new_thread(parent, call.body["name"], call.world.bot, kind, thread_id)
    call.world.dispatch("THREAD_CREATE", thread.json() | {"newly_created": True}, GUILDS)
    return thread


async def add_to_thread(call: ApiCall) -> ApiResponse:
    channel = require_channel(call)
    name = call.path.get("user_id", "@me")
    member = call.world.bot if name == "@me" else call.world.user(int(name))
    channel.thread_members.add(member.id)
    return NO_CONTENT


async def typing(call: ApiCall) -> ApiResponse:
    require_channel(call, Permission.SEND_MESSAGES)
    return NO_CONTENT


async def open_dm(call: ApiCall) -> ApiResponse:
    return ApiResponse(call.world.dm(call.world.user(int(call.body["recipient_id"]))).json())


async def get_guild(call: ApiCall) -> ApiResponse:
    return ApiResponse(call.world.guild(call.id("guild_id")).json())


async def get_guild_channels(call: ApiCall) -> ApiResponse:
    guild = call.world.guild(call.id("guild_id"))
    return ApiResponse([one.json() for one in guild.channels.values() if one.kind not in THREADS])


async def get_member(call: ApiCall) -> ApiResponse:
    return ApiResponse(_member(call.world, call.id("guild_id"), call.id("user_id")))


def _member(world: World, guild_id: int, user_id: int) -> dict[str, object]:
    guild = world.guild(guild_id)
    if user_id not in guild.members:
        raise unknown_error("Member", UNKNOWN_MEMBER)
    return guild.members[user_id].json()


ROUTES = (
    Route("GET", "/channels/{channel_id}", get_channel),
    Route("PATCH", "/channels/{channel_id}", edit_channel),
    Route("POST", "/channels/{channel_id}/typing", typing),
    Route("POST", "/channels/{channel_id}/threads", start_thread),
    Route("POST", "/channels/{channel_id}/messages/{message_id}/threads", start_thread_from_message),
    Route("PUT", "/channels/{channel_id}/thread-members/@me", add_to_thread),
    Route("PUT", "/channels/{channel_id}/thread-members/{user_id}", add_to_thread),
    Route("POST", "/users/@me/channels", open_dm),
    Route("GET", "/guilds/{guild_id}", get_guild),
    Route("GET", "/guilds/{guild_id}/channels", get_guild_channels),
    Route("GET", "/guilds/{guild_id}/members/{user_id}", get_member),
)
