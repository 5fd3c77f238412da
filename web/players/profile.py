"""The page of a player, `/@NAME`: ratings, results and matches, as far as the player shows them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from aiohttp import web

import render
from i18n.ratings import format_caption, format_history, format_rating
from i18n.writing import Moment, MomentStyle, isolate
from matches import ListPosition, MatchState, ProfileAudience, Refusal
from matches.values import ACTIVE_STATES
from web.accounts.signed_in import find_member, find_session, require_member
from web.addresses import ACCOUNT_PATH, CHALLENGE_FORM_PATH, profile_path, report_url
from web.context import CONTEXT
from web.match.access import find_reader
from web.pages.front_page import match_item
from web.pages.view_options import cookie_theme
from web.server.forms import read_form, redirect
from web.studies.study_page import list_items
from web.tournaments.marks import list_marks

if TYPE_CHECKING:
    from matches import Profile, Session, Standing
    from web.context import WebContext

ACTIVE, FINISHED = 12, 24  # matches on a page
CHART_SECONDS = 600  # how long a browser keeps a chart


async def profile_page(request: web.Request) -> web.Response:
    """Show a player, with a page of the finished matches that the visitor may see."""
    context, reader = request.app[CONTEXT], await find_reader(request)
    profile, session = await load_profile(request)
    if request.match_info["name"] != profile.handle:
        return redirect(profile_path(profile.handle))
    queries = context.matches.public_queries
    account = profile.person.account
    before = ListPosition.parse(request.query.get("before", ""))
    active = await queries.find_matches(ACTIVE_STATES, account=account, reader=reader, limit=ACTIVE)
    finished = await queries.find_matches(
        (MatchState.OVER,), account=account, before=before, reader=reader, limit=FINISHED
    )
    path = profile_path(profile.handle)
    blocked = session is not None and await _is_blocked(context, session, account)
    return context.pages.respond(
        request,
        "profile.html",
        name=isolate(profile.handle),
        shown_name=isolate(profile.shown_name) if profile.shown_name else "",
        path=path,
        since=Moment(profile.met_at, MomentStyle.DATE),
        is_own=session is not None and session.account == account,
        is_member=session is not None and not session.is_guest,
        is_blocked=blocked,
        audience=profile.audience.value,
        audiences=[one.value for one in ProfileAudience],
        challenge_url=f"{CHALLENGE_FORM_PATH}?{urlencode({'to': profile.handle})}",
        report_url=report_url(about=f"@{profile.handle}"),
        ratings=[await _rating_item(context, path, profile, one) for one in profile.standings],
        wins=await list_marks(context, account),
        studies=list_items(await context.matches.studies.list_public(account)),
        results=[
            (context.texts(f"game.{game}.name"), counts.played, counts)
            for game, counts in profile.results.items()
        ],
        active=[match_item(context, match) for match in active.matches],
        finished=[match_item(context, match) for match in finished.matches],
        older=None if finished.older is None else f"{path}?{urlencode({'before': str(finished.older)})}",
        newest=path if before is not None else "",
        feed=f"{path}/feed.atom",
    )


async def rating_chart(request: web.Request) -> web.Response:
    """Return the chart of a player's rating at a game as PNG."""
    context = request.app[CONTEXT]
    profile, _ = await load_profile(request)
    standing = next((one for one in profile.standings if one.game == request.match_info["game"]), None)
    if standing is None:
        raise web.HTTPNotFound
    steps = await context.matches.ratings.history(profile.person, standing.game, now=context.now())
    now, options = context.now(), render.RenderOptions(render.NO_WORDS, theme=cookie_theme(request))

    def draw() -> bytes:
        points = tuple(
            render.RatingPoint(step.at, step.rating.rating, step.rating.deviation, step.score)
            for step in steps
        )
        series = render.RatingSeries(points, now, standing.rating.deviation)
        return render.to_png(render.build_rating_chart(series, options))

    body = await context.run_in_thread(request, draw)
    answer = web.Response(body=body, content_type="image/png")
    answer.headers.update({"Cache-Control": f"private, max-age={CHART_SECONDS}", "Vary": "Cookie"})
    return answer


async def set_audience(request: web.Request) -> web.Response:
    """Set who sees the page of the person who is signed in."""
    context, session = request.app[CONTEXT], await require_member(request)
    form = await read_form(request)
    try:
        audience = ProfileAudience(form.get("profile", ""))
    except ValueError as error:
        raise Refusal("form_malformed") from error
    person = session.person
    await context.matches.people.preferences.change(person, profile=audience, now=context.now())
    own = await context.matches.people.profiles.load(session.account, session.account, now=context.now())
    return redirect(ACCOUNT_PATH if own is None else profile_path(own.handle))


async def block(request: web.Request) -> web.Response:
    """Block the player of a page for the person who is signed in, or end that."""
    context = request.app[CONTEXT]
    form = await read_form(request)
    session = await require_member(request)
    profile, _ = await load_profile(request)
    own, blocks = session.person, context.matches.people.blocks
    if "end" in form:
        await blocks.unblock(own, profile.person, now=context.now())
    else:
        await blocks.block(own, profile.person, now=context.now())
    return redirect(profile_path(profile.handle))


async def load_profile(request: web.Request) -> tuple[Profile, Session | None]:
    """Return the player of a page as the visitor may see them, and the visitor's session.

    The name in the address can be a former one. Raises HTTPNotFound, also for what the visitor may not see.
    """
    member = await find_member(request)
    reader = None if member is None else member.account
    return await load_profile_for(request, reader), await find_session(request)


async def load_profile_for(request: web.Request, reader: str | None) -> Profile:
    """Return the player of a page as an account, or with None everybody, sees them. Raises HTTPNotFound."""
    context, people = request.app[CONTEXT], request.app[CONTEXT].matches.people
    account = await people.handles.find(request.match_info["name"])
    profile = None if account is None else await people.profiles.load(account, reader, now=context.now())
    if profile is None:
        raise web.HTTPNotFound
    return profile


async def _is_blocked(context: WebContext, session: Session, account: str) -> bool:
    own = session.person
    blocked = await context.matches.people.blocks.list_blocked(own, now=context.now())
    return any(person.account == account for person in blocked)


async def _rating_item(
    context: WebContext, path: str, profile: Profile, standing: Standing
) -> dict[str, Any]:
    """Return the template context of a rating, with its chart."""
    texts, named = context.texts, replace(profile.person, name=profile.handle)
    steps = await context.matches.ratings.history(profile.person, standing.game, now=context.now())
    return {
        "game": texts(f"game.{standing.game}.name"),
        "rating": format_rating(standing.rating.rating),
        "deviation": format_rating(standing.rating.deviation),
        "is_provisional": standing.is_provisional,
        "played": standing.played,
        "chart": f"{path}/rating/{quote(standing.game)}.png",
        "alt": format_history(texts.plain, named, standing.game, steps, standing.rating) if steps else "",
        "caption": format_caption(
            context.pages.texts, standing.game, has_marks=standing.played <= render.MAX_MARKED_POINTS
        ),
    }
