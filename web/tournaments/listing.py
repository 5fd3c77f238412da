"""The list of tournaments: open, running and past ones, from all platforms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from i18n.writing import Moment, MomentStyle, isolate
from matches.tournaments.values import TournamentId, TournamentState
from web.accounts.signed_in import find_member
from web.addresses import TOURNAMENTS_PATH
from web.context import CONTEXT
from web.match.access import find_reader
from web.pages.pages import NO_STORE, SIGN_IN_URL
from web.play.move_form import parse_number
from web.tournaments.paths import FORM_PATH, tournament_path

if TYPE_CHECKING:
    from aiohttp import web

    from matches.tournaments.values import TournamentSummary
    from web.context import WebContext

PAGE = 30  # past tournaments on a page
CURRENT = 100  # open or running ones on the page
PAST = (TournamentState.OVER, TournamentState.CANCELLED)


async def tournament_list(request: web.Request) -> web.Response:
    """Show the tournaments; further pages have only past ones."""
    context, reader, now = request.app[CONTEXT], await find_reader(request), request.app[CONTEXT].now()
    tournaments, member = context.matches.tournaments, await find_member(request)
    before = parse_number(request.query.get("before"))
    groups: list[tuple[str, list[dict[str, Any]]]] = []
    if before <= 0:
        own = await tournaments.list_of(member.account, now=now) if member is not None else ()
        known = {one.id for one in own}
        groups.append(("mine", [tournament_item(context, one) for one in own]))
        for state in (TournamentState.OPEN, TournamentState.RUNNING):
            found = await tournaments.list(reader, states=(state,), limit=CURRENT, now=now)
            groups.append(
                (state.value, [tournament_item(context, one) for one in found if one.id not in known])
            )
    last = TournamentId(before) if before > 0 else None
    past = await tournaments.list(reader, states=PAST, before=last, limit=PAGE + 1, now=now)
    groups.append(("past", [tournament_item(context, one) for one in past[:PAGE]]))
    answer = context.pages.respond(
        request,
        "tournaments.html",
        groups=[(name, items) for name, items in groups if items],
        can_create=member is not None or SIGN_IN_URL in request,
        create=FORM_PATH,
        older=f"{TOURNAMENTS_PATH}?before={past[PAGE - 1].id}" if len(past) > PAGE else "",
        newest=TOURNAMENTS_PATH if before > 0 else "",
    )
    answer.headers.update(NO_STORE)
    return answer


def tournament_item(context: WebContext, one: TournamentSummary) -> dict[str, Any]:
    """Return the template context of a tournament in a list."""
    texts = context.texts
    games = list(dict.fromkeys(texts(f"game.{setup.game}.name") for setup in one.games))
    return {
        "id": one.id,
        "href": tournament_path(one.id),
        "name": isolate(one.name),
        "kind": texts(f"tournament_kind.{one.kind}"),
        "games": texts.join(games),
        "entrants": texts("web.tournaments.entrants", count=one.entrants),
        "date": _describe_date(context, one),
        "is_of_server": one.server.isdigit(),
    }


def _describe_date(context: WebContext, one: TournamentSummary) -> tuple[str, Moment]:
    """Return what the date of a tournament in a list is, and the date."""
    texts = context.texts
    if one.state is TournamentState.OPEN:
        return texts("web.tournaments.starts"), Moment(one.starts_at, MomentStyle.DATE)
    if one.state is TournamentState.RUNNING and one.stage_ends_at is not None:
        text = texts(f"web.tournaments.stage_ends.{one.kind}", number=one.stage)
        return text, Moment(one.stage_ends_at, MomentStyle.DATE)
    key = "cancelled" if one.state is TournamentState.CANCELLED else "ended"
    return texts(f"web.tournaments.{key}"), Moment(one.ended_at or one.starts_at, MomentStyle.DATE)
