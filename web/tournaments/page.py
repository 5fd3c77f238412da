"""The page of a tournament: what it is, what one can do, and the tables and games of one stage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from i18n import clocks
from i18n import formatting as game_formatting
from i18n.names import name_of
from i18n.writing import Moment, MomentStyle, isolate
from matches.tournaments.results import GameState, format_points
from matches.tournaments.values import (
    MAX_ENTRANTS,
    MAX_REASON_LENGTH,
    MIN_REASON_LENGTH,
    Kind,
    StageState,
    TournamentState,
)
from web.accounts.signed_in import find_member, find_session
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.match.access import find_reader
from web.pages.pages import IS_MODERATOR, NO_STORE, SIGN_IN_URL
from web.play.move_form import parse_number
from web.tournaments.brackets import bracket_context
from web.tournaments.history import history_context
from web.tournaments.names import DASH, load_names
from web.tournaments.paths import tournament_id, tournament_path
from web.tournaments.results import game_item, is_unanswered
from web.tournaments.tables import table_context

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aiohttp import web

    from matches import Refusal
    from matches.tournaments.results import EntrantId
    from matches.tournaments.values import GameView, GroupView, TournamentView
    from web.context import WebContext
    from web.tournaments.names import Names

LINES = 64  # of a table, a list of games or of entrants on a page
OWN_GAMES = 40
CORRECTABLE = 200  # games that the form of organisers lists
NOBODY: dict[str, Any] = {"game": 0, "entrant": 0}


async def tournament_page(request: web.Request) -> web.Response:
    """Show a tournament; ``stage``, ``group`` and ``page`` choose what of it."""
    return await respond(request)


async def respond(request: web.Request, error: Refusal | None = None, notice: str = "") -> web.Response:
    """Return the page of a tournament, with why something was not done, or what was. Raises Refusal."""
    context, view = request.app[CONTEXT], await load_view(request)
    values = await _page_context(request, view)
    answer = context.pages.respond(
        request,
        "tournament.html",
        status=200 if error is None else status_code(error),
        error="" if error is None else format_error(context.texts, error),
        notice=notice,
        **values,
    )
    answer.headers.update(NO_STORE)
    return answer


async def load_view(request: web.Request) -> TournamentView:
    """Return the tournament in the URL of a request as its sender sees it. Raises Refusal."""
    asked = parse_number(request.query.get("stage"))
    return await request.app[CONTEXT].matches.tournaments.view(
        tournament_id(request),
        await find_reader(request),
        stage=asked if asked > 0 else None,
        now=request.app[CONTEXT].now(),
    )


async def is_moderator_of(request: web.Request, view: TournamentView) -> bool:
    """Return whether the sender of a request moderates the website, and no server's tournament is meant."""
    if view.settings.is_of_server:
        return False
    if IS_MODERATOR in request:  # read for the header of the page
        return request[IS_MODERATOR]
    session = await find_session(request)
    moderation = request.app[CONTEXT].matches.moderation
    return session is not None and await moderation.is_moderator(session.account)


async def may_manage(request: web.Request, view: TournamentView) -> bool:
    """Return whether the sender of a request can do what organisers do."""
    if view.state not in (TournamentState.OPEN, TournamentState.RUNNING):
        return False
    return view.rights.can_manage or await is_moderator_of(request, view)


async def _page_context(request: web.Request, view: TournamentView) -> dict[str, Any]:
    context, group = request.app[CONTEXT], _choose_group(request, view)
    page = max(1, parse_number(request.query.get("page")))
    lines = _list_entrants(view)[(page - 1) * LINES : page * LINES] if group is None else ()
    shown = group.entrants[(page - 1) * LINES : page * LINES] if group is not None else lines
    names = await load_names(request, view, [*shown, *view.winners])
    return {
        "path": tournament_path(view.id),
        "id": view.id,
        "kind": view.settings.kind.value,
        "state": view.state.value,
        "name": isolate(view.settings.name),
        "about": view.settings.about,
        "facts": _list_facts(context, view),
        "dates": _list_dates(context, view),
        "winners": [names.item(one) for one in view.winners],
        "me": None if view.me is None else names.item(view.me),
        "is_registered": view.me is not None and view.entrant(view.me).is_registered,
        "rights": view.rights,
        "is_member": await find_member(request) is not None,
        "can_sign_in": SIGN_IN_URL in request,
        "own_games": _own_games(names, view),
        "waiting": _count_waiting(view),
        "stages": _stage_links(context, view),
        "groups": _group_links(context, view, group),
        "table": None
        if group is None
        else table_context(names, view.settings.kind, group, start=(page - 1) * LINES, size=LINES),
        "entrants": [names.item(one) for one in lines],
        "bracket": bracket_context(names, view),
        "games": _list_games(names, view.settings.kind, group, page),
        **_pages(view, group, page),
        **await _manage_context(request, view, names),
        "setups": _setup_names(context, view),
        "history": history_context(context.texts, view),
    }


