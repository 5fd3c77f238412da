"""Routes for responding to interactions: the callback, `@original`, and followups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.discord_server import interactions, posting
from tests.discord_server.errors import (
    INTERACTION_ACKNOWLEDGED,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
    ApiError,
    ValidationProblems,
    unknown_error,
)
from tests.discord_server.interactions import Callback, Interaction, InteractionKind, InteractionState
from tests.discord_server.limits import check_choices, check_modal
from tests.discord_server.messages import Message, MessageFlag
from tests.discord_server.rest import NO_CONTENT, ApiResponse, Route

if TYPE_CHECKING:
    from tests.discord_server.errors import Json
    from tests.discord_server.rest import ApiCall
    from tests.discord_server.world import World

COMMAND_MESSAGE = 20

_NEW = frozenset({Callback.MESSAGE, Callback.DEFERRED_MESSAGE})
_CHANGE = frozenset({Callback.UPDATE, Callback.DEFERRED_UPDATE})
_ALLOWED = {
    InteractionKind.COMMAND: _NEW | {Callback.MODAL},
    InteractionKind.COMPONENT: _NEW | _CHANGE | {Callback.MODAL},
    InteractionKind.AUTOCOMPLETE: frozenset({Callback.CHOICES}),
    InteractionKind.MODAL: _NEW | _CHANGE,
}


async def callback(call: ApiCall) -> ApiResponse:
    interaction = call.world.interactions.get(call.path["interaction_token"])
    if interaction is None or interaction.id != call.id("interaction_id"):
        raise unknown_error("interaction", UNKNOWN_INTERACTION)
    if interaction.state is InteractionState.DEAD:
        raise unknown_error("interaction", UNKNOWN_INTERACTION)
    if interaction.state is InteractionState.ANSWERED:
        raise ApiError(400, INTERACTION_ACKNOWLEDGED, "Interaction has already been acknowledged.")
    kind = _callback_type(interaction, call.body)
    data: Json = call.body.get("data") or {}
    _act(call, interaction, kind, data)
    interaction.resolve(interactions.InteractionResponse(kind, data))
    return ApiResponse(_callback_result(interaction, kind)) if call.flag("with_response") else NO_CONTENT


def _callback_type(interaction: Interaction, body: Json) -> Callback:
    problems = ValidationProblems()
    allowed = _ALLOWED[interaction.kind]
    if interaction.kind is InteractionKind.MODAL and interaction.source is None:
        allowed -= {Callback.UPDATE}
    if body.get("type") not in allowed:
        allowed_types = ", ".join(str(int(one)) for one in sorted(allowed))
        problems.add("type", "BASE_TYPE_CHOICES", f"Value must be one of ({allowed_types}).")
        problems.raise_if_any()
    return Callback(body["type"])


def _act(call: ApiCall, interaction: Interaction, kind: Callback, data: Json) -> None:
    world = call.world
    match kind:
        case Callback.MESSAGE:
            interaction.original = _respond(call, interaction, data)
        case Callback.DEFERRED_MESSAGE:
            interaction.original = _think(world, interaction, data)
        case Callback.UPDATE if interaction.source is not None:
            posting.edit(world, interaction.source, data, call.uploads)
            interaction.original = interaction.source
        case Callback.DEFERRED_UPDATE:
            interaction.original = interaction.source
        case Callback.CHOICES:
            check_choices(data.get("choices") or ())
        case Callback.MODAL:
            check_modal(data)


def _respond(call: ApiCall, interaction: Interaction, data: Json) -> Message:
    return posting.create(
        call.world,
        interaction.channel,
        call.world.bot,
        data,
        call.uploads,
        kind=_message_type(interaction),
        addressee=interaction.user,
        metadata=interaction.metadata(),
        reference=interaction.source,
    )


def _message_type(interaction: Interaction) -> int:
    return COMMAND_MESSAGE if interaction.source is None else posting.REPLY


def _think(world: World, interaction: Interaction, data: Json) -> Message:
    """Post the message that shows that the bot is thinking."""
    flags = MessageFlag.LOADING | (MessageFlag(data.get("flags") or 0) & MessageFlag.EPHEMERAL)
    message = Message(
        world.clock.snowflake(),
        interaction.channel,
        world.bot,
        world.clock.timestamp(),
        flags=flags,
        type=_message_type(interaction),
        reference=interaction.source,
        addressee=interaction.user if MessageFlag.EPHEMERAL in flags else None,
        metadata=interaction.metadata(),
        application_id=world.application_id,
    )
    posting.publish(world, message, None)
    return message


def _callback_result(interaction: Interaction, kind: Callback) -> Json:
    result: Json = {
        "id": str(interaction.id),
        "type": int(interaction.kind),
        "channel_id": str(interaction.channel.id),
    }
    if interaction.channel.guild is not None:
        result["guild_id"] = str(interaction.channel.guild.id)
    message = interaction.original
    if message is None:
        return {"interaction": result}
    result |= {
        "response_message_id": str(message.id),
        "response_message_loading": message.loading,
        "response_message_ephemeral": message.ephemeral,
    }
    if kind not in (Callback.MESSAGE, Callback.UPDATE):
        return {"interaction": result}
    return {"interaction": result, "resource": {"type": int(kind), "message": message.json()}}


def _webhook(call: ApiCall) -> Interaction:
    if call.id("webhook_id") != call.world.application_id:
        raise unknown_error("Webhook", UNKNOWN_WEBHOOK)
    return interactions.by_token(call.world, call.path["webhook_token"])


async def follow_up(call: ApiCall) -> ApiResponse:
    interaction = _webhook(call)
    original = interaction.original
    if original is not None and original.loading and not original.deleted:
        posting.edit(call.world, original, call.body, call.uploads)
        return ApiResponse(original.json())
    message = posting.create(
        call.world,
        interaction.channel,
        call.world.bot,
        call.body,
        call.uploads,
        kind=posting.REPLY if original is not None else 0,
        addressee=interaction.user,
        metadata=interaction.metadata(),
        reference=original,
    )
    interaction.followups.append(message)
    return ApiResponse(message.json())


def _requested_message(call: ApiCall, interaction: Interaction) -> Message:
    """Return the message of the path, which must belong to this interaction."""
    name = call.path.get("message_id", "@original")
    found = [interaction.original, *interaction.followups]
    if name == "@original":
        found = found[:1]
    for message in found:
        if message is not None and not message.deleted and name in ("@original", str(message.id)):
            return message
    raise unknown_error("Message", UNKNOWN_MESSAGE)


async def get_response(call: ApiCall) -> ApiResponse:
    return ApiResponse(_requested_message(call, _webhook(call)).json())


async def edit_response(call: ApiCall) -> ApiResponse:
    message = _requested_message(call, _webhook(call))
    posting.edit(call.world, message, call.body or {}, call.uploads)
    return ApiResponse(message.json())


async def delete_response(call: ApiCall) -> ApiResponse:
    posting.delete(call.world, _requested_message(call, _webhook(call)))
    return NO_CONTENT


_HOOK = "/webhooks/{webhook_id}/{webhook_token}"

ROUTES = (
    Route("POST", "/interactions/{interaction_id}/{interaction_token}/callback", callback, authorised=False),
    Route("POST", _HOOK, follow_up, authorised=False),
    *(
        route
        for name in ("@original", "{message_id}")
        for route in (
            Route("GET", f"{_HOOK}/messages/{name}", get_response, authorised=False),
            Route("PATCH", f"{_HOOK}/messages/{name}", edit_response, authorised=False),
            Route("DELETE", f"{_HOOK}/messages/{name}", delete_response, authorised=False),
        )
    ),
)
