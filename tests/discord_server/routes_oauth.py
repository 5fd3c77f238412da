"""Routes of OAuth2: tokens, what they let an application read, and the page that asks a person."""

from __future__ import annotations

import base64
import binascii
from html import escape
from typing import TYPE_CHECKING

from aiohttp import web

from tests.discord_server.errors import ActionNotPossible
from tests.discord_server.oauth import ACCESS_SECONDS, AUTHORIZE_PATH, TokenRefused
from tests.discord_server.rest import ApiResponse, Route

if TYPE_CHECKING:
    from tests.discord_server.rest import ApiCall
    from tests.discord_server.world import World


async def token(call: ApiCall) -> ApiResponse:
    if not _is_application(call):
        return ApiResponse({"error": "invalid_client"}, 401)
    try:
        tokens = call.world.oauth.exchange(call.body)
    except TokenRefused as refusal:
        return ApiResponse({"error": refusal.error}, 400)
    return ApiResponse(
        {
            "token_type": "Bearer",
            "access_token": tokens.access,
            "expires_in": ACCESS_SECONDS,
            "refresh_token": tokens.refresh,
            "scope": " ".join(tokens.scopes),
        }
    )


async def revoke(call: ApiCall) -> ApiResponse:
    if not _is_application(call):
        return ApiResponse({"error": "invalid_client"}, 401)
    call.world.oauth.revoke(call.body["token"])
    return ApiResponse({})


async def my_guilds(call: ApiCall) -> ApiResponse:
    user = call.user or call.world.bot
    return ApiResponse(
        [
            {
                "id": str(guild.id),
                "name": guild.name,
                "icon": None,
                "banner": None,
                "owner": guild.owner_id == user.id,
                "permissions": "0",
                "features": [],
            }
            for guild in call.world.guilds_of(user)
        ]
    )


def _is_application(call: ApiCall) -> bool:
    """Return whether a request has the id and the secret of the application, as HTTP Basic authentication."""
    kind, _, login = call.authorization.partition(" ")
    try:
        text = base64.b64decode(login, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return kind == "Basic" and text == f"{call.world.application_id}:{call.world.oauth.client_secret}"


def pages(world: World) -> list[web.RouteDef]:
    """Return the page on which a browser answers: as one of the people, or Cancel."""

    async def ask(request: web.Request) -> web.Response:
        try:
            world.oauth.check_question(str(request.rel_url))
        except ActionNotPossible as error:
            return web.Response(status=400, text=str(error))
        people = [user for user in world.users.values() if not user.bot]
        buttons = "".join(
            f'<button name="user" value="{user.id}">Authorize as {escape(user.name)}</button>'
            for user in people
        )
        page = (
            "<!doctype html><html lang=en><title>Discord on loopback</title>"
            f"<form method=post>{buttons}<button name=user value=0>Cancel</button></form></html>"
        )
        return web.Response(text=page, content_type="text/html")

    async def answer(request: web.Request) -> web.Response:
        user = world.users.get(int(str((await request.post())["user"])))
        location = world.oauth.answer(str(request.rel_url), user)
        return web.Response(status=302, headers={"Location": location})

    return [web.get(AUTHORIZE_PATH, ask), web.post(AUTHORIZE_PATH, answer)]


ROUTES = (
    Route("POST", "/oauth2/token", token, client_login=True),
    Route("POST", "/oauth2/token/revoke", revoke, client_login=True),
    Route("GET", "/users/@me/guilds", my_guilds, scope="guilds"),
)