def _choose_group(request: web.Request, view: TournamentView) -> GroupView | None:
    """Return the group that a request asks for, by default that of its sender, else the first."""
    if view.stage is None or not view.stage.groups:
        return None
    asked = parse_number(request.query.get("group"))
    found = [one for one in view.stage.groups if one.number == asked]
    own = [one for one in view.stage.groups if view.me in one.entrants]
    return (found or own or list(view.stage.groups))[0]


def _list_entrants(view: TournamentView) -> list[EntrantId]:
    """Return who takes part, in the order in which they joined; before the start without those who left."""
    return [one.id for one in view.entrants if one.withdrawn is None]


def _list_facts(context: WebContext, view: TournamentView) -> list[tuple[str, str]]:
    """Return what an organiser has set, each as its name and its value."""
    texts, settings = context.texts, view.settings
    facts = [("games", texts.join(_setup_names(context, view)))]
    facts.append(("clock", clocks.describe_time_control(texts, settings.time_control)))
    facts.append(("rated", texts("terms.rated" if settings.rated else "terms.unrated")))
    if view.rounds is not None and settings.kind not in (Kind.ROUND_ROBIN, Kind.LADDER):
        facts.append(("rounds", texts(f"web.tournaments.count.{settings.kind}", count=view.rounds)))
    if settings.kind is not Kind.KNOCK_OUT:
        facts.append(("at_once", texts("web.tournaments.count.games", count=settings.games_at_once)))
    if limits := _describe_limits(context, view):
        facts.append(("limits", limits))
    if settings.computer_level is not None:
        level = texts(f"level.{settings.computer_level}.name")
        facts.append(("computer", texts("web.tournaments.computer", level=level)))
    facts.append(("organiser", isolate(name_of(texts, view.organiser))))
    return [(texts(f"web.tournaments.fact.{name}"), text) for name, text in facts]


def _setup_names(context: WebContext, view: TournamentView) -> list[str]:
    texts, names = context.texts, list[str]()
    for setup in view.settings.games:
        game, rules = texts(f"game.{setup.game}.name"), context.games[setup.game]
        more = game_formatting.format_options(texts, rules, setup.options)
        names.append(texts("web.tournaments.setup", game=game, settings=more) if more else game)
    return names


def _describe_limits(context: WebContext, view: TournamentView) -> str:
    texts, limits, found = context.texts, view.settings.limits, list[str]()
    if limits.min_rating is not None:
        found.append(texts("web.tournaments.limit.from", rating=limits.min_rating))
    if limits.max_rating is not None:
        found.append(texts("web.tournaments.limit.to", rating=limits.max_rating))
    if view.settings.is_of_server:
        found.append(texts("web.tournaments.limit.members"))
    if limits.entrants < MAX_ENTRANTS:
        found.append(texts("web.tournaments.limit.entrants", count=limits.entrants))
    return texts.join(found, "list.dot") if found else ""


def _list_dates(context: WebContext, view: TournamentView) -> list[tuple[str, Moment, str]]:
    """Return the dates that matter, each as its name, the time and more about it."""
    texts, kind = context.texts, view.settings.kind
    if view.state is TournamentState.OPEN:
        days = view.settings.length.days
        stage = texts(f"web.tournaments.length.{kind}", count=days)
        return [(texts("web.tournaments.starts"), Moment(view.settings.starts_at), stage)]
    if view.stage is None or view.state is TournamentState.CANCELLED:
        return [(texts("web.tournaments.cancelled"), Moment(view.ended_at or view.settings.starts_at), "")]
    dates = view.stage.dates
    name = texts(f"tournament_stage.{kind}", number=dates.number)
    found = [
        (texts("web.tournaments.stage_began", stage=name), Moment(dates.starts_at, MomentStyle.DATE), "")
    ]
    if dates.state is StageState.OVER:
        ended = Moment(dates.ended_at or dates.ends_at, MomentStyle.DATE)
        found.append((texts("web.tournaments.stage_ended", stage=name), ended, ""))
    else:
        key = "closing" if dates.state is StageState.CLOSING else "adjudication"
        more = texts(f"web.tournaments.{key}")
        found.append((texts("web.tournaments.stage_end", stage=name), Moment(dates.ends_at), more))
    if view.ended_at is not None and len(view.stages) > 1:
        found.append((texts("web.tournaments.ended"), Moment(view.ended_at, MomentStyle.DATE), ""))
    elif view.ends_at is not None and view.ended_at is None and len(view.stages) < (view.rounds or 0):
        found.append((texts("web.tournaments.ends"), Moment(view.ends_at, MomentStyle.DATE), ""))
    return found


