"""Routes for login and for registering commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.discord_server.commands import GLOBAL
from tests.discord_server.errors import UNKNOWN_COMMAND, missing_access, unknown_error
from tests.discord_server.rest import NO_CONTENT, ApiResponse, Route

if TYPE_CHECKING:
    from tests.discord_server.errors import Json
    from tests.discord_server.rest import ApiCall
    from tests.discord_server.world import World

MAX_SESSION_STARTS = 1000  # a day


async def me(call: ApiCall) -> ApiResponse:
    more = {"mfa_enabled": False, "locale": "en-US"} | ({} if call.user else {"verified": True})
    return ApiResponse((call.user or call.world.bot).json() | more)


async def application(call: ApiCall) -> ApiResponse:
    return ApiResponse(_application(call.world))


def _application(world: World) -> Json:
    return {
        "id": str(world.application_id),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "type": None,
        "bot": world.bot.json(),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "max_participants": None,
        "tags": [],
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": world.developer.json(),
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
    }


async def user(call: ApiCall) -> ApiResponse:
    return ApiResponse(call.world.user(call.id("user_id")).json())


async def gateway(_: ApiCall) -> ApiResponse:
    return ApiResponse({"url": "wss://gateway.discord.gg"})


async def gateway_bot(call: ApiCall) -> ApiResponse:
    settings = call.world.settings
    limit = {
        "total": MAX_SESSION_STARTS,
        "remaining": settings.session_starts,
        "reset_after": int(settings.session_reset_seconds * 1000),
        "max_concurrency": settings.max_concurrency,
    }
    return ApiResponse(
        {"url": "wss://gateway.discord.gg", "shards": settings.shards, "session_start_limit": limit}
    )


def _commands_scope(call: ApiCall) -> int:
    """Return the guild id of the commands in the path, after checking that the application is the bot's."""
    if call.id("application_id") != call.world.application_id:
        raise missing_access()
    return call.world.guild(call.id("guild_id")).id if "guild_id" in call.path else GLOBAL


async def list_commands(call: ApiCall) -> ApiResponse:
    return ApiResponse(call.world.commands.commands_of(_commands_scope(call)))


async def replace_commands(call: ApiCall) -> ApiResponse:
    return ApiResponse(call.world.commands.replace(_commands_scope(call), call.body or []))


async def add_command(call: ApiCall) -> ApiResponse:
    return ApiResponse(call.world.commands.add(_commands_scope(call), call.body), 201)


async def get_command(call: ApiCall) -> ApiResponse:
    for command in call.world.commands.commands_of(_commands_scope(call)):
        if command["id"] == call.path["command_id"]:
            return ApiResponse(command)
    raise unknown_error("application command", UNKNOWN_COMMAND)


async def remove_command(call: ApiCall) -> ApiResponse:
    if not call.world.commands.remove(_commands_scope(call), call.path["command_id"]):
        raise unknown_error("application command", UNKNOWN_COMMAND)
    return NO_CONTENT


def _command_routes(path: str) -> tuple[Route, ...]:
    return (
        Route("GET", path, list_commands),
        Route("PUT", path, replace_commands),
        Route("POST", path, add_command),
        Route("GET", path + "/{command_id}", get_command),
        Route("DELETE", path + "/{command_id}", remove_command),
    )


ROUTES = (
    Route("GET", "/users/@me", me, scope="identify"),
    Route("GET", "/oauth2/applications/@me", application),
    Route("GET", "/applications/@me", application),
    Route("GET", "/gateway", gateway, authorised=False),
    Route("GET", "/gateway/bot", gateway_bot),
    Route("GET", "/users/{user_id}", user),
    *_command_routes("/applications/{application_id}/commands"),
    *_command_routes("/applications/{application_id}/guilds/{guild_id}/commands"),
)
