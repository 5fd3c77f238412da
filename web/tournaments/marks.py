"""What other pages say of tournaments: first places on a player's page, the tournament of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from i18n.writing import Moment, MomentStyle, isolate
from matches import WEBSITE
from matches.tournaments.results import Decision
from matches.tournaments.values import Kind
from web.accounts.signed_in import find_session
from web.context import CONTEXT
from web.tournaments.paths import tournament_path

if TYPE_CHECKING:
    from aiohttp import web

    from matches import MatchView
    from matches.tournaments.values import TournamentOfMatch
    from web.context import WebContext

MAX_WINS = 12  # on the page of a player


async def list_marks(context: WebContext, account: str) -> list[dict[str, Any]]:
    """Return the template contexts of the first places of a player, the newest first."""
    texts = context.texts
    return [
        {
            "href": tournament_path(one.tournament, stage=one.stage),
            "name": texts("web.tournaments.season_of", name=isolate(one.name), number=one.stage)
            if one.stage and one.kind is Kind.LEAGUE
            else isolate(one.name),
            "ended": Moment(one.ended_at, MomentStyle.DATE),
        }
        for one in (await context.matches.tournaments.list_wins(account))[:MAX_WINS]
    ]


async def tournament_of_match(
    request: web.Request, view: MatchView, *, is_seated: bool = False
) -> dict[str, Any] | None:
    """Return the template context of the tournament to which a match belongs.

    None if to none, or to that of a server of which the sender is no member, unless they play the match.
    """
    context, session = request.app[CONTEXT], await find_session(request)
    is_member = session is not None and view.server in session.servers
    if view.server != WEBSITE and not is_member and not is_seated:
        return None
    found = await context.matches.tournaments.find_by_match(view.id)
    if found is None:
        return None
    is_open = found.decision is None and found.ends_at is not None
    return {
        "href": tournament_path(found.tournament, stage=found.stage),
        "name": isolate(found.name),
        "until": Moment(found.ends_at) if is_open and found.ends_at is not None else None,
        "decided": _describe_decision(context, view, found),
    }


def _describe_decision(context: WebContext, view: MatchView, found: TournamentOfMatch) -> str:
    """Return how a match was adjudicated; empty if it was not."""
    if found.decision is not Decision.ADJUDICATED:
        return ""
    if found.chances is None:
        return context.texts("web.tournaments.not_assessed")
    own, other = sorted(view.seats, key=lambda seat: seat.person.account != found.assessed)
    percent = round(100 * found.chances)
    values = {
        "first": own.person,
        "second": other.person,
        "chances": percent,
        "others": 100 - percent,
    }
    result = view.result
    if result is None or result.winner is None:
        return context.texts("web.tournaments.adjudicated_draw", **values)
    return context.texts("web.tournaments.adjudicated", winner=result.winner.person, **values)