def _own_games(names: Names, view: TournamentView) -> list[dict[str, Any]]:
    """Return the sender's games that are in progress, or wait for an answer."""
    own = [one for one in _games_of_me(view) if one.state is GameState.OPEN or is_unanswered(one)]
    return [game_item(names, game) for game in own[:OWN_GAMES]]


def _count_waiting(view: TournamentView) -> int:
    return sum(one.state is GameState.WAITING and not is_unanswered(one) for one in _games_of_me(view))


def _games_of_me(view: TournamentView) -> list[GameView]:
    groups = () if view.stage is None or view.me is None else view.stage.groups
    return [game for group in groups for game in group.games if view.me in (game.first, game.second)]


def _stage_links(context: WebContext, view: TournamentView) -> list[tuple[str, str, bool]]:
    """Return the stages, each as its name, its page, and whether it is shown."""
    if len(view.stages) < 2 or view.stage is None:
        return []
    shown, kind = view.stage.dates.number, view.settings.kind
    return [
        (
            context.texts(f"tournament_stage.{kind}", number=one.number),
            tournament_path(view.id, stage=one.number),
            one.number == shown,
        )
        for one in view.stages
    ]


def _group_links(
    context: WebContext, view: TournamentView, group: GroupView | None
) -> list[tuple[str, str, bool]]:
    """Return the divisions of a league, each as its name, its page, and whether it is shown."""
    if view.stage is None or group is None or view.settings.kind is not Kind.LEAGUE:
        return []
    stage = view.stage.dates.number
    return [
        (
            context.texts("web.tournaments.division", number=one.number),
            tournament_path(view.id, stage=stage, group=one.number),
            one.number == group.number,
        )
        for one in view.stage.groups
    ]


def _list_games(names: Names, kind: Kind, group: GroupView | None, page: int) -> list[dict[str, Any]]:
    """Return a page of the games of a group that no cross table shows."""
    if group is None or kind is Kind.LEAGUE:
        return []
    games = [one for one in group.games if one.state is not GameState.WAITING or is_unanswered(one)]
    if kind is Kind.LADDER:
        games.sort(key=lambda one: (one.state not in (GameState.OPEN, GameState.WAITING), -one.id))
    return [game_item(names, game) for game in games[(page - 1) * LINES : page * LINES]]


def _pages(view: TournamentView, group: GroupView | None, page: int) -> dict[str, Any]:
    """Return the number of the page, how many there are, and the neighbouring ones."""
    is_league = view.settings.kind is Kind.LEAGUE
    games = 0 if group is None or is_league else len(group.games)
    lines = max(games, len(_list_entrants(view) if group is None else group.table))
    count = max(1, -(-lines // LINES))
    stage = 0 if view.stage is None else view.stage.dates.number
    return {
        "page": page,
        "pages": count,
        "previous": tournament_path(view.id, stage=stage, page=page - 1) if page > 1 else "",
        "next": tournament_path(view.id, stage=stage, page=page + 1) if page < count else "",
    }


async def _manage_context(request: web.Request, view: TournamentView, names: Names) -> dict[str, Any]:
    """Return what the forms of organisers offer."""
    can_manage = await may_manage(request, view)
    games = _list_correctable(view) if can_manage else ()
    return {
        "can_manage": can_manage,
        "can_change": can_manage and view.state is TournamentState.OPEN,
        "can_replace": can_manage and view.is_replaceable,
        "managed": [(one, names.name(one)) for one in _list_entrants(view)] if can_manage else [],
        "correctable": [
            (
                game.id,
                DASH.join(names.name(one) for one in (game.first, game.second) if one is not None),
                " : ".join(map(format_points, game.points or ())),
            )
            for game in games
        ],
        "least": MIN_REASON_LENGTH,
        "limit": MAX_REASON_LENGTH,
    }


def _list_correctable(view: TournamentView) -> Sequence[GameView]:
    groups = () if view.stage is None else view.stage.groups
    found = [
        game
        for group in groups
        for game in group.games
        if game.state is GameState.OVER and game.second is not None and not is_unanswered(game)
    ]
    return found[:CORRECTABLE]
