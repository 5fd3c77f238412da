"""The lobby: the open challenges that anyone may accept, in pages, and as a part that a script asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from web.accounts.signed_in import find_session
from web.addresses import CHALLENGE_FORM_PATH, LOBBY_PATH
from web.context import CONTEXT
from web.lobby.items import challenge_item
from web.match.access import find_reader
from web.pages.pages import NO_STORE, SIGN_IN_URL
from web.play.move_form import parse_number
from web.server.forms import redirect

if TYPE_CHECKING:
    from aiohttp import web

PAGE = 30  # challenges
FRONT = 5


async def lobby_page(request: web.Request) -> web.Response:
    """Show a page of the lobby, the newest challenges first; with ``part=list`` only the list."""
    context, query = request.app[CONTEXT], request.query
    game = query.get("game", "") if query.get("game") in context.games else ""
    before = parse_number(query.get("before"))
    values = await lobby_context(request, PAGE, game=game, before=before)
    filters = {"game": game} if game else {}
    older = values["older"]
    template = "lobby_list.html" if query.get("part") == "list" else "lobby.html"
    answer = context.pages.respond(
        request,
        template,
        **values | {"older": older and f"{LOBBY_PATH}?{urlencode(filters | {'before': older})}"},
        newest=f"{LOBBY_PATH}?{urlencode(filters)}" if before > 0 else "",
        part=f"{LOBBY_PATH}?{urlencode(filters | {'part': 'list'})}" if before <= 0 else "",
        create=f"{CHALLENGE_FORM_PATH}?{urlencode(filters)}" if filters else CHALLENGE_FORM_PATH,
        games=[
            (context.texts(f"game.{one}.name"), f"{LOBBY_PATH}?{urlencode({'game': one})}", one == game)
            for one in context.games
        ],
        is_filtered=bool(game),
    )
    answer.headers.update(NO_STORE)
    return answer


async def lobby_context(
    request: web.Request, limit: int, *, game: str = "", before: int = 0
) -> dict[str, Any]:
    """Return the template context of a list of open challenges; `older` is 0 at its end."""
    context = request.app[CONTEXT]
    found = await context.matches.public_queries.list_lobby(
        await find_reader(request),
        game=game or None,
        before=before if before > 0 else None,
        limit=limit,
        now=context.now(),
    )
    return {
        "challenges": [challenge_item(context, one) for one in found.challenges],
        "older": found.older or 0,
        "can_accept": await find_session(request) is not None or SIGN_IN_URL in request,
    }


async def old_address(_: web.Request) -> web.Response:
    """Lead from the former address of the lobby to the present one."""
    return redirect(LOBBY_PATH)
