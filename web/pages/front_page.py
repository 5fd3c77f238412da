"""The front page, and the lists of matches: those in progress and those that are finished."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from i18n import formatting as game_formatting
from i18n.match_texts import format_short_result
from i18n.names import name_of
from i18n.writing import isolate
from matches import ListPosition, MatchState
from matches.values import ACTIVE_STATES
from web.addresses import match_path
from web.context import CONTEXT
from web.lobby.lobby_page import FRONT, lobby_context
from web.match.access import find_reader
from web.pages.example_games import find_example, picture_path
from web.pages.rules_pages import book_path, lesson_path
from web.play.computer_games import chosen_level, remembered_settings
from web.server.forms import new_form_number

if TYPE_CHECKING:
    from aiohttp import web

    from engine.game import Side
    from matches import MatchSummary
    from web.context import WebContext

FRONT_ACTIVE, FRONT_FINISHED, LIST_PAGE = 8, 4, 24  # matches
WORTH_WATCHING = 8  # moves, at least
MAX_NAME = 100
LISTS = {"active": ACTIVE_STATES, "finished": (MatchState.OVER,)}


async def index(request: web.Request) -> web.Response:
    """Show the games, an example, the latest matches in progress and finished, and the lobby."""
    context = request.app[CONTEXT]
    queries = context.matches.public_queries
    reader = await find_reader(request)
    active = await queries.find_matches(
        ACTIVE_STATES, minimum_computer_plies=WORTH_WATCHING, reader=reader, limit=FRONT_ACTIVE
    )
    finished = await queries.find_matches(
        (MatchState.OVER,), minimum_plies=WORTH_WATCHING, reader=reader, limit=FRONT_FINISHED
    )
    lobby = {} if context.allow_local_games else await lobby_context(request, FRONT)
    games = [_game_item(request, name) for name in context.games]
    return context.pages.respond(
        request,
        "index.html",
        has_servers=context.discord.is_offered,
        games=games,
        example=next((one for one in games if one["last"]), None),
        matches=[match_item(context, match) for match in active.matches],
        has_more=active.older is not None,
        finished=[match_item(context, match) for match in finished.matches],
        lobby=lobby,
        has_puzzles=bool(await context.matches.puzzles.list_games()),
        allow_local_games=context.allow_local_games,
        has_computer=context.has_computer(),
        form_number=new_form_number(),
    )


async def match_list(request: web.Request) -> web.Response:
    """Show a page of the matches in progress or finished, also of one game or of a player."""
    context, query = request.app[CONTEXT], request.query
    kind = "finished" if query.get("state") == "finished" else "active"
    game = query.get("game", "") if query.get("game") in context.games else ""
    name = query.get("player", "").strip()[:MAX_NAME]
    found = await context.matches.public_queries.find_matches(
        LISTS[kind],
        game=game or None,
        name=name,
        before=ListPosition.parse(query.get("before", "")),
        reader=await find_reader(request),
        limit=LIST_PAGE,
    )
    filters = {name: value for name, value in (("game", game), ("player", name)) if value}

    def url(**more: str) -> str:
        return f"/matches?{urlencode({'state': kind, **filters, **more})}"

    return context.pages.respond(
        request,
        "match_list.html",
        has_servers=context.discord.is_offered,
        kind=kind,
        kinds=[(one, url(state=one)) for one in LISTS],
        games=[(one, context.texts(f"game.{one}.name"), one == game) for one in context.games],
        name=name,
        matches=[match_item(context, match) for match in found.matches],
        older=None if found.older is None else url(before=str(found.older)),
        newest=url() if "before" in query else "",
        is_filtered=bool(filters),
    )


def match_item(context: WebContext, match: MatchSummary, side: Side | None = None) -> dict[str, Any]:
    """Return the template context of a match in a list. `side` is at the bottom of the board."""
    texts, awaited_accounts = context.texts, {person.account for person in match.waits_for}
    view = {"ply": match.ply, "takebacks": match.takebacks, **({} if side is None else {"side": side.value})}
    winner = match.result.winner if match.result else None
    return {
        "href": match_path(match.id),
        "game": texts(f"game.{match.game}.name"),
        "settings": game_formatting.format_options(texts, context.games[match.game], match.options),
        "seats": [
            (
                seat.side.value,
                isolate(name_of(texts, seat.person)),
                seat.person.account in awaited_accounts,
                winner is not None and seat.person == winner.person,
            )
            for seat in match.seats
        ],
        "hidden_picture": texts.for_game(match.game, "choice.hidden"),
        "has_board": match.has_board,
        "picture": f"{match_path(match.id)}/board.svg?{urlencode(view)}",
        "notes": [format_short_result(texts, match.result)] if match.result else [],
    }


def _game_item(request: web.Request, name: str) -> dict[str, Any]:
    context, example = request.app[CONTEXT], find_example(request, name)
    texts = context.texts
    level = chosen_level(remembered_settings(request, context.games[name]))
    return {
        "name": name,
        "title": texts(f"game.{name}.name"),
        "about": texts(f"game.{name}.about"),
        "level": texts(f"level.{level}.name"),
        "play": f"/new?{urlencode({'game': name})}" if context.can_start_games else "",
        "learn": lesson_path(context, name),
        "rules": book_path(context, name) if context.rule_books.find(name) else "",
        "picture": picture_path(request, name, example.shown),
        "last": example.last,
        "shown": example.shown,
    }
