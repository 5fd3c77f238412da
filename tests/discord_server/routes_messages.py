"""Routes for messages of a channel (creating, reading, editing, deleting) and the CDN."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.discord_server import posting
from tests.discord_server.errors import (
    CANNOT_EDIT_OTHERS,
    CANNOT_MESSAGE_USER,
    NO_MUTUAL_GUILDS,
    ApiError,
    ValidationProblems,
    missing_permissions,
)
from tests.discord_server.guilds import ChannelKind
from tests.discord_server.permissions import Permission
from tests.discord_server.rest import NO_CONTENT, ApiResponse, Route
from tests.discord_server.routes_channels import require_channel

if TYPE_CHECKING:
    from tests.discord_server.guilds import ChannelState
    from tests.discord_server.messages import Message
    from tests.discord_server.rest import ApiCall
    from tests.discord_server.users import User
    from tests.discord_server.world import World

HISTORY_LIMIT = 50


async def post(call: ApiCall) -> ApiResponse:
    channel = require_channel(call, Permission.SEND_MESSAGES, *_needed(call))
    _may_write(call.world, channel)
    body = call.body or {}
    if (earlier := _same_nonce(call.world, channel, body)) is not None:
        return ApiResponse(earlier.json())
    reference = _reference(call.world, channel, body.get("message_reference"))
    message = posting.create(
        call.world,
        channel,
        call.world.bot,
        body,
        call.uploads,
        kind=posting.REPLY if reference is not None else 0,
        reference=reference,
    )
    if message.nonce is not None:
        call.world.nonces[channel.id, str(message.nonce)] = (call.world.clock.time(), message)
    return ApiResponse(message.json())


def _needed(call: ApiCall) -> list[Permission]:
    needed = []
    if call.uploads:
        needed.append(Permission.ATTACH_FILES)
    if (call.body or {}).get("embeds"):
        needed.append(Permission.EMBED_LINKS)
    return needed


def _may_write(world: World, channel: ChannelState) -> None:
    if channel.archived and channel.locked:
        raise ApiError(400, 50083, "Thread is archived")
    channel.archived = False
    if channel.kind is ChannelKind.DM and any(user.dms_closed or user.bot for user in channel.recipients[:1]):
        raise ApiError(403, CANNOT_MESSAGE_USER, "Cannot send messages to this user")
    if channel.kind is ChannelKind.DM and not _may_meet(world, channel.recipients[0]):
        raise ApiError(
            403, NO_MUTUAL_GUILDS, "Cannot send messages to this user due to having no mutual guilds"
        )


def _may_meet(world: World, user: User) -> bool:
    """Return whether the bot may message a user: they share a guild, or the user has installed the bot."""
    return user.installed or any(user.id in guild.members for guild in world.guilds_of(world.bot))


def _same_nonce(world: World, channel: ChannelState, body: dict[str, Any]) -> Message | None:
    """Return the recent message with the same nonce, if the request enforces the nonce."""
    if body.get("nonce") is None or not body.get("enforce_nonce"):
        return None
    when, message = world.nonces.get((channel.id, str(body["nonce"])), (0.0, None))
    return message if world.clock.time() - when <= world.settings.nonce_seconds else None


def _reference(world: World, channel: ChannelState, given: dict[str, Any] | None) -> Message | None:
    if given is None:
        return None
    if Permission.READ_MESSAGE_HISTORY not in channel.permissions(world.bot):
        raise ApiError(400, 160002, "Cannot reply without permission to read message history")
    try:
        return world.message(channel, int(given["message_id"]))
    except ApiError:
        if given.get("fail_if_not_exists", True):
            problems = ValidationProblems()
            problems.add("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
            problems.raise_if_any()
        return None


async def history(call: ApiCall) -> ApiResponse:
    channel = require_channel(call)
    if Permission.READ_MESSAGE_HISTORY not in channel.permissions(call.world.bot):
        return ApiResponse([])
    readable = [one for one in channel.messages if not one.deleted and not one.ephemeral]
    limit = _limit(call)
    if "after" in call.query:
        picked = [one for one in readable if one.id > int(call.query["after"])][:limit]
    elif "around" in call.query:
        picked = _around(readable, int(call.query["around"]), limit)
    else:
        end = int(call.query.get("before", 2**63))
        picked = [one for one in readable if one.id < end][-limit:]
    return ApiResponse([call.world.visible_to_bot(one) for one in reversed(picked)])


def _limit(call: ApiCall) -> int:
    limit = int(call.query.get("limit", HISTORY_LIMIT))
    if not 1 <= limit <= 100:
        problems = ValidationProblems()
        problems.add("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
        problems.raise_if_any()
    return limit


def _around(messages: list[Message], middle: int, limit: int) -> list[Message]:
    older = [one for one in messages if one.id < middle][-(limit // 2) :]
    newer = [one for one in messages if one.id >= middle][: limit - len(older)]
    return older + newer


async def get(call: ApiCall) -> ApiResponse:
    channel = require_channel(call, Permission.READ_MESSAGE_HISTORY)
    return ApiResponse(call.world.visible_to_bot(call.world.message(channel, call.id("message_id"))))


async def edit(call: ApiCall) -> ApiResponse:
    channel = require_channel(call, *_needed(call))
    message = call.world.message(channel, call.id("message_id"))
    if message.author is not call.world.bot:
        raise ApiError(403, CANNOT_EDIT_OTHERS, "Cannot edit a message authored by another user")
    posting.edit(call.world, message, call.body or {}, call.uploads)
    return ApiResponse(message.json())


async def delete(call: ApiCall) -> ApiResponse:
    channel = require_channel(call)
    message = call.world.message(channel, call.id("message_id"))
    manages = Permission.MANAGE_MESSAGES in channel.permissions(call.world.bot)
    if message.author is not call.world.bot and not manages:
        raise missing_permissions()
    posting.delete(call.world, message)
    return NO_CONTENT


def cdn(world: World) -> web.RouteDef:
    """Return the CDN's route, which serves an attachment to anyone who has its URL."""

    async def serve(request: web.Request) -> web.Response:
        file = world.attachments.get(int(request.match_info["attachment"]))
        if file is None or not file.url.endswith(request.path):
            return web.Response(status=404, text="This content is no longer available.")
        return web.Response(body=file.data, content_type=file.content_type or "application/octet-stream")

    return web.get("/{folder:attachments|ephemeral-attachments}/{channel}/{attachment:[0-9]+}/{name}", serve)


_MESSAGES = "/channels/{channel_id}/messages"

ROUTES = (
    Route("POST", _MESSAGES, post),
    Route("GET", _MESSAGES, history),
    Route("GET", _MESSAGES + "/{message_id}", get),
    Route("PATCH", _MESSAGES + "/{message_id}", edit),
    Route("DELETE", _MESSAGES + "/{message_id}", delete),
)
